"""Pages that are what they were are taken from the store. Knows no MkDocs.

Three steps of a page are kept: its content (Markdown → HTML), what readers take away of it (downloads, notebook view),
and its frame (templates → HTML). No list says on what a step depends: while it is made, what it reads is noted
(`Reads`), and what was made is taken again where all of that is, by its own hash, what it was. What the engine and the
installed packages are counts for every step.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import jinja2
import jinja2.runtime

from verbatim import store
from verbatim.site import terms

ENGINE = Path(__file__).parents[1]

#: Stands for what is not there; another object would be another one in each build.
_MISSING = "\0missing"


class Shelf:
    """What was made of each page, one file a page and step: a page that changes replaces what was there.

    Args:
        folder: Where it lies.
        command: What builds; a server's pages have other addresses than a build's, so they are kept beside them.
        fresh: Take nothing, and put everything there anew.
    """

    def __init__(self, folder: Path, command: str, *, fresh: bool = False):
        self._folder, self._command, self._fresh = folder, command, fresh
        self._maker = maker()
        self.taken: dict[str, set[str]] = {}
        """Step → pages that were taken as they were."""
        self.made: dict[str, set[str]] = {}
        """Step → pages that were made."""

    def take(self, step: str, page: str, same: Callable[[dict[str, Any]], bool]) -> tuple[dict[str, Any], str] | None:
        """Return facts and text of a page's step; ``None`` where `same` says that the facts are no longer so."""
        kept = None if self._fresh else store.read(self._file(step, page))
        if kept is not None:
            head, _, text = kept.partition("\n")
            facts: dict[str, Any] = json.loads(head)
            if facts["maker"] == self._maker and same(facts):
                self.taken.setdefault(step, set()).add(page)
                return facts, text
        self.made.setdefault(step, set()).add(page)
        return None

    def put(self, step: str, page: str, facts: dict[str, Any], text: str) -> None:
        """Keep facts and text of a page's step."""
        head = json.dumps({**facts, "maker": self._maker}, ensure_ascii=False)
        store.write(self._file(step, page), f"{head}\n{text}")

    def _file(self, step: str, page: str) -> Path:
        return store.file(self._folder, step, f"{self._command}\0{page}", "html")


@functools.cache
def maker() -> str:
    """Hash of everything that makes pages: the engine's own files, the installed packages, Python."""
    own = sorted(path for path in ENGINE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    found = hashlib.sha256(repr((sys.version, packages())).encode())
    for path in (*own, terms.SCRIPT):  # the search's script is a part of the engine, too
        found.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return found.hexdigest()


def packages() -> list[str]:
    """Return every installed package with its version."""
    names: set[str] = set()
    for folder in filter(os.path.isdir, sys.path):
        names.update(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    return sorted(names)


class Asked:
    """Stands for an object whose attributes a step asks for, and notes which."""

    def __init__(self, target: Any):
        self._target = target
        self.names: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.names.add(name)
        return getattr(self._target, name)

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return self._target[name]


def token(value: Any, name: Callable[[Any], str | None] = lambda value: None) -> str:
    """Return a text that differs where a value does.

    Args:
        value: What was read.
        name: What an object is called whose own attributes are noted when they are read; nothing for any other.
    """
    if isinstance(value, str):  # `Markup` among them
        return "s" + (str(value) if len(value) < 200 else hashlib.sha256(value.encode()).hexdigest())
    if value is None or isinstance(value, (bool, int, float, datetime.date)):
        return repr(value)
    if called := name(value):
        return f"@{called}"
    inner = functools.partial(token, name=name)
    if isinstance(value, Mapping):
        return "{" + "\0".join(sorted(f"{inner(key)}:{inner(value[key])}" for key in value)) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + "\0".join(sorted(map(inner, value))) + "}"
    if isinstance(value, functools.partial):
        return inner((value.func, value.args, value.keywords))
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if is_dataclass(value):
        return inner({field.name: getattr(value, field.name) for field in fields(value)})
    if isinstance(value, Iterable) and not hasattr(value, "__dict__"):
        return "[" + "\0".join(map(inner, value)) + "]"
    if hasattr(value, "__dict__"):
        own = type(value).__qualname__ + inner(vars(value))
        return own + "[" + "\0".join(map(inner, value)) + "]" if isinstance(value, (list, tuple)) else own
    return repr(value)  # with its address, where it has nothing better: then it is never what it was


def digest(*values: Any) -> str:
    """Return one hash of several values."""
    return hashlib.sha256("\1".join(map(token, values)).encode()).hexdigest()


class Frames:
    """Makes the frames of one language's pages, or takes them as they were.

    While Jinja renders, its environment is asked for every attribute, its context for every name, and the environment
    again for every template: what it is asked is noted there.

    Args:
        env: Jinja's environment, with nothing loaded yet.
        shelf: Where frames are kept.
        finish: What is done to a frame at last. It returns the page, and facts to keep with it.
        reuse: What is done with such facts where a frame is taken.
        ask: Answers what templates ask the site while they are rendered (`asked` notes it).
    """

    def __init__(
        self,
        env: jinja2.Environment,
        shelf: Shelf,
        finish: Callable[[str], tuple[str, dict[str, Any]]],
        reuse: Callable[[dict[str, Any]], None],
        ask: Callable[[str], str],
    ):
        self._env, self._shelf, self._finish, self._reuse, self._ask = env, shelf, finish, reuse, ask
        self._named: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._tokens: dict[tuple[str, str], str] = {}
        self._sources: dict[str, str] = {}
        self._reads: _Reads | None = None
        self._watch()

    def know(self, named: dict[str, Any]) -> None:
        """Say what the objects are called whose attributes shall be noted: name → object."""
        self._named = named
        self._names = {id(thing): name for name, thing in named.items()}
        self._tokens.clear()

    def _watch(self) -> None:
        """Have the environment tell what it is asked."""
        frames, env = self, self._env
        get_attribute, get_item = env.getattr, env.getitem
        get_template, select_template = env.get_template, env.select_template

        def attribute(thing: Any, key: str) -> Any:
            if frames._reads is not None and (name := frames._names.get(id(thing))):
                frames._reads.attributes.setdefault(name, set()).add(key)
            return get_attribute(thing, key)

        def item(thing: Any, key: Any) -> Any:
            if frames._reads is not None and isinstance(key, str) and (name := frames._names.get(id(thing))):
                frames._reads.attributes.setdefault(name, set()).add(key)
            return get_item(thing, key)

        def template(name: Any, parent: str | None = None, globals: Any = None) -> jinja2.Template:
            if frames._reads is not None:
                frames._reads.templates.add(str(name))
            return get_template(name, parent, globals)

        def one_of(names: Any, parent: str | None = None, globals: Any = None) -> jinja2.Template:
            if frames._reads is not None:
                frames._reads.templates.update(map(str, names))
            return select_template(names, parent, globals)

        class Context(jinja2.runtime.Context):
            def resolve_or_missing(self, key: str) -> Any:
                if frames._reads is not None:
                    frames._reads.names.add(key)
                return super().resolve_or_missing(key)

        class Template(jinja2.Template):
            def render(self, *args: Any, **kwargs: Any) -> str:
                context = dict(*args, **kwargs)
                if context.get("page") is None:
                    return super().render(context)
                return frames._page(self.name or "", context, super().render)

        watched = {"getattr": attribute, "getitem": item, "get_template": template, "select_template": one_of}
        vars(env).update(watched)
        env.context_class, env.template_class = Context, Template

    def asked(self, question: str) -> str:
        """Answer a template, and note what it asked."""
        if self._reads is not None:
            self._reads.questions.add(question)
        return self._ask(question)

    def _page(self, template: str, context: dict[str, Any], render: Callable[[dict[str, Any]], str]) -> str:
        page = context["page"]
        place = f"{template}\0{page.file.src_uri}"
        # The page itself may be a copy with other content: its own reads are noted apart from those of the navigation.
        own = {"page": page, "file": page.file}
        before = {id(thing): self._names.get(id(thing)) for thing in own.values()}
        self._names.update({id(thing): name for name, thing in own.items()})
        try:
            kept = self._shelf.take(
                "frame", place, lambda facts: facts["is"] == self._measure(facts["reads"], own, context)
            )
            if kept:
                self._reuse(kept[0])
                return kept[1]
            self._reads = _Reads({template})
            try:
                text, facts = self._finish(render(context))
                reads = self._reads.listed()
            finally:
                self._reads = None
            measured = self._measure(reads, own, context)
            self._shelf.put("frame", place, {**facts, "reads": reads, "is": measured}, text)
            return text
        finally:
            for key, name in before.items():
                del self._names[key]
                if name:
                    self._names[key] = name

    def _measure(self, reads: dict[str, Any], own: dict[str, Any], context: dict[str, Any]) -> str:
        """Return one hash of everything that was read, as it is now."""
        found = [token(context.get(name, _MISSING), self._name) for name in reads["names"]]
        for attributes, names in reads["attributes"].items():
            found += [self._token(own, name, attributes) for name in names]
        found += [self._source(name) for name in reads["templates"]]
        found += [self._ask(question) for question in reads["questions"]]
        return hashlib.sha256("\1".join(found).encode()).hexdigest()

    def _name(self, value: Any) -> str | None:
        return self._names.get(id(value))

    def _token(self, own: dict[str, Any], name: str, attributes: str) -> str:
        """Return what an object's attributes are; what is the same on all pages is looked at once."""
        thing = own.get(name, self._named.get(name))
        if name in own or name == "config":
            return self._values(thing, attributes)
        key = (name, attributes)
        if key not in self._tokens:
            self._tokens[key] = self._values(thing, attributes)
        return self._tokens[key] + str(getattr(thing, "active", None))

    def _values(self, thing: Any, attributes: str) -> str:
        read = (name for name in attributes.split() if name != "active")
        return "\2".join(token(self._read(thing, name), self._name) for name in read)

    @staticmethod
    def _read(thing: Any, attribute: str) -> Any:
        if hasattr(thing, attribute):
            return getattr(thing, attribute)
        try:
            return thing[attribute]
        except (TypeError, LookupError, AttributeError):
            return _MISSING

    def _source(self, name: str) -> str:
        """Return the hash of a template as it would be loaded now."""
        if name not in self._sources:
            try:
                assert self._env.loader is not None
                source = self._env.loader.get_source(self._env, name)[0]
            except jinja2.TemplateNotFound:
                source = ""
            self._sources[name] = hashlib.sha256(source.encode()).hexdigest()
        return self._sources[name]


class _Reads:
    """What one rendering has read."""

    def __init__(self, templates: set[str]):
        self.templates = templates
        self.names: set[str] = set()
        self.attributes: dict[str, set[str]] = {}
        self.questions: set[str] = set()

    def listed(self) -> dict[str, Any]:
        """Return it as JSON has it; things of which the same attributes were read stand together."""
        grouped: dict[str, list[str]] = {}
        for name, read in sorted(self.attributes.items()):
            grouped.setdefault(" ".join(sorted(read)), []).append(name)
        return {
            "names": sorted(self.names),
            "attributes": grouped,
            "templates": sorted(self.templates),
            "questions": sorted(self.questions),
        }

"""Caches the build steps of pages, with automatic tracking of what each step depends on. Independent of MkDocs.

Three steps of a page are cached: its content (Markdown → HTML), its downloads and notebook view, and its frame
(templates → HTML). Dependencies are not declared: while a step runs, everything that it reads is recorded, with hashes.
The cached result is used again if all of these hashes are unchanged. The engine's files and the installed packages are
dependencies of every step.
"""

from __future__ import annotations

import base64
import datetime
import functools
import hashlib
import json
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import jinja2
import jinja2.bccache
import jinja2.runtime

from verbatim import store
from verbatim.site import terms

ENGINE = Path(__file__).parents[1]

#: Marks a missing value. It is a string, so that its hash is the same in every build.
_MISSING = "\0missing"


class Shelf:
    """The cache on disk, with one file for each page and step. A new result replaces the old one.

    Args:
        folder: The cache folder.
        command: The MkDocs command. Pages have other addresses when served than when built, so both are cached.
        fresh: Ignore cached results and write new ones.
    """

    def __init__(self, folder: Path, command: str, *, fresh: bool = False):
        self._folder, self._command, self._fresh = folder, command, fresh
        self._maker = maker()
        self.taken: dict[str, set[str]] = {}
        """Step → pages whose cached result was used."""
        self.made: dict[str, set[str]] = {}
        """Step → pages for which the step was run."""

    def take(self, step: str, page: str, same: Callable[[dict[str, Any]], bool]) -> tuple[dict[str, Any], str] | None:
        """Look up the cached result of a step.

        Args:
            step: The step's name.
            page: The page's path.
            same: Given the stored facts, returns whether they still hold.

        Returns:
            The facts and the text; ``None`` if nothing is cached or it is out of date.
        """
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
        """Store the facts (JSON values) and the text of a page's step."""
        head = json.dumps({**facts, "maker": self._maker}, ensure_ascii=False)
        store.write(self._file(step, page), f"{head}\n{text}")

    def _file(self, step: str, page: str) -> Path:
        return store.file(self._folder, step, f"{self._command}\0{page}", "html")


@functools.cache
def maker() -> str:
    """Return the hash of the software that makes pages: the engine's files, the installed packages and Python."""
    own = sorted(path for path in ENGINE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    found = hashlib.sha256(repr((sys.version, packages())).encode())
    for path in (*own, terms.SCRIPT):  # the search script is also part of the engine
        found.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return found.hexdigest()


def packages() -> list[str]:
    """Return every installed package with its version."""
    names: set[str] = set()
    for folder in filter(os.path.isdir, sys.path):
        names.update(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    return sorted(names)


class Asked:
    """Proxy for an object that records the names of the attributes and items that are read."""

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
    """Return a string that identifies a value: different values give different strings.

    Args:
        value: The value.
        name: Returns the name of an object whose attribute reads are tracked, which then stands for it; ``None`` for
            other objects, whose content is used.
    """
    if isinstance(value, str):  # `Markup` among them
        return "s" + (str(value) if len(value) < 200 else hashlib.sha256(value.encode()).hexdigest())
    if value is None or isinstance(value, (bool, int, float, datetime.date)):
        return repr(value)
    if called := name(value):
        return f"@{called}"
    if type(value) in (list, tuple):  # the most frequent, and what the questions below are slow to find out
        return "[" + "\0".join([token(one, name) for one in value]) + "]"
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
    return repr(value)  # may contain a memory address: the result then never matches, which is safe


def digest(*values: Any) -> str:
    """Return one hash of several values."""
    return hashlib.sha256("\1".join(map(token, values)).encode()).hexdigest()


class Compiled(jinja2.BytecodeCache):
    """Keeps compiled templates: compiling those of a page takes longer than rendering many pages.

    Args:
        folder: The cache folder.
        env: The environment that the templates are compiled for.
    """

    def __init__(self, folder: Path, env: jinja2.Environment):
        self._folder = folder
        self._maker = f"{maker()}\0{sorted(env.extensions)}"

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        if (kept := store.read(self._file(bucket))) is not None:
            bucket.bytecode_from_string(base64.b64decode(kept))

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        store.write(self._file(bucket), base64.b64encode(bucket.bytecode_to_string()).decode())

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return name  # wherever it lies: the hash of its source is stored with it, and compared

    def _file(self, bucket: jinja2.bccache.Bucket) -> Path:
        return store.file(self._folder, "template", f"{self._maker}\0{bucket.key}", "txt")


class Frames:
    """Renders the frames of one language's pages, or takes them from the cache.

    Jinja looks up attributes and templates through its environment, and names through its context. These lookups are
    intercepted, which shows what a rendering depends on.

    Args:
        env: Jinja's environment, before any template is loaded.
        shelf: The cache.
        finish: Postprocesses a rendered frame. Returns the finished page and facts to store with it.
        reuse: Called with these facts when a cached frame is used.
        ask: Answers questions that templates ask about the site; `asked` calls it and records the question.
        carried: Pages of which nothing is rendered: files from the documentation's root.
    """

    def __init__(
        self,
        env: jinja2.Environment,
        shelf: Shelf,
        finish: Callable[[str], tuple[str, dict[str, Any]]],
        reuse: Callable[[dict[str, Any]], None],
        ask: Callable[[str], str],
        carried: Container[str] = (),
    ):
        self._env, self._shelf, self._finish, self._reuse, self._ask = env, shelf, finish, reuse, ask
        self._carried = carried
        self._named: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._tokens: dict[str, dict[str, str]] = {}
        self._sources: dict[str, str] = {}
        self._reads: _Reads | None = None
        self._watch()

    def know(self, named: dict[str, Any]) -> None:
        """Set the objects whose attribute reads are tracked: name → object."""
        self._named = named
        self._names = {id(thing): name for name, thing in named.items()}
        self._tokens.clear()

    def _watch(self) -> None:
        """Replace the environment's lookup methods and classes with versions that record what is read."""
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
                page = context.get("page")
                if page is None:
                    return super().render(context)
                if page.file.src_uri in frames._carried:
                    return ""
                return frames._page(self.name or "", context, super().render)

        watched = {"getattr": attribute, "getitem": item, "get_template": template, "select_template": one_of}
        vars(env).update(watched)
        env.context_class, env.template_class = Context, Template

    def asked(self, question: str) -> str:
        """Answer a template's question and record the question."""
        if self._reads is not None:
            self._reads.questions.add(question)
        return self._ask(question)

    def _page(self, template: str, context: dict[str, Any], render: Callable[[dict[str, Any]], str]) -> str:
        page = context["page"]
        place = f"{template}\0{page.file.src_uri}"
        # The page may be a copy with other content, so its reads are recorded apart from those of the navigation.
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
        """Return one hash of the current values of everything that was read."""
        found = [token(context.get(name, _MISSING), self._name) for name in reads["names"]]
        for attributes, names in reads["attributes"].items():
            found += self._read_of(own, attributes, names)
        found += [self._source(name) for name in reads["templates"]]
        found += [self._ask(question) for question in reads["questions"]]
        return hashlib.sha256("\1".join(found).encode()).hexdigest()

    def _name(self, value: Any) -> str | None:
        return self._names.get(id(value))

    def _read_of(self, own: dict[str, Any], attributes: str, names: list[str]) -> Iterator[str]:
        """Yield, for each object, a string for the values of its attributes: for most once a build, not once a page."""
        shared = self._tokens.setdefault(attributes, {})
        read = attributes.split()
        # These differ from page to page: where one is in the navigation, and the settings' links to other languages.
        active, extra = "active" in read, "extra" in read
        still = [name for name in read if name not in ("active", "extra")]
        for name in names:
            thing = own.get(name, self._named.get(name))
            if name in own:
                yield self._values(thing, still)
                continue
            if name not in shared:
                shared[name] = self._values(thing, still)
            yield shared[name]
            if active:
                yield str(getattr(thing, "active", None))
            if extra:
                yield self._values(thing, ["extra"])

    def _values(self, thing: Any, attributes: Iterable[str]) -> str:
        return "\2".join(token(self._read(thing, name), self._name) for name in attributes)

    @staticmethod
    def _read(thing: Any, attribute: str) -> Any:
        if hasattr(thing, attribute):
            return getattr(thing, attribute)
        try:
            return thing[attribute]
        except (TypeError, LookupError, AttributeError):
            return _MISSING

    def _source(self, name: str) -> str:
        """Return the hash of a template's current source."""
        if name not in self._sources:
            try:
                assert self._env.loader is not None
                source = self._env.loader.get_source(self._env, name)[0]
            except jinja2.TemplateNotFound:
                source = ""
            self._sources[name] = hashlib.sha256(source.encode()).hexdigest()
        return self._sources[name]


class _Reads:
    """What one rendering read: templates, names, attributes of tracked objects, and questions."""

    def __init__(self, templates: set[str]):
        self.templates = templates
        self.names: set[str] = set()
        self.attributes: dict[str, set[str]] = {}
        self.questions: set[str] = set()

    def listed(self) -> dict[str, Any]:
        """Return the reads as JSON values. Objects of which the same attributes were read are grouped."""
        grouped: dict[str, list[str]] = {}
        for name, read in sorted(self.attributes.items()):
            grouped.setdefault(" ".join(sorted(read)), []).append(name)
        return {
            "names": sorted(self.names),
            "attributes": grouped,
            "templates": sorted(self.templates),
            "questions": sorted(self.questions),
        }

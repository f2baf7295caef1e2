"""The pages that list all public PyTorch names that shown cells use, with a summary and links to their uses. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from html import escape

from verbatim.book.compare import text_of
from verbatim.lists import api, filtering, parts
from verbatim.lists.parts import Part
from verbatim.lists.places import Place, Sources, link, link_place, once, path_between, title
from verbatim.markdown import code
from verbatim.pages.other_releases import named
from verbatim.pages.page import Page
from verbatim.words import COMMON, NAMES

#: The page that lists the names.
PAGE = "ways/names.md"
TENSOR = "torch.Tensor"
_CLASS_NAME = re.compile(r"_*[A-Z]")
#: The module of the classes that functions with several results return.
_RESULTS = "torch.return_types."
#: Names with at most this many sections link to sections, others to pages.
FEW_SECTIONS = 4
#: The most links of a name, the most relevant first; ``verbatim.json`` has all of them.
MOST_LINKS = 6


@dataclass
class Name:
    """One public name."""

    name: str
    """The full name, such as ``torch.nn.Linear``."""
    summary: str = ""
    """The first sentence of its docstring in the installed PyTorch."""
    deprecated: str = ""
    """The first line of its deprecation warning; empty if no cell printed one."""
    places: list[Place] = field(default_factory=list)
    missing: tuple[str, ...] = ()
    """The recorded releases of torch that lack it, oldest first."""

    method: str = ""
    """The tensors' method of the same name, if cells use it, too: ``torch.Tensor.sum`` for ``torch.sum``."""
    module: str = ""
    """The module that it belongs to; of a tensor's method, ``torch.Tensor``."""

    @property
    def all(self) -> tuple[str, ...]:
        """The name, and that of the method if it has one."""
        return tuple(filter(None, (self.name, self.method)))

    @property
    def short(self) -> str:
        """The name within its module: ``Module.apply``."""
        return self.name.removeprefix(f"{self.module}.")


@once
def names(sources: Sources, language: str) -> list[Name]:
    """Return the names that pages of a language use, sorted by module, then by name."""
    by_name: dict[str, Name] = {}
    missing: dict[str, tuple[str, ...]] = {}
    for release in sources.book.releases.all:
        for name in release.missing:
            missing[name] = (*missing.get(name, ()), release.name)
    for place in sources.places(language):
        result = sources.book.display_results.get(place.script.path)
        printed = warnings(sources, place)
        for name in sources.names(place):
            entry = by_name.setdefault(name, Name(name, missing=missing.get(name, ())))
            entry.summary = entry.summary or (result.summaries.get(name, "") if result else "")
            entry.places.append(place)
            entry.deprecated = entry.deprecated or next((w for w in printed if deprecates(w, name)), "")
    for name in [name for name in by_name if name.startswith(f"{TENSOR}.")]:
        _join(by_name, name)
    for entry in by_name.values():
        entry.module = module(entry.name, by_name)
    return sorted(by_name.values(), key=lambda n: (n.module.lower(), n.name.lower(), n.name))


def _join(by_name: dict[str, Name], method: str) -> None:
    """List a tensor's method with the function of its name, where cells use both and the same releases have them."""
    function = by_name.get(f"torch.{method.removeprefix(f'{TENSOR}.')}")
    if function and function.missing == by_name[method].missing:
        joined = by_name.pop(method)
        function.method = method
        function.deprecated = function.deprecated or joined.deprecated
        function.places += [place for place in joined.places if place not in function.places]


def module(name: str, listed: Container[str]) -> str:
    """Return the module of a name, without the classes in between: ``torch.nn.Module.apply`` → ``torch.nn``.

    Classes are recognized by a capital letter, or because they are on the list themselves, such as ``torch.device``.
    Tensors have so many methods that they are a group of their own.
    """
    home = name.rpartition(".")[0]
    while home != TENSOR and (
        _CLASS_NAME.match(home.rpartition(".")[2]) or home in listed or home.startswith(_RESULTS)
    ):
        home = home.rpartition(".")[0]
    return home


def warnings(sources: Sources, place: Place) -> list[str]:
    """Return the first lines of the warnings that a cell printed."""
    outputs = sources.outputs(place)
    texts = (text_of(output) for output in outputs if output.get("name") == "stderr")
    return [text.splitlines()[0] for text in texts if text.strip()]


def deprecates(warning: str, name: str) -> bool:
    """Whether a warning says that a name is deprecated: it begins with the name, then says so.

    A warning about one way of using it (“indexing with dtype torch.uint8 is now deprecated”) does not count.
    """
    message = warning.partition(": ")[2]
    last = re.escape(name.rpartition(".")[2])
    return bool(re.match(rf"\W*(?:\w+\.)*{last}(?!\w)\W*\s(?:is|are|was|has been|will be)\b[^.]*?deprecated", message))


def address(name: str, find: Callable[[str], str] = api.address) -> str:
    """Return the address of a name in PyTorch's documentation.

    Args:
        name: The name.
        find: Looks up an address, as `api.address` does; callers can pass a cached version.

    Returns:
        The address. For a method without a page, the address of its class; empty if neither is documented.
    """
    if known := find(name):
        return known
    home = name.rpartition(".")[0]
    owner = home.rpartition(".")[2]
    return find(home) if owner[:1].isupper() and home != "torch.Tensor" else ""


def linked(name: str, find: Callable[[str], str] = api.address) -> str:
    """Return a name as code, linked to its documentation if it has one. `find`: as in `address`."""
    target = address(name, find)
    return f"[{code(name)}]({target})" if target else code(name)


def link_name(name: str, listed: Mapping[str, str], page: Page) -> str:
    """Return a name as code, linked to the page that shows it. `listed`: what `places_of` returns."""
    return f"[{code(name)}]({path_between(listed[name], page.name)}#{name})" if name in listed else code(name)


def anchor(name: str) -> str:
    """Return the id of a name on the list."""
    return name


def sections(places: list[Place], base: Page) -> list[str]:
    """Return links to the sections of some cells, without duplicates."""
    return list(dict.fromkeys(link_place(place, base) for place in places))


def pages(name: str, places: list[Place], base: Page) -> list[str]:
    """Return one link for each page that shows one of the cells, the most relevant first.

    These are pages with the name in a heading, then those with the most cells that use it.
    """
    first: dict[str, Place] = {}
    for place in places:
        first.setdefault(place.page.name, place)
    cells = Counter(place.page.name for place in places)
    word = name.rpartition(".")[2]

    def rank(place: Place) -> tuple[bool, int]:
        return word not in place.page.heading_words, -cells[place.page.name]

    ordered = sorted(first.values(), key=rank)
    return [link(title(place.page), place.page, place.anchor, base) for place in ordered]


@once
def places_of(sources: Sources, language: str) -> dict[str, str]:
    """Return name → path of the page, below its language, that shows all of it: the list, or a part of it."""
    shown = _parts(sources, language)
    pages = {name: part.page.name if part else PAGE for name, part in shown.items()}
    return {name: pages[entry.name] for entry in names(sources, language) for name in entry.all}


@once
def _parts(sources: Sources, language: str) -> dict[str, Part | None]:
    """Return name → the part of the list that shows all of it; ``None`` if none does."""
    list_parts = parts.parts(sources, "names", language)
    return {entry.name: parts.part_for(list_parts, entry.module, entry.short) for entry in names(sources, language)}


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown lines: one heading per module, one item per name."""
    entries = names(sources, page.language)
    split = bool(parts.parts(sources, "names", page.language))
    return _render(sources, page, entries, filtering.header("names", len(entries), page.language, brief=split))


def render_part(sources: Sources, part: Part) -> list[str]:
    """Return a part of the list as Markdown lines."""
    language = part.page.language
    shown = _parts(sources, language)
    entries = [entry for entry in names(sources, language) if shown[entry.name] == part]
    return _render(sources, part.page, entries, filtering.header("names", len(entries), language))


def _render(sources: Sources, page: Page, entries: list[Name], lines: list[str]) -> list[str]:
    counts = Counter(entry.module for entry in entries)
    shown = _parts(sources, page.language)
    current = ""
    for entry in entries:
        if entry.module != current:
            current = entry.module
            lines += filtering.heading(current, f"in-{current.replace('.', '-').lower()}", counts[current])
        part = shown[entry.name]
        if part is None or part.page == page:
            lines += _item(sources, page, entry)
        else:
            target = path_between(part.page.name, page.name)
            lines += [f"- [{code(name)}]({target}#{anchor(name)}){{ #{anchor(name)} }}" for name in entry.all]
    return lines


def _item(sources: Sources, page: Page, entry: Name) -> list[str]:
    """Return the list's item for a name."""
    words, colon = NAMES[page.language], COMMON[page.language]["colon"]
    ids = "".join(f'<span id="{escape(anchor(name))}"></span>' for name in entry.all)
    item = f"- {ids}{' · '.join(linked(name, sources.address) for name in entry.all)}"
    # Docstrings are English, and a first sentence that ends in a formula or a list is only half of one.
    if page.language == "en" and entry.summary.endswith("."):
        item += f" {code(entry.summary) if '`' in entry.summary else _plain(entry.summary)}"
    lines = [item, ""]
    if entry.deprecated:
        lines += [f"    **{words['deprecated']}**{colon}{code(entry.deprecated)}", ""]
    if entry.missing:
        lines += [f"    **{words['missing']}**{colon}{named(entry.missing, page.language)}", ""]
    if len({(place.page.path, place.heading, place.anchor) for place in entry.places}) > FEW_SECTIONS:
        links = pages(entry.name, entry.places, page)
    else:
        links = sections(entry.places, page)
    many = words["some"].format(count=len(links)) if len(links) > MOST_LINKS else ""
    return [*lines, f"    {many}{' · '.join(links[:MOST_LINKS])}", ""]


def _plain(text: str) -> str:
    """Return a docstring's text with Markdown's special characters escaped."""
    return re.sub(r"([\\*_\[\]<>{}#|])", lambda m: f"&#{ord(m[1])};", text)


def used_here(sources: Sources, page: Page) -> str:
    """Return the line of names that a recipe's page uses, linked to the list of names; empty if it uses none."""
    if "/" not in page.name or sources.page(f"docs/{page.language}/{PAGE}") is None:
        return ""
    used = {name for place in sources.places_on(page) for name in sources.names(place)}
    if not used:
        return ""
    # `torch.tensor` and `torch.Tensor` differ only in case: the second key makes the order deterministic.
    ordered = sorted(used, key=lambda name: (name.lower(), name))
    shown = places_of(sources, page.language)
    targets = (path_between(shown.get(name, PAGE), page.name) for name in ordered)
    links = " · ".join(f"[{code(name)}]({to}#{anchor(name)})" for name, to in zip(ordered, targets, strict=True))
    return NAMES[page.language]["used"] + links

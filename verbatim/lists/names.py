"""The page that lists all public PyTorch names that shown cells use, with a summary and links to their uses. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from verbatim.book.compare import text_of
from verbatim.lists import api, filtering
from verbatim.lists.places import Place, Sources, link, link_place, once, path_between, title
from verbatim.markdown import code
from verbatim.pages.page import Page
from verbatim.pages.versions import named
from verbatim.words import NAMES

#: The page that lists the names.
PAGE = "ways/names.md"
#: Up to this many sections are listed directly; if there are more, their pages are listed in a collapsed box.
FEW = 4


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

    @property
    def home(self) -> str:
        """The module or class that it belongs to."""
        return self.name.rpartition(".")[0]


@once
def names(sources: Sources, language: str) -> list[Name]:
    """Return the names that pages of a language use, sorted by module or class, then by name."""
    found: dict[str, Name] = {}
    missing: dict[str, tuple[str, ...]] = {}
    for one in sources.book.versions.all:
        for name in one.missing:
            missing[name] = (*missing.get(name, ()), one.torch)
    for place in sources.places(language):
        result = sources.book.results.get(place.script.path)
        told = warnings(sources, place)
        for name in sources.names(place):
            entry = found.setdefault(name, Name(name, missing=missing.get(name, ())))
            entry.summary = entry.summary or (result.summaries.get(name, "") if result else "")
            entry.places.append(place)
            entry.deprecated = entry.deprecated or next((w for w in told if deprecates(w, name)), "")
    return sorted(found.values(), key=lambda n: (n.home.lower(), n.name.lower(), n.name))


def warnings(sources: Sources, place: Place) -> list[str]:
    """Return the first lines of the warnings that a cell printed."""
    outputs = sources.outputs(place)
    return [text_of(o).splitlines()[0] for o in outputs if o.get("name") == "stderr" and o["text"].strip()]


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
    if found := find(name):
        return found
    home = name.rpartition(".")[0]
    owner = home.rpartition(".")[2]
    return find(home) if owner[:1].isupper() and home != "torch.Tensor" else ""


def linked(name: str, find: Callable[[str], str] = api.address) -> str:
    """Return a name as code, linked to its documentation if it has one. `find`: as in `address`."""
    target = address(name, find)
    return f"[{code(name)}]({target})" if target else code(name)


def anchor(name: str) -> str:
    """Return the id of a name on the list."""
    return name


def sections(places: list[Place], base: Page) -> list[str]:
    """Return links to the sections of some cells, without duplicates."""
    return list(dict.fromkeys(link_place(place, base) for place in places))


def pages(places: list[Place], base: Page) -> list[str]:
    """Return one link for each page that shows one of the cells, to the first section that does."""
    first: dict[str, Place] = {}
    for place in places:
        first.setdefault(place.page.name, place)
    return [link(title(place.page), place.page, place.anchor, base) for place in first.values()]


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown lines: one heading per module or class, one item per name."""
    words = NAMES[page.language]
    found = names(sources, page.language)
    counts = Counter(entry.home for entry in found)
    lines = filtering.above("names", len(found), page.language)
    current = ""
    for entry in found:
        if entry.home != current:
            current = entry.home
            lines += filtering.heading(current, f"in-{current.replace('.', '-').lower()}", counts[current])
        item = f'- <span id="{anchor(entry.name)}"></span>{linked(entry.name, sources.address)}'
        if entry.summary:
            item += f' <span lang="en">{code(entry.summary) if "`" in entry.summary else _plain(entry.summary)}</span>'
        lines += [item, ""]
        if entry.deprecated:
            lines += [f"    **{words['deprecated']}**{_colon(page)}{code(entry.deprecated)}", ""]
        if entry.missing:
            lines += [f"    **{words['missing']}**{_colon(page)}{named(entry.missing, page.language)}", ""]
        links = sections(entry.places, page)
        if len(links) <= FEW:
            lines += ["    " + " · ".join(links), ""]
        else:
            links = pages(entry.places, page)
            lines += [
                f'    ??? quote "{words["places"].format(count=len(links))}"',
                "",
                f"        {' · '.join(links)}",
                "",
            ]
    return lines


def _colon(page: Page) -> str:
    return "：" if page.language == "zh" else ": "


def _plain(text: str) -> str:
    """Return a docstring's text with Markdown's special characters escaped."""
    return re.sub(r"([\\*_\[\]<>{}#|])", lambda m: f"&#{ord(m[1])};", text)


def used_here(sources: Sources, page: Page) -> str:
    """Return the line of names that a recipe's page uses, linked to the list of names; empty if it uses none."""
    used = {name for place in sources.places_on(page) for name in sources.names(place)}
    # `torch.tensor` and `torch.Tensor` differ only in case: the second key makes the order deterministic.
    found = sorted(used, key=lambda name: (name.lower(), name))
    listed = any(p.name == PAGE and p.language == page.language for p in sources.pages)
    if not found or not listed or "/" not in page.name:
        return ""
    target = path_between(PAGE, page.name)
    links = " · ".join(f"[{code(name)}]({target}#{anchor(name)})" for name in found)
    return f"\n\n{NAMES[page.language]['used']}{links}\n{{ .verbatim-used }}\n"

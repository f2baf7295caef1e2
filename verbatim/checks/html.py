"""Raw HTML and attributes in pages: one list of what is allowed. A page lays out text; it runs and loads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from verbatim.checks import addresses
from verbatim.markdown import REMEDY_MARK, blank, without_front_matter
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: Element → its attributes, besides `COMMON_ATTRIBUTES`.
ALLOWED_ATTRIBUTES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("br", "code", "details", "div", "kbd", "p", "pre", "span", "sub", "summary", "sup"), frozenset()),
    "a": frozenset({"href"}),
    "img": frozenset({"alt", "height", "src", "width"}),
}
COMMON_ATTRIBUTES = frozenset({"class", "id", "lang", "title"})
#: Keys that may stand in an attribute list, ``{ .class #id key="…" }``.
LISTED = COMMON_ATTRIBUTES | {"alt", "height", "loading", "width"}
#: Elements that hold nothing, so that nothing closes them.
VOID_ELEMENTS = ("br", "img")
#: ``<https://…>``, a link and no element.
AUTOLINK = re.compile(r"<(?:https?://|mailto:)[^>\s]+>")
ATTRIBUTE_LIST = re.compile(r"\{:?(?P<inside>[^{}\n]*)\}")
ATTRIBUTE_NAME = re.compile(r"([^\s=.#\"']+)\s*=")
HINT = f"pages may hold {', '.join(sorted(ALLOWED_ATTRIBUTES))}; a new need is one line in verbatim/checks/html.py"


def check_html(page: Page) -> Iterator[Problem]:
    """Yield each element, attribute or address of a page that is not on the list."""
    text = AUTOLINK.sub(blank, page.plain)
    reader = _Reader()
    reader.feed(text)
    reader.close()
    told = [*reader.found]
    for number, row in enumerate(text.split("\n"), 1):
        for match in ATTRIBUTE_LIST.finditer(REMEDY_MARK.sub("", row)):
            keys = (key.lower() for key in ATTRIBUTE_NAME.findall(re.sub(r'"[^"]*"|\'[^\']*\'', '""', match["inside"])))
            told += [(number, _attribute(key)) for key in keys if key not in LISTED]
    for line, message in told:
        yield Problem(page.path, line, message, HINT)
    for line, tag in reader.unpaired:
        yield Problem(
            page.path, line, f"`{tag}` has no counterpart", "open and close each element, the last opened first"
        )
    for line, tag in reader.open:
        yield Problem(page.path, line, f"the element `<{tag}>` is never closed", f"end it with </{tag}>")
    yield from _check_addresses(page, {message for _, message in told})


def _check_addresses(page: Page, told: set[str]) -> Iterator[Problem]:
    """The HTML that comes of a page has a browser follow, load and run what `addresses` allows, and nothing else."""
    if page.bare.count("[") > addresses.MOST_BRACKETS:
        yield Problem(page.path, 0, f"the page has more than {addresses.MOST_BRACKETS} opening brackets", "split it up")
        return
    for refusal in dict.fromkeys(addresses.refused(addresses.rendered(without_front_matter(page.text)))):
        if refusal.fact not in told and _attribute(refusal.text) not in told:
            yield Problem(page.path, addresses.line_of(refusal, page.text), refusal.fact, refusal.hint)


def _attribute(name: str) -> str:
    return f"the attribute `{name}` is not allowed in a page"


class _Reader(HTMLParser):
    """Collects what is not allowed, with its line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, str]] = []
        self.open: list[tuple[int, str]] = []
        self.unpaired: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        if tag not in ALLOWED_ATTRIBUTES:
            self.found.append((line, f"the element `<{tag}>` is not allowed in a page"))
            return
        if tag not in VOID_ELEMENTS:
            self.open.append((line, tag))
        for name, _ in attrs:
            if name not in ALLOWED_ATTRIBUTES[tag] | COMMON_ATTRIBUTES:
                self.found.append((line, f"the attribute `{name}` of `<{tag}>` is not allowed in a page"))

    def handle_endtag(self, tag: str) -> None:
        if tag not in ALLOWED_ATTRIBUTES or tag in VOID_ELEMENTS:
            return
        if self.open and self.open[-1][1] == tag:
            self.open.pop()
        else:
            self.unpaired.append((self.getpos()[0], f"</{tag}>"))

    def handle_decl(self, decl: str) -> None:
        self.found.append((self.getpos()[0], f"the declaration `<!{decl}>` is not allowed in a page"))

    def unknown_decl(self, data: str) -> None:
        self.handle_decl(data)

    def handle_pi(self, data: str) -> None:
        self.found.append((self.getpos()[0], f"the instruction `<?{data}>` is not allowed in a page"))

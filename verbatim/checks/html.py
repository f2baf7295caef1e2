"""Raw HTML and attributes in pages: one list of what is allowed. A page lays out text; it runs and loads nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from verbatim.markdown import OUTSIDE, REMEDY, blank
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: Element → its attributes, besides `EVERYWHERE`.
ALLOWED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("br", "code", "details", "div", "kbd", "p", "pre", "span", "sub", "summary", "sup"), frozenset()),
    "a": frozenset({"href"}),
    "img": frozenset({"alt", "height", "src", "width"}),
}
EVERYWHERE = frozenset({"class", "id", "lang", "title"})
#: Keys that may stand in an attribute list, ``{ .class #id key="…" }``.
LISTED = EVERYWHERE | {"alt", "height", "loading", "width"}
#: Elements that hold nothing, so that nothing closes them.
VOID = ("br", "img")
#: An address that is a program or a document of its own.
ACTIVE = re.compile(r"\s*(?:javascript|data|vbscript)\s*:", re.IGNORECASE)
#: An address that the build itself writes where a figure comes.
OWN = re.compile(r"\s*verbatim\s*:", re.IGNORECASE)
#: ``<https://…>``, a link and no element.
AUTOLINK = re.compile(r"<(?:https?://|mailto:)[^>\s]+>")
ATTRIBUTES = re.compile(r"\{:?(?P<inside>[^{}\n]*)\}")
KEY = re.compile(r"([^\s=.#\"']+)\s*=")
HINT = f"pages may hold {', '.join(sorted(ALLOWED))}; a new need is one line in verbatim/checks/html.py"
ELSEWHERE = "comes from another place than the site"
HINT_IMAGE = "keep the file below docs/assets/ and name it relative to the page"


def check_html(page: Page) -> Iterator[Problem]:
    """Yield each element, attribute or address of a page that is not on the list."""
    text = AUTOLINK.sub(blank, page.plain)
    reader = _Reader()
    reader.feed(text)
    reader.close()
    for line, message in reader.found:
        yield Problem(page.path, line, message, HINT)
    for line, tag in reader.unpaired:
        yield Problem(
            page.path, line, f"`{tag}` has no counterpart", "open and close each element, the last opened first"
        )
    for line, tag in reader.open:
        yield Problem(page.path, line, f"the element `<{tag}>` is never closed", f"end it with </{tag}>")
    for line, target in page.links:
        if ACTIVE.match(target):
            yield Problem(page.path, line, f"the link `{target}` is a program", "link to a page or to https://…")
        elif OWN.match(target):
            yield Problem(page.path, line, f"the address `{target}` is one that the build alone writes", HINT)
    for line, target in page.images:
        if _external(target) and not ACTIVE.match(target) and not OWN.match(target):
            yield Problem(page.path, line, f"the image `{target}` {ELSEWHERE}", HINT_IMAGE)
    for number, row in enumerate(text.split("\n"), 1):
        for match in ATTRIBUTES.finditer(REMEDY.sub("", row)):
            for key in KEY.findall(re.sub(r'"[^"]*"|\'[^\']*\'', '""', match["inside"])):
                if key.lower() not in LISTED:
                    yield Problem(page.path, number, f"the attribute `{key}` is not allowed in a page", HINT)


def _external(address: str) -> bool:
    """Whether a reader's browser would ask another host for it."""
    return bool(OUTSIDE.match(address.strip().lower())) or address.strip().startswith("//")


class _Reader(HTMLParser):
    """Collects what is not allowed, with its line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, str]] = []
        self.open: list[tuple[int, str]] = []
        self.unpaired: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        if tag not in ALLOWED:
            self.found.append((line, f"the element `<{tag}>` is not allowed in a page"))
            return
        if tag not in VOID:
            self.open.append((line, tag))
        for name, value in attrs:
            if name not in ALLOWED[tag] | EVERYWHERE:
                self.found.append((line, f"the attribute `{name}` of `<{tag}>` is not allowed in a page"))
            elif name in ("href", "src") and ACTIVE.match(value or ""):
                self.found.append((line, f"the address `{value}` of `<{tag}>` is a program"))
            elif name in ("href", "src") and OWN.match(value or ""):
                self.found.append((line, f"the address `{value}` of `<{tag}>` is one that the build alone writes"))
            elif name == "src" and _external(value or ""):
                self.found.append((line, f"the address `{value}` of `<{tag}>` {ELSEWHERE}"))

    def handle_endtag(self, tag: str) -> None:
        if tag not in ALLOWED or tag in VOID:
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

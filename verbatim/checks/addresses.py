"""What the HTML of a page has a browser follow, load or run: one list of what it may. Pure.

Markdown and HTML have many spellings of one address: references, blanks and line breaks within it, entities, capitals.
So what is looked at is the HTML that comes of a page, by a parser, and each address as browsers read it
(https://url.spec.whatwg.org/#concept-basic-url-parser).
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from typing import Any, NamedTuple

from markdown import Markdown

#: The extensions of `mkdocs.yml` by which text becomes other elements or addresses; a test compares both.
MARKDOWN_EXTENSIONS: dict[str, dict[str, Any]] = {
    "admonition": {},
    "attr_list": {},
    "tables": {"use_align_attribute": True},
    "pymdownx.arithmatex": {"generic": True, "inline_syntax": ["round"], "block_syntax": ["square"]},
    "pymdownx.details": {},
    "pymdownx.inlinehilite": {},
    "pymdownx.superfences": {},
    "pymdownx.tabbed": {"alternate_style": True},
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: What has such an address → the attributes that hold one.
ALLOWED_ATTRIBUTES = {"a": ("href",), "img": ("src",)}
#: Attributes by which a browser follows, loads or runs something, wherever they stand.
ADDRESS_ATTRIBUTES = _words(
    """action archive attributionsrc background cite classid code codebase data dynsrc formaction href http-equiv icon
    imagesrcset longdesc lowsrc manifest object ping poster profile src srcdoc srcset style usemap xlink:href"""
)
#: Elements that run, load, send, or change the page around them, whatever their attributes say.
ACTIVE_ELEMENTS = _words(
    """applet audio base embed fencedframe form frame frameset iframe link meta noscript object param plaintext portal
    script source style template track video xmp"""
)
#: Schemes of links.
LINK_SCHEMES = ("http", "https", "mailto")
#: More brackets than that take Python-Markdown minutes; the page with most of them has 300.
MOST_BRACKETS = 3000
HINT_LINK = "link to a page by its relative path, to a section by #…, to others by https://…"
HINT_IMAGE = "keep the file below docs/assets/ and name it relative to the page"
HINT_COMMENT = "take it out, or begin it with a word: <!-- meant: WORD (why) -->"
HINT = "a page lays out text: it runs and loads nothing; a new need is one line in verbatim/checks/addresses.py"
_ADDRESS_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
#: What browsers strip from the ends of an address, and remove within it.
_STRIPPED_CHARACTERS = "".join(map(chr, range(0x21)))
_REMOVED_CHARACTER = re.compile("[\t\n\r\0]")


class Refused(NamedTuple):
    """Something in the HTML of a page that may not be there."""

    text: str
    """What stands there: the address, or the element."""
    fact: str
    hint: str


def refused(content: str, own: Collection[str] = ()) -> list[Refused]:
    """Return what is not allowed in the HTML of a page's content.

    Args:
        content: The HTML.
        own: Addresses that the build itself has written, where a figure comes.
    """
    reader = _Reader(own)
    reader.feed(content)
    reader.close()
    return reader.found


def normal(address: str) -> str:
    """Return an address as a browser reads it."""
    return _REMOVED_CHARACTER.sub("", address.strip(_STRIPPED_CHARACTERS)).replace("\\", "/")


def rendered(text: str) -> str:
    """Return the HTML that comes of the Markdown of a page, as far as elements and addresses go."""
    return _markdown().reset().convert(text)  # type: ignore[no-any-return]


@functools.lru_cache(maxsize=1)
def _markdown() -> Any:
    return Markdown(extensions=[*MARKDOWN_EXTENSIONS], extension_configs=MARKDOWN_EXTENSIONS)


def line_of(refused: Refused, text: str) -> int:
    """Return the number of the line on which something stands in a page, however it is spelt there; 0 if on none."""
    wanted = _bare(refused.text)
    rows = text.split("\n")
    for size in (1, 2, 3):  # an address may go on behind a line break
        for number in range(len(rows)):
            if wanted in _bare("".join(rows[number : number + size])):
                return number + size
    return 0


def _bare(text: str) -> str:
    return re.sub(r"[\0-\x20]", "", html.unescape(text)).casefold()


class _Reader(HTMLParser):
    """Collects what is not allowed."""

    def __init__(self, own: Collection[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._own = own
        self.found: list[Refused] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ACTIVE_ELEMENTS:
            self.found.append(Refused(f"<{tag}", f"the element `<{tag}>` is not allowed in a page", HINT))
            return
        for name, value in attrs:
            self.found += self._refused(tag, name, value or "")

    def handle_comment(self, data: str) -> None:
        # Browsers end a comment at `<!-->`, `<!--->` and `--!>`, where older versions of this parser go on.
        if data.startswith((">", "->")) or "--!>" in data:
            self.found.append(Refused(f"<!--{data[:40]}", "a browser ends this comment before its end", HINT_COMMENT))

    def unknown_decl(self, data: str) -> None:
        shown = f"<![{data[:40]}"
        self.found.append(Refused(shown, f"the declaration `{shown}` is not allowed in a page", HINT))

    def _refused(self, tag: str, name: str, value: str) -> Iterator[Refused]:
        if name.startswith("on") or (name in ADDRESS_ATTRIBUTES and name not in ALLOWED_ATTRIBUTES.get(tag, ())):
            yield Refused(name, f"the attribute `{name}` of `<{tag}>` is not allowed in a page", HINT)
        elif name in ADDRESS_ATTRIBUTES and value not in self._own:
            address = normal(value)
            scheme = _ADDRESS_SCHEME.match(address)
            shown = ascii(address)[1:-1] if not address.isprintable() else address
            if tag == "img" and (scheme or address.startswith("//")):
                yield Refused(value, f"the image `{shown[:80]}` comes from another place than the site", HINT_IMAGE)
            elif scheme and scheme[1].lower() not in LINK_SCHEMES:
                yield Refused(value, f"the link `{shown[:80]}` is none that a browser may follow", HINT_LINK)
            elif address.startswith("//"):
                yield Refused(value, f"the link `{shown[:80]}` names another host without saying how", HINT_LINK)

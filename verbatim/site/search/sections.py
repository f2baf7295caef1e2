"""Finds out what the search shall find on a page. Pure: takes HTML, returns sections and the names they are about.

Each section (a heading with an id and the text up to the next one) is found by itself. `index` makes the index of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any

from verbatim.book.messages import PRINTED_ERROR
from verbatim.languages import IDEOGRAPHS
from verbatim.pages.page import Page as Source
from verbatim.site.search import mathml

#: The fields of a document whose text is sent to the browser, in the order in which the files store them.
SHOWN_FIELDS = ("title", "prose", "code", "outputs", "messages", "asked")
#: All fields.
ALL_FIELDS = (*SHOWN_FIELDS, "other")

#: Scores of a section as the main section about a name, by where the name occurs: what the page's title explains (all
#: that stands before its colon), the page's title, its address, the section's title, the page's keywords. Scores for
#: titles are divided by the square root of their number of names.
EXPLAINED, IN_TITLE, IN_ADDRESS, IN_HEADING, IN_KEYWORDS = 14, 8, 12, 6, 3

#: Maximum number of indexed characters per section of an overview page, because the pages it lists are indexed anyway.
OVERVIEW = 300

#: Ids of sections that only link to other pages; they are not indexed.
SKIPPED_SECTIONS = {"read-on"}


@dataclass
class Section:
    """A heading and the text below it, by field."""

    id: str
    """The heading's id; empty for the first section, below the page's title."""
    title: str = ""
    prose: str = ""
    code: str = ""
    outputs: str = ""
    messages: str = ""
    """Errors and warnings, which readers paste into the search field."""
    asked: str = ""
    """Texts of links to this section, one per line, such as the questions on a chapter's index page. For a page's first
    section also its description and keywords."""
    other: str = ""
    """Its titles in the other languages, because readers may search for those words. For a page's first section also
    what strangers ask when the page is what they need."""


@dataclass(frozen=True)
class Page:
    """The searchable content of a page."""

    url: str
    """Address relative to the site root, such as ``en/autograd/detach/``."""
    sections: list[Section] = field(default_factory=list)
    overview: bool = False
    """Whether the page only leads to other pages, which are then ranked above it."""
    links: tuple[tuple[str, str, str], ...] = ()
    """Its links: the address as written, the link's text, and the id of the section that contains it."""

    keywords: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.sections[0].title


# -- Pages → sections -----------------------------------------------------------------------------

HEADING_ELEMENTS = {"h1", "h2", "h3", "h4", "h5", "h6"}
VOID_ELEMENTS = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
INLINE_ELEMENTS = {
    "a",
    "abbr",
    "b",
    "bdi",
    "cite",
    "code",
    "del",
    "em",
    "i",
    "ins",
    "kbd",
    "mark",
    "q",
    "s",
    "samp",
    "small",
}
INLINE_ELEMENTS |= {"span", "strong", "sub", "sup", "u", "var", "wbr"}
#: The boxes in which `write.markdown` folds code and outputs: their titles are the site's words, not the page's.
FOLD_BOXES = {"asks", "example", "quote", "versions"}
UNREAD_ELEMENTS = {"button", "script", "style", "svg", "template"}
#: Elements with many tags and little text. Simplifying them before parsing makes parsing three times as fast.
_PRE_ELEMENT = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
_SVG_ELEMENT = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_COLOUR_SPAN = re.compile(r'<span(?: class="\w{1,3}")?>|</span>')
UNREAD_CLASSES = {"always", "filename", "headerlink", "linenos", "verbatim-ran", "verbatim-used"}
UNREAD_CLASSES |= {"verbatim-package", "verbatim-version"}


def page(
    html: str,
    url: str,
    title: str,
    *,
    overview: bool = False,
    asks: bool = True,
    meta: Mapping[str, Any] | None = None,
) -> Page:
    """Split a page's content into sections.

    Args:
        html: The page's content, without the frame.
        url: Its address relative to the site root.
        title: The title to use if there is no first-level heading.
        overview: Whether the page only leads to other pages.
        asks: Whether the texts of its links are added to the sections that they lead to.
        meta: Its front matter; it may be invalid while serving.
    """
    reader = _Reader()
    reader.feed(mathml.replace(_SVG_ELEMENT.sub("", _PRE_ELEMENT.sub(_uncoloured, html))))
    reader.close()
    first, *others = reader.sections
    first.id = ""
    first.title = _folded(first.title) or title
    sections = [first, *(s for s in others if s.id not in SKIPPED_SECTIONS)]
    for section in sections:
        section.title = _folded(section.title)
        section.prose = "\n".join(filter(None, map(_folded, section.prose.splitlines())))
        section.code = _trimmed(section.code)
        section.outputs = _trimmed(section.outputs)
        section.messages = _trimmed(section.messages)
        if overview:
            section.prose = section.prose[:OVERVIEW]
            section.code = section.outputs = section.messages = ""
    links = tuple((href, _folded(words), place) for href, words, place in reader.links) if asks else ()
    keywords: tuple[str, ...] = ()
    if not overview:
        keywords = _keywords(meta or {})
        first.asked = "\n".join(filter(None, (str((meta or {}).get("description") or ""), *keywords)))
    return Page(url, sections, overview, links, keywords)


def titles(twin: Source) -> dict[str, str]:
    """Return what the source of a page's translation calls its sections: id → title.

    For the first section, whose id is empty, it is the page's title and its keywords.
    """
    found = {heading.id: heading.text for heading in twin.headings if heading.level > 1}
    return {**found, "": "\n".join((str(twin.meta.get("title") or ""), *_keywords(twin.meta)))}


def translate(one: Page, other: Sequence[Mapping[str, str]]) -> Page:
    """Return a page with its titles and keywords in other languages in `Section.other`; an overview as it is.

    Args:
        one: The page.
        other: For each other language that has the page, its `titles`.
    """
    if one.overview or not other:
        return one
    found = ["\n".join(filter(None, (named.get(section.id) for named in other))) for section in one.sections]
    return replace(one, sections=[replace(s, other=text) for s, text in zip(one.sections, found, strict=True)])


def ask(one: Page, questions: Iterable[str]) -> Page:
    """Return a page that is found by what strangers ask, too."""
    first, *others = one.sections
    return replace(one, sections=[replace(first, other="\n".join(filter(None, (first.other, *questions)))), *others])


def _keywords(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keywords of a page's front matter."""
    words = meta.get("keywords")
    return tuple(str(word) for word in (words if isinstance(words, list) else [words]) if word)


def _uncoloured(block: re.Match[str]) -> str:
    """Return a code block without syntax highlighting tags; unchanged if it has other ``<span>`` tags."""
    bare = _COLOUR_SPAN.sub("", block[0])
    return block[0] if "<span" in bare else bare


class _Reader(HTMLParser):
    """Parses a page and collects its text by section and field."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections = [Section("")]
        self.open: list[tuple[str, str]] = []
        """Stack of open elements, each with the field that its text goes to; an empty field means it is ignored."""
        self.folds = False
        """Whether the most recent collapsed box holds code or an output. If so, its title is ignored."""
        self.links: list[tuple[str, str, str]] = []
        self.lead: str | None = None
        """Text of the current list item outside its links; it is put before the text of each link."""
        self.linking: list[str] | None = None
        """Address and text of the link that is being read."""
        self.theirs: _Theirs | None = None
        """The output of other releases that is being read, if any."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = set(given.get("class", "").split())
        into = self.open[-1][1] if self.open else "prose"
        unread = {"data-search-exclude", "hidden"} & given.keys() or given.get("aria-hidden") == "true"
        if not into or unread or tag in UNREAD_ELEMENTS or classes & UNREAD_CLASSES:
            into = ""
        elif tag == "summary" and self.open and self.open[-1][0] == "details" and self.folds:
            into = ""
        elif tag in HEADING_ELEMENTS and "id" in given:
            if tag != "h1" or self.sections[-1].title:
                self.sections.append(Section(given["id"]))
            into = "title"
        elif "verbatim" in classes and given.get("data-torch"):
            message = bool(classes & {"verbatim-error", "verbatim-warning"})
            self.theirs = _Theirs(len(self.open), message, given.get("data-releases", ""))
            into = "theirs"
        elif "verbatim" in classes:
            into = "messages" if classes & {"verbatim-error", "verbatim-warning"} else "outputs"
        elif tag == "pre" and into == "prose":
            into = "code"
        if tag == "details":
            self.folds = bool(classes & FOLD_BOXES)
        if tag == "li":
            self.lead = ""
        elif tag == "a" and into == "prose" and "href" in given and "term" not in classes:
            self.linking = [given["href"], f"{self.lead or ''} "]
        if into in ("prose", "title") and tag not in INLINE_ELEMENTS:
            self._add(into, "\n")
        if tag == "pre" and into:
            self._add(into, "\n\n")
        if tag not in VOID_ELEMENTS:
            self.open.append((tag, into))

    def handle_endtag(self, tag: str) -> None:
        if not any(name == tag for name, _ in self.open):
            return
        while self.open:
            name, into = self.open.pop()
            if self.theirs and self.theirs.depth == len(self.open):
                self._add("messages", self.theirs.messages())
                self.theirs = None
            if into == "prose" and name not in INLINE_ELEMENTS:
                self._add(into, "\n")
            if name == "a" and self.linking:
                self.links.append((self.linking[0], self.linking[1], self.sections[-1].id))
                self.linking = None
            if name == "li":
                self.lead = None
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        into = self.open[-1][1] if self.open else "prose"
        if into:
            self._add(into, data)
        if self.linking:
            self.linking[1] += data
        elif self.lead is not None and not any(name == "a" for name, _ in self.open):
            self.lead += data

    def _add(self, into: str, text: str) -> None:
        if self.theirs and into == "theirs":
            self.theirs.text += text
            return
        section = self.sections[-1]
        setattr(section, into, getattr(section, into) + text)


@dataclass
class _Theirs:
    """An output of other releases of torch. Only its messages are indexed; the rest resembles the built version's."""

    depth: int
    """Number of elements that enclose it."""
    message: bool
    """Whether it is an error or a warning."""
    releases: str
    """How its title names the releases; empty where it has none, as the rest of a message."""
    text: str = ""

    def messages(self) -> str:
        """Return its messages, each prefixed with the releases that printed it, for display on one line."""
        lines = self.text.strip("\n").split("\n")
        first = {0} if self.message else {n for n, line in enumerate(lines) if PRINTED_ERROR.match(line)}
        kept = [(n, line) for n, line in enumerate(lines) if self.message or n in first]
        said = (f"{self.releases} · {line}" if n in first and self.releases else line for n, line in kept)
        return "".join(f"\n{line}" for line in said)


def _folded(text: str) -> str:
    """Return a line of prose with whitespace collapsed and without formula delimiters."""
    return " ".join(re.sub(r"\\[()\[\]]", " ", text).split())


def _trimmed(text: str) -> str:
    """Return code without empty lines, trailing whitespace and annotation markers."""
    return "\n".join(line for line in (re.sub(r"\s*(# \(\d+\)!?)?\s*$", "", t) for t in text.splitlines()) if line)


# -- Sections → names ----------------------------------------------------------------------------

#: A name as written in code: `torch.where`, `zero_()`, `.grad`.
CODE_NAME = re.compile(r"(?<![\w.])\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(\(\))?")
#: Separators between names at the beginning of a title.
NAME_SEPARATOR = re.compile(r" *(?:(?:[,、/@*+=]|\(\w*\)|and|or|vs|与|和|或|还是) *)+|")
#: Beginning of titles about errors. Their section is not the main section about a name in the title.
ERROR_TITLE_START = re.compile(r"(?:Error|Warning|报错|警告)\b")


def names(one: Page, known: Container[str]) -> list[dict[str, int]]:
    """Return, for each section of a page, the names that it is about, with its score as the main section about them.

    Only the last part of a dotted name is used, because readers type `torch.where`, `x.where` and `where`.
    """
    found: list[dict[str, int]] = []
    slug = one.url.strip("/").rpartition("/")[2].replace("-", "_")
    for number, section in enumerate(one.sections):
        names: Counter[str] = Counter()
        own = names_of(section.title, known)
        in_title = IN_HEADING if number else EXPLAINED if explains(section.title, known) else IN_TITLE
        for name in own:
            names[name] += round(in_title / len(own) ** 0.5)
        if number == 0:
            for name in {slug, slug.replace("_", "")}:
                names[name] += IN_ADDRESS if name in own else IN_KEYWORDS if name in known else 0
            for keyword in one.keywords:
                if name := named(keyword, known):
                    names[name] += IN_KEYWORDS
        found.append({name: surely for name, surely in names.items() if surely})
    return found


def named(keyword: str, known: Container[str]) -> str:
    """Return the name that a keyword is, without module and class; empty if it is more, or none."""
    match = CODE_NAME.fullmatch(keyword.strip())
    return _last(match) if match and _named(match, known) else ""


def names_of(title: str, known: Container[str]) -> list[str]:
    """Return the names that a title is about: those at its beginning, and words that can only be names.

    Args:
        title: The title.
        known: Names of the API, without module or class.
    """
    if ERROR_TITLE_START.match(title):
        return []
    found: dict[str, None] = {}
    end = 0
    follows = True  # another name, or nothing
    for match in CODE_NAME.finditer(title):
        if match[1] in ("and", "or", "vs"):
            continue
        between = title[end : match.start()]
        lists = between.strip() in (":", "：") and title[match.end() :].lstrip()[:1] in (",", "、")
        listed = (follows and NAME_SEPARATOR.fullmatch(between)) or lists
        follows = bool(listed and match[1].rpartition(".")[2] in known) or _named(match, known)
        end = match.end()
        if follows:
            found[_last(match)] = None
    return list(found)


def explains(title: str, known: Container[str]) -> bool:
    """Whether a title says something of names, which are all that stands before its colon: ``view(): same memory``."""
    lemma, colon, _ = re.sub("：", ":", title).partition(":")
    words = [word for word, _ in CODE_NAME.findall(lemma) if word not in ("and", "or", "vs")]
    return bool(colon) and not re.search(f"[{IDEOGRAPHS}]", lemma) and len(names_of(lemma, known)) == len(words) > 0


def _named(match: re.Match[str], known: Container[str]) -> bool:
    """Whether a word can only be an API name, judging by its spelling (parentheses, dots, underscores, capitals)."""
    called = match[2] or match[0].startswith(".") or re.search(r"\w[._]\w", match[1])
    return bool(called) or (match[1] in known and match[1] != match[1].lower())


def _last(match: re.Match[str]) -> str:
    return match[1].rpartition(".")[2].lower()

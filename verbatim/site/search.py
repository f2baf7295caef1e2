"""Builds the search index of the site from finished pages. Pure: takes HTML, returns file names and contents.

Each section (a heading with an id and the text up to the next one) is a document. The inverted index is split into
parts of a few kilobytes, and a browser loads only the parts with the words of the query, so that the cost of a search
does not grow with the site. Each part is a script that passes its data to `docs/assets/search/engine.js`, because
scripts, unlike fetched data, can also be loaded from ``file://`` addresses.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

from verbatim.lists.messages import PRINTED
from verbatim.pages.page import Page as Source
from verbatim.site.terms import expression, terms

#: The fields of a document whose text is sent to the browser, in the order in which the files store them.
SHOWN = ("title", "prose", "code", "outputs", "messages", "asked")
#: All fields.
FIELDS = (*SHOWN, "other")

#: Suffix of index terms that are API names. Their postings list the main sections about a name, with scores.
NAMED = "="
#: Scores of a section as the main section about a name, by where the name occurs: the page's title, its address, the
#: section's title, the page's keywords. Scores for titles are divided by the square root of their number of names.
IN_TITLE, IN_ADDRESS, IN_HEADING, IN_KEYWORDS = 12, 12, 6, 3

#: Size in characters at which a part of the index is complete. Compression halves it.
PART = 6000

#: Maximum number of indexed characters per section of an overview page, because the pages it lists are indexed anyway.
OVERVIEW = 300

#: Numbers, shapes (2x3) and memory addresses. Only the fields in `NUMBERED` index them, to save space.
NUMBER = expression("NUMBER")
NUMBERED = ("title", "prose")

#: Id of the home page's section whose questions are suggested while the search field is empty.
QUESTIONS = "questions"

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
    """Its titles in the other languages, because readers may search for those words."""


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

HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
INLINE = {"a", "abbr", "b", "bdi", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "samp", "small"}
INLINE |= {"span", "strong", "sub", "sup", "u", "var", "wbr"}
FOLDS = {"example", "quote", "versions"}
UNREAD = {"button", "math", "script", "style", "svg", "template"}
#: Elements with many tags and little text. Simplifying them before parsing makes parsing three times as fast.
_PRE = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
_SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_COLOUR = re.compile(r'<span(?: class="\w{1,3}")?>|</span>')
UNREAD_CLASSES = {"filename", "headerlink", "katex-mathml", "linenos", "verbatim-ran", "verbatim-used"}
UNREAD_CLASSES |= {"verbatim-version"}


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
    reader.feed(_SVG.sub("", _PRE.sub(_uncoloured, html)))
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


def translate(one: Page, twins: Iterable[Source]) -> None:
    """Add the titles of sections, and the page's title and keywords, in other languages to `Section.other`.

    Args:
        one: The page; it is changed in place. Overviews are left unchanged.
        twins: The sources of its translations.
    """
    for twin in twins if not one.overview else ():
        titles = {heading.id: heading.text for heading in twin.headings if heading.level > 1}
        titles[""] = "\n".join((str(twin.meta.get("title") or ""), *_keywords(twin.meta)))
        for section in one.sections:
            section.other = f"{section.other}\n{titles.get(section.id, '')}".strip()


def _keywords(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keywords of a page's front matter."""
    words = meta.get("keywords")
    return tuple(str(word) for word in (words if isinstance(words, list) else [words]) if word)


def _uncoloured(block: re.Match[str]) -> str:
    """Return a code block without syntax highlighting tags; unchanged if it has other ``<span>`` tags."""
    bare = _COLOUR.sub("", block[0])
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
        if self.theirs and "filename" in classes:
            into = "label"
        elif not into or unread or tag in UNREAD or classes & UNREAD_CLASSES:
            into = ""
        elif tag == "summary" and self.open and self.open[-1][0] == "details" and self.folds:
            into = ""
        elif tag in HEADINGS and "id" in given:
            if tag != "h1" or self.sections[-1].title:
                self.sections.append(Section(given["id"]))
            into = "title"
        elif "verbatim" in classes and given.get("data-torch"):
            self.theirs = _Theirs(len(self.open), bool(classes & {"verbatim-error", "verbatim-warning"}))
            into = "theirs"
        elif "verbatim" in classes:
            into = "messages" if classes & {"verbatim-error", "verbatim-warning"} else "outputs"
        elif tag == "pre" and into == "prose":
            into = "code"
        if tag == "details":
            self.folds = bool(classes & FOLDS)
        if tag == "li":
            self.lead = ""
        elif tag == "a" and into == "prose" and "href" in given:
            self.linking = [given["href"], f"{self.lead or ''} "]
        if into in ("prose", "title") and tag not in INLINE:
            self._add(into, "\n")
        if tag == "pre" and into:
            self._add(into, "\n\n")
        if tag not in VOID:
            self.open.append((tag, into))

    def handle_endtag(self, tag: str) -> None:
        if not any(name == tag for name, _ in self.open):
            return
        while self.open:
            name, into = self.open.pop()
            if self.theirs and self.theirs.depth == len(self.open):
                self._add("messages", self.theirs.messages())
                self.theirs = None
            if into == "prose" and name not in INLINE:
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
        if self.theirs and into in ("theirs", "label"):
            setattr(self.theirs, into, getattr(self.theirs, into) + text)
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
    label: str = ""
    theirs: str = ""

    def messages(self) -> str:
        """Return its messages, each prefixed with the releases that printed it, for display on one line."""
        lines = self.theirs.strip("\n").split("\n")
        first = {0} if self.message else {n for n, line in enumerate(lines) if PRINTED.match(line)}
        label = self.label.rpartition(" · ")[2].strip()
        kept = [(n, line) for n, line in enumerate(lines) if self.message or n in first]
        said = (f"{label} · {line}" if n in first and label else line for n, line in kept)
        return "".join(f"\n{line}" for line in said)


def _folded(text: str) -> str:
    """Return a line of prose with whitespace collapsed and without formula delimiters."""
    return " ".join(re.sub(r"\\[()\[\]]", " ", text).split())


def _trimmed(text: str) -> str:
    """Return code without empty lines, trailing whitespace and annotation markers."""
    return "\n".join(line for line in (re.sub(r"\s*(# \(\d+\)!?)?\s*$", "", t) for t in text.splitlines()) if line)


# -- Pages → files --------------------------------------------------------------------------------


def files(pages: Iterable[Page], known: Container[str] = frozenset()) -> dict[str, str]:
    """Return the search files of one language.

    ``index.js`` contains the number of terms in each field of each document, the number of documents of each page, the
    suggested questions, the overview pages, the first term of each part, and the version of each other file, so that a
    browser never mixes files of two builds. ``terms-N.js`` is a part of the index: terms with their postings by field.
    ``page-N.js`` contains a page's address and the texts of its sections, for titles and excerpts.

    Args:
        pages: The pages of the language. Link texts are added to their sections in place.
        known: Names of the API, without module or class.

    Returns:
        File name → content.
    """
    ordered = sorted(pages, key=lambda one: one.url)
    _ask(ordered)
    documents = [section for one in ordered for section in one.sections]
    postings: dict[str, list[dict[int, int]]] = {}
    lengths: list[list[int]] = []
    found = iter(terms([getattr(section, name) for section in documents for name in FIELDS]))
    for number in range(len(documents)):
        counts = [Counter(_indexed(next(found), name)) for name in FIELDS]
        lengths.append([count.total() for count in counts])
        for place, count in enumerate(counts):
            for term, times in count.items():
                postings.setdefault(term, [{} for _ in FIELDS])[place][number] = times
    number = 0
    for one in ordered:
        for names in [] if one.overview else _names(one, known):
            for name, surely in names.items():
                postings.setdefault(name + NAMED, [{} for _ in FIELDS])[0][number] = surely
            number += 1
        number += len(one.sections) if one.overview else 0
    parts = _parts([(term, *map(_packed, fields)) for term, fields in sorted(postings.items())])
    data: dict[str, list[Any]] = {
        "terms": parts,
        "page": [[one.url, [[s.id, *(getattr(s, name) for name in SHOWN)] for s in one.sections]] for one in ordered],
    }
    texts = {f"{kind}-{i}": _json(value) for kind, values in data.items() for i, value in enumerate(values)}
    index = {
        "lengths": [length for one in lengths for length in one],
        "pages": [len(one.sections) for one in ordered],
        "popular": _popular(ordered),
        "overviews": [i for i, one in enumerate(ordered) if one.overview],
        "parts": [part[0][0] for part in parts],
        "versions": {kind: [_version(texts[f"{kind}-{i}"]) for i in range(len(data[kind]))] for kind in data},
    }
    texts["index"] = _json(index)
    return {f"{name}.js": f'verbatimSearch.part("{_version(text)}","{name}",{text})\n' for name, text in texts.items()}


def _popular(pages: list[Page]) -> list[tuple[str, str, str]]:
    """Return the home page's questions as ``(address, section id, question)``."""
    home = min(pages, key=lambda one: len(one.url), default=None)
    known = {(one.url, section.id) for one in pages for section in one.sections}
    found = []
    for href, words, place in home.links if home else ():
        url, _, anchor = urljoin(home.url if home else "", href).partition("#")
        if place == QUESTIONS and (url, anchor) in known:
            found.append((url, anchor, words))
    return found


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _version(text: str) -> str:
    """Return the hash of a file's content, so that unchanged files keep their address between builds."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _ask(pages: list[Page]) -> None:
    """Add the texts of links from other pages to the sections that they lead to."""
    sections = {(one.url, section.id): section for one in pages for section in one.sections}
    for one in pages:
        for href, words, _ in one.links:
            address, _, anchor = urljoin(one.url, href).partition("#")
            target = sections.get((address, anchor))
            if target and address != one.url and words not in target.asked.splitlines():
                target.asked = f"{target.asked}\n{words}".lstrip("\n")


#: A name as written in code: `torch.where`, `zero_()`, `.grad`.
NAME = re.compile(r"(?<![\w.])\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(\(\))?")
#: Separators between names at the beginning of a title.
BETWEEN = re.compile(r" *(?:(?:[,、/@*+=]|\(\w*\)|and|or|vs|与|和|或|还是) *)+|")
#: Beginning of titles about errors. Their section is not the main section about a name in the title.
TRAP = re.compile(r"(?:Error|Warning|报错|警告)\b")


def _names(one: Page, known: Container[str]) -> list[dict[str, int]]:
    """Return, for each section of a page, the names that it is about, with its score as the main section about them.

    Only the last part of a dotted name is used, because readers type `torch.where`, `x.where` and `where`.
    """
    found: list[dict[str, int]] = []
    slug = one.url.strip("/").rpartition("/")[2].replace("-", "_")
    for number, section in enumerate(one.sections):
        names: Counter[str] = Counter()
        own = names_of(section.title, known)
        for name in own:
            names[name] += round((IN_HEADING if number else IN_TITLE) / len(own) ** 0.5)
        if number == 0:
            for name in {slug, slug.replace("_", "")}:
                names[name] += IN_ADDRESS if name in own else IN_KEYWORDS if name in known else 0
            for keyword in one.keywords:
                if (match := NAME.fullmatch(keyword.strip())) and _named(match, known):
                    names[_last(match)] += IN_KEYWORDS
        found.append({name: surely for name, surely in names.items() if surely})
    return found


def names_of(title: str, known: Container[str]) -> list[str]:
    """Return the names that a title is about: those at its beginning, and words that can only be names.

    Args:
        title: The title.
        known: Names of the API, without module or class.
    """
    if TRAP.match(title):
        return []
    found: dict[str, None] = {}
    end = 0
    follows = True  # another name, or nothing
    for match in NAME.finditer(title):
        if match[1] in ("and", "or", "vs"):
            continue
        between = title[end : match.start()]
        lists = between.strip() in (":", "：") and title[match.end() :].lstrip()[:1] in (",", "、")
        listed = (follows and BETWEEN.fullmatch(between)) or lists
        follows = bool(listed and match[1].rpartition(".")[2] in known) or _named(match, known)
        end = match.end()
        if follows:
            found[_last(match)] = None
    return list(found)


def _named(match: re.Match[str], known: Container[str]) -> bool:
    """Whether a word can only be an API name, judging by its spelling (parentheses, dots, underscores, capitals)."""
    called = match[2] or match[0].startswith(".") or re.search(r"\w[._]\w", match[1])
    return bool(called) or (match[1] in known and match[1] != match[1].lower())


def _last(match: re.Match[str]) -> str:
    return match[1].rpartition(".")[2].lower()


def _indexed(found: list[str], name: str) -> list[str]:
    """Return the terms of a field that are indexed."""
    return found if name in NUMBERED else [term for term in found if not NUMBER.match(term)]


def _packed(documents: dict[int, int]) -> list[int]:
    """Compress postings: the differences between document numbers, each followed by the negated count if above 1."""
    packed, last = [], 0
    for number, times in documents.items():
        packed.append(number - last)
        last = number
        if times > 1:
            packed.append(-times)
    return packed


def _parts(entries: list[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    """Split sorted entries into parts of about `PART` characters."""
    parts: list[list[tuple[Any, ...]]] = []
    size = PART
    for entry in entries:
        if size >= PART:
            parts.append([])
            size = 0
        parts[-1].append(entry)
        size += len(json.dumps(entry, ensure_ascii=False, separators=(",", ":")))
    return parts

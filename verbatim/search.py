"""Finished pages → the files of the site's search. Pure: HTML in, file names and texts out.

A document is a section: a heading with an id and what stands below it, up to the next one. The index is an inverted
one, made here and cut into parts of a few kilobytes, so that a reader's browser fetches the parts that hold the words
of a query and no others: what a search costs does not grow with the site. Every part is a script that hands its data
to `docs/assets/search/engine.js`, because scripts, unlike fetched data, can be loaded from a folder (``file://``), too.

`spans` has a twin in `docs/assets/search/words.js`: what they make of a text must be the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

#: The fields of a document, in the order of the files.
FIELDS = ("title", "prose", "code", "outputs", "messages")

#: A part of the index is closed when it has this many characters; compressed it is about half.
PART = 6000

#: Of a section of an overview so many characters count: what it lists is found where it stands.
OVERVIEW = 300

#: Sections that only name other pages.
SKIPPED_SECTIONS = {"read-on"}


@dataclass
class Section:
    """A heading and what stands below it."""

    id: str
    """The heading's id; empty for what stands above the first heading below the page's title."""
    title: str = ""
    prose: str = ""
    code: str = ""
    outputs: str = ""
    messages: str = ""
    """Errors and warnings: what readers paste into a search."""


@dataclass(frozen=True)
class Page:
    """A page as the search sees it."""

    url: str
    """From the site's root: ``en/autograd/detach/``."""
    sections: list[Section] = field(default_factory=list)
    overview: bool = False
    """It leads to other pages and answers nothing itself, so these come before it."""

    @property
    def title(self) -> str:
        return self.sections[0].title


# -- Pages → sections -----------------------------------------------------------------------------

HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
INLINE = {"a", "abbr", "b", "bdi", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "samp", "small"}
INLINE |= {"span", "strong", "sub", "sup", "u", "var", "wbr"}
FOLDS = {"example", "quote"}
UNREAD = {"button", "math", "script", "style", "svg", "template"}
UNREAD_CLASSES = {"filename", "headerlink", "katex-mathml", "linenos", "verbatim-ran", "verbatim-used"}


def page(html: str, url: str, title: str, overview: bool = False) -> Page:
    """Cut a page's content into sections. ``title`` is for a page without a first-level heading."""
    reader = _Reader()
    reader.feed(html)
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
    return Page(url, sections, overview)


class _Reader(HTMLParser):
    """Sorts the text of a page by section and field."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections = [Section("")]
        self.open: list[tuple[str, str]] = []
        """Open elements, each with the field that its text goes to; no field: it is not read."""
        self.folds = False
        """Whether the folded part begun last is code or an output: what it is called says nothing."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = set(given.get("class", "").split())
        into = self.open[-1][1] if self.open else "prose"
        unread = {"data-search-exclude", "hidden"} & given.keys() or given.get("aria-hidden") == "true"
        if not into or unread or tag in UNREAD or classes & UNREAD_CLASSES:
            into = ""
        elif tag == "summary" and self.open and self.open[-1][0] == "details" and self.folds:
            into = ""
        elif tag in HEADINGS and "id" in given:
            if tag != "h1" or self.sections[-1].title:
                self.sections.append(Section(given["id"]))
            into = "title"
        elif "verbatim" in classes:
            into = "messages" if classes & {"verbatim-error", "verbatim-warning"} else "outputs"
        elif tag == "pre" and into == "prose":
            into = "code"
        if tag == "details":
            self.folds = bool(classes & FOLDS)
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
            if into == "prose" and name not in INLINE:
                self._add(into, "\n")
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        into = self.open[-1][1] if self.open else "prose"
        if into:
            self._add(into, data)

    def _add(self, into: str, text: str) -> None:
        section = self.sections[-1]
        setattr(section, into, getattr(section, into) + text)


def _folded(text: str) -> str:
    """Return a line of prose without needless space and without the marks around formulas."""
    return " ".join(re.sub(r"\\[()\[\]]", " ", text).split())


def _trimmed(text: str) -> str:
    """Return code without empty lines and without the marks of annotations."""
    return "\n".join(line for line in (re.sub(r"\s*(# \(\d+\)!?)?\s*$", "", t) for t in text.splitlines()) if line)


# -- Texts → terms --------------------------------------------------------------------------------

#: Names and numbers, or a run of Chinese characters. 的 (u7684) joins words and is in few of them: it ends a run.
RUN = re.compile(
    "[0-9A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff]+"
    "|[\u3400-\u4dbf\u4e00-\u7683\u7685-\u9fff\uf900-\ufaff]+"
)
HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
FULL_WIDTH = re.compile("[\uff01-\uff5e]")
#: The parts of CrossEntropyLoss, ReLU6 or a plain word. What is left over (digits) is no part.
CAMEL = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z\u00df-\u00f6\u00f8-\u00ff]+")
#: Numbers, shapes (2x3) and addresses: they differ from the reader's own, so they count where there is nothing else.
NUMBER = re.compile(r"^(?:\d+(?:x\d+)*|\d+e\d*|0x[0-9a-f]+)$")


def narrowed(text: str) -> str:
    """Return the text with full-width letters and marks made narrow; its length stays."""
    return FULL_WIDTH.sub(lambda match: chr(ord(match[0]) - 0xFEE0), text)


def normal(word: str) -> str:
    """Return a word in lower case; an English one without its ending (Porter's first step, shortened)."""
    if re.search("[A-Z]s$", word):
        return word[:-1].lower()
    word = word.lower()
    if not re.fullmatch("[a-z]{4,}", word):
        return word
    word = re.sub("ies$", "y", re.sub("sses$", "ss", word))
    word = re.sub("(?<![su])s$", "", word)
    if match := re.fullmatch("([a-z]+)(?:ing|(?<!e)ed)", word):
        if len(match[1]) > 2 and re.search("[aeiouy]", match[1]):
            word = re.sub(r"([^aeiouylsz])\1$", r"\1", match[1])
    return re.sub("(?<=[a-z]{3})e$", "", word)


def spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the terms of a text, each with the place it comes from.

    A run of Chinese characters gives its overlapping pairs. A name gives itself and its parts: ``retain_graph`` gives
    retain_graph, retain, graph; ``CrossEntropyLoss`` gives crossentropyloss, cross, entropy, loss.
    """
    for run in RUN.finditer(narrowed(text)):
        word, start, end = run[0], run.start(), run.end()
        if HAN.match(word):
            if len(word) == 1:
                yield word, start, end
            for i in range(len(word) - 1):
                yield word[i : i + 2], start + i, start + i + 2
            continue
        yield normal(word), start, end
        parts = [part for part in word.split("_") if part]
        for part in parts:
            pieces = CAMEL.findall(part)
            if len(parts) > 1:
                yield normal(part), start, end
            if len(pieces) > 1:
                for piece in pieces:
                    if len(piece) > 1:
                        yield normal(piece), start, end


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order."""
    return [found for found, _, _ in spans(text)]


# -- Pages → files --------------------------------------------------------------------------------


def files(pages: Iterable[Page]) -> dict[str, str]:
    """Return the files of one language's search, by name.

    ``index.js`` has, for each document, the number of terms of each field; for each page the number of its documents;
    the pages that are overviews; and the first term of each part of the index. ``terms-N.js`` is a part: terms with
    their postings, field by field. ``page-N.js`` has the address of a page and the
    texts of its sections, for titles and excerpts.
    """
    ordered = sorted(pages, key=lambda one: one.url)
    documents = [section for one in ordered for section in one.sections]
    postings: dict[str, list[dict[int, int]]] = {}
    lengths: list[list[int]] = []
    for number, section in enumerate(documents):
        counts = [Counter(_indexed(section, name)) for name in FIELDS]
        lengths.append([count.total() for count in counts])
        for place, count in enumerate(counts):
            for term, times in count.items():
                postings.setdefault(term, [{} for _ in FIELDS])[place][number] = times
    parts = _parts([(term, *map(_packed, fields)) for term, fields in sorted(postings.items())])
    index = {
        "lengths": [length for one in lengths for length in one],
        "pages": [len(one.sections) for one in ordered],
        "overviews": [i for i, one in enumerate(ordered) if one.overview],
        "parts": [part[0][0] for part in parts],
    }
    data = {"index": index}
    data |= {f"terms-{i}": part for i, part in enumerate(parts)}
    data |= {
        f"page-{i}": [one.url, [[s.id, *(getattr(s, name) for name in FIELDS)] for s in one.sections]]
        for i, one in enumerate(ordered)
    }
    texts = {name: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for name, value in data.items()}
    build = hashlib.sha256("\n".join(texts.values()).encode()).hexdigest()[:8]
    return {f"{name}.js": f'verbatimSearch.part("{build}","{name}",{text})\n' for name, text in texts.items()}


def _indexed(section: Section, name: str) -> list[str]:
    """Return the terms of a field. Numbers in code and what it prints are not worth their bytes."""
    found = terms(getattr(section, name))
    return [t for t in found if not NUMBER.match(t)] if name in ("code", "outputs", "messages") else found


def _packed(documents: dict[int, int]) -> list[int]:
    """Return postings as steps from document to document; a negative number: so often is the term in the last one."""
    packed, last = [], 0
    for number, times in documents.items():
        packed.append(number - last)
        last = number
        if times > 1:
            packed.append(-times)
    return packed


def _parts(entries: list[tuple]) -> list[list[tuple]]:
    """Cut sorted entries into parts of about the same size."""
    parts: list[list[tuple]] = []
    size = PART
    for entry in entries:
        if size >= PART:
            parts.append([])
            size = 0
        parts[-1].append(entry)
        size += len(json.dumps(entry, ensure_ascii=False, separators=(",", ":")))
    return parts

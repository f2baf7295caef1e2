"""Finished pages → the files of the site's search. Pure: HTML in, file names and texts out.

A document is a section: a heading with an id and what stands below it, up to the next one. The index is an inverted
one, made here and cut into parts of a few kilobytes, so that a reader's browser fetches the parts that hold the words
of a query and no others: what a search costs does not grow with the site. Every part is a script that hands its data
to `docs/assets/search/engine.js`, because scripts, unlike fetched data, can be loaded from a folder (``file://``), too.
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

#: The fields of a document of which the browser gets the text, in the order of the files.
SHOWN = ("title", "prose", "code", "outputs", "messages", "asked")
#: All fields.
FIELDS = (*SHOWN, "other")

#: Stands behind a name in the index: the section is *the* one of this name, and how surely it is.
NAMED = "="
#: What a section's place as that of a name is made of: the title of its page, the page's address, its own title, and
#: the keywords of its page. The first and the third are shared by all names there.
IN_TITLE, IN_ADDRESS, IN_HEADING, IN_KEYWORDS = 12, 12, 6, 3

#: A part of the index is closed when it has this many characters; compressed it is about half.
PART = 6000

#: Of a section of an overview so many characters count: what it lists is found where it stands.
OVERVIEW = 300

#: Numbers, shapes (2x3) and addresses: in code and in what it prints they are not worth their bytes.
NUMBER = expression("NUMBER")
NUMBERED = ("title", "prose")

#: The section of the home page whose questions are offered before anything is typed.
QUESTIONS = "questions"

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
    asked: str = ""
    """How readers ask for it, a line each: what links to it say, above all the questions of a chapter's index.
    At a page's beginning also its description and keywords."""
    other: str = ""
    """What it is called in the other languages: their readers' words are used in this one, too."""


@dataclass(frozen=True)
class Page:
    """A page as the search sees it."""

    url: str
    """From the site's root: ``en/autograd/detach/``."""
    sections: list[Section] = field(default_factory=list)
    overview: bool = False
    """It leads to other pages and answers nothing itself, so these come before it."""
    links: tuple[tuple[str, str, str], ...] = ()
    """What it links to: address as it stands in the page, words, and the id of the section that has the link."""

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
#: Parts that are many tags and little to read. They are cut down before a page is parsed, which then takes a third.
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
    """Cut a page's content into sections.

    Args:
        html: What stands between the frame of a page.
        url: Its address from the site's root.
        title: For a page without a first-level heading.
        overview: Whether it leads to other pages and answers nothing itself.
        asks: Whether its links say what readers ask.
        meta: Its front matter, which may be anything while serving.
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
    """Give each section its titles, and the page its keywords, in the other languages."""
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
    """Return a block of code without the marks of its colours; one with other marks, too, as it is."""
    bare = _COLOUR.sub("", block[0])
    return block[0] if "<span" in bare else bare


class _Reader(HTMLParser):
    """Sorts the text of a page by section and field."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections = [Section("")]
        self.open: list[tuple[str, str]] = []
        """Open elements, each with the field that its text goes to; no field: it is not read."""
        self.folds = False
        """Whether the folded part begun last is code or an output: what it is called says nothing."""
        self.links: list[tuple[str, str, str]] = []
        self.lead: str | None = None
        """What a list's entry has said before its first link; it belongs to each of its links."""
        self.linking: list[str] | None = None
        """Address and words of the link that is open."""
        self.theirs: _Theirs | None = None
        """What other releases printed, while it is read."""

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
    """An output of other releases of torch. Only its messages are read: the rest is much like the built version's."""

    depth: int
    """How many elements were open around it."""
    message: bool
    """Whether it is an error or a warning."""
    label: str = ""
    theirs: str = ""

    def messages(self) -> str:
        """Return its messages, each behind the releases that printed it: a result shows them in one line."""
        lines = self.theirs.strip("\n").split("\n")
        first = {0} if self.message else {n for n, line in enumerate(lines) if PRINTED.match(line)}
        label = self.label.rpartition(" · ")[2].strip()
        kept = [(n, line) for n, line in enumerate(lines) if self.message or n in first]
        said = (f"{label} · {line}" if n in first and label else line for n, line in kept)
        return "".join(f"\n{line}" for line in said)


def _folded(text: str) -> str:
    """Return a line of prose without needless space and without the marks around formulas."""
    return " ".join(re.sub(r"\\[()\[\]]", " ", text).split())


def _trimmed(text: str) -> str:
    """Return code without empty lines and without the marks of annotations."""
    return "\n".join(line for line in (re.sub(r"\s*(# \(\d+\)!?)?\s*$", "", t) for t in text.splitlines()) if line)


# -- Pages → files --------------------------------------------------------------------------------


def files(pages: Iterable[Page], known: Container[str] = frozenset()) -> dict[str, str]:
    """Return the files of one language's search, by name.

    ``index.js`` has, for each document, the number of terms of each field; for each page the number of its documents;
    the pages that are overviews; the first term of each part of the index; and the version of each other file, so that
    a browser never mixes those of two builds. ``terms-N.js`` is a part: terms with
    their postings, field by field. ``page-N.js`` has the address of a page and the
    texts of its sections, for titles and excerpts.
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
    """Return the home page's questions: address, id of the section, question."""
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
    """Hash of a file's content: a file that did not change keeps its name and address from build to build."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _ask(pages: list[Page]) -> None:
    """Give each section the words of the links that lead to it."""
    sections = {(one.url, section.id): section for one in pages for section in one.sections}
    for one in pages:
        for href, words, _ in one.links:
            address, _, anchor = urljoin(one.url, href).partition("#")
            target = sections.get((address, anchor))
            if target and address != one.url and words not in target.asked.splitlines():
                target.asked = f"{target.asked}\n{words}".lstrip("\n")


#: A name as code has it: `torch.where`, `zero_()`, `.grad`.
NAME = re.compile(r"(?<![\w.])\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(\(\))?")
#: What may stand between the names with which a title begins.
BETWEEN = re.compile(r" *(?:(?:[,、/@*+=]|\(\w*\)|and|or|vs|与|和|或|还是) *)+|")
#: Titles of traps: a name in one is that of another page.
TRAP = re.compile(r"(?:Error|Warning|报错|警告)\b")


def _names(one: Page, known: Container[str]) -> list[dict[str, int]]:
    """Return the names that each section of a page is about, with how surely it is *the* section of that name.

    Of a dotted name the last part counts: readers type `torch.where`, `x.where` and `where`.
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
    """Return the names that a title is about: those with which it begins, and what can be nothing but a name.

    ``known``: names of the API, without what leads to them. English titles begin with a capital, names do not.
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
    """Whether a word can be nothing but a name, by how it is written."""
    called = match[2] or match[0].startswith(".") or re.search(r"\w[._]\w", match[1])
    return bool(called) or (match[1] in known and match[1] != match[1].lower())


def _last(match: re.Match[str]) -> str:
    return match[1].rpartition(".")[2].lower()


def _indexed(found: list[str], name: str) -> list[str]:
    """Return the terms of a field that the index has."""
    return found if name in NUMBERED else [term for term in found if not NUMBER.match(term)]


def _packed(documents: dict[int, int]) -> list[int]:
    """Return postings as steps from document to document; a negative number: so often is the term in the last one."""
    packed, last = [], 0
    for number, times in documents.items():
        packed.append(number - last)
        last = number
        if times > 1:
            packed.append(-times)
    return packed


def _parts(entries: list[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    """Cut sorted entries into parts of about the same size."""
    parts: list[list[tuple[Any, ...]]] = []
    size = PART
    for entry in entries:
        if size >= PART:
            parts.append([])
            size = 0
        parts[-1].append(entry)
        size += len(json.dumps(entry, ensure_ascii=False, separators=(",", ":")))
    return parts

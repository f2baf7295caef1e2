"""Makes the search index of one language from its pages, at a cost that follows what changed since the last one. Pure.

The inverted index is split into parts of a few kilobytes, and a browser loads only the parts with the words of the
query, so that the cost of a search does not grow with the site. Each part is a script that passes its data to
`docs/assets/search/engine.js`, because scripts, unlike fetched data, can also be loaded from ``file://`` addresses.

An index is kept as the lines that its files consist of. For the next one, only pages that are not as they were are
loaded and cut into terms, and only the lines of terms that occur in them more or less often than before are written
anew; the others are not even parsed. There is one way to make an index: from nothing, every page is new.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urljoin

from verbatim.site.search import FIELDS, SHOWN, Page, Section, names, seal, translate
from verbatim.site.terms import expression, terms

#: Suffix of index terms that are API names. Their postings list the main sections about a name, with scores.
NAMED = "="

#: Numbers, shapes (2x3) and memory addresses. Only the fields in `NUMBERED` index them, to save space.
NUMBER = expression("NUMBER")
NUMBERED = ("title", "prose")

#: Size in characters at which a part of the index is complete. Compression halves it.
PART = 6000

#: Id of the home page's section whose questions are suggested while the search field is empty.
QUESTIONS = "questions"

#: For each field of a section, its terms and how often each occurs.
Counts = list[dict[str, int]]
#: Document → how often a term occurs in it.
Postings = dict[int, int]
#: Term → field → documents in which it occurs more or less often than before; 0 where it no longer does.
Changes = dict[str, dict[int, Postings]]

_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True)
class Given:
    """A page that the search shall find."""

    url: str
    """Address relative to the site root, such as ``en/autograd/detach/``."""
    of: str
    """Hash of the page."""
    load: Callable[[], Page]
    """Returns the page. Called only if the page is new or changed, or is linked to in other words than before."""


@dataclass(frozen=True)
class Index:
    """The search index of a language."""

    files: dict[str, str]
    """File name → content."""
    kept: str
    """What `make` needs to make the next index at less cost."""
    loaded: Set[str]
    """Addresses of the pages that were loaded."""


def given(url: str, sealed: str, load: Callable[[], Page], other: Sequence[Mapping[str, str]] = ()) -> Given:
    """Return what `make` takes of a page.

    Args:
        url: Its address relative to the site root.
        sealed: Its `search.seal`.
        load: Returns it; called only if it must be indexed anew.
        other: Its `search.titles` in each of the other languages that have it.
    """
    return Given(url, seal(sealed, other), lambda: translate(load(), other))


def files(pages: Iterable[Page], known: Set[str] = frozenset()) -> dict[str, str]:
    """Return the search files of one language, made from nothing. `make` describes them."""
    return make([Given(page.url, "", lambda page=page: page) for page in pages], known).files  # type: ignore[misc]


def versions(text: str) -> dict[str, str]:
    """Return the version of each other file: file name → version. `text`: that of ``index.js``."""
    head, _, data = text.rstrip(")\n").partition(',"index",')
    said = json.loads(data)["versions"] if head.startswith("verbatimSearch.part(") else {}
    return {f"{kind}-{number}.js": one for kind, found in said.items() for number, one in enumerate(found)}


def make(pages: Iterable[Given], known: Set[str] = frozenset(), kept: str = "") -> Index:
    """Return the search index of one language.

    ``index.js`` contains the number of terms in each field of each document, the number of documents of each page, the
    suggested questions, the overview pages, the first term of each part, and the version of each other file, so that a
    browser never mixes files of two builds. ``terms-N.js`` is a part of the index: terms with their postings by field.
    ``page-N.js`` contains a page's address and the texts of its sections, for titles and excerpts.

    Args:
        pages: The pages of the language. The texts of their links are added to the sections that these lead to.
        known: Names of the API, without module or class.
        kept: `Index.kept` of an index that the same engine made. It changes what an index costs, not what it is.
    """
    ordered = {page.url: page for page in sorted(pages, key=lambda page: page.url)}
    last = _State.parse(kept)
    loaded = {url: page.load() for url, page in ordered.items() if not last.has(page)}
    asks = {url: _asks(loaded[url]) if url in loaded else last.pages[url].asks for url in ordered}
    others = ordered.keys() - loaded.keys()
    asked_anew = _asked_anew({page.url: page.asks for page in last.pages.values()}, asks)
    for url in others & (asked_anew | last.named_anew(others, known)):
        loaded[url] = ordered[url].load()
    if not loaded and ordered.keys() == last.pages.keys() and sorted(known) == last.known:
        return Index(last.files(), kept, frozenset())
    state = _changed(last, ordered, _asked(loaded.values(), asks), asks, known)
    return Index(state.files(), state.keep(), loaded.keys())


class _Known(NamedTuple):
    """What is known of a page besides its file."""

    url: str
    of: str
    """Hash of what the page was made from."""
    ids: list[str]
    """Ids of its sections."""
    lengths: list[int]
    """Numbers of terms: of the fields of the first section, of the second, …"""
    asks: dict[str, list[list[str]]]
    """Page → the links to it: section id and text of each."""
    questions: list[list[str]]
    """Links in the section `QUESTIONS`: address, section id and text of each."""
    names: list[dict[str, int]]
    """For each section, the names that it is about, with scores; empty for an overview."""
    keywords: list[str]
    other: list[str]
    """For each section, the field that is not shown, and so not in the page's file."""
    overview: bool
    version: str
    """Version of its file."""


@dataclass(frozen=True)
class _State:
    """An index in the form in which it is kept."""

    known: list[str]
    """Names of the API."""
    pages: dict[str, _Known]
    texts: dict[str, str]
    """Address of a page → data of its file."""
    entries: list[str]
    """For each term, ``["term",postings in the first field,…]``, in the order of the terms."""

    @staticmethod
    def parse(kept: str) -> _State:
        if not kept:
            return _State([], {}, {}, [])
        head, *lines = kept.split("\n")
        known, rows = json.loads(head)
        pages = {row[0]: _Known(*row) for row in rows}
        return _State(known, pages, dict(zip(pages, lines, strict=False)), lines[len(pages) :])

    def keep(self) -> str:
        return "\n".join([_json([self.known, list(self.pages.values())]), *self.texts.values(), *self.entries])

    def has(self, page: Given) -> bool:
        """Whether a page is in the index as it is."""
        return page.url in self.pages and self.pages[page.url].of == page.of

    def named_anew(self, urls: Iterable[str], known: Set[str]) -> set[str]:
        """Return which of the pages are about other names now, because other names are known."""
        if sorted(known) == self.known:
            return set()
        return {url for url in urls if self.pages[url].names != _names(self.page(url), known)}

    def page(self, url: str) -> Page:
        """Return a page as it was indexed, without its links."""
        known = self.pages[url]
        _, sections = json.loads(self.texts[url])
        made = [replace(Section(*shown), other=other) for shown, other in zip(sections, known.other, strict=True)]
        return Page(url, made, known.overview, (), tuple(known.keywords))

    def files(self) -> dict[str, str]:
        pages = self.pages.values()
        parts = list(_parts(self.entries))
        data = {"terms": [f"[{','.join(part)}]" for part in parts], "page": list(self.texts.values())}
        versions = {"terms": [*map(_version, data["terms"])], "page": [page.version for page in pages]}
        index = _json(
            {
                "lengths": [length for page in pages for length in page.lengths],
                "pages": [len(page.ids) for page in pages],
                "popular": self._popular(),
                "overviews": [number for number, page in enumerate(pages) if page.overview],
                "parts": [_term(part[0]) for part in parts],
                "versions": versions,
            }
        )
        made = {}
        for kind, texts in data.items():
            for number, (version, text) in enumerate(zip(versions[kind], texts, strict=True)):
                made[f"{kind}-{number}"] = (version, text)
        made["index"] = (_version(index), index)
        return {f"{n}.js": f'verbatimSearch.part("{version}","{n}",{text})\n' for n, (version, text) in made.items()}

    def _popular(self) -> list[list[str]]:
        """Return the home page's questions, as far as they lead to a section."""
        home = min(self.pages.values(), key=lambda page: len(page.url), default=None)
        asked = home.questions if home else []
        return [[url, id_, words] for url, id_, words in asked if url in self.pages and id_ in self.pages[url].ids]


def _changed(
    last: _State,
    pages: Mapping[str, Given],
    anew: Mapping[str, Page],
    asks: Mapping[str, dict[str, list[list[str]]]],
    known: Set[str],
) -> _State:
    """Return the index of other pages than those of `last`.

    Args:
        last: The index that has some of the pages already.
        pages: All pages, in the order of their addresses.
        anew: What there is to find on those pages that `last` does not have as they are.
        asks: What the links of each page ask for.
        known: Names of the API.
    """
    old = {url: last.page(url) for url in anew if url in last.pages}
    counted = iter(_counted([section for page in (*old.values(), *anew.values()) for section in page.sections]))
    before = {url: [next(counted) for _ in page.sections] for url, page in old.items()}
    after = {url: [next(counted) for _ in page.sections] for url, page in anew.items()}
    now, texts = {}, {}
    for url, one in pages.items():
        if url not in anew:
            now[url], texts[url] = last.pages[url], last.texts[url]
            continue
        page = anew[url]
        texts[url] = _json([url, [[s.id, *(getattr(s, name) for name in SHOWN)] for s in page.sections]])
        now[url] = _Known(
            url,
            one.of,
            ids=[section.id for section in page.sections],
            lengths=[sum(field.values()) for counts in after[url] for field in counts],
            asks=asks[url],
            questions=[[*_target(page, href), words] for href, words, place in page.links if place == QUESTIONS],
            names=_names(page, known),
            keywords=list(page.keywords),
            other=[section.other for section in page.sections],
            overview=page.overview,
            version=_version(texts[url]),
        )
    for counts, known_of in ((before, last.pages), (after, now)):
        for url, sections in counts.items():
            for fields, named in zip(sections, known_of[url].names, strict=False):
                fields[0] |= {name + NAMED: score for name, score in named.items()}
    entries = _replaced(last.entries, _moved(last.pages, now), _differences(before, after, _starts(now)))
    return _State(sorted(known), now, texts, entries)


# -- Links ----------------------------------------------------------------------------------------


def _target(page: Page, href: str) -> tuple[str, str]:
    """Return the address and the section id that a link leads to."""
    url, _, anchor = urljoin(page.url, href).partition("#")
    return url, anchor


def _asks(page: Page) -> dict[str, list[list[str]]]:
    """Return a page's links to others, by address: section id and text of each."""
    found: dict[str, list[list[str]]] = {}
    for href, words, _ in page.links:
        url, anchor = _target(page, href)
        if url != page.url and "://" not in url:
            found.setdefault(url, []).append([anchor, words])
    return found


def _asked_anew(last: Mapping[str, Any], now: Mapping[str, Any]) -> set[str]:
    """Return the addresses of the pages that are linked to otherwise than before."""
    found: set[str] = set()
    for url in last.keys() | now.keys():
        before, after = last.get(url, {}), now.get(url, {})
        if before is not after:
            found.update(to for to in before.keys() | after.keys() if before.get(to) != after.get(to))
    return found


def _asked(pages: Iterable[Page], asks: Mapping[str, Mapping[str, list[list[str]]]]) -> dict[str, Page]:
    """Return pages with the texts of links from other pages in the sections that they lead to."""
    told: dict[str, list[list[str]]] = {page.url: [] for page in pages}
    for url in asks:
        for to, links in asks[url].items():
            if to in told:
                told[to] += links
    made = {}
    for page in pages:
        copies = [replace(section) for section in page.sections]
        sections = {section.id: section for section in copies}
        for anchor, words in told[page.url]:
            target = sections.get(anchor)
            if target and words not in target.asked.splitlines():
                target.asked = f"{target.asked}\n{words}".lstrip("\n")
        made[page.url] = replace(page, sections=copies)
    return made


# -- Terms ----------------------------------------------------------------------------------------


def _counted(sections: list[Section]) -> list[Counts]:
    """Return the indexed terms of each section."""
    texts = [[getattr(section, name) for name in FIELDS] for section in sections]
    different = list(dict.fromkeys(text for fields in texts for text in fields if text))
    found = dict(zip(different, terms(different) if different else (), strict=True))
    return [[_indexed(found.get(text, []), name) for name, text in zip(FIELDS, t, strict=True)] for t in texts]


def _indexed(found: list[str], name: str) -> dict[str, int]:
    """Return the terms of a field that are indexed, and how often each occurs."""
    counts = dict(Counter(found))
    return counts if name in NUMBERED else {term: times for term, times in counts.items() if not NUMBER.match(term)}


def _names(page: Page, known: Set[str]) -> list[dict[str, int]]:
    return [] if page.overview else names(page, known)


def _starts(pages: Mapping[str, _Known]) -> dict[str, int]:
    """Return the number of each page's first document."""
    found, number = {}, 0
    for url, page in pages.items():
        found[url] = number
        number += len(page.ids)
    return found


def _moved(last: Mapping[str, _Known], now: Mapping[str, _Known]) -> list[int]:
    """Return the new number of each document; -1 if it is gone. Sections of a page are told apart by their position."""
    starts = _starts(now)
    found: list[int] = []
    for url, page in last.items():
        left = len(now[url].ids) if url in now else 0
        found += [starts[url] + i if i < left else -1 for i in range(len(page.ids))]
    return found


def _differences(
    before: Mapping[str, list[Counts]], after: Mapping[str, list[Counts]], starts: Mapping[str, int]
) -> Changes:
    """Return how often terms now occur where they occurred more or less often before."""
    changes: Changes = {}
    none: Counts = [{} for _ in FIELDS]
    for url, sections in after.items():
        for i, fields in enumerate(sections):
            earlier = before[url][i] if i < len(before.get(url, ())) else none
            for place, (was, now) in enumerate(zip(earlier, fields, strict=True)):
                for term in dict(was.items() ^ now.items()):
                    changes.setdefault(term, {}).setdefault(place, {})[starts[url] + i] = now.get(term, 0)
    return changes


# -- Entries --------------------------------------------------------------------------------------


def _replaced(entries: list[str], moved: list[int], changes: Changes) -> list[str]:
    """Return the entries of all terms, given those before, new numbers for their documents, and the differences."""
    lines = {_term(line): line for line in entries}
    stay = all(number == new for number, new in enumerate(moved))
    for term in changes if stay else {**lines, **changes}:
        line = _entry(term, lines.get(term), moved, changes.get(term, {}))
        if line:
            lines[term] = line
        else:
            del lines[term]
    return [lines[term] for term in sorted(lines)]


def _entry(term: str, line: str | None, moved: list[int], changes: Mapping[int, Postings]) -> str:
    """Return a term's entry, given the one before, if any; empty if the term no longer occurs."""
    fields: list[list[int]] = json.loads(line)[1:] if line else [[] for _ in FIELDS]
    for place, packed in enumerate(fields):
        if packed or place in changes:
            documents = _unpacked(packed, moved)
            if place in changes:
                documents.update(changes[place])
                documents = {number: documents[number] for number in sorted(documents) if documents[number]}
            fields[place] = _packed(documents)
    # As JSON has it: no term has a quotation mark in it, and numbers are the same in Python.
    return f'["{term}",{repr(fields)[1:].replace(" ", "")}' if any(fields) else ""


def _term(entry: str) -> str:
    """Return the term of an entry."""
    return entry.split('"', 2)[1]


def _packed(documents: Postings) -> list[int]:
    """Compress postings: the differences between document numbers, each followed by the negated count if above 1."""
    packed, last = [], 0
    for number, times in documents.items():
        packed.append(number - last)
        last = number
        if times > 1:
            packed.append(-times)
    return packed


def _unpacked(packed: list[int], moved: list[int]) -> Postings:
    """Return postings of the documents' new numbers. The inverse of `_packed`."""
    documents: Postings = {}
    last = 0
    for step in packed:
        if step < 0:
            documents[moved[last]] = -step
        else:
            last += step
            documents[moved[last]] = 1
    documents.pop(-1, None)
    return documents


def _parts(entries: list[str]) -> Iterator[list[str]]:
    """Split entries into parts of about `PART` characters."""
    part: list[str] = []
    size = 0
    for entry in entries:
        part.append(entry)
        size += len(entry)
        if size >= PART:
            yield part
            part, size = [], 0
    if part:
        yield part


def _version(text: str) -> str:
    """Return the hash of a file's data, so that unchanged files keep their address between builds."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]

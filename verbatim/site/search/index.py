"""Makes the search index of one language from its pages. Pure.

The inverted index is split into parts of a few kilobytes, and a browser loads only the parts with the words of the
query, so that the cost of a search does not grow with the site. Each part is a script that passes its data to
`docs/assets/search/engine.js`, because scripts, unlike fetched data, can also be loaded from ``file://`` addresses.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Any

from verbatim.memo import Memo
from verbatim.site.search import centroids
from verbatim.site.search.general import general
from verbatim.site.search.messages import Template, rules
from verbatim.site.search.sections import ALL_FIELDS, SHOWN_FIELDS, Page, names
from verbatim.site.search.terms import expression, terms_of_pages

#: Suffix of index terms that are API names. Their postings list the main sections about a name, with scores.
NAMED = "<"
#: Suffix of index terms that are part of what readers say. With them stand phrases, and the words that pages use.
SAID = ">"

#: Numbers, shapes (2x3) and memory addresses. Only the fields in `NUMBERED_FIELDS` index them, to save space.
NUMBER_TERM = expression("NUMBER")
NUMBERED_FIELDS = ("title", "prose")
#: English words that nothing looks for. The index has them not, which saves 50 KB.
GRAMMAR_WORD = expression("GRAMMAR")

#: Words that readers may have meant where they mistyped one: those of titles, keywords and questions, and what is in so
#: many sections. A browser loads them only for a word that is nowhere.
PLAIN_WORD = re.compile("[a-z]{4,}")
COMMON = 3

#: Size in characters at which a part of the index is complete. Compression halves it.
PART = 6000

#: Id of the home page's section whose questions are suggested while the search field is empty.
QUESTIONS = "questions"

#: For each section of a page, the terms of each line of each of its fields.
Cut = list[dict[str, list[list[str]]]]
#: For each field of a section, its terms and how often each occurs.
Counts = list[dict[str, int]]
#: Term → the numbers of the documents in which a field has it, each followed by the negated count if above 1.
Postings = dict[str, list[int]]
#: A page's links to others: address → section id and text of each.
Links = dict[str, list[tuple[str, str]]]

_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def files(
    pages: Iterable[Page],
    known: Set[str] = frozenset(),
    messages: Sequence[Template] = (),
    said: str = "{}",
    memo: Memo | None = None,
    advice: Sequence[dict[str, Any]] = (),
) -> dict[str, str]:
    """Return the search files of one language: name → content.

    ``index.js`` contains the number of terms in each field of each document, the number of documents of each page, how
    general each page is, the suggested questions, the overview pages, the first term of each part, and the version of
    each other file, so that a browser never mixes files of two builds. ``terms-N.js`` is a part of the index: terms
    with their postings by field, and with what readers say. ``words-0.js`` contains the words that a mistyped one may
    be.
    ``page-N.js`` contains a page's address and the texts of its sections, for titles and excerpts. ``messages-0.js``
    contains the messages that pages show, and how they are matched.

    Args:
        pages: The pages of the language. The texts of their links are added to the sections that these lead to.
        known: Names of the API, without module or class.
        messages: The messages that pages show, of those alike the best first.
        said: The thesaurus, as `thesaurus.dumps` returns it.
        memo: Caches the terms of pages.
        advice: What messages say in the reader's own numbers, as `advice.data` returns it.
    """
    ordered = _asked(sorted(pages, key=lambda page: page.url))
    cut = _cut(ordered, memo or Memo())
    counts = [_counted(section) for page in cut for section in page]
    examples = [_examples(page, of_page) for page, of_page in zip(ordered, cut, strict=True)]
    nearest = centroids.centroids(examples, _telling)
    named = [one for page in ordered for one in ([{}] * len(page.sections) if page.overview else names(page, known))]
    lengths = [_rounded(sum(field.values())) for fields in counts for field in fields]
    phrases = (f'["{term}{SAID}",{_json(of)[1:]}' for term, of in json.loads(said).items())
    entries = sorted([*_entries(counts, named, nearest), *phrases], key=_term)
    parts = list(_parts(entries))
    data = {
        "terms": [f"[{','.join(part)}]" for part in parts],
        "words": [_json(" ".join(_words(counts)))],
        "page": [
            _json([p.url, [[s.id, *(getattr(s, name) for name in SHOWN_FIELDS)] for s in p.sections]]) for p in ordered
        ],
    }
    if templates := [*_templates(ordered, messages)]:
        data["messages"] = [_json({"rules": rules(), "advice": advice, "templates": templates})]
    versions = {kind: [*map(_version, texts)] for kind, texts in data.items()}
    index = {
        "lengths": lengths,
        "pages": [len(page.sections) for page in ordered],
        "general": _general(ordered),
        "popular": _popular(ordered),
        "overviews": [number for number, page in enumerate(ordered) if page.overview],
        "parts": [_term(part[0]) for part in parts],
        "versions": versions,
    }
    made = {f"{kind}-{n}": text for kind, texts in data.items() for n, text in enumerate(texts)}
    made["index"] = _json(index)
    return {f"{n}.js": f'verbatimSearch.part("{_version(text)}","{n}",{text})\n' for n, text in made.items()}


def _popular(pages: Sequence[Page]) -> list[list[str]]:
    """Return the home page's questions, as far as they lead to a section: address, section id and text of each."""
    ids = {page.url: {section.id for section in page.sections} for page in pages}
    home = min(pages, key=lambda page: len(page.url), default=None)
    asked = [link for link in home.links if link.section == QUESTIONS] if home else []
    return [[link.url, link.id, link.text] for link in asked if link.id in ids.get(link.url, ())]


def _templates(pages: Sequence[Page], messages: Sequence[Template]) -> Iterator[tuple[str, int, int, str, str, int]]:
    """Yield text, page, section, remedy, releases, `Template.about`; pages and sections by their numbers."""
    places = {(p.url, s.id): (n, k) for n, p in enumerate(pages) for k, s in enumerate(p.sections)}
    for one in messages:
        if place := places.get((one.url, one.section)):
            yield one.text, *place, one.remedy, one.printed, one.about


# -- Links ----------------------------------------------------------------------------------------


def _general(pages: Sequence[Page]) -> list[int]:
    """Return how general each page is; 0 where no page leads to the others."""
    home = min((page.url for page in pages if page.overview), key=len, default=None)
    urls = {page.url for page in pages}
    links = {page.url: [url for url in _asks(page) if url in urls] for page in pages}
    found = general(links, home) if home is not None else dict.fromkeys(urls, 0)
    return [found[page.url] for page in pages]


def _asks(page: Page) -> Links:
    """Return a page's links to others, by address: section id and text of each."""
    found: Links = {}
    for link in page.links:
        if link.url != page.url:
            found.setdefault(link.url, []).append((link.id, link.text))
    return found


def _asked(pages: Sequence[Page]) -> list[Page]:
    """Return pages with the texts of links from other pages in the sections that they lead to."""
    asks: dict[str, list[tuple[str, str]]] = {page.url: [] for page in pages}
    for page in pages:
        for url, links in _asks(page).items():
            if url in asks:
                asks[url] += links
    made = []
    for page in pages:
        copies = [replace(section) for section in page.sections]
        sections = {section.id: section for section in copies}
        for anchor, words in asks[page.url]:
            target = sections.get(anchor)
            if target and words not in target.asked.splitlines():
                target.asked = f"{target.asked}\n{words}".lstrip("\n")
        made.append(replace(page, sections=copies))
    return made


# -- Terms ----------------------------------------------------------------------------------------


def _cut(pages: Sequence[Page], memo: Memo) -> list[Cut]:
    """Return the terms of pages, line by line."""
    lines = [[centroids.lines(name, getattr(s, name)) for s in page.sections for name in ALL_FIELDS] for page in pages]
    found = terms_of_pages([[*chain.from_iterable(fields)] for fields in lines], memo)
    made = []
    for fields, terms_of_page in zip(lines, map(iter, found), strict=True):
        terms_of_fields = [[next(terms_of_page) for _ in field] for field in fields]
        starts = range(0, len(fields), len(ALL_FIELDS))
        made.append([dict(zip(ALL_FIELDS, terms_of_fields[n : n + len(ALL_FIELDS)], strict=True)) for n in starts])
    return made


def _examples(page: Page, cut: Cut) -> list[centroids.Example]:
    """Return the lines of a page as examples of what readers ask for it; none of an overview."""
    found: list[centroids.Example] = []
    for number, fields in enumerate([] if page.overview else cut):
        for name, counts in centroids.FIELD_COUNTS.items():
            weight = centroids.TITLE if name == "title" and number == 0 else counts
            found += [(line, weight) for line in fields[name]]
    return found


def _telling(term: str) -> bool:
    """Whether a term says anything of what a line is about: no number, and no word that only joins others."""
    return not NUMBER_TERM.match(term) and not GRAMMAR_WORD.match(term)


def _counted(section: Mapping[str, Iterable[list[str]]]) -> Counts:
    """Return the indexed terms of a section."""
    return [_indexed(chain.from_iterable(section[name]), name) for name in ALL_FIELDS]


def _indexed(found: Iterable[str], name: str) -> dict[str, int]:
    """Return the terms of a field that are indexed, and how often each occurs."""
    counts = dict(Counter(found))
    return (
        counts
        if name in NUMBERED_FIELDS
        else {term: times for term, times in counts.items() if not NUMBER_TERM.match(term)}
    )


def _words(counts: Sequence[Counts]) -> list[str]:
    """Return the words that readers may have meant where they mistyped one."""
    having = Counter(term for fields in counts for term in {*chain.from_iterable(fields)})
    telling = {
        term for fields in counts for name in ("title", "asked", "other") for term in fields[ALL_FIELDS.index(name)]
    }
    known = (term for term, times in having.items() if times >= COMMON or term in telling)
    return sorted(term for term in known if PLAIN_WORD.fullmatch(term) and not GRAMMAR_WORD.match(term))


# -- Entries --------------------------------------------------------------------------------------


def _entries(
    counts: Sequence[Counts], named: Sequence[Mapping[str, int]], nearest: Sequence[Mapping[str, int]]
) -> list[str]:
    """Return for each term ``["term",postings in the first field,…]``, last its postings in centroids, if any has it.

    Args:
        counts: The terms of each document.
        named: The names that each document is about, with scores; they stand in the first field.
        nearest: The centroid of each page.
    """
    fields: list[Postings] = [{} for _ in ALL_FIELDS]
    for number, (found, scores) in enumerate(zip(counts, named, strict=True)):
        _post(fields[0], number, {name + NAMED: score for name, score in scores.items()})
        for postings, terms_in in zip(fields, found, strict=True):
            _post(postings, number, terms_in)
    of_pages: Postings = {}
    for number, weights in enumerate(nearest):
        _post(of_pages, number, weights)
    entries = []
    for term in dict.fromkeys(term for postings in fields for term in postings if not GRAMMAR_WORD.match(term)):
        columns = [_packed(postings.get(term, ())) for postings in fields]
        columns += [_packed(of_pages[term])] if term in of_pages else []
        # No term has a quotation mark in it.
        entries.append(f'["{term}",{_json(columns)[1:]}')
    return entries


def _post(postings: Postings, number: int, counts: Mapping[str, int]) -> None:
    """Add to postings how often each term occurs in the document of a number."""
    for term, times in counts.items():
        documents = postings.setdefault(term, [])
        documents.append(number)
        if times > 1:
            documents.append(-times)


def _term(entry: str) -> str:
    """Return the term of an entry."""
    return entry.split('"', 2)[1]


def _packed(documents: Iterable[int]) -> list[int]:
    """Compress postings: of the numbers of documents, only the differences."""
    packed, last = [], 0
    for one in documents:
        if one < 0:
            packed.append(one)
        else:
            packed.append(one - last)
            last = one
    return packed


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


def _rounded(length: int) -> int:
    """Return a number with its first two binary digits alone: scores need no more, and half the bytes are saved."""
    shift = max(0, length.bit_length() - 2)
    return (length + (1 << shift >> 1)) >> shift << shift


def _version(text: str) -> str:
    """Return the hash of a file's data, so that unchanged files keep their address between builds."""
    return hashlib.sha256(text.encode()).hexdigest()[:6]

"""What readers say and pages do not: the thesaurus of the field, from which every query takes words of pages. Pure.

`THESAURUS.md` has a row a meaning: the words that pages use in English and in Chinese, and what readers say for it in
both. `book/GLOSSARY.md` is its root: what it says not to use, and the words of the other language, readers use.
Readers of Chinese pages use English terms, too, but no English sentences; those of English pages use no Chinese words.
Both are spared the bytes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from verbatim.languages import IDEOGRAPHS
from verbatim.lists.glossary import terms as glossary
from verbatim.site.search.terms import spans, wanted

FILE = "book/THESAURUS.md"
_HAN = f"[{IDEOGRAPHS}]"
#: What separates phrases in a cell, but not within brackets or between digits: ``x[..., 0]``, ``80/20``.
PHRASE_SEPARATOR = re.compile(r"(?:[,，、;]|(?<!\d)/)\s*(?![^\[]*\])")
#: So many words an English phrase may have that readers of Chinese pages use.
WORDS = 2
#: Words that say nothing of a phrase that has two others.
BARE_WORDS = {"a", "an", "and", "my", "of", "the"}
BRACKETED_NOTE = re.compile(r"[(（][^)）]*[)）]")

#: The words that pages use, and what readers say in their place.
Row = tuple[str, list[str]]
#: A term → the phrases that stand with it in the index: the words that pages use, and the parts of the phrase.
Said = dict[str, list[tuple[str, list[str]]]]


def rows(text: str, terms: str, language: str) -> list[Row]:
    """Return the rows of the thesaurus for the pages of one language.

    Args:
        text: `book/THESAURUS.md`.
        terms: `book/GLOSSARY.md`.
        language: The language of the pages.
    """
    return [(words, said) for words, said in (*_own(text, language), *_of_glossary(terms, language)) if words and said]


def _own(text: str, language: str) -> Iterator[Row]:
    lines = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    for english, chinese, *said in ([cell.strip() for cell in line] for line in lines[2:]):
        if language != "zh":
            yield english, [*_phrases(said[0])]
        else:
            names = [phrase for phrase in _phrases(said[0]) if phrase.count(" ") < WORDS]
            yield chinese or english, [*names, *_phrases(said[1])]


def _of_glossary(text: str, language: str) -> Iterator[Row]:
    for term in glossary(text) if language == "zh" else ():
        yield (
            BRACKETED_NOTE.sub("", term.chinese),
            [*_phrases(BRACKETED_NOTE.sub("", term.english)), *_phrases(term.avoided)],
        )


def _phrases(cell: str) -> Iterator[str]:
    yield from filter(None, (phrase.strip() for phrase in PHRASE_SEPARATOR.split(cell)))


def data(found: Iterable[Row]) -> Said:
    """Return rows as the index has them: each phrase with the term of it that the fewest phrases have.

    A query that has the phrase looks for that term, too, so that no more of the index is fetched than without a
    thesaurus. The parts of a phrase are its English words and names, as in the index, and its Chinese runs.
    """
    pairs = [(words, phrase) for words, said in found for phrase in said]
    phrases = [phrase for _, phrase in pairs]
    looked_for = wanted(phrases) if phrases else []
    phrases_of = Counter(term for one in looked_for for term in {*one})
    made: Said = {}
    for (words, phrase), one, cut in zip(pairs, looked_for, spans(phrases) if phrases else [], strict=True):
        entry = (words, [*_parts(phrase, cut)])
        there = made.setdefault(min(one, key=lambda term: phrases_of[term]), []) if one else []
        if entry not in there:
            there.append(entry)
    return made


def _parts(phrase: str, found: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    whole = {start: term for term, start, _ in reversed([*found]) if not re.match(_HAN, term)}
    parts = dict.fromkeys([*(whole[start] for start in sorted(whole)), *re.findall(f"{_HAN}+", phrase)])
    telling = [part for part in parts if part not in BARE_WORDS]
    yield from telling if len(telling) > 1 else parts


def dumps(text: str, terms: str, language: str) -> str:
    """Return the thesaurus of one language as JSON."""
    return json.dumps(data(rows(text, terms, language)), ensure_ascii=False, separators=(",", ":"))

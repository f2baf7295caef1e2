"""What readers say and pages do not: the thesaurus of the field, from which every query takes words of pages. Pure.

`THESAURUS.md` has a row a meaning: the words that pages use in English and in Chinese, and what readers say for it in
both. `GLOSSARY.md` is its root: what it says not to use, and the words of the other language, readers use.
Readers of Chinese pages use English words, too; those of English pages use no Chinese ones, and are spared the bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from verbatim.lists.glossary import terms as glossary
from verbatim.site.search.terms import spans

FILE = "THESAURUS.md"
#: What separates phrases in a cell.
BETWEEN = re.compile(r"[,，、;/]\s*")
NOTE = re.compile(r"[(（][^)）]*[)）]")

#: The words that pages use, and what readers say in their place.
Row = tuple[str, list[str]]


def rows(text: str, terms: str, language: str) -> list[Row]:
    """Return the rows of the thesaurus for the pages of one language.

    Args:
        text: `THESAURUS.md`.
        terms: `GLOSSARY.md`.
        language: The language of the pages.
    """
    return [(words, said) for words, said in (*_own(text, language), *_of_glossary(terms, language)) if words and said]


def _own(text: str, language: str) -> Iterator[Row]:
    lines = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    for english, chinese, *said in ([cell.strip() for cell in line] for line in lines[2:]):
        if language == "en":
            yield english, [*_phrases(said[0])]
        else:
            yield chinese or english, [phrase for cell in said for phrase in _phrases(cell)]


def _of_glossary(text: str, language: str) -> Iterator[Row]:
    for term in glossary(text) if language == "zh" else ():
        yield NOTE.sub("", term.chinese), [*_phrases(NOTE.sub("", term.english)), *_phrases(term.avoided)]


def _phrases(cell: str) -> Iterator[str]:
    yield from filter(None, (phrase.strip() for phrase in BETWEEN.split(cell)))


def data(found: Iterable[Row]) -> list[tuple[str, list[list[str]]]]:
    """Return rows as the browser has them: of a phrase its English words, as in the index, and its Chinese runs."""
    found = [*found]
    phrases = [phrase for _, said in found for phrase in said]
    cut = dict(zip(phrases, spans(phrases) if phrases else [], strict=True))
    return [(words, [[*_parts(phrase, cut[phrase])] for phrase in said]) for words, said in found]


def _parts(phrase: str, found: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    runs = re.findall(r"[\u3400-\u9fff]+", phrase)
    yield from dict.fromkeys([term for term, start, _ in found if not "\u3400" <= term[0] <= "\u9fff"] + runs)


def dumps(text: str, terms: str, language: str) -> str:
    """Return the thesaurus of one language as JSON."""
    return json.dumps(data(rows(text, terms, language)), ensure_ascii=False, separators=(",", ":"))

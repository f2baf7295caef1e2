"""Finds sections that may answer a question already, by the words of their titles, ids and keywords. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from verbatim import languages
from verbatim.markdown import front_matter_end, headings

#: A section answers only if it has this much of a question's words, weighed by how few sections have them.
LEAST_SHARE = 0.6
#: Letters by which two forms of a word are the same: gather, gathers, gathering.
STEM_LETTERS = 6
#: Most that are told.
MOST_ANSWERS = 3


@dataclass(frozen=True)
class Section:
    """A section of a page: where it is, what it is called, and the words by which readers find it."""

    page: str
    """Path below the folder of its language: ``indexing/gather.md``."""
    id: str
    """The heading's id; empty for the page itself."""
    title: str
    words: frozenset[str]


def words(text: str, language: str) -> frozenset[str]:
    """Return the words of a text without those that ask: Latin ones by their beginning, Chinese ones as pairs."""
    bare = languages.record(language).asking.sub(" ", text.replace("_", " ").lower())
    latin = (word[:STEM_LETTERS].rstrip("s") for word in re.findall("[a-z0-9]{2,}", bare))
    pairs = (
        part[i : i + 2] for part in re.findall(f"[{languages.IDEOGRAPHS}]{{2,}}", bare) for i in range(len(part) - 1)
    )
    return frozenset({*latin, *pairs})


def sections(name: str, text: str, language: str) -> list[Section]:
    """Return a page's sections. Its keywords and its name count for the page itself."""
    lines = text.splitlines()
    front = lines[: front_matter_end(lines)]
    keywords = " ".join(line.partition(":")[2] for line in front if line.startswith(("keywords:", "description:")))
    parts = []
    for heading in headings(text):
        if heading.level > 1 and heading.id != "read-on":
            about = f"{heading.text} {heading.id.replace('-', ' ')}"
            parts.append(Section(name, heading.id, heading.text, words(about, language)))
        elif heading.level == 1:
            about = f"{heading.text} {keywords} {name.partition('/')[2].removesuffix('.md').replace('-', ' ')}"
            parts.append(Section(name, "", heading.text, words(about, language)))
    return parts


def answering(question: str, among: Iterable[Section], language: str) -> list[Section]:
    """Return the sections that may answer a question, the likeliest first; at most one a page."""
    among = list(among)
    counted = Counter(word for section in among for word in section.words)
    asked = words(question, language)
    weight = {word: math.log(1 + len(among) / (1 + counted[word])) for word in asked}
    total = sum(weight.values())
    if not total:
        return []
    rated = [
        (sum(weight[word] for word in asked & section.words) / total, -len(section.words), section) for section in among
    ]
    best: dict[str, Section] = {}
    for share, _, section in sorted(rated, key=lambda rate: rate[:2], reverse=True):
        if share >= LEAST_SHARE:
            best.setdefault(section.page, section)
    return list(best.values())[:MOST_ANSWERS]

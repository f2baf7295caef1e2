"""Which page a query is about: a nearest-centroid classifier (Rocchio), whose classes are the pages. Pure.

MiniSearch scores the sections that have a query's words. Here each line of a page (its title, its headings, its
keywords, what strangers ask, its sentences) is an example of a query that the page answers. The mean of its examples is
the page's centroid, and the page whose centroid is nearest to a query is likeliest to answer it. A line counts as much
as another, however long it is, and a word that many lines of one page have, and few of others, says more than a word
that occurs once.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

#: What a line counts, by its field; other fields are no examples. A page's title counts as `TITLE`.
FIELD_COUNTS = {"title": 2.0, "prose": 1.0, "messages": 0.5, "asked": 2.0, "other": 2.0}
TITLE = 3.0
#: A page keeps so many terms, those that count most. With 150, results are the same and the index is a tenth heavier.
TERMS = 60
#: The greatest number that a term counts.
GREATEST = 99

#: An example: its terms, and what it counts.
Example = tuple[Sequence[str], float]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])\s*|\n")


def lines(field: str, text: str) -> list[str]:
    """Return the lines of a section's field, of which each is an example, or else the text as it is."""
    if field == "prose":
        return _SENTENCE_END.split(text)
    return text.split("\n") if field in ("asked", "other") else [text]


def centroids(pages: Sequence[Sequence[Example]], telling: Callable[[str], bool] = bool) -> list[dict[str, int]]:
    """Return each page's centroid: what its terms count, from 1 to `GREATEST`.

    A query is as near to it as the sum of its terms' numbers. Terms are weighed by tf-idf, and examples and centroids
    have length 1, so that neither long lines nor long pages count more.

    Args:
        pages: The examples of each page; none for a page that should never be the nearest.
        telling: Whether a term says anything of what a line is about. Others do not count; by default, all do.
    """
    lines = sum(bool(terms) for page in pages for terms, _ in page)
    having = Counter(chain.from_iterable(dict.fromkeys(terms) for page in pages for terms, _ in page))
    idf = {term: math.log((1 + lines) / (1 + count)) + 1 for term, count in having.items() if telling(term)}
    found = []
    for page in pages:
        total: dict[str, float] = {}
        for terms, counts in page:
            times = Counter(filter(idf.__contains__, terms))
            vector = {term: (1 + math.log(n)) * idf[term] for term, n in times.items()}
            length = math.hypot(*vector.values())
            for term, weight in vector.items():
                total[term] = total.get(term, 0.0) + counts * weight / length
        length = math.hypot(*total.values())
        of_page = {term: weight / length * idf[term] for term, weight in total.items()}
        found.append(dict(sorted(of_page.items(), key=lambda one: (-one[1], one[0]))[:TERMS]))
    most = max((weight for weights in found for weight in weights.values()), default=1.0)
    rounded = [{term: round(GREATEST * weight / most) for term, weight in weights.items()} for weights in found]
    return [{term: weight for term, weight in weights.items() if weight} for weights in rounded]

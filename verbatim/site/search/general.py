"""How general a page is: how often a reader comes by who starts on the home page and follows links at random. Pure.

It is PageRank with the home page for a start. What the home page and the first pages of chapters name, and what most
pages link to, is general; what hardly any page links to is about one case. A page about one case has all the words of
the general question, too, so only this tells the two apart where the query does not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

#: How often the reader follows a link instead of beginning anew.
FOLLOWS = 0.85
#: After so many steps the numbers are settled: what is left of the first step is below a millionth.
STEPS = 90
#: The number of the page that is visited most. Others have less on a logarithmic scale, on which a page that is visited
#: as often as all on average stands in the middle.
GREATEST = 99
_MIDDLE = 20


def general(links: Mapping[str, Sequence[str]], home: str) -> dict[str, int]:
    """Return page → how general it is, from 0 to `GREATEST`.

    Args:
        links: Page → the pages that it links to, each of them a page, too.
        home: The page where readers start.
    """
    visits = dict.fromkeys(links, 0.0) | {home: 1.0}
    for _ in range(STEPS):
        after = dict.fromkeys(links, 0.0)
        for page, targets in links.items():
            for target in targets:
                after[target] += FOLLOWS * visits[page] / len(targets)
        after[home] += 1.0 - sum(after.values())
        visits = after
    scaled = {page: math.log1p(_MIDDLE * len(links) * share) for page, share in visits.items()}
    most = max((number for page, number in scaled.items() if page != home), default=0.0) or 1.0
    return {page: min(GREATEST, round(GREATEST * number / most)) for page, number in scaled.items()}

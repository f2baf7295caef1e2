"""Texts → terms, by the script that cuts a reader's query in the browser: one tokenizer makes the index and the query.

The script is `words.js`, beside this module; the build gives it to the site (`FILE`), and mini-racer runs it here. All
texts go in at once, because a call costs more than a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verbatim.memo import Memo, digest
from verbatim.site.output import SEARCH

SCRIPT = Path(__file__).with_name("words.js")
#: Where the site has it, from its root.
FILE = f"{SEARCH}/{SCRIPT.name}"

_SPANS = "verbatimSearch.spans"
#: Terms alone, joined by the space that none of them has: the places would be most of what comes back.
_TERMS = "(text) => verbatimSearch.spans(text).map(([term]) => term).join(' ')"
_WANTED = "(text) => verbatimSearch.wanted(text).map(({ term }) => term).join(' ')"

#: A term, and the place in the text that it comes from: first character, character after the last.
Span = tuple[str, int, int]


def spans(texts: Sequence[str]) -> list[list[Span]]:
    """Return the terms of each text, in their order, each with its place."""
    return [[(term, start, end) for term, start, end in one] for one in _cut(_SPANS, texts)]


def terms(texts: Sequence[str]) -> list[list[str]]:
    """Return the terms of each text, in their order."""
    return [one.split() for one in _cut(_TERMS, texts)]


def terms_of_pages(pages: Sequence[Sequence[str]], memo: Memo) -> list[list[list[str]]]:
    """Return the terms of each text of each page. Those of a page are cached."""
    script = digest(SCRIPT.read_text(encoding="utf-8"))
    keys = [digest(script, *texts) for texts in pages]
    known = [memo.load("terms", key) for key in keys]
    different = dict.fromkeys(text for texts, one in zip(pages, known, strict=True) if one is None for text in texts)
    found = dict(zip(different, terms([*different]) if different else (), strict=True))
    made = []
    for key, texts, one in zip(keys, pages, known, strict=True):
        cut = [line.split(" ") if line else [] for line in one] if one is not None else [found[text] for text in texts]
        if one is None:
            memo.save("terms", key, [" ".join(words) for words in cut])
        made.append(cut)
    return made


def wanted(texts: Sequence[str]) -> list[list[str]]:
    """Return the terms that each text, as a query, looks for."""
    return [one.split() for one in _cut(_WANTED, texts)]


def _cut(function: str, texts: Sequence[str]) -> list[Any]:
    """Return what a function of the script makes of each text."""
    from py_mini_racer import MiniRacer

    # Left to the garbage collector, MiniRacer can hang when Python ends: it is closed here.
    with MiniRacer() as engine:
        engine.eval("var self = globalThis;\n" + SCRIPT.read_text(encoding="utf-8"))
        engine.eval(f"globalThis.cut = (texts) => JSON.stringify(JSON.parse(texts).map({function}))")
        return list(json.loads(str(engine.call("cut", json.dumps(texts)))))


def expression(name: str) -> re.Pattern[str]:
    """Return a regular expression of the script, by its name there. It must mean the same in JavaScript and Python."""
    found = re.search(rf"const {name} = /(?P<text>.+)/;", SCRIPT.read_text(encoding="utf-8"))
    if not found:
        raise LookupError(f"{SCRIPT.name} has no regular expression {name} on one line")
    return re.compile(found["text"])

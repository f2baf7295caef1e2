"""The data of the package's command ``changes``: what the recorded releases print differently, by PyTorch name.

Only what is fresh speaks: a release in which a cell is stale, or did not run, says nothing of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from verbatim.book.compare import Outputs, readable
from verbatim.book.releases.ranges import Kind
from verbatim.lists import names, releases
from verbatim.lists.messages import first_lines, messages_of
from verbatim.lists.places import Place, Sources, title

#: Where the package has this data, from the project's root.
FILE = "explain/src/pytorch_verbatim/changes.json"
#: A cell whose texts name nothing speaks for names that are in at most this many of the book's cells.
RARE = 4
#: A cell shows something else than a name that more of the book's cells use, such as `torch.load`. It speaks for that
#: only if a message that differs quotes it.
COMMON = 50
#: Modules that moved, and kept their old name: old → new.
MOVED = {"torch.quantization": "torch.ao.quantization", "torch.nn.quantized": "torch.ao.nn.quantized"}

#: Messages that say that a release lacks a name of torch: the parts of the name.
_LACKS = (
    re.compile(r"No module named '(torch(?:\.\w+)+)'"),
    re.compile(r"module '(torch(?:\.\w+)*)' has no attribute '(\w+)'"),
    re.compile(r"cannot import name '(?P<last>\w+)' from '(?P<home>torch(?:\.\w+)*)'"),
)

#: A name with an underscore.
_ARGUMENT = re.compile(r"(?<![\w.])[a-z_]*_[a-z_]*(?![\w.(])")


def data(sources: Sources) -> dict[str, Any]:
    """Return the data.

    Returns:
        ``releases``: all recorded ones, oldest first. ``names``: all names of the book → the releases that lack it.
        ``moved``: `MOVED`.
        ``cells``: ``names`` that it speaks for; ``places``, language → address from the site's root, and titles, a line
        each; ``settles``, what code gives that does otherwise than the cell; ``prints``: the ranges of releases with
        ``releases``, ``absent`` (they lack what the cell needs), ``text``, ``messages`` (first lines), ``raises``, and
        ``deprecates`` (names).
    """
    book, languages = sources.book, sources.languages
    first = languages.default
    used = Counter(name for place in releases.shown(sources, first) for name in set(sources.names(place)))
    places = {
        language: {place.target: place for place in releases.shown(sources, language)} for language in languages.whole
    }
    cells = []
    lacking = {name: {one.name for one in book.releases.all if name in one.missing} for name in used}
    for target, place in places[first].items():
        ranges = [one for one in book.ranges(place.script.path, place.cell.name) if one.kind is not Kind.NOT_RUN]
        if not all(target in some for some in places.values()):
            continue
        shown = [
            (one, one.outputs if one.kind is Kind.ABSENT else releases.outputs(book, place.script, place.cell, one))
            for one in ranges
        ]
        prints = [
            {
                "releases": list(one.versions),
                "absent": one.kind is Kind.ABSENT,
                **printed(outputs, sources.names(place)),
            }
            for one, outputs in shown
        ]
        if not ranges:  # all releases print the same
            alike = printed(sources.outputs(place), sources.names(place))
            prints = [{"releases": list(book.releases.names), "absent": False, **alike}] * bool(alike["deprecates"])
        for one in prints:
            for name in lacks(one["messages"]):
                lacking.setdefault(name, set()).update(one["releases"])
        deprecated = sorted({name for one in prints for name in one["deprecates"]})
        differ = speaks_for(sources.names(place), prints, place, used) if len(ranges) > 1 else []
        if named := list(dict.fromkeys([*differ, *deprecated])):
            where = {language: _where(sources, some[target]) for language, some in places.items()}
            settles = settled(prints, place.cell.source)
            cells.append({"names": named, "places": where, "settles": settles, "prints": prints})
    return {
        "releases": list(book.releases.names),
        "names": {name: [one for one in book.releases.names if one in lacking[name]] for name in sorted(lacking)},
        "moved": MOVED,
        "cells": cells,
    }


def printed(outputs: Outputs, of: tuple[str, ...]) -> dict[str, Any]:
    """Return what a release printed in a cell that uses some names; the keys are those of `data`."""
    warnings = [line for output in outputs if output.get("name") == "stderr" for _, line in first_lines(output)]
    return {
        "text": "\n".join(line for output in outputs for line in readable(output)),
        "messages": [text for _, text in messages_of(outputs)],
        "raises": any(output["output_type"] == "error" for output in outputs),
        "deprecates": [name for name in of if any(names.deprecates(line, name) for line in warnings)],
    }


def lacks(messages: Sequence[str]) -> list[str]:
    """Return the names of torch that messages say are not there."""
    found = []
    for match in (form.search(text) for text in messages for form in _LACKS):
        if match:
            named = match.groupdict()
            found.append(f"{named['home']}.{named['last']}" if named else ".".join(match.groups()))
    return found


def speaks_for(of: tuple[str, ...], prints: list[dict[str, Any]], place: Place, used: Counter[str]) -> list[str]:
    """Return the names that the differences of a cell are about.

    A cell uses many names beside the one that it shows, such as `torch.tensor`. It speaks for those that the lines
    which differ name; if there are none, for those in the titles; if there are none, for rare ones. What a message that
    differs quotes counts however common it is.
    """
    lines = [set(one["text"].splitlines()) for one in prints]
    own = [name for name in of if used[name] <= COMMON]
    differ = "\n".join(set.union(*lines) - set.intersection(*lines))
    messages = [set(one["messages"]) for one in prints]
    told = "\n".join(set.union(*messages) - set.intersection(*messages))
    if quoted := [name for name in of if _is_quoted(name, told)]:
        return quoted
    for text in (differ, f"{place.heading}\n{title(place.page)}"):
        if found := [name for name in own if _is_in(name, text)]:
            return found
    return [name for name in own if used[name] <= RARE]


def settled(prints: list[dict[str, Any]], source: str) -> list[str]:
    """Return the names of arguments and methods that the messages of a cell speak of, and that its code does not give.

    `torch.load` changed its default for ``weights_only``: code that passes the argument does not get the message. Names
    without an underscore may be words of the sentence.
    """
    told = "\n".join(one["text"] for one in prints if one["messages"])
    return sorted({*_ARGUMENT.findall(told)} - {*_ARGUMENT.findall(source)})


def _is_quoted(name: str, text: str) -> bool:
    """Whether a text has a name with its module in backticks, called or not."""
    home, _, last = name.rpartition(".")
    return bool(re.search(rf"`(?:\w+\.)*{re.escape(home.rpartition('.')[2])}\.{re.escape(last)}(?:\([^`]*\))?`", text))


def _is_in(name: str, text: str) -> bool:
    last = re.escape(name.rpartition(".")[2])
    return bool(re.search(rf"(?<!\w){last}(?!\w)", text))


def _where(sources: Sources, place: Place) -> list[str]:
    address = sources.languages.address(place.page.language, place.page.name)
    titles = dict.fromkeys([title(place.page), place.heading])
    return [f"{address}#{place.anchor}" if place.anchor else address, "\n".join(titles)]

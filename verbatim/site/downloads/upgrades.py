"""The data of ``changes``, of the package's command and of the site: what releases print differently, by PyTorch name.

Only what is fresh speaks: a release in which a cell is stale, or did not run, says nothing of it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from verbatim.book import changes
from verbatim.book.compare import Outputs
from verbatim.book.messages import first_lines
from verbatim.book.releases.ranges import Kind
from verbatim.lists import names, releases
from verbatim.lists.places import Place, Sources, once, title
from verbatim.site.downloads import differences
from verbatim.site.downloads.differences import BREAKING_KINDS, DIFFERENCE_KINDS, MESSAGE_KINDS, MOST_LINES
from verbatim.words import UPGRADE

#: Where the package has this data, from the project's root.
FILE = "explain/src/pytorch_verbatim/changes.json"
#: A cell whose texts name nothing speaks for names that are in at most this many of the book's cells.
RARE_CELLS = 4
#: A cell shows something else than a name that more of the book's cells use, such as `torch.load`. It speaks for that
#: only if a message that differs quotes it.
COMMON_CELLS = 50
#: Modules that moved, and kept their old name: old → new.
MOVED_MODULES = {"torch.quantization": "torch.ao.quantization", "torch.nn.quantized": "torch.ao.nn.quantized"}

#: Messages that say that a release lacks a name of torch: the parts of the name.
_MISSING_NAME_MESSAGES = (
    re.compile(r"No module named '(torch(?:\.\w+)+)'"),
    re.compile(r"module '(torch(?:\.\w+)*)' has no attribute '(\w+)'"),
    re.compile(r"cannot import name '(?P<last>\w+)' from '(?P<home>torch(?:\.\w+)*)'"),
)

#: What a function says that is left to say that it is gone.
_REMOVED_MESSAGE = re.compile(r"This function was deprecated since version [\d.]+ and is now removed")
#: A name with an underscore.
_ARGUMENT_NAME = re.compile(r"(?<![\w.])[a-z_]*_[a-z_]*(?![\w.(])")


def script(sources: Sources, language: str) -> str:
    """Return the script that hands the data over to a page of a language."""
    return as_script(of_language(data(sources), language))


def as_script(made: dict[str, Any]) -> str:
    """Return a script with data."""
    return f"verbatimUpgrade.data={json.dumps(made, ensure_ascii=False, separators=(',', ':'))}\n"


def of_language(made: dict[str, Any], language: str) -> dict[str, Any]:
    """Return the data for one language: a cell has its own ``place``, and there are no ``words``."""
    cells = [
        {**{key: value for key, value in cell.items() if key != "places"}, "place": cell["places"][language]}
        for cell in made["cells"]
        if language in cell["places"]
    ]
    return {**{key: value for key, value in made.items() if key != "words"}, "cells": cells}


@once
def data(sources: Sources) -> dict[str, Any]:
    """Return the data for all languages.

    Returns:
        ``releases``: all recorded ones, oldest first. ``names``: all names of the book → the releases that lack it.
        ``moved``: `MOVED_MODULES`. ``kinds``, ``breaks``, ``told``, ``most``: those of `differences`. ``words``: by
        language, what each kind is called.
        ``cells``: ``names`` that it speaks for; ``places``, language → address from the site's root, and titles, a line
        each; ``settles``, what code gives that does otherwise than the cell; ``prints``: the ranges of releases with
        ``releases``, ``messages`` (first lines, if a name is deprecated or removed), ``deprecates`` and ``removes``
        (names); ``steps``: ``"0 1"``, numbers of an older and a newer range, → `differences.difference`, where there is
        something to be told.
    """
    book, languages = sources.book, sources.languages
    first = languages.default
    used = Counter(name for place in releases.first_places(sources, first) for name in set(sources.names(place)))
    places = {
        language: {place.target: place for place in releases.first_places(sources, language)}
        for language in languages.whole
    }
    cells = []
    lacking = {name: {release.name for release in book.releases.all if name in release.missing} for name in used}
    for target, place in places[first].items():
        if not all(target in some for some in places.values()):
            continue
        prints = _prints(sources, place)
        for row in prints:
            for name in lacks(row["messages"]):
                lacking.setdefault(name, set()).update(row["releases"])
        told = sorted({name for row in prints for name in (*row["deprecates"], *row["removes"])})
        differ = speaks_for(sources.names(place), prints, place, used) if len(prints) > 1 else []
        if named := list(dict.fromkeys([*differ, *told])):
            where = {language: _where(sources, some[target]) for language, some in places.items()}
            settles = settled(prints, place.cell.source)
            cells.append({"names": named, "places": where, "settles": settles, **steps(prints, book.releases.names)})
    return {
        "releases": list(book.releases.names),
        "names": {
            name: [release for release in book.releases.names if release in lacking[name]] for name in sorted(lacking)
        },
        "moved": MOVED_MODULES,
        "kinds": DIFFERENCE_KINDS,
        "breaks": BREAKING_KINDS,
        "told": MESSAGE_KINDS,
        "most": MOST_LINES,
        "words": {language: {kind: UPGRADE[language][kind] for kind in DIFFERENCE_KINDS} for language in places},
        "cells": [cell for cell in cells if cell["steps"] or any(row["messages"] for row in cell["prints"])],
    }


def _prints(sources: Sources, place: Place) -> list[dict[str, Any]]:
    """Return what ranges of releases print of a cell; nothing if all print the same and tell no name's end."""
    book = sources.book
    ranges = [span for span in book.ranges(place.script.path, place.cell.name) if span.kind is not Kind.NOT_RUN]
    if not ranges:  # all releases that were run print the same
        alike = printed(sources.outputs(place), sources.names(place))
        if not alike["deprecates"] and not alike["removes"]:
            return []
        run = {book.releases.built, *book.covered([place.script.path])}
        return [{"releases": [name for name in book.releases.names if name in run], "absent": False, **alike}]
    rows = []
    for span in ranges:
        absent = span.kind is Kind.ABSENT
        outputs = span.outputs if absent else releases.outputs(book, place.script, place.cell, span)
        rows.append({"releases": list(span.versions), "absent": absent, **printed(outputs, sources.names(place))})
    return rows


def steps(prints: list[dict[str, Any]], releases: Sequence[str]) -> dict[str, Any]:
    """Return ``prints`` and ``steps`` of a cell, as `data` has them: what differs is found here, not at readers'."""
    changed = {}
    for i, old in enumerate(prints):
        for j, new in enumerate(prints):
            if i != j and releases.index(old["releases"][0]) < releases.index(new["releases"][-1]):
                step = differences.difference(_said(old), _said(new))
                if step["kind"] not in ("", "new"):
                    changed[f"{i} {j}"] = step
    kept = [
        {
            "releases": row["releases"],
            "messages": row["messages"] if row["deprecates"] or row["removes"] else [],
            "deprecates": [] if row["absent"] else row["deprecates"],
            "removes": row["removes"],
        }
        for row in prints
    ]
    return {"prints": kept, "steps": changed}


def printed(outputs: Outputs, of: tuple[str, ...]) -> dict[str, Any]:
    """Return what a release printed in a cell that uses some names; the keys are those of `data`."""
    warnings = [line for output in outputs if output.get("name") == "stderr" for _, line in first_lines(output)]
    said = changes.said(outputs)
    return {
        "text": said.text,
        "messages": list(said.messages),
        "raises": bool(said.raises),
        "deprecates": [name for name in of if any(names.deprecates(line, name) for line in warnings)],
        "removes": [name for name in of if removes(said.text, name)],
    }


def _said(printed: dict[str, Any]) -> changes.Said:
    raises = ("an error",) if printed["raises"] else ()
    return changes.Said(tuple(printed["messages"]), raises, printed["text"], printed["absent"])


def removes(text: str, name: str) -> bool:
    """Whether a text says that a function is gone: one is left in its place, and says what to write instead."""
    instead = rf"(?<![\w.]){re.escape(name)}(?!\w)[^\n]*(?:should be replaced|is deprecated in favor)"
    return bool(_REMOVED_MESSAGE.search(text) and re.search(instead, text))


def lacks(messages: Sequence[str]) -> list[str]:
    """Return the names of torch that messages say are not there."""
    names = []
    for match in (form.search(text) for text in messages for form in _MISSING_NAME_MESSAGES):
        if match:
            named = match.groupdict()
            names.append(f"{named['home']}.{named['last']}" if named else ".".join(match.groups()))
    return names


def speaks_for(of: tuple[str, ...], prints: list[dict[str, Any]], place: Place, used: Counter[str]) -> list[str]:
    """Return the names that the differences of a cell are about.

    A cell uses many names beside the one that it shows, such as `torch.tensor`. It speaks for those that the lines
    which differ name; if there are none, for those in the titles; if there are none, for rare ones. What a message that
    differs quotes counts however common it is.
    """
    lines = [set(row["text"].splitlines()) for row in prints]
    own = [name for name in of if used[name] <= COMMON_CELLS]
    differ = "\n".join(set.union(*lines) - set.intersection(*lines))
    messages = [set(row["messages"]) for row in prints]
    told = "\n".join(set.union(*messages) - set.intersection(*messages))
    if quoted := [name for name in of if _is_quoted(name, told)]:
        return quoted
    for text in (differ, f"{place.heading}\n{title(place.page)}"):
        if named := [name for name in own if _is_in(name, text)]:
            return named
    return [name for name in own if used[name] <= RARE_CELLS]


def settled(prints: list[dict[str, Any]], source: str) -> list[str]:
    """Return the names of arguments and methods that the messages of a cell speak of, and that its code does not give.

    `torch.load` changed its default for ``weights_only``: code that passes the argument does not get the message. Names
    without an underscore may be words of the sentence.
    """
    told = "\n".join(row["text"] for row in prints if row["messages"])
    return sorted({*_ARGUMENT_NAME.findall(told)} - {*_ARGUMENT_NAME.findall(source)})


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

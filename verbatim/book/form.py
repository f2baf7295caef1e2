"""Checks that a record has the form of the notebooks that `verbatim.book.records` writes, and holds nothing else. Pure.

A record's own hash detects damage, but not forgery: whoever forges a record computes a new hash. So everything in a
record must be derived from a script or be an output. No other cell, field or kind of output is accepted, and the `sha`
of each cell must match the source and the options beside it. Whether this is the script's code, and whether a run
prints these outputs, `verbatim.book.gather.drift` checks against the script.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from verbatim.book import allowed_svg
from verbatim.book.allowed import refused, text, texts, wrong_keys
from verbatim.run.script import NAME, Cell, Effect
from verbatim.run.script import OPTIONS as CELL

#: The packages whose versions determine the outputs on a CPU. Their versions are stored once for all records.
DECIDING_PACKAGES = ("torch", "python", "numpy", "matplotlib")
#: What a record from a GPU states about its machine.
PROVENANCE_KEYS = ("gpu", "capability", "torch", "cuda", "cudnn", "driver", "python", "platform", "date")

KERNEL_SPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE_INFO = {"name": "python"}
RECORDED_OPTIONS: dict[str, type] = {
    name: option.type for name, option in CELL.items() if option.effect is not Effect.SHOW
}

Shape = dict[str, Callable[[Any], bool]]
_PLAIN_TEXT = re.compile(r"[\w .,+()/:-]{0,100}")


def dumps(document: dict[str, Any]) -> str:
    """Return a notebook as text; equal notebooks give equal text."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def wrong_names(value: Any, names: tuple[str, ...]) -> str:
    """Describe what is wrong with names of machines and versions, which pages show; empty if nothing is."""
    return wrong_keys(value, dict.fromkeys(names, _name_in_words), optional=names)


def wrong(document: Any, recipe: str, device: str) -> str:
    """Describe the first thing in a record that no run could have written; empty if there is none.

    Args:
        document: The notebook, parsed from JSON.
        recipe: The recipe, by the record's path.
        device: The device, by the record's path.
    """
    return next(_wrong(document, recipe, device), "")


def _wrong(document: Any, recipe: str, device: str) -> Iterator[str]:
    shape: Shape = {"cells": _list, "metadata": _any, "nbformat": _is(4), "nbformat_minor": _is(5)}
    if fact := wrong_keys(document, shape):
        yield f"the notebook {fact}"
        return
    about: Shape = {"device": _is(device), "recipe": _is(recipe), "sha": text, "run": text}
    about["provenance" if device != "cpu" else "environment"] = _names(
        PROVENANCE_KEYS if device != "cpu" else DECIDING_PACKAGES
    )
    metadata = {"kernelspec": _is(KERNEL_SPEC), "language_info": _is(LANGUAGE_INFO), "verbatim": _any}
    if fact := wrong_keys(document["metadata"], metadata):
        yield f"its metadata {fact}"
    elif fact := wrong_keys(document["metadata"]["verbatim"], about, ("environment",)):
        yield f"its metadata {fact}"
    if not document["cells"]:
        yield "it has no cell"
        return
    title, *cells = document["cells"]
    first: Shape = {"cell_type": _is("markdown"), "id": _is("title"), "metadata": _is({}), "source": _title}
    if fact := wrong_keys(title, first):
        yield f"its title {fact}"
    names: set[str] = set()
    for number, cell in enumerate(cells, 1):
        for fact in _wrong_cell(cell, number, recipe, device):
            yield f"cell {number} {fact}"
            return
        name = cell["metadata"]["verbatim"]["name"]
        if name in names:
            yield f"a second cell is named `{name}`"
        names.add(name)


def _wrong_cell(cell: Any, number: int, recipe: str, device: str) -> Iterator[str]:
    shape: Shape = {"cell_type": _is("code"), "execution_count": _is(number), "id": text, "metadata": _any}
    if fact := wrong_keys(cell, {**shape, "outputs": _list, "source": texts}):
        yield fact
        return
    own: Shape = {
        "name": _name,
        "sha": text,
        "skipped": text,
        "earlier": _names((*PROVENANCE_KEYS, *DECIDING_PACKAGES, "format")),
    }
    if device != "cpu":
        own["touched"] = _is(True)
    options: Shape = {key: _flag if kind is bool else text for key, kind in RECORDED_OPTIONS.items()}
    if fact := wrong_keys(cell["metadata"], {"verbatim": _any, "tags": _is(["raises-exception"])}, optional=("tags",)):
        yield fact
        return
    meta = cell["metadata"]["verbatim"]
    if fact := wrong_keys(meta, own | options, optional=(*options, "skipped", "earlier", "touched")):
        yield fact
        return
    name, given = meta["name"], {key: value for key, value in meta.items() if key in RECORDED_OPTIONS}
    if cell["id"] != name[:64]:
        yield "has another id than name"
    if ("tags" in cell["metadata"]) != bool(given.get("raises")):
        yield "has tags that do not fit its options"
    if Cell(name, "".join(cell["source"]), 0, 0, **given).sha != meta["sha"]:
        yield f"(`{name}`) has a source or options that do not fit its hash"
    if "skipped" in meta and (cell["outputs"] or meta["skipped"] != given.get("needs", "")):
        yield f"(`{name}`) was not run, it says, and has outputs, or needs nothing"
    for output in cell["outputs"]:
        if fact := refused(joined(output), allowed_svg.prefix(f"examples/{recipe}.py", name)):
            yield f"(`{name}`): {fact}"


def joined(output: Any) -> Any:
    """Return an output with its text as one string: notebooks store long text as a list of lines."""
    if not isinstance(output, dict):
        return output
    output = dict(output)
    if texts(output.get("text")):
        output["text"] = "".join(output["text"])
    if isinstance(output.get("data"), dict):
        output["data"] = {key: "".join(value) if texts(value) else value for key, value in output["data"].items()}
    return output


def _is(wanted: Any) -> Callable[[Any], bool]:
    return lambda value: bool(value == wanted) and type(value) is type(wanted)


def _any(value: Any) -> bool:
    return True


def _flag(value: Any) -> bool:
    return value is True


def _list(value: Any) -> bool:
    return isinstance(value, list)


def _name(value: Any) -> bool:
    return text(value) and NAME.fullmatch(value) is not None


def _title(value: Any) -> bool:
    return texts(value) and len(value) == 1 and value[0].startswith("# ") and "\n" not in value[0]


def _name_in_words(value: Any) -> bool:
    return text(value) and _PLAIN_TEXT.fullmatch(value) is not None


def _names(names: tuple[str, ...]) -> Callable[[Any], bool]:
    return lambda value: not wrong_names(value, names)

"""Checks outputs against one list of allowed forms, whether a script's process sent them or a record holds them. Pure.

An output is a dictionary of the notebook format. Pages use three kinds of that format: printed text, an error, and a
figure. Anything else was not made by a run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from verbatim.book import allowed_svg
from verbatim.memo import Memo
from verbatim.problems import Problem
from verbatim.run.clean import visible
from verbatim.run.result import Result
from verbatim.run.script import Script

#: Private-use characters, which the build uses as placeholders, and unpaired surrogates, which cannot be encoded.
REFUSED_CHARACTER = re.compile("[\ud800-\udfff\ue000-\uf8ff]")
#: Larger than any number on an axis. Infinity and NaN are not smaller.
LARGEST_NUMBER = 1e300
FIGURE = "image/svg+xml"
HINT = "a figure is what Matplotlib draws; the list of what it may hold is in verbatim/book/allowed_svg.py"


def refused(output: Any, prefix: str, memo: Memo | None = None) -> str:
    """Describe what is not allowed in an output; empty if all is.

    Args:
        output: A notebook output, long text joined.
        prefix: The prefix of every id in a figure of this cell, from `allowed_svg.prefix`.
        memo: Caches the results of checking figures.
    """
    if not isinstance(output, dict):
        return "an output is no object"
    kind = output.get("output_type")
    shape = _SHAPES.get(kind) if isinstance(kind, str) else None
    if shape is None:
        return f"an output is of the unknown type {str(kind)[:60]!r}"
    if fact := wrong_keys(output, {"output_type": lambda _: True, **shape}):
        return f"an output `{kind}` {fact}"
    if kind == "display_data":
        drawn = output["data"][FIGURE]
        facts = (memo or Memo()).check(
            "svg", f"{prefix}\0{drawn}", lambda: filter(None, [allowed_svg.refused(drawn, prefix)])
        )
        return "".join(f"a figure {fact}" for fact in facts)
    return ""


def wrong_keys(value: Any, shape: dict[str, Callable[[Any], bool]], optional: tuple[str, ...] = ()) -> str:
    """Describe the first field of a dictionary that is unknown, missing or wrong; empty if there is none.

    Args:
        value: The dictionary.
        shape: Key → a function that says whether the key's value is right.
        optional: Keys that may be missing.
    """
    if not isinstance(value, dict):
        return "is no object"
    for key in value:
        if key not in shape:
            return f"has the unknown field {str(key)[:60]!r}"
    for key, right in shape.items():
        if key not in value:
            if key not in optional:
                return f"has no field {key!r}"
        elif not right(value[key]):
            return f"has a wrong value of {key!r}"
    return ""


def text(value: Any) -> bool:
    """Whether a value is a string that a page can hold."""
    return isinstance(value, str) and not REFUSED_CHARACTER.search(value)


def texts(value: Any) -> bool:
    """Whether a value is a list of strings."""
    return isinstance(value, list | tuple) and all(map(text, value))


def _printed(value: Any) -> bool:
    """Whether a value is a string that a terminal only shows: a run makes visible what one would obey."""
    return text(value) and visible(value) == value


def _lines(value: Any) -> bool:
    """Whether a value is a list of such strings that are not all blank."""
    return texts(value) and all(map(_printed, value)) and bool("".join(value).strip())


def _numbers(count: int) -> Callable[[Any], bool]:
    def right(value: Any) -> bool:
        numbers = isinstance(value, list | tuple) and all(
            type(v) in (int, float) and abs(v) < LARGEST_NUMBER for v in value
        )
        return numbers and len(value) == count

    return right


_AXES: dict[str, Callable[[Any], bool]] = {
    "box": _numbers(4),
    "scales": lambda value: texts(value) and len(value) == 2,
    "labels": texts,
    "x": _numbers(2),
    "y": _numbers(2),
}


def _axes(value: Any) -> bool:
    return isinstance(value, list | tuple) and not any(wrong_keys(item, _AXES) for item in value)


_SHAPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    "stream": {"name": lambda value: value in ("stdout", "stderr"), "text": _printed},
    "error": {"ename": _printed, "evalue": _printed, "traceback": _lines},
    "display_data": {
        "data": lambda value: not wrong_keys(value, {FIGURE: text}),
        "metadata": lambda value: not wrong_keys(value, {"axes": _axes}, optional=("axes",)),
    },
}


def admit(script: Script, result: Result, memo: Memo | None = None) -> Result:
    """Return a result with a problem in place of each output that is not allowed. `memo`: as in `refused`.

    If all outputs are allowed, the result itself is returned.
    """
    cells, problems = [], list(result.problems)
    for ran in result.cells:
        cell, prefix = script.cell(ran.name), allowed_svg.prefix(script.path, ran.name)
        facts = [refused(output, prefix, memo) for output in ran.outputs]
        if any(facts):
            admitted = tuple(output for output, fact in zip(ran.outputs, facts, strict=True) if not fact)
            line = cell.line if cell else 0
            problems += [Problem(script.path, line, f"cell `{ran.name}`: {fact}", HINT) for fact in facts if fact]
            ran = replace(ran, outputs=admitted)
        cells.append(ran)
    if len(problems) == len(result.problems):
        return result
    return replace(result, cells=tuple(cells), problems=tuple(problems))

"""Old outputs against new ones. Pure.

What differs only within float32 rounding (another processor, another thread count) is noise, and so is what moves in a
figure by less than can be seen. Anything else is drift.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from enum import Enum
from typing import Any

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
#: Relative error that a sum of some hundred float32 values may carry; float32 itself has 1.2e-7.
RELATIVE = 1e-5
#: What is left of a difference that is zero in exact arithmetic.
ABSOLUTE = 1e-6

#: Points by which a line of a figure may move; a figure is some 400 points wide.
POINTS = 1.0
#: Where an SVG says where something is, and the names that matplotlib makes from what an element looks like.
_PLACE = re.compile(r'(?<![\w-])(?:d|x|y|width|height|points)="[^"]*"|\btranslate\([^)]*\)')
_ID = re.compile(r"\b(?:[a-z]|image)[0-9a-f]{10}\b")


class Change(Enum):
    """How two outputs compare."""

    SAME = "same"
    NOISE = "noise"
    DRIFT = "drift"


def compare(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> Change:
    """Compare two lists of notebook outputs."""
    if list(old) == list(new):
        return Change.SAME
    if [_kind(o) for o in old] != [_kind(o) for o in new]:
        return Change.DRIFT
    close = all(
        (_alike if a["output_type"] == "display_data" else _close)(text_of(a), text_of(b))
        for a, b in zip(old, new, strict=True)
    )
    return Change.NOISE if close else Change.DRIFT


def text_of(output: dict[str, Any]) -> str:
    """Return an output as text: what was printed, the error's lines, or the figure's source."""
    if output["output_type"] == "stream":
        return output["text"]
    if output["output_type"] == "error":
        return "\n".join(output["traceback"])
    return "\n".join(output["data"].values())


def diff(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], path: str) -> str:
    """Return a unified diff of two lists of outputs; a figure is named, not printed."""
    before, after = ([line for o in outputs for line in _readable(o)] for outputs in (old, new))
    lines = difflib.unified_diff(before, after, f"{path} (recorded)", f"{path} (now)", lineterm="")
    return "\n".join(lines) or f"{path}: the figure is drawn differently"


def _kind(output: dict[str, Any]) -> tuple[str, str]:
    return output["output_type"], output.get("name", "") or output.get("ename", "")


def _readable(output: dict[str, Any]) -> list[str]:
    if output["output_type"] == "display_data":
        return ["[figure]"]
    return text_of(output).splitlines()


def _close(old: str, new: str) -> bool:
    """Token by token, white space folded, numbers by value."""
    a, b = NUMBER.findall(old), NUMBER.findall(new)
    if len(a) != len(b) or _words(old) != _words(new):
        return False
    return all(_near(x, y) for x, y in zip(a, b, strict=True))


def _alike(old: str, new: str) -> bool:
    """Whether two figures have the same parts in nearly the same places."""
    a, b = _numbered(old), _numbered(new)
    if _PLACE.sub("", a) != _PLACE.sub("", b):
        return False
    before, after = (" ".join(_PLACE.findall(text)) for text in (a, b))
    if NUMBER.sub("", before) != NUMBER.sub("", after):
        return False
    pairs = zip(NUMBER.findall(before), NUMBER.findall(after), strict=True)
    return all(abs(float(x) - float(y)) <= POINTS for x, y in pairs)


def _numbered(svg: str) -> str:
    """Return an SVG with its hashed names numbered in the order in which they come."""
    numbers: dict[str, str] = {}
    return _ID.sub(lambda m: numbers.setdefault(m[0], f"id{len(numbers)}"), svg)


def _words(text: str) -> list[str]:
    # White space beside brackets and numbers is layout: torch pads columns to the widest number.
    return re.sub(r"\s+", " ", NUMBER.sub("\0", text)).replace(" \0", "\0").replace("\0 ", "\0").split()


def _near(old: str, new: str) -> bool:
    if old == new:
        return True
    decimals_old, decimals_new = _decimals(old), _decimals(new)
    if decimals_old is None or decimals_new is None:
        return False  # a whole number is a count, a size or an index: it is right or wrong
    a, b = float(old), float(new)
    if abs(a - b) <= max(RELATIVE * max(abs(a), abs(b)), ABSOLUTE):
        return True
    # A value in the middle between two printed ones may be rounded either way.
    step = 10.0 ** -min(decimals_old, decimals_new)
    return step <= 1e-4 and abs(a - b) <= 1.01 * step


def _decimals(number: str) -> int | None:
    """Return how many decimals a number is printed with; ``None`` for a whole number."""
    if not re.search(r"[.eE]", number):
        return None
    mantissa, _, exponent = number.lower().partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)

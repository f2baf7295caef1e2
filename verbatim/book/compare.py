"""Compares old outputs with new ones: same, noise or drift. Pure. This module alone decides what counts as noise.

Two machines that run the same script print the same text, except for the rounding of floating-point numbers: with
another instruction set or number of threads, sums are computed in another order. So only numbers may differ, and only
as much as rounding can change a number *as it is printed*:

- A whole number is a count, a size, an index or an exact value, so it must be equal. The same holds for `3.` or `3.0`.
- A number with a fraction may differ by `RELATIVE_ERROR` of its value: about the error of a hundred float32 operations.
  This does not hold above 2^24: float32 has no fractions there, so a larger number with a fraction is not a float32
  result but a clock or a float64 sum (and `RELATIVE_ERROR` of a clock would be hours). It must be equal.
- A number printed with at least `ROUNDED_DECIMALS` may differ by one unit of the last decimal, because a value halfway
  between two printed ones may be rounded up or down. With fewer decimals it may not: `2e-07` and `3e-07`, or `0.50`
  and `0.51`, differ by far more than rounding.
- Where rounding grows from step to step, as in training, a cell declares by how much more (``tolerance="0.01"``).
- There is no absolute tolerance. A residue such as `1.19e-07` of something that is exactly zero in theory has no
  correct digit: a cell should print a bound or a comparison instead, which hold on every machine.

Marks (``^^^^``) below the lines of a traceback are layout. Which Python is used decides what they span, and whether the
further lines of a long statement are shown with them.

A figure is compared by what it shows (`verbatim.book.compare_svg`): positions to within
`compare_svg.INVISIBLE_POINTS`, and the same texts, lines, marks and colours. Ticks are not compared, because the limits
of the axes determine them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from enum import Enum
from typing import Any

from verbatim.book import compare_svg
from verbatim.run.script import Cell

Outputs = tuple[dict[str, Any], ...]

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
#: The first line of a statement in a traceback, and what follows it down to its last marks. Each line may stand behind
#: the beginning of a line of a log.
_MARKED_FRAME = re.compile(
    r'^(?P<first>(?P<log>[^\n]*\] |) *File "[^"\n]*", line \d+, in [^\n]*\n(?P<indent>(?P=log) +)\S[^\n]*\n)'
    r"(?:(?P=indent)[^\n]*\n)*(?P=indent) *[~^][~^ ]*(?:\n|\Z)",
    re.MULTILINE,
)
#: The relative error of about a hundred float32 operations; that of a single one is 1.2e-7.
RELATIVE_ERROR = 1e-5
#: Up to here float32 represents every whole number.
LARGEST_EXACT = 2**24
#: From so many decimals on, the last one may be off by one; torch prints four.
ROUNDED_DECIMALS = 4


class Difference(Enum):
    """The result of comparing two outputs."""

    SAME = "same"
    NOISE = "noise"
    DRIFT = "drift"


def agree(cell: Cell, old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> bool:
    """Whether one output of a cell may stand for another: it varies from run to run, or both are the `same`.

    Whoever asks whether a cell still prints what it printed asks this, or `same`: what a cell declares of its outputs
    is known to these two alone.
    """
    return cell.varies or same(cell, old, new)


def same(
    cell: Cell, old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], *, across_releases: bool = False
) -> bool:
    """Whether two outputs of a cell are equal up to noise.

    Args:
        cell: The cell.
        old: The one.
        new: The other.
        across_releases: Whether two releases printed them. Then lines of torch's source and NumPy's formatting are
            noise, too.
    """
    if across_releases:
        old, new = without_release(old), without_release(new)
    return compare(old, new, max(RELATIVE_ERROR, float(cell.tolerance or 0))) is not Difference.DRIFT


def compare(
    old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], relative: float = RELATIVE_ERROR
) -> Difference:
    """Compare two lists of notebook outputs. `relative`: by which share of its value a number may differ."""
    if list(old) == list(new):
        return Difference.SAME
    if [_kind(o) for o in old] != [_kind(o) for o in new]:
        return Difference.DRIFT
    close = all(
        compare_svg.alike(a, b) if a["output_type"] == "display_data" else _close(text_of(a), text_of(b), relative)
        for a, b in zip(old, new, strict=True)
    )
    return Difference.NOISE if close else Difference.DRIFT


def text_of(output: dict[str, Any]) -> str:
    """Return an output as text: what was printed, the error's lines, or the figure's source."""
    if output["output_type"] == "stream":
        return str(output["text"])
    if output["output_type"] == "error":
        return "\n".join(output["traceback"])
    return "\n".join(output["data"].values())


def diff(
    old: Sequence[dict[str, Any]],
    new: Sequence[dict[str, Any]],
    path: str,
    labels: tuple[str, str] = ("recorded", "now"),
) -> str:
    """Return a unified diff of two lists of outputs. A figure is one line. `labels`: names of the two sides."""
    before, after = ([line for o in outputs for line in readable(o)] for outputs in (old, new))
    lines = difflib.unified_diff(before, after, f"{path} ({labels[0]})", f"{path} ({labels[1]})", lineterm="")
    return "\n".join(lines) or f"{path}: the figure is drawn differently"


def _kind(output: dict[str, Any]) -> tuple[str, str]:
    return output["output_type"], output.get("name", "") or output.get("ename", "")


def readable(output: dict[str, Any]) -> list[str]:
    """Return an output as lines of text; a figure is one line."""
    if output["output_type"] == "display_data":
        return ["[figure]"]
    return text_of(output).splitlines()


def _close(old: str, new: str, relative: float) -> bool:
    """Whether two texts are equal, numbers compared by value, layout (white space, marks) ignored."""
    old, new = (_MARKED_FRAME.sub(r"\g<first>", text) for text in (old, new))
    a, b = NUMBER.findall(old), NUMBER.findall(new)
    if len(a) != len(b) or _words(old) != _words(new):
        return False
    return all(_near(x, y, relative) for x, y in zip(a, b, strict=True))


def _words(text: str) -> list[str]:
    # White space beside brackets and numbers is layout: torch pads columns to the widest number.
    return re.sub(r"\s+", " ", NUMBER.sub("\0", text)).replace(" \0", "\0").replace("\0 ", "\0").split()


def _near(old: str, new: str, relative: float) -> bool:
    if old == new:
        return True
    decimals_old, decimals_new = _decimals(old), _decimals(new)
    if decimals_old is None or decimals_new is None:
        return False
    a, b = float(old), float(new)
    fixed = "e" not in (old + new).lower()
    if fixed and a != b and a.is_integer() and b.is_integer():
        return False
    size = max(abs(a), abs(b))
    if abs(a - b) <= relative * size and (size <= LARGEST_EXACT or not fixed):
        return True
    digits, step = min(decimals_old, decimals_new)
    return digits >= ROUNDED_DECIMALS and abs(a - b) <= 1.01 * step


def _decimals(number: str) -> tuple[int, float] | None:
    """Return how many decimals a number is printed with, and what one unit of the last is worth.

    ``None`` for a whole number.
    """
    if not re.search(r"[.eE]", number):
        return None
    mantissa, _, exponent = number.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return decimals, 10.0 ** (int(exponent or 0) - decimals)


#: Text that differs between releases but is not a change in torch's behaviour: line numbers in torch's source, type
#: names in NumPy's representation of scalars (``np.float32(1.0)``), the name of NumPy's internal module, and Gloo's log
#: of which processes found each other, whose order is chance.
_SOURCE_LINE = re.compile(r"(?P<file>[\w/-]+\.(?:cpp|cu|cuh|h|py))(?::\d+|\(\d+\))")
_FRAME_LINE = re.compile(r'(?P<file>File "…/[^"]*"), line \d+')
_GLOO_LOG = re.compile(r"^\[Gloo\] Rank \d+ is connected to \d+ peer ranks\..*\n?", re.MULTILINE)
_NUMPY_SCALAR = re.compile(r"\bnp\.(?:float|int|uint|complex|bool|str)\w*\((?P<value>[^()]*)\)")


def without_release(outputs: Sequence[dict[str, Any]]) -> Outputs:
    """Return outputs without line numbers of torch's source, and with NumPy's formatting of today."""

    def plain(text: str) -> str:
        text = _FRAME_LINE.sub(r"\g<file>", _SOURCE_LINE.sub(r"\g<file>", text))
        return _GLOO_LOG.sub("", _NUMPY_SCALAR.sub(r"\g<value>", text.replace("numpy._core.", "numpy.core.")))

    changed = [
        {**output, "text": plain(output["text"])}
        if "text" in output
        else {**output, "evalue": plain(output["evalue"]), "traceback": list(map(plain, output["traceback"]))}
        if "traceback" in output
        else output
        for output in outputs
    ]
    return tuple(output for output in changed if output.get("text") != "")

"""A figure as Matplotlib writes it → the same figure in fewer bytes, for pages. Pure.

Records keep what was drawn. A page needs neither names that nothing refers to, nor a millionth of a point, nor groups
that only carried a name; they are a quarter of a figure's text.
"""

from __future__ import annotations

import re

#: Digits behind the point: a hundredth of a point is a seventh of the finest pixel that screens have.
DIGITS = 2

_ID = re.compile(r' id="([^"]+)"')
_REFERRED = re.compile(r'(?:href="|url\()#([^")]+)')
_PATH = re.compile(r' d="([^"]*)"')
_PLACED = re.compile(r' (?:x|y|cx|cy|r|points)="[^"]*"')
_MOVED = re.compile(r"translate\([^)]*\)")
_LONG = re.compile(r"-?\d+\.\d{3,}(?!\d|e)")
_COMMAND = re.compile(r"\s*([A-Za-z])\s*")
_EMPTY = re.compile(r"<defs>\s*</defs>\s*")
_BARE_GROUP = re.compile(r"<g>\s*((?:<(?:path|use)\b[^>]*/>\s*)*)</g>\s*")


def lighter(svg: str) -> str:
    """Return the figure without what nobody can see: unused names, digits, empty definitions, bare groups."""
    referred = set(_REFERRED.findall(svg))
    svg = _ID.sub(lambda m: m[0] if m[1] in referred else "", svg)
    svg = _PATH.sub(lambda m: f' d="{_COMMAND.sub(_letter, _rounded(m[1])).strip()}"', svg)
    svg = _PLACED.sub(lambda m: _rounded(m[0]), svg)
    svg = _MOVED.sub(lambda m: _rounded(m[0]), svg)
    svg = _EMPTY.sub("", svg)
    before = ""
    while before != svg:  # a group in a group is bare when the inner one is gone
        before, svg = svg, _BARE_GROUP.sub(r"\1", svg)
    return svg


def _letter(match: re.Match[str]) -> str:
    return match[1]


def _rounded(text: str) -> str:
    return _LONG.sub(_short, text)


def _short(match: re.Match[str]) -> str:
    """A number with `DIGITS` digits behind the point, without zeros at the end and without a zero's sign."""
    short = f"{float(match[0]):.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short

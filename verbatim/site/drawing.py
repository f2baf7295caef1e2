"""Makes Matplotlib's SVG figures smaller for pages, without a visible difference. Pure.

Records keep the original figure. Pages do not need ids that nothing refers to, coordinates to a millionth of a point,
or groups that only had an id. Together these are a quarter of a figure's text.
"""

from __future__ import annotations

import re

#: Number of decimal places: a hundredth of a point is a seventh of the smallest pixel of today's screens.
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
    """Return the figure without invisible parts: unused ids, excess digits, empty definitions, bare groups."""
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
    """Return a number with at most `DIGITS` decimal places, without trailing zeros and never as ``-0``."""
    short = f"{float(match[0]):.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short

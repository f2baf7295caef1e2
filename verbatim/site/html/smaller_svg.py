"""Makes Matplotlib's SVG figures smaller for pages, without a visible difference. Pure.

Records keep the original figure. Pages do not need ids that nothing refers to, coordinates to a millionth of a point,
or groups that only had an id. A point of a path is written as its distance from the point before, which takes fewer
digits. On a page of HTML, namespaces and long ids can go, too.
"""

from __future__ import annotations

import hashlib
import re

#: Number of decimal places: a hundredth of a point is a seventh of the smallest pixel of today's screens.
DECIMALS = 2

_ID_ATTRIBUTE = re.compile(r' id="([^"]+)"')
_ID_REFERENCE = re.compile(r'(?:href="|url\()#([^")]+)')
_PATH_DATA = re.compile(r' d="([^"]*)"')
#: The outline of a letter, in 64ths of what Matplotlib then scales to a hundredth of the letter's size.
_GLYPH_PATH = re.compile(r' d="([^"]*)" transform="scale\(0\.015625\)"')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_PLACE_ATTRIBUTE = re.compile(r' (?:x|y|cx|cy|r|points)="[^"]*"')
_TRANSLATION = re.compile(r"translate\([^)]*\)")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?!\d|e)")
_NAMESPACE_ATTRIBUTE = re.compile(r' (?:xmlns(?::xlink)?|version)="[^"]*"')
_PATH_STEP = re.compile(r"([MLQCz])([^A-Za-z]*)")
#: Command of a path → how many points follow it.
_COMMAND_POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3, "z": 0}
_PATH_COMMAND = re.compile(r"\s*([A-Za-z])\s*")
_EMPTY_DEFS = re.compile(r"<defs>\s*</defs>\s*")
_BARE_GROUP = re.compile(r"<g>\s*((?:<(?:path|use)\b[^>]*/>\s*)*)</g>\s*")


def lighter(svg: str) -> str:
    """Return the figure without invisible parts: unused ids, excess digits, empty definitions, bare groups."""
    referred = set(_ID_REFERENCE.findall(svg))
    svg = _ID_ATTRIBUTE.sub(lambda m: m[0] if m[1] in referred else "", svg)
    svg = _GLYPH_PATH.sub(_glyph, svg)
    svg = _PATH_DATA.sub(lambda m: f' d="{_path(m[1])}"', svg)
    svg = _PLACE_ATTRIBUTE.sub(lambda m: _rounded(m[0]), svg)
    svg = _TRANSLATION.sub(lambda m: _rounded(m[0]), svg)
    svg = _EMPTY_DEFS.sub("", svg)
    before = ""
    while before != svg:  # a group in a group is bare when the inner one is gone
        before, svg = svg, _BARE_GROUP.sub(r"\1", svg)
    return svg


def _glyph(match: re.Match[str]) -> str:
    """Return a letter's outline in units ten times as long: at any size that is read, still a hundredth of a point."""
    return f' d="{_NUMBER.sub(lambda m: str(round(float(m[0]) / 10)), match[1])}" transform="scale(.15625)"'


def inline(svg: str) -> str:
    """Return the lighter figure as it stands in a page of HTML, with ids that no other figure has."""
    stem = "f" + hashlib.sha256(svg.encode()).hexdigest()[:6]
    svg = _NAMESPACE_ATTRIBUTE.sub("", lighter(svg)).replace(" xlink:href=", " href=")
    ids = {name: f"{stem}-{number}" for number, name in enumerate(_ID_ATTRIBUTE.findall(svg))}
    svg = _ID_ATTRIBUTE.sub(lambda m: f' id="{ids[m[1]]}"', svg)
    return _ID_REFERENCE.sub(lambda m: m[0].replace(f"#{m[1]}", f"#{ids.get(m[1], m[1])}"), svg)


def _path(text: str) -> str:
    """Return a path with rounded coordinates, each relative to the point before it where all commands are known."""
    rounded = _PATH_COMMAND.sub(lambda m: m[1], _rounded(text)).strip()
    commands = _PATH_STEP.findall(rounded)
    if "".join(f"{letter}{numbers}" for letter, numbers in commands) != rounded:
        return rounded
    made: list[str] = []
    last = ""
    here = start = (0, 0)
    for letter, numbers in commands:
        # In the smallest unit: differences of such integers are exact, so errors do not add up along a path.
        units = [round(float(number) * 10**DECIMALS) for number in numbers.split()]
        if len(units) != 2 * _COMMAND_POINTS[letter]:
            return rounded
        points = list(zip(units[::2], units[1::2], strict=True))
        moves = [(x - here[0], y - here[1]) for x, y in points]
        here = points[-1] if points else start
        if letter == "M":
            start = here
        command, values = letter.lower(), [value for move in moves for value in move]
        if letter == "L" and 0 in moves[0]:
            command, values = ("v", [moves[0][1]]) if moves[0][0] == 0 else ("h", [moves[0][0]])
        if command != last or command == "m":
            made.append(command if made else "M")
        for value in values:
            number = _unit(value)
            # A sign tells where a number begins, and so does a second point.
            glued = made[-1].isalpha() or number[0] == "-" or (number[0] == "." and "." in made[-1])
            made.append(number if glued else f" {number}")
        last = command
    return "".join(made)


def _unit(value: int) -> str:
    """Return a number of the smallest units as a decimal number: ``-50`` → ``-.5``."""
    text = f"{value / 10**DECIMALS:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _rounded(text: str) -> str:
    return _LONG_NUMBER.sub(_short, text)


def _short(match: re.Match[str]) -> str:
    """Return a number with at most `DECIMALS` decimal places, without trailing zeros and never as ``-0``."""
    short = f"{float(match[0]):.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short

"""Compares figures by what they show. Pure, except that Pillow decodes images.

With each figure, a run stores the position, limits and scales of its axes, and tick labels that are not numbers
(`axes_of` in `verbatim.run.figures`). So positions can be compared relative to their axes: a wider tick label moves the
axes, but does not change what they show. Ticks are not compared: limits and scale determine them, and when a limit lies
very close to a tick, one machine draws that tick and another does not.
"""

from __future__ import annotations

import base64
import io
import itertools
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

#: A shift by this many points is not visible; a figure is about 400 points wide.
INVISIBLE_POINTS = 1.0
#: How far a colour channel of an image, from 0 to 255, may differ: rounding may pick a neighbour in the colour map.
NEAR_SHADES = 6

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|nan|inf")
_TRANSLATION = re.compile(r"translate\(([^)]*)\)")
_AXES, _TICK, _TEXT = (re.compile(rf"-{name}_(\d+)$") for name in ("axes", "[xyz]tick", "text"))
#: Ids that Matplotlib derives from an element's appearance.
_HASHED_ID = re.compile(r"\b(?:[a-z]|image)[0-9a-f]{10}\b")
_ID_COUNTER = re.compile(r"_\d+$")
#: Attribute → the direction of the numbers in it.
_DIRECTIONS = {"d": "xy", "points": "xy", "x": "x", "y": "y", "width": "x", "height": "y"}


@dataclass(frozen=True)
class _Part:
    """One element of a figure."""

    what: tuple[str, ...]
    """Its tag, its text, and those of its attributes that hold no positions."""
    places: tuple[tuple[str, float, float], ...]
    """``(direction, position in points, size of the axes)``; relative to the axes if it is drawn in axes."""
    image: str = ""


def alike(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two figures, given as notebook outputs, show the same."""
    before, after = old.get("metadata", {}).get("axes"), new.get("metadata", {}).get("axes")
    if before is None or after is None:
        before = after = None  # an old record has no axes: compare absolute positions, ticks included
    elif len(before) != len(after) or not all(map(_same_axes, before, after)):
        return False
    try:
        pairs = list(zip(_parts(old, before), _parts(new, after), strict=True))
        return all(_same_part(a, b) for a, b in pairs)
    except (ValueError, KeyError, TypeError, ElementTree.ParseError):
        return False


def _same_axes(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two pairs of axes have the same scales and visibly the same limits."""
    if (old["scales"], old["labels"]) != (new["scales"], new["labels"]):
        return False
    for direction, size in (("x", old["box"][2]), ("y", old["box"][3])):
        (low, high), other = old[direction], new[direction]
        unseen = abs(high - low) * INVISIBLE_POINTS / size
        if not all(abs(a - b) <= unseen for a, b in zip((low, high), other, strict=True)):
            return False
    return True


def _same_part(old: _Part, new: _Part) -> bool:
    if old.what != new.what or len(old.places) != len(new.places):
        return False
    for (direction, a, size), (other, b, its) in zip(old.places, new.places, strict=True):
        near = abs(a / size - b / its) * size <= INVISIBLE_POINTS  # false, too, where one is not a number
        if direction != other or not near:
            return False
    return old.image == new.image or _same_image(old.image, new.image)


def _parts(output: dict[str, Any], axes: list[dict[str, Any]] | None) -> Iterator[_Part]:
    """Yield the elements of a figure in document order."""
    root = ElementTree.fromstring(output["data"]["image/svg+xml"])
    numbers: dict[str, str] = {}

    def plain(text: str) -> str:
        return _HASHED_ID.sub(lambda m: numbers.setdefault(m[0], f"id{len(numbers)}"), text)

    def walk(element: ElementTree.Element, within: dict[str, Any] | None, *, text: bool = False) -> Iterator[_Part]:
        name = element.get("id", "")
        text = text or bool(_TEXT.search(name))
        if axes is not None:
            outlines = element.tag.endswith("}defs")
            # A letter's outline is defined where it is used first, which may be a tick.
            if _TICK.search(name) or (outlines and text):
                return
            if match := _AXES.search(name):
                within = axes[int(match[1]) - 1]
            if outlines:
                within = None  # a definition is drawn elsewhere, by reference
        yield _part(element, within, plain, counted=axes is None)
        for child in element:
            yield from walk(child, within, text=text)

    return walk(root, None)


def _part(element: ElementTree.Element, within: dict[str, Any] | None, plain: Any, *, counted: bool) -> _Part:
    """Describe one element. `counted`: whether the number at the end of an id is compared."""
    what, places, image = [element.tag, (element.text or "").strip()], [], ""
    left, top, width, height = within["box"] if within else (0.0, 0.0, 1.0, 1.0)
    frames = {"x": (left, width), "y": (top, height)}

    def place(directions: str, text: str) -> None:
        for direction, number in zip(itertools.cycle(directions), _NUMBER.findall(text), strict=False):
            start, size = frames[direction]
            places.append((direction, float(number) - start, size or 1.0))

    for key, value in sorted(element.attrib.items()):
        if value.startswith("data:image/png;base64,"):
            image = value.partition(",")[2]
        elif key in _DIRECTIONS:
            what.append(f"{key}={_NUMBER.sub('', value)}" if key in ("d", "points") else key)
            place(_DIRECTIONS[key], value)
        else:
            for moved in _TRANSLATION.findall(value):
                place("xy", moved)
            value = plain(_TRANSLATION.sub("translate", value))
            what.append(f"{key}={value if counted or key != 'id' else _ID_COUNTER.sub('', value)}")
    return _Part(tuple(what), tuple(places), image)


def _same_image(old: str, new: str) -> bool:
    """Whether two images (PNG, base64) have nearly the same colours."""
    import numpy
    from PIL import Image

    a, b = (
        numpy.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"), dtype=int) for data in (old, new)
    )
    return a.shape == b.shape and bool((abs(a - b) <= NEAR_SHADES).all())

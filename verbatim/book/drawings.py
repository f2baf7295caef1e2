"""Figures compared by what they draw. Pure, but for images, which Pillow decodes.

A run notes of each pair of axes where it lies, its limits and scales, and labels that are not numbers (`axes_of` in
`verbatim.run.figures`). With that, what is drawn is compared relative to its axes: a wider tick label pushes axes aside
and changes nothing that is shown. Ticks are left out: where they are follows from limits and scale, and a limit that
lies just beside a tick draws it on one machine and not on another.
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

#: Points by which something may move unseen; a figure is some 400 points wide.
POINTS = 1.0
#: Steps of 255 by which a colour in an image may differ: a colour map has 256 colours.
SHADES = 6

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|nan|inf")
_TRANSLATE = re.compile(r"translate\(([^)]*)\)")
_AXES, _TICK, _TEXT = (re.compile(rf"-{name}_(\d+)$") for name in ("axes", "[xyz]tick", "text"))
#: Names that Matplotlib makes from what an element looks like.
_HASHED = re.compile(r"\b(?:[a-z]|image)[0-9a-f]{10}\b")
_COUNTED = re.compile(r"_\d+$")
#: Attribute → along which of the two directions it measures.
_PLACES = {"d": "xy", "points": "xy", "x": "x", "y": "y", "width": "x", "height": "y"}


@dataclass(frozen=True)
class _Part:
    """One element of a figure."""

    what: tuple[str, ...]
    """Tag, text, and what its attributes say besides places."""
    places: tuple[tuple[str, float, float], ...]
    """``(direction, position in points, size of its axes)``, relative to its axes where it lies in some."""
    image: str = ""


def alike(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two figures, given as notebook outputs, show the same."""
    before, after = old.get("metadata", {}).get("axes"), new.get("metadata", {}).get("axes")
    if before is None or after is None:
        before = after = None  # made before runs noted them: compared as they lie, ticks and all
    elif len(before) != len(after) or not all(map(_same_axes, before, after)):
        return False
    try:
        pairs = list(zip(_parts(old, before), _parts(new, after), strict=True))
        return all(_same_part(a, b) for a, b in pairs)
    except (ValueError, KeyError, TypeError, ElementTree.ParseError):
        return False


def _same_axes(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two pairs of axes measure the same, to within what is seen."""
    if (old["scales"], old["labels"]) != (new["scales"], new["labels"]):
        return False
    for direction, size in (("x", old["box"][2]), ("y", old["box"][3])):
        (low, high), other = old[direction], new[direction]
        unseen = abs(high - low) * POINTS / size
        if not all(abs(a - b) <= unseen for a, b in zip((low, high), other, strict=True)):
            return False
    return True


def _same_part(old: _Part, new: _Part) -> bool:
    if old.what != new.what or len(old.places) != len(new.places):
        return False
    for (direction, a, size), (other, b, its) in zip(old.places, new.places, strict=True):
        if direction != other or not abs(a / size - b / its) * size <= POINTS:  # also where one is not a number
            return False
    return old.image == new.image or _same_image(old.image, new.image)


def _parts(output: dict[str, Any], axes: list[dict[str, Any]] | None) -> Iterator[_Part]:
    """Yield the elements of a figure in their order."""
    root = ElementTree.fromstring(output["data"]["image/svg+xml"])
    numbers: dict[str, str] = {}

    def plain(text: str) -> str:
        return _HASHED.sub(lambda m: numbers.setdefault(m[0], f"id{len(numbers)}"), text)

    def walk(element: ElementTree.Element, within: dict[str, Any] | None, *, text: bool = False) -> Iterator[_Part]:
        name = element.get("id", "")
        text = text or bool(_TEXT.search(name))
        if axes is not None:
            outlines = element.tag.endswith("}defs")
            if _TICK.search(name) or (outlines and text):  # letters are drawn where they come first: in a tick, maybe
                return
            if match := _AXES.search(name):
                within = axes[int(match[1]) - 1]
            if outlines:
                within = None  # drawn somewhere else, by reference
        yield _part(element, within, plain, counted=axes is None)
        for child in element:
            yield from walk(child, within, text=text)

    return walk(root, None)


def _part(element: ElementTree.Element, within: dict[str, Any] | None, plain: Any, *, counted: bool) -> _Part:
    """Take an element apart. `counted`: whether the numbers at the end of names count."""
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
        elif key in _PLACES:
            what.append(f"{key}={_NUMBER.sub('', value)}" if key in ("d", "points") else key)
            place(_PLACES[key], value)
        else:
            for moved in _TRANSLATE.findall(value):
                place("xy", moved)
            value = plain(_TRANSLATE.sub("translate", value))
            what.append(f"{key}={value if counted or key != 'id' else _COUNTED.sub('', value)}")
    return _Part(tuple(what), tuple(places), image)


def _same_image(old: str, new: str) -> bool:
    """Whether two images, PNG in base 64, have nearly the same colours."""
    import numpy
    from PIL import Image

    a, b = (
        numpy.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"), dtype=int) for data in (old, new)
    )
    return a.shape == b.shape and bool((abs(a - b) <= SHADES).all())

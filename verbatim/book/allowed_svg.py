"""Checks the SVG of figures against a list of allowed elements, attributes and values. Pure.

The SVG comes from a script's process or from a record and is inserted into the page unchanged, so a parser checks it
here, whoever wrote it. The list holds what Matplotlib draws, after `verbatim.run.figures` has made it portable. Nothing
on it runs, loads, links, or affects the page around the figure:

- An element of another name, or of another namespace, is refused: no script, no style, no link, no foreign HTML.
- So are comments, declarations, instructions and CDATA, in which a browser's parser reads other text than this one.
- A value can hold neither a colon nor a slash, a quotation mark or a backslash, and thus no address, but for images
  (PNG within the file) and references to the figure itself.
- What is drawn by reference is a path, and what is drawn within a pattern refers to nothing: no figure of few elements
  draws billions.
- Names begin with those of script and cell, so that no figure takes a name that the page, or its script, looks for.
"""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as ElementTree

#: The most characters of a figure: far more than a readable figure has.
MOST_CHARACTERS = 1 << 20
#: The deepest nesting of elements. Matplotlib nests about twelve.
MOST_LEVELS = 64

SVG = "{http://www.w3.org/2000/svg}"
HREF_ATTRIBUTES = ("href", "{http://www.w3.org/1999/xlink}href")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PAINT_ATTRIBUTES = _words(
    """clip-path clip-rule fill fill-opacity fill-rule filter id image-rendering opacity shape-rendering stroke
    stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    transform visibility"""
)
_BOX_ATTRIBUTES = _words("x y width height")
_TEXT = _PAINT_ATTRIBUTES | _words(
    """x y dx dy rotate text-anchor text-decoration font font-family font-size font-stretch font-style
    font-variant font-weight"""
)
#: Element → its attributes.
ALLOWED_ATTRIBUTES: dict[str, frozenset[str]] = {
    "svg": _PAINT_ATTRIBUTES | _BOX_ATTRIBUTES | {"version", "viewBox"},
    "g": _PAINT_ATTRIBUTES,
    "defs": _PAINT_ATTRIBUTES,
    "path": _PAINT_ATTRIBUTES | {"d"},
    "rect": _PAINT_ATTRIBUTES | _BOX_ATTRIBUTES | {"rx", "ry"},
    "circle": _PAINT_ATTRIBUTES | {"cx", "cy", "r"},
    "use": _PAINT_ATTRIBUTES | _BOX_ATTRIBUTES | {*HREF_ATTRIBUTES},
    "image": _PAINT_ATTRIBUTES | _BOX_ATTRIBUTES | {*HREF_ATTRIBUTES, "preserveAspectRatio"},
    "text": _TEXT,
    "tspan": _TEXT,
    "clipPath": _PAINT_ATTRIBUTES | {"clipPathUnits"},
    "pattern": _PAINT_ATTRIBUTES | _BOX_ATTRIBUTES | {"patternUnits", "patternTransform"},
    "linearGradient": _words("id gradientUnits gradientTransform x1 x2 y1 y2"),
    "stop": _words("offset stop-color stop-opacity"),
    "filter": _BOX_ATTRIBUTES | {"id"},
    "feColorMatrix": _words("in type values"),
    "feComposite": _words("in in2 operator k1 k2 k3 k4"),
}
_PLAIN_VALUE = re.compile(r"[-+.,#%()'\s\w]*")
_PNG_IMAGE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=\s]*")
_URL_REFERENCE = re.compile(r"url\(#([^()'\"\\]+)\)")


def prefix(script: str, cell: str) -> str:
    """Return the prefix of every id in a figure of this cell. `script`: its path from the project's root."""
    return re.sub(r"\W+", "-", f"{script.removesuffix('.py')}-{cell}") + "-"


@functools.lru_cache(maxsize=1024)  # a record and the cached run that it is compared with hold the same figures
def refused(svg: str, prefix: str) -> str:
    """Describe what is not allowed in a figure; empty if all is. `prefix`: the prefix that its ids must have."""
    if len(svg) > MOST_CHARACTERS:
        return f"is larger than {MOST_CHARACTERS >> 10} KiB"
    if declaration := re.search(r"<[!?]\S{0,10}", svg):  # well-formed XML has `<` in no other place
        return f"holds `{declaration[0]}`"
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError) as error:
        return f"is not well-formed ({error})"
    if root.tag != f"{SVG}svg":
        return f"is no SVG but `<{_short(root.tag)}>`"
    paths = {f"#{path.get('id')}" for path in root.iter(f"{SVG}path")}
    waiting = [(root, 1, True)]
    while waiting:
        element, depth, refers = waiting.pop()
        if depth > MOST_LEVELS:
            return f"nests elements more than {MOST_LEVELS} deep"
        if fact := _refused_element(element, prefix, refers=refers):
            return fact
        if element.tag == f"{SVG}use" and not {element.get(key, "") for key in HREF_ATTRIBUTES} & paths:
            return "holds a `<use>` of what is not a path"
        refers = refers and element.tag not in (f"{SVG}pattern", f"{SVG}clipPath")
        waiting += [(child, depth + 1, refers) for child in element]
    return ""


def _refused_element(element: ElementTree.Element, prefix: str, *, refers: bool) -> str:
    name = element.tag.removeprefix(SVG)
    if not element.tag.startswith(SVG) or name not in ALLOWED_ATTRIBUTES:
        return f"holds the element `<{_short(element.tag)}>`"
    for key, value in element.attrib.items():
        if key not in ALLOWED_ATTRIBUTES[name]:
            return f"holds the attribute `{_short(key)}` of `<{name}>`"
        if not _allowed_value(name, key, value, prefix) or ("url(" in value and not refers):
            return f"holds {_short(key)}={value[:60]!r} of `<{name}>`"
    return ""


def _allowed_value(element: str, key: str, value: str, prefix: str) -> bool:
    if key == "id":
        return value.startswith(prefix)
    if key in HREF_ATTRIBUTES:
        return bool(_PNG_IMAGE.fullmatch(value)) if element == "image" else value.startswith(f"#{prefix}")
    if "url" in value.lower():
        reference = _URL_REFERENCE.fullmatch(value)
        return bool(reference) and reference[1].startswith(prefix)  # type: ignore[index]
    return bool(_PLAIN_VALUE.fullmatch(value))


def _short(name: str) -> str:
    return name.removeprefix(SVG).removeprefix("{http://www.w3.org/1999/xlink}")[:80]

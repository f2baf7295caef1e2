"""Figures on pages weigh less than in records, and show the same."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from verbatim.book import allowed_svg as allowed
from verbatim.site.html.smaller_svg import inline, lighter

ROOT = Path(__file__).parents[2]

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
DRAWN = ("path", "use", "image", "rect", "circle", "text")


def recorded() -> list[tuple[str, str]]:
    """Some recorded figures of every kind, each with what its names begin with."""
    found = []
    for path in sorted((ROOT / "outputs" / "cpu").rglob("*.ipynb"))[::4]:
        recipe = str(path.relative_to(ROOT / "outputs" / "cpu").with_suffix(""))
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                if drawn := "".join(output.get("data", {}).get("image/svg+xml", "")):
                    found.append((drawn, allowed.prefix(f"examples/{recipe}", cell["metadata"]["verbatim"]["name"])))
    return found


def drawn(svg: str) -> list[tuple[str, dict[str, str]]]:
    """What a browser draws, in order: elements with their attributes, without names."""
    root = ElementTree.fromstring(svg)
    found = []
    for element in root.iter():
        if (name := element.tag.removeprefix(allowed.SVG)) in DRAWN:
            found.append((name, {k: v for k, v in element.attrib.items() if k != "id"}))
    return found


def points(path: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """The commands of a path with the points that they lead to, wherever a path writes them as distances."""
    found: list[tuple[str, list[tuple[float, float]]]] = []
    x = y = 0.0
    start = (x, y)
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", rest)]
        relative = letter.islower()
        kind = letter.upper()
        if kind == "Z":
            x, y = start
            found.append(("Z", []))
            continue
        size = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6}[kind]
        assert numbers and len(numbers) % size == 0
        for i in range(0, len(numbers), size):
            some = numbers[i : i + size]
            some = [some[0], y * (not relative)] if kind == "H" else some
            some = [x * (not relative), some[0]] if kind == "V" else some
            moved = [(a + x * relative, b + y * relative) for a, b in zip(some[::2], some[1::2], strict=True)]
            x, y = moved[-1]
            if kind == "M":
                start = (x, y)
            found.append(("L" if kind in "HV" else kind, moved))
    return found


def test_the_figure_is_the_same_to_a_hundredth_of_a_point():
    figures = recorded()
    assert figures
    for svg, _ in figures:
        before, after = drawn(svg), drawn(lighter(svg))
        assert [name for name, _ in before] == [name for name, _ in after]
        for (_, old), (_, new) in zip(before, after, strict=True):
            assert old.keys() == new.keys()
            size, within = 1, 0.00501
            if old.get("transform") == "scale(0.015625)":  # a letter, a hundredth of its size for each unit
                new = new | {"transform": old["transform"]}
                size, within = 10, 5.01
            for key, value in old.items():
                if value == new[key]:
                    continue
                if key == "d":
                    was, now = points(value), points(new[key])
                    assert [letter for letter, _ in was] == [letter for letter, _ in now]
                    near = zip(was, now, strict=True)
                    pairs = [pair for a, b in near for pair in zip(a[1], b[1], strict=True)]
                    numbers = [(x, y * size) for a, b in pairs for x, y in zip(a, b, strict=True)]
                else:
                    assert NUMBER.sub("", value).replace(" ", "") == NUMBER.sub("", new[key]).replace(" ", "")
                    numbers = list(zip(NUMBER.findall(value), NUMBER.findall(new[key]), strict=True))
                assert all(abs(float(a) - float(b)) <= within for a, b in numbers), (key, value, new[key])


def test_a_path_is_written_by_its_shortest_distances():
    path = "M 10.5 20 L 11 20 L 11 19.5 L 12.004 18.996 Q 1 2 3 4 C 1 1 2 2 3 4 z M 1 1 L 1 1 z"
    assert lighter(f'<svg><path d="{path}"/></svg>') == (
        '<svg><path d="M10.5 20h.5v-.5l1-.5q-11-17-9-15c-2-3-1-2 0 0zm-9.5-19v0z"/></svg>'
    )


@pytest.mark.parametrize("path", ["M1 2A3 3 0 0 1 4 5z", "M1 2l3 4z", "M1 2L3z"])
def test_a_path_with_other_commands_stays(path):
    assert lighter(f'<svg><path d="{path}"/></svg>') == f'<svg><path d="{path}"/></svg>'


def test_on_a_page_ids_are_short_and_each_figure_has_its_own():
    svg = (
        '<svg xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg" version="1.1">'
        '<defs><clipPath id="examples-a-b-1-clip"/><path id="examples-a-b-1-m"/></defs>'
        '<use xlink:href="#examples-a-b-1-m" clip-path="url(#examples-a-b-1-clip)"/></svg>'
    )
    small = inline(svg)
    stem = re.search(r'clipPath id="(\w+)-0"', small)[1]
    assert small == (
        f'<svg><defs><clipPath id="{stem}-0"/><path id="{stem}-1"/></defs>'
        f'<use href="#{stem}-1" clip-path="url(#{stem}-0)"/></svg>'
    )
    assert stem not in inline(svg.replace("clipPath", "mask"))


def _drawn(svg: str) -> str:
    """Return a figure without the pictures in it: these stay as they are."""
    return re.sub(r'"data:image[^"]*"', '""', svg)


def test_it_is_smaller_and_still_allowed():
    for svg, prefix in recorded():
        small = lighter(svg)
        assert len(_drawn(small)) < 0.95 * len(_drawn(svg))
        assert allowed.refused(small, prefix) == allowed.refused(svg, prefix) == ""


def test_names_that_are_referred_to_stay():
    svg = '<svg><defs><path id="a" d="M 0 0"/></defs><g id="b"><use xlink:href="#a" x="1.23456"/></g></svg>'
    assert lighter(svg) == '<svg><defs><path id="a" d="M0 0"/></defs><use xlink:href="#a" x="1.23"/></svg>'


@pytest.mark.parametrize(
    ("long", "short"), [("1.005001", "1.01"), ("-0.001", "0"), ("2.500000", "2.5"), ("3.999999", "4"), ("7", "7")]
)
def test_numbers_are_rounded(long, short):
    assert lighter(f'<svg><path d="M {long} 0"/></svg>') == f'<svg><path d="M{short} 0"/></svg>'


def test_a_group_that_clips_or_moves_stays():
    svg = '<svg><g clip-path="url(#c)"><g><g transform="translate(1.234567 2)"><path d="M 0 0"/></g></g></g></svg>'
    assert lighter(svg) == (
        '<svg><g clip-path="url(#c)"><g><g transform="translate(1.23 2)"><path d="M0 0"/></g></g></g></svg>'
    )

"""Figures on pages weigh less than in records, and show the same."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from verbatim.book import svg as allowed
from verbatim.site.drawing import lighter

ROOT = Path(__file__).parent.parent

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


def test_the_figure_is_the_same_to_a_hundredth_of_a_point():
    figures = recorded()
    assert figures
    for svg, _ in figures:
        before, after = drawn(svg), drawn(lighter(svg))
        assert [name for name, _ in before] == [name for name, _ in after]
        for (_, old), (_, new) in zip(before, after, strict=True):
            assert old.keys() == new.keys()
            for key, value in old.items():
                if value == new[key]:
                    continue
                assert NUMBER.sub("", value).replace(" ", "") == NUMBER.sub("", new[key]).replace(" ", "")
                numbers = list(zip(NUMBER.findall(value), NUMBER.findall(new[key]), strict=True))
                assert all(abs(float(a) - float(b)) <= 0.00501 for a, b in numbers), (key, value, new[key])


def test_it_is_smaller_and_still_allowed():
    for svg, prefix in recorded():
        small = lighter(svg)
        assert len(small) < 0.95 * len(svg)
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

"""A page whose cell other releases print differently, as the build writes it for assistants and for the package."""

from __future__ import annotations

from verbatim.book.releases.ranges import Kind, Range
from verbatim.pages.document import CellOutputs, Document, Printed, Prose, Shown
from verbatim.run.script import Cell
from verbatim.write import data

NAME = "tensors/save.md"


def _error(more: str) -> tuple[dict, ...]:
    lines = ["UnpicklingError: Weights only load failed.", "", "", "", more]
    return ({"output_type": "error", "ename": "UnpicklingError", "evalue": "", "traceback": lines},)


RANGES = (
    Range(("1.13.1", "2.2.2"), Kind.OTHER),
    Range(
        ("2.4.1",),
        Kind.OTHER,
        (
            {"output_type": "stream", "name": "stderr", "text": "FutureWarning: the default changes\n"},
            {"output_type": "stream", "name": "stdout", "text": "loaded\n"},
        ),
    ),
    Range(("2.6.0",), Kind.OTHER, _error("an older one")),
    Range(("2.8.0", "2.9.1", "2.13.0"), Kind.SAME, built=True),
)


def page(language: str) -> tuple[str, list]:
    """Return the text of the page, and what of its lines a release replaces."""
    cell = Cell("load", 'torch.load("net.pt")', 1, 1)
    loaded = CellOutputs(
        "examples/tensors/save.py", "tensors/save#load", cell, True, Printed(_error("the newest")), ranges=RANGES
    )
    second = CellOutputs(
        "examples/tensors/save.py",
        "tensors/save#two",
        Cell("two", "2", 3, 3),
        True,
        Printed(({"output_type": "stream", "name": "stdout", "text": "2\n"},)),
    )
    title, goes_on = {"en": ("Save tensors", "The text goes on."), "zh": ("保存张量", "后面还有。")}[language]
    blocks = (
        Prose((f"# {title}", "")),
        Shown((loaded,)),
        Prose(("", goes_on, "", "1. In a list:", "")),
        Shown((second,), "    "),
    )
    text, replaced = data.page(Document(language, blocks, "tensors/save"), lambda *_: "f.svg")
    head = f"<!-- https://book.example/{'en/' if language == 'en' else ''}tensors/save/ -->\n\n"
    return head + text, [[start + 2, end + 2, by] for start, end, by in replaced]

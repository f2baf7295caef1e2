"""Document → sections."""

from __future__ import annotations

from dataclasses import astuple

import pytest

from tests.search.written import page, prose
from verbatim.book.releases.ranges import Kind, Range
from verbatim.markdown import Formula
from verbatim.pages.document import Behind, CellOutputs, Footer, List, Missing, Printed, Shown, UsedNames
from verbatim.run.script import Cell
from verbatim.site.html.formulas import Typesetter
from verbatim.site.search import mathml, reading, sections


def stream(text: str, name: str = "stdout") -> dict[str, object]:
    return {"output_type": "stream", "name": name, "text": text}


def error(kind: str, text: str) -> dict[str, object]:
    return {"output_type": "error", "ename": kind, "evalue": text, "traceback": [f"{kind}: {text}"]}


FIGURE = {"output_type": "display_data", "data": {"image/svg+xml": "<svg><text>drawn</text></svg>"}, "metadata": {}}


def shown(source: str, *outputs: dict[str, object], notes: tuple[str, ...] = (), **more: object) -> Shown:
    cell = Cell("first", source, 1, 1)
    told = CellOutputs("examples/a.py", "a#first", cell, ran=True, printed=Printed(outputs), **more)  # type: ignore[arg-type]
    return Shown((told,), notes=notes)


def field(name: str, *blocks: object) -> str:
    """What a field of a page's only section has."""
    (section,) = page((prose("# A { #a }"), *blocks), "a/").sections  # type: ignore[arg-type]
    return str(getattr(section, name))


TEXT = """
# torch.mm

Inner sizes **meet**, `outer` sizes *remain*.

- one
- two

## The rule: \\(n \\times m\\) { #rule }

!!! note "A note"

    Within.

=== "A tab"

    | `a|b` | second |
    | ----- | :----: |
    | [third](../third.md) |  |

{ .class }

```python
left @ right  # (1)!

print(left)
```

![drawn](drawn.svg){ width=3 } After ![drawn](drawn.svg)the code.

## Read on { #read-on }

- [torch.matmul](..)

### Last <span class="count">3</span> { #last data-toc-label="Last" }
"""


def test_sections_are_headings_with_what_stands_below():
    made = page(TEXT, "en/mm/", "unused")
    assert [(s.id, s.title) for s in made.sections] == [
        ("", "torch.mm"),
        ("rule", "The rule: n \\times m"),
        ("last", "Last 3"),
    ]
    assert made.title == "torch.mm"


def test_prose_and_code_are_told_apart():
    first, rule, last = page(TEXT, "en/mm/").sections
    assert first.prose == "Inner sizes meet, outer sizes remain.\none\ntwo"
    assert rule.prose == "A note\nWithin.\nA tab\na|b\nsecond\nthird\nAfter the code."
    assert rule.code == "left @ right\nprint(left)"
    assert (last.prose, last.code) == ("", "")


def test_what_cells_print_goes_to_fields_of_its_own():
    cell = shown(
        "x", stream("tensor([1.])\n\n"), stream("UserWarning: w\n", "stderr"), FIGURE, error("E", "a\n\t2x3 & 2x3")
    )
    assert field("code", cell, cell) == "x\nx"
    assert field("outputs", cell) == "tensor([1.])"
    assert field("messages", cell) == "UserWarning: w\nE: a\n    2x3 & 2x3"
    assert field("prose", cell) == ""


def test_notes_on_code_and_captions_are_prose():
    cell = shown("x  # (1)!", notes=("1.  The first one.",))
    assert field("code", cell) == "x"
    assert (
        field("prose", cell, Shown(cell.cells, captioned=("", "*Figure: a line.*")))
        == "The first one.\nFigure: a line."
    )


def test_what_the_site_says_is_not_found():
    """Else it would be found on each of a thousand pages."""
    cell = shown("x", stream("1"), cuda=Printed((stream("2"),), "cuda", recorded=True, where="GPU"), differs=True)
    blocks = (
        Behind("docs/zh/a.md"),
        cell,
        Missing("b"),
        UsedNames("`names`"),
        Footer({"torch": "2.0"}, "torch", "Python"),
    )
    assert field("prose", *blocks) == ""
    assert field("outputs", *blocks) == "1\n2"


def test_the_output_that_a_reader_is_to_guess_is_found():
    cell = Cell("first", "x", 1, 1, asks=True, fold=True)
    told = CellOutputs("examples/a.py", "a#first", cell, ran=True, printed=Printed((stream("tensor(2.)"),)))
    assert field("outputs", Shown((told,))) == "tensor(2.)"


def test_a_message_that_nobody_has_recorded_is_found_as_it_is_quoted():
    cell = Cell("first", "x", 1, 1, raises="OSError", says="no such disk", needs="windows", origin="c10/a.cpp")
    told = CellOutputs("examples/a.py", "a#first", cell, ran=False, printed=None, need="windows")
    assert field("messages", Shown((told,))) == "OSError: no such disk"
    assert field("prose", Shown((told,))) == ""


def test_messages_of_other_releases_say_of_which():
    ranges = (
        Range(("1.13.1",), Kind.OTHER, (error("RuntimeError", "then\nsecond\nthird\nfourth\nfifth"),)),
        Range(("2.0.1", "2.2.2"), Kind.OTHER, (stream("tensor([9.])\nValueError: caught\n0"), FIGURE)),
        Range(("2.4.1",), Kind.NOT_RUN, reason="setup"),
        Range(("2.13.0",), Kind.SAME, built=True),
    )
    cell = shown("x", error("RuntimeError", "now"), ranges=ranges)
    assert field("messages", cell).split("\n") == [
        "RuntimeError: now",
        "torch 1.13.1 · RuntimeError: then",
        "second",
        "third",
        "fourth",
        "fifth",
        "torch 2.0.1 and 2.2.2 · ValueError: caught",
    ]
    assert (field("outputs", cell), field("prose", cell)) == ("", "")


def test_outputs_that_a_list_shows_are_outputs():
    lines = ('```{ .text .no-copy .verbatim .verbatim-output title="Printed" }', "tensor([1.])", "```")
    assert (field("outputs", List("errata", lines)), field("code", List("errata", lines))) == ("tensor([1.])", "")


def test_a_page_without_a_title_takes_the_given_one():
    made = page("Text\n\n## A { #a }\nbelow", "x/", "Given")
    assert [(s.id, s.title, s.prose) for s in made.sections] == [("", "Given", "Text"), ("a", "A", "below")]


def test_an_overview_is_known_by_its_titles_and_first_sentences():
    text = f"# T\n\nFirst. {'x ' * 999}\n\n```\ncode\n```\n\n## S {{ #s }}\n\nSecond."
    first, second = page(text, "a/", overview=True).sections
    assert first.prose.startswith("First. x x")
    assert len(first.prose) == reading.OVERVIEW
    assert (first.code, second.title, second.prose) == ("", "S", "Second.")


CHAPTER = """
# Chapter

- `second time`: [freed already](../leaf/#freed); [in a loop](../leaf/)
- [**Why** is `it` freed?](../leaf/#freed)
  and [else](https://example.org/leaf/#freed)

## Part { #part }

See [this](../leaf/#freed), ![no link](../leaf/), `[code](../leaf/)`.
"""


def test_links_have_the_words_of_their_item_and_the_section_that_they_stand_in():
    made = page(CHAPTER, "en/chapter/")
    assert [astuple(link) for link in made.links] == [
        ("en/leaf/", "freed", "second time: freed already", ""),
        ("en/leaf/", "", "second time: ; in a loop", ""),
        ("en/leaf/", "freed", "Why is it freed?", ""),
        ("en/leaf/", "freed", "this", "part"),
    ]
    assert page(CHAPTER, "en/chapter/", asks=False).links == ()


def test_a_formula_is_read_as_text():
    typeset = Typesetter()
    made = page(r"The product is \((n, k) \times (k, m)\).", "a/", formula=lambda one: mathml.text(typeset.html(one)))
    assert made.sections[0].prose == "The product is (n, k) × (k, m)."


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}", "(x − μ)/√(σ² + ϵ)"),
        (r"-1 \le \hat x_{ij} \le 2^{-n}", "−1 ≤ x̂_ij ≤ 2^(−n)"),
        (r"-\sum_k q_k\log p_k", "−∑_k q_k log p_k"),
        (r"\tfrac{1}{2} e^{-s_1} L_\text{price}", "1/2 e^(−s₁)L_price"),
        (r"\max(0, W^\top x)", "max(0, Wᵀ x)"),
        (r"\begin{pmatrix}2y & 2x\\ 2x & 0\end{pmatrix}", "(2y, 2x; 2x, 0)"),
        (r"\binom{n}{k} = n!", "(n over k) = n!"),
        (r"a<b \text{ and } c", "a < b and c"),
    ],
)
def test_what_a_formula_says(tex: str, text: str):
    assert mathml.text(Typesetter().html(Formula(tex))) == text


def test_the_front_matter_says_what_a_page_is_asked_for():
    meta = {"description": "What it is.", "keywords": ["one", "two words"]}
    made = page("# A\n\n## B { #b }", "a/", meta=meta)
    assert [s.asked for s in made.sections] == ["What it is.\none\ntwo words", ""]
    assert made.keywords == ("one", "two words")
    over = page("# A", "a/", meta=meta, overview=True)
    assert (over.sections[0].asked, over.keywords) == ("", ())
    assert sections.keywords_of({"keywords": "alone"}) == ("alone",)

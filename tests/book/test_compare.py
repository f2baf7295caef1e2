from __future__ import annotations

import re
from pathlib import Path

import pytest

from verbatim.book.compare import Difference, agree, compare, diff, same
from verbatim.run import figures
from verbatim.run.script import Cell

FRAME = """Traceback (most recent call last):
  File "examples/a/b.py", line 3, in f
    return torch.stack(
{rest}  File "…/site-packages/torch/x.py", line 7, in g
    raise
ValueError: no
"""


def printed(text: str) -> list[dict]:
    return [{"output_type": "stream", "name": "stdout", "text": text}]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tensor([0.1966, 0.1050])", "tensor([0.1967, 0.1050])"),
        ("loss 1.2345678", "loss 1.2345683"),
        ("1.19209e-07", "1.19210e-07"),
        ("loss 16777215.5", "loss 16777214.5"),
        ("tensor(1.7638e+09)", "tensor(1.7639e+09)"),
        ("0.99999994", "1.0"),
        ("-0.0000", "0.0000"),
        ("tensor([ 1.0000, 10.5000])", "tensor([1.0000,   10.5000])"),
        ("a\n  b", "a b"),
    ],
)
def test_rounding_and_white_space_are_noise(old, new):
    assert compare(printed(old), printed(new)) is Difference.NOISE


def test_marks_in_a_traceback_are_layout():
    bare = FRAME.format(rest="")
    marks = "           ~~~~~~~~~~~^\n"
    more = f"{marks}        [a, b, 3]\n        ^^^^^^^\n    )\n    ^\n"  # since Python 3.13
    for rest in (marks, marks.replace("~", "^"), more):
        assert compare(printed(bare), printed(FRAME.format(rest=rest))) is Difference.NOISE
        assert compare(printed(FRAME.format(rest=rest)), printed(FRAME.format(rest=marks))) is not Difference.DRIFT
    logged = "".join(f"V torch/x.py:1] {line}\n" for line in FRAME.format(rest=more).splitlines())
    assert (
        compare(printed("".join(f"V torch/x.py:1] {line}\n" for line in bare.splitlines())), printed(logged))
        is Difference.NOISE
    )


@pytest.mark.parametrize("rest", ["    [a]\n", "    x\n    y\n"])
def test_other_lines_of_a_traceback_and_marks_elsewhere_are_not(rest):
    assert compare(printed(FRAME.format(rest="")), printed(FRAME.format(rest=rest))) is Difference.DRIFT
    assert compare(printed("x = (\n"), printed("x = (\n    ^\n")) is Difference.DRIFT
    assert compare(printed("ValueError: no\n"), printed("ValueError: no\n    ^^\n")) is Difference.DRIFT


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tensor([0.1966])", "tensor([0.1986])"),
        ("0.50", "0.51"),
        ("torch.Size([3])", "torch.Size([4])"),
        ("1000000", "1000001"),
        ("True", "False"),
        ("1 2", "1 2 3"),
        ("nan", "0.0"),
        ("tensor(2.)", "tensor(2)"),
        ("1.0", "-1.0"),
        ("2e-07", "3e-07"),
        ("1.2e-07", "1.3e-07"),
        ("1.1920929e-07", "2.3841858e-07"),  # what is left of a difference has no correct digit
        ("eps 1.1921e-07", "eps 2.2204e-16"),
        ("0.0", "1e-7"),
        ("1763802000.1234", "1763802010.5678"),  # ten seconds of a clock, five hours would be within 1e-5
        ("123456.0", "123457.0"),
        ("6.", "7."),
        ("0.123", "0.124"),
        ("loss 1.234567", "loss 1.234667"),
        ("1 2", "2 1"),
        ("a 0.5 b", "b 0.5 a"),
        ("SumBackward0", "SumBackward1"),
    ],
)
def test_anything_else_is_drift(old, new):
    assert compare(printed(old), printed(new)) is Difference.DRIFT


def test_another_kind_of_output_is_drift():
    warning = [{"output_type": "stream", "name": "stderr", "text": "x"}]
    assert compare(printed("x"), warning) is Difference.DRIFT
    assert compare(printed("x"), []) is Difference.DRIFT
    errors = [[{"output_type": "error", "ename": n, "evalue": "x", "traceback": ["x"]}] for n in ("A", "B")]
    assert compare(*errors) is Difference.DRIFT


def drawn(*, height: float = 40.0, colour: str = "#3b82d0", mark: str = "m185fcfd8b8") -> list[dict]:
    """A figure from before runs noted what its axes measure."""
    svg = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="400pt">
<path id="{mark}" d="M 10 {height} L 90 20.5" stroke="{colour}"/>
<use xlink:href="#{mark}" x="12" y="{height}" transform="translate({height} 3) scale(0.1)"/></svg>"""
    return [{"output_type": "display_data", "data": {"image/svg+xml": svg}, "metadata": {}}]


def test_what_moves_too_little_to_be_seen_is_noise():
    assert compare(drawn(), drawn(height=40.7, mark="m05dee3ea1f")) is Difference.NOISE


@pytest.mark.parametrize("change", [{"height": 42.0}, {"colour": "#4b82d0"}, {"height": float("nan")}])
def test_what_can_be_seen_is_drift(change):
    assert compare(drawn(), drawn(**change)) is Difference.DRIFT


def test_a_figure_with_one_mark_more_is_drift():
    more = drawn()
    svg = more[0]["data"]["image/svg+xml"]
    more[0]["data"] = {"image/svg+xml": svg.replace("L 90 20.5", "L 90 20.5 L 91 20.5")}
    assert compare(drawn(), more) is Difference.DRIFT


PLOT = """
x = np.linspace(0, 1, 9)
y = x**2
colours, labels, title = ["#3b82d0", "#e07b00"], ["square", "cube"], "powers"
names = ["torch", "numpy"]
scale, top = "linear", 1.0
heat = x[:, None] * y
CHANGE
left, right, below = plt.figure().subplots(1, 3)
left.plot(x, y, colours[0], marker="o", label=labels[0])
left.plot(x, x**3, colours[1], label=labels[1])
left.set_title(title)
left.set_yscale(scale)
left.set_ylim(0.001, top)
left.legend(loc="upper left")
right.bar(names, [y.sum(), 2.0])
right.annotate("here", (0, 1))
below.imshow(heat)
"""


def plotted(change: str = "") -> list[dict]:
    """A real figure, as a run makes it. `change`: code that changes what is drawn."""
    import matplotlib
    import matplotlib.pyplot as plt
    import numpy as np

    matplotlib.use("agg")
    figures.apply_style()
    exec(PLOT.replace("CHANGE", change), {"np": np, "plt": plt})
    ((svg, axes),) = figures.take_open("test")
    return [{"output_type": "display_data", "data": {"image/svg+xml": svg}, "metadata": {"axes": axes}}]


@pytest.mark.parametrize(
    "change",
    [
        "y = y * (1 + 1e-6)",
        "x = x + 1e-7",
        "heat = heat * (1 + 1e-6)",
        "top = 1.0000001",
        "top = 0.9999999",  # the tick at 1.0 is not drawn
    ],
)
def test_rounding_in_the_data_of_a_figure_is_noise(change):
    assert compare(plotted(), plotted(change)) in (Difference.NOISE, Difference.SAME)


def test_the_same_figure_is_the_same():
    assert compare(plotted(), plotted()) is Difference.SAME


@pytest.mark.parametrize(
    "change",
    [
        "y[3] += 0.02",  # a point moves by more than the eye overlooks
        "y = y[:-1]; x = x[:-1]",  # a point is lost
        "y = y[::-1]",
        "colours = colours[::-1]",
        "labels = labels[::-1]",
        "labels[0] = 'sqaure'",
        "title = 'power'",
        "names = ['torch', 'jax']",
        "names = names[::-1]",
        "scale = 'log'",
        "top = 1.1",
        "heat = heat.T",
        "heat = 1 - heat",
        "x = 2 * x",  # looks the same but for the numbers at the ticks
        "y = y + np.nan",
    ],
)
def test_whatever_else_a_figure_shows_is_drift(change):
    assert compare(plotted(), plotted(change)) is Difference.DRIFT


def test_a_lost_line_is_drift():
    whole = plotted()
    svg = whole[0]["data"]["image/svg+xml"]
    import re

    less = re.sub(r'<path d="[^"]*" clip-path="[^"]*" fill="none" stroke="#e07b00"[^>]*/>', "", svg)
    assert less != svg
    assert compare(whole, [{**whole[0], "data": {"image/svg+xml": less}}]) is Difference.DRIFT


def test_a_figure_that_cannot_be_read_is_drift():
    whole = plotted()
    assert compare(whole, [{**whole[0], "data": {"image/svg+xml": "<svg>"}}]) is Difference.DRIFT


def test_equal_is_same():
    assert compare(printed("0.1"), printed("0.1")) is Difference.SAME


def test_the_diff_shows_both_sides():
    text = diff(printed("a\nb"), printed("a\nc"), "examples/a.py#x")
    assert "-b" in text and "+c" in text and "examples/a.py#x (recorded)" in text


def test_a_cell_that_varies_agrees_with_whatever_it_prints():
    steady, varying = Cell("x", "1", 2, 1), Cell("x", "1", 2, 1, varies=True)
    one, other = printed("1"), printed("2")
    assert agree(varying, one, other) and not same(varying, one, other)
    assert not agree(steady, one, other) and agree(steady, printed("0.12345678"), printed("0.12345679"))
    frame, moved = printed("at a.cpp:12"), printed("at a.cpp:13")
    assert not agree(steady, frame, moved) and same(steady, frame, moved, across_releases=True)


def test_all_that_ask_whether_outputs_are_the_same_name_the_cell():
    """Else what a cell declares of its outputs would have to be known by each who compares."""
    forms = {
        name.strip()
        for path in (Path(__file__).parents[2] / "verbatim").rglob("*.py")
        for names in re.findall(r"^from verbatim\.book\.compare import (.*)$", path.read_text(encoding="utf-8"), re.M)
        for name in names.split(",")
    }
    assert {"agree", "same", "text_of"} <= forms <= {"agree", "same", "text_of", "diff", "readable", "Outputs"}


def test_a_cell_may_declare_a_tolerance():
    def printed(text: str) -> list[dict]:
        return [{"output_type": "stream", "name": "stdout", "text": text}]

    old, near, far = printed("loss 0.5312 of 10"), printed("loss 0.5340 of 10"), printed("loss 0.5412 of 10")
    strict, tolerant = Cell("a", "", 1, 1), Cell("a", "", 1, 1, tolerance="0.01")
    assert not agree(strict, old, near) and agree(tolerant, old, near)
    assert not agree(tolerant, old, far) and not agree(tolerant, old, printed("loss 0.5312 of 11"))

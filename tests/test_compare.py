from __future__ import annotations

import pytest

from verbatim.book.compare import Change, compare, diff


def printed(text: str) -> list[dict]:
    return [{"output_type": "stream", "name": "stdout", "text": text}]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tensor([0.1966, 0.1050])", "tensor([0.1967, 0.1050])"),
        ("loss 1.2345678", "loss 1.2345683"),
        ("1.1920929e-07", "2.3841858e-07"),
        ("tensor([ 1.0000, 10.5000])", "tensor([1.0000,   10.5000])"),
        ("a\n  b", "a b"),
    ],
)
def test_rounding_and_white_space_are_noise(old, new):
    assert compare(printed(old), printed(new)) is Change.NOISE


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
        ("SumBackward0", "SumBackward1"),
    ],
)
def test_anything_else_is_drift(old, new):
    assert compare(printed(old), printed(new)) is Change.DRIFT


def test_another_kind_of_output_is_drift():
    warning = [{"output_type": "stream", "name": "stderr", "text": "x"}]
    assert compare(printed("x"), warning) is Change.DRIFT
    assert compare(printed("x"), []) is Change.DRIFT
    errors = [[{"output_type": "error", "ename": n, "evalue": "x", "traceback": ["x"]}] for n in ("A", "B")]
    assert compare(*errors) is Change.DRIFT


def drawn(*, height: float = 40.0, colour: str = "#3b82d0", mark: str = "m185fcfd8b8") -> list[dict]:
    svg = f"""<svg width="400pt"><path id="{mark}" d="M 10 {height} L 90 20.5" stroke="{colour}"/>
<use href="#{mark}" x="12" y="{height}" transform="translate({height} 3) scale(0.1)"/></svg>"""
    return [{"output_type": "display_data", "data": {"image/svg+xml": svg}, "metadata": {}}]


def test_what_moves_too_little_to_be_seen_is_noise():
    assert compare(drawn(), drawn(height=40.7, mark="m05dee3ea1f")) is Change.NOISE


@pytest.mark.parametrize("change", [{"height": 42.0}, {"colour": "#4b82d0"}, {"height": float("nan")}])
def test_what_can_be_seen_is_drift(change):
    assert compare(drawn(), drawn(**change)) is Change.DRIFT


def test_a_figure_with_one_mark_more_is_drift():
    more = drawn()
    svg = more[0]["data"]["image/svg+xml"]
    more[0]["data"] = {"image/svg+xml": svg.replace("L 90 20.5", "L 90 20.5 L 91 20.5")}
    assert compare(drawn(), more) is Change.DRIFT


def test_equal_is_same():
    assert compare(printed("0.1"), printed("0.1")) is Change.SAME


def test_the_diff_shows_both_sides():
    text = diff(printed("a\nb"), printed("a\nc"), "examples/a.py#x")
    assert "-b" in text and "+c" in text and "examples/a.py#x (recorded)" in text

"""The pictures that stand beside links to pages."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from verbatim.memo import Memo
from verbatim.site.sharing import cards
from verbatim.site.sharing.cards import Card, draw, quote, wrap

ERROR = {"output_type": "error", "ename": "RuntimeError", "evalue": "no grad", "traceback": ["RuntimeError: no grad"]}
OUT = {"output_type": "stream", "name": "stdout", "text": "\ntensor(1.)\n"}
WARNING = {"output_type": "stream", "name": "stderr", "text": "UserWarning: x\n"}
FIGURE = {"output_type": "display_data", "data": {"image/svg+xml": "<svg/>"}}

CARD = Card("detach()：离开计算图", "PyTorch 实录", "自动求导 · PyTorch 2.13.0", "error", "RuntimeError: no grad")


@pytest.mark.parametrize(
    ("outputs", "quoted"),
    [
        ([OUT, ERROR], ("error", "RuntimeError: no grad")),
        ([FIGURE, OUT, WARNING], ("output", "tensor(1.)")),
        ([WARNING, OUT], ("warning", "UserWarning: x")),
        ([FIGURE], ("", "")),
    ],
)
def test_a_card_quotes_the_first_error_else_the_first_text(outputs, quoted):
    assert quote(outputs) == quoted


def inked(image: Image.Image, box: tuple[int, int, int, int]) -> bool:
    """Whether anything is drawn in a part of a card."""
    return len(image.convert("RGB").crop(box).getcolors() or []) > 2


def test_a_card_is_a_light_png_and_the_same_each_time():
    data = draw(CARD)
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.size, data) == ("PNG", cards.CARD_SIZE, draw(CARD)) and len(data) < 40_000
    assert (
        inked(image, (72, 60, 400, 110)) and inked(image, (72, 140, 1128, 220)) and inked(image, (90, 250, 1000, 340))
    )


def test_a_card_shows_each_of_its_words():
    other = Card("detach(): out", "PyTorch Verbatim", "Autograd", "output", "tensor(1.)")
    drawn = [draw(CARD)] + [
        draw(Card(**{**vars(CARD), name: getattr(other, name)}))
        for name in ("title", "site", "about", "kind", "quoted")
    ]
    assert len(set(drawn)) == len(drawn)


def test_nothing_runs_over_the_edge():
    long = "RuntimeError: " + "mat1 and mat2 shapes cannot be multiplied " * 20
    for kind in ("error", "output"):
        image = Image.open(io.BytesIO(draw(Card("很长的标题" * 30, "S", "A", kind, f"{long}\n" * 20)))).convert("RGB")
        for edge in ((0, 20, 60, 630), (1140, 20, 1200, 630), (0, 600, 1200, 630)):
            assert not inked(image, edge)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("张量，张量张量张量", ["张量，张量", "张量张量"]),
        ("张量张量张，量", ["张量张量", "张，量"]),
        ("张量张量（量）", ["张量张量", "（量）"]),
        ("abcdefghijklmnopqrstuvw x", ["abcdefghij", "klmnopqrst", "uvw x"]),
        ("", [""]),
    ],
)
def test_lines_break_where_the_language_lets_them(text, lines):
    assert wrap(text, lambda line: cards._width(line) <= 10) == lines


def test_a_card_is_drawn_once(tmp_path, monkeypatch):
    memo = Memo(tmp_path / "cache")
    cards.write(CARD, tmp_path / "site", memo)
    made = (tmp_path / "site" / CARD.path).read_bytes()
    monkeypatch.setattr(cards, "draw", lambda card: pytest.fail("drawn again"))
    cards.write(CARD, tmp_path / "again", memo)
    assert (tmp_path / "again" / CARD.path).read_bytes() == made
    monkeypatch.undo()
    cards.write(CARD, tmp_path / "clean", Memo(tmp_path / "cache", fresh=True))
    assert (tmp_path / "clean" / CARD.path).read_bytes() == made

"""Draws a page's card: the picture that a messenger or a feed shows beside a link to the page.

A card has the page's title, and something that PyTorch printed on the page: its first error, else its first output. The
fonts come from packages, so a card is the same on every machine.
"""

from __future__ import annotations

import functools
import hashlib
import io
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import PIL
from PIL import Image, ImageDraw, ImageFont

from verbatim import fonts
from verbatim.book.compare import text_of
from verbatim.memo import Memo
from verbatim.site.output import CARDS

#: In pixels, as the sites that show cards ask for.
CARD_SIZE = (1200, 630)

_PAPER, _INK, _QUIET, _RULE, _BRICK = "#ffffff", "#24272c", "#5c626b", "#e3ded7", "#9c3216"
#: Kind of output → its ground and its edge, as on pages.
_BOX_COLOURS = {"output": ("#faf8f5", "#5c626b"), "warning": ("#fdf8ec", "#855600"), "error": ("#fdf3f1", "#b3261e")}
#: Shades between letters and their ground, in a palette: few colours make a small file.
_SHADES = 6
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 1128, 64, 570
_LINES = 5
#: What may not begin a line of Chinese, and what may not end one.
_NOT_FIRST = "，。、；：？！）》」』”’…·,.;:?!)]}"
_NOT_LAST = "（《「『“‘([{"
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LINE_PIECE = re.compile(rf"[{_WIDE}]|[^\s{_WIDE}]+\s*|\s+")


@dataclass(frozen=True)
class Card:
    """What a card shows."""

    title: str
    site: str
    about: str
    """What else is said of the page: its chapter, the version of PyTorch."""
    kind: str = ""
    """What is quoted: a key of `_BOX_COLOURS`; empty for nothing."""
    quoted: str = ""
    """What PyTorch printed."""

    @property
    def path(self) -> str:
        """Where the card lies, from the site's root: cards that show the same are one file."""
        return f"{CARDS}/{hashlib.sha256(repr((astuple(self), _version())).encode()).hexdigest()[:16]}.png"


@functools.cache
def _version() -> str:
    """Return a hash of what draws the cards: this file and the library."""
    return hashlib.sha256(Path(__file__).read_bytes() + PIL.__version__.encode()).hexdigest()


def quote(outputs: Iterable[dict[str, Any]]) -> tuple[str, str]:
    """Return kind and text of what a card quotes of a page's outputs: the first error, else the first text."""
    first = ("", "")
    for output in outputs:
        if output["output_type"] == "error":
            return "error", f"{output['ename']}: {output['evalue']}".strip()
        if output["output_type"] == "stream" and not first[0] and (text := text_of(output).strip("\n")).strip():
            first = "warning" if output["name"] == "stderr" else "output", text
    return first


def write(card: Card, site: Path, memo: Memo) -> None:
    """Put a card into the site; it is drawn where no earlier build has."""
    there = site / card.path
    if there.is_file():  # its name says what it shows
        return
    data = memo.verified("card", card.path, lambda: draw(card), software=_version())
    there.parent.mkdir(parents=True, exist_ok=True)
    there.write_bytes(data)


def draw(card: Card) -> bytes:
    """Return a card as PNG."""
    image = Image.new("RGB", CARD_SIZE, _PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, CARD_SIZE[0], 14), fill=_BRICK)
    pen.text((_LEFT, _TOP), card.site, _BRICK, _sans(30))
    pen.text((_RIGHT, _TOP), card.about, _QUIET, _sans(26), anchor="ra")
    size, lines = _fit(pen, card.title)
    y = _TOP + 76
    for line in lines:
        pen.text((_LEFT, y), line, _INK, _sans(size))
        y += round(size * 1.35)
    if card.kind:
        _box(pen, card, y + 40)
    out = io.BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(out, "PNG", compress_level=7)
    return out.getvalue()


@functools.cache
def _palette() -> Image.Image:
    """Return an image with the colours of cards: each ground with the shades towards what is drawn on it."""
    pairs = [(_PAPER, ink) for ink in (_INK, _QUIET, _BRICK)]
    for ground, edge in _BOX_COLOURS.values():
        pairs += [(ground, _INK), (ground, edge)]
    pairs.append((_PAPER, _RULE))
    shades: list[int] = []
    for pair in pairs:
        one, other = (tuple(bytes.fromhex(colour[1:])) for colour in pair)
        for step in range(_SHADES):
            shades += [round(a + (b - a) * step / (_SHADES - 1)) for a, b in zip(one, other, strict=True)]
    image = Image.new("P", (1, 1))
    image.putpalette(shades)
    return image


def _fit(pen: ImageDraw.ImageDraw, title: str) -> tuple[int, list[str]]:
    """Return the size of a title's letters, and its lines: two large ones, else three smaller ones."""
    for size, most in ((64, 2), (52, 3)):
        lines = wrap(title, functools.partial(_narrow, pen, size))
        if len(lines) <= most:
            return size, lines
    return size, [*lines[: most - 1], _cut(lines[most - 1], functools.partial(_narrow, pen, size), more=True)]


def _box(pen: ImageDraw.ImageDraw, card: Card, top: int) -> None:
    """Draw what is quoted, as much as there is room for."""
    ground, edge = _BOX_COLOURS[card.kind]
    inside, whole = _LEFT + 34, card.quoted.expandtabs().splitlines()
    for size in (32, 26):
        step, font = round(size * 1.45), _mono(size)
        columns = int((_RIGHT - inside - 20) / pen.textlength("0", font))
        fits = functools.partial(_short, columns)
        if card.kind == "output":  # tables: each line is cut by itself
            lines = [_cut(line, fits) for line in whole]
        else:  # sentences
            lines = [part for line in whole for part in wrap(line, fits)]
        room = min(_LINES, (_BOTTOM - top - 40) // step)
        if len(lines) <= room and max(map(_width, whole)) <= columns:
            break
    if len(lines) > room:
        lines = [*lines[: room - 1], _cut(lines[room - 1], fits, more=True)]
    bottom = top + 40 + step * len(lines)
    pen.rounded_rectangle((_LEFT, top, _RIGHT, bottom), 10, fill=ground, outline=_RULE, width=2)
    pen.rectangle((_LEFT, top + 2, _LEFT + 6, bottom - 2), fill=edge)
    for number, line in enumerate(lines):
        # The monospaced font has no Chinese.
        wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in line)
        pen.text((inside, top + 18 + step * number), line, _INK, _sans(size) if wide else font)


def _narrow(pen: ImageDraw.ImageDraw, size: int, text: str) -> bool:
    return pen.textlength(text, _sans(size)) <= _RIGHT - _LEFT


def _short(columns: int, text: str) -> bool:
    return _width(text) <= columns


def wrap(text: str, fits: Callable[[str], bool]) -> list[str]:
    """Break a text into lines that fit: between words, and between Chinese characters, as their punctuation allows.

    Args:
        text: The text.
        fits: Whether a line is short enough.
    """
    lines = [""]
    for piece in _pieces(text):
        if fits((lines[-1] + piece).rstrip()) or not lines[-1]:
            lines[-1] += piece
        else:
            lines.append(piece.lstrip())
        while len(lines[-1]) > 1 and not fits(lines[-1].rstrip()):  # a word that is longer than a line
            count = next(n for n in range(len(lines[-1]) - 1, 0, -1) if n == 1 or fits(lines[-1][:n]))
            lines[-1:] = [lines[-1][:count], lines[-1][count:]]
    return [line.rstrip() for line in lines]


def _pieces(text: str) -> list[str]:
    """Return what may not be broken: words with the space behind them, characters with their punctuation."""
    pieces = _LINE_PIECE.findall(text)
    joined: list[str] = []
    for piece in pieces:
        if joined and (piece[0] in _NOT_FIRST or joined[-1][-1] in _NOT_LAST):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _width(text: str) -> int:
    """Return how many columns a text takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut(line: str, fits: Callable[[str], bool], *, more: bool = False) -> str:
    """Return a line that is cut where it is too long, with a sign of it. `more`: whether more would follow it."""
    if not more and fits(line):
        return line
    while line and not fits(f"{line} …"):
        line = line[:-1]
    return f"{line} …"


@functools.cache
def _sans(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(fonts.chinese(), size)


@functools.cache
def _mono(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(fonts.monospaced(), size)

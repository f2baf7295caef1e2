"""What pages claim of releases, of colours and of how many things follow can be seen in the book. Pure."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator

from verbatim.book.compare import text_of
from verbatim.book.gather import Book
from verbatim.book.releases.model import sort_key
from verbatim.checks.exemptions import FORM
from verbatim.markdown import CODE_SPAN, prose
from verbatim.pages.document import cells_of
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: A release of PyTorch in a sentence.
RELEASE = re.compile(r"\b(?:PyTorch|[Tt]orch) v?(?P<name>\d+\.\d+(?:\.\d+)?)(?!\.?\d)")
#: One that is named by its number alone. The words around it tell it from other numbers: “before 1.5 epochs” is none.
BARE = re.compile(
    r"\b(?:[Bb]efore|[Ss]ince) (?P<en>1\.\d\d?(?:\.\d)?)(?=[,;:.)]|$| (?:it|this|that|the|there|they)\b)|"
    r"(?:^|[。；，：（])\s*(?:在 |从 )?(?P<zh>1\.\d\d?(?:\.\d)?) ?(?:以前|之前|起)(?=，)"
)
#: Colour → how Chinese writes it, and its hues in degrees. They overlap as people's words do.
COLOURS = {
    "blue": ("蓝", 180, 265),
    "brown": ("[棕褐]", 0, 45),
    "cyan": ("青", 165, 205),
    "green": ("绿", 72, 178),
    "magenta": ("品红", 290, 340),
    "orange": ("橙", 10, 52),
    "pink": ("粉", 290, 375),
    "purple": ("紫", 245, 325),
    "red": ("红", 335, 380),
    "yellow": ("黄", 38, 75),
}
#: What follows a colour in Chinese; 红利 and 蓝本 are other words.
COLOURED = "(?=[色线点框柱条块圈的])"
PAINT = re.compile(r"#([0-9a-fA-F]{6})\b")
#: Less saturation than this is grey.
GREY = 0.1
#: How many things a sentence says that the list below it has.
ANNOUNCED = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten)\b|([两三四五六七八九十])(?=[种个条类步件点处项])", re.IGNORECASE
)
COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10} | {
    word: number for number, word in enumerate("两三四五六七八九十", 2)
}
ITEM = re.compile(r"(?:[-*]|\d+\.)\s+\S")


def recorded(book: Book) -> tuple[str, str] | None:
    """Return the oldest and the newest release that outputs are shown of; ``None`` where only one was run."""
    names = book.releases.names
    return (names[0], names[-1]) if book.releases.all else None


def check_releases(book: Book, page: Page) -> Iterator[Problem]:
    """Nothing is said of a release that is older or newer than all that were recorded."""
    if not (known := recorded(book)):
        return
    for number, line in prose(page.text):
        bare = CODE_SPAN.sub("`", line)
        named = [(match[0], match["name"]) for match in RELEASE.finditer(bare)]
        named += [(one, one) for match in BARE.finditer(bare) if (one := match["en"] or match["zh"])]
        for text, name in named:
            first, last = (sort_key(one)[: len(sort_key(name))] for one in known)
            if not first <= sort_key(name) <= last:
                message = f"nothing shows what `{text}` does: the records are of {known[0]} to {known[1]}"
                hint = f"leave it out; where an old note is corrected, {FORM}"
                yield Problem(page.path, number, message, hint)


def check_colours(book: Book, page: Page) -> Iterator[Problem]:
    """A colour that a caption names is in its figure. What a colour map or a picture shows is not looked at."""
    for embed in page.embeds:
        script, result = book.scripts.get(embed.script), book.results.get(embed.script)
        named = {
            word: hues
            for word, (han, *hues) in COLOURS.items()
            if embed.caption and re.search(rf"\b{word}\b|{han}{COLOURED}", embed.caption, re.IGNORECASE)
        }
        if not named or not script or not result:
            continue
        ran = (result.cell(cell.name) for cell in cells_of(script, embed))
        outputs = [one for cell in ran if cell for one in cell.outputs if one["output_type"] == "display_data"]
        drawn = "".join(map(text_of, outputs))
        if not drawn or "<image" in drawn:
            continue
        found = _hues(drawn)
        for word, (low, high) in named.items():
            if not any(low <= hue <= high or low <= hue + 360 <= high for hue in found):
                message = f"the caption names a colour that the figure does not have: {word}"
                hint = f"look at the figure, and name what one sees there; {FORM}"
                yield Problem(page.path, embed.end, message, hint)


def _hues(svg: str) -> set[float]:
    """Return the hues of a drawing's colours, in degrees."""
    found = set()
    for paint in set(PAINT.findall(svg)):
        hue, _, saturation = colorsys.rgb_to_hls(*(int(paint[i : i + 2], 16) / 255 for i in (0, 2, 4)))
        if saturation > GREY:
            found.add(360 * hue)
    return found


def check_counts(page: Page) -> Iterator[Problem]:
    """Where a sentence ends in a colon and says how many things follow, the list below it has as many items."""
    lines = page.text.split("\n")
    for number, line in prose(page.text):
        if not line.rstrip().endswith((":", "：")):
            continue
        last = re.split(r"[.;。；]\s*", line.rstrip(" :："))[-1]
        said = [COUNTS[(word or han).lower()] for word, han in ANNOUNCED.findall(last)]
        items = _items(lines[number:])
        if len(said) == 1 and items and said[0] != items:
            message = f"{said[0]} things are announced, and the list below has {items}"
            yield Problem(page.path, number, message, f"count again; {FORM}")


def _items(lines: list[str]) -> int:
    """Return how many items the list has with which these lines begin; 0 if they begin otherwise."""
    items = 0
    for line in lines:
        if ITEM.match(line):
            items += 1
        elif line.strip() and not (items and line.startswith(" ")):
            break
    return items

"""A page as a value: its author's lines, the cells that it shows with what they printed, its lists, its footer. Pure.

`read` makes the blocks of a page in order, from the one grammar of pages (`verbatim.markdown`). What writes a page
(`verbatim.write`) takes them, and need not know the book, nor read anything again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from verbatim.book import environment
from verbatim.book.compare import agree, same
from verbatim.book.gather import Book
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases.ranges import Range
from verbatim.markdown import (
    CAPTION_LINE,
    MEANT_LINE,
    Embed,
    annotations_below,
    embeds,
    enclosing_box,
    headings,
    listings,
)
from verbatim.pages import other_releases
from verbatim.run.script import Cell, Script

if TYPE_CHECKING:
    from verbatim.pages.freshness import StaleSection

#: The mark of a remedy with what it says to the build alone.
_REMEDY_MARK = re.compile(r"\{ \.remedy (?:[^{}\"]|\"[^\"]*\")+ \}$", re.MULTILINE)

#: Additional kind of an erratum box: the claim was right in an older release, as its output shows.
ONCE = "once"


# -- what a cell printed ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Printed:
    """What a cell printed in one place."""

    outputs: tuple[dict[str, Any], ...]
    """Notebook outputs."""
    device: str = "cpu"
    recorded: bool = False
    """Whether it comes from a record, because this machine cannot run the cell."""
    where: str = ""
    """Of a record: GPU, torch build, date."""
    stale: bool = False
    """Whether the cell has changed since it was recorded."""


@dataclass(frozen=True)
class CellOutputs:
    """A cell with all that is known of its outputs."""

    script: str
    """The script's path."""
    target: str
    """``recipe#cell``."""
    cell: Cell
    ran: bool
    """Whether this machine can run it, so that `ranges` and `pythons` are known."""
    printed: Printed | None
    """``None`` if it neither ran nor is recorded, or its script was not run."""
    need: str = ""
    """What it needs and this machine lacks."""
    cuda: Printed | None = None
    """Beside what a CPU printed: what a GPU did, if the cell used it and it is not the same."""
    differs: bool = False
    """Whether that is another output, and not one that varies anyway."""
    ranges: tuple[Range, ...] = ()
    """The ranges of releases of torch that print different outputs, oldest first; empty if all print the same."""
    pythons: tuple[Range, ...] = ()
    """The same of Pythons."""
    unrun: tuple[str, ...] = ()
    """The releases of torch of which nothing is known for the cell as it is now, oldest first."""

    @property
    def lacks(self) -> bool:
        """Whether this machine could not run it, and no record has its outputs."""
        return bool(self.need) and self.printed is None

    @property
    def asks(self) -> bool:
        """Whether the reader is to guess the outputs: the cell asks, and printed something, here or elsewhere."""
        return self.cell.asks and self.printed is not None and bool(self.printed.outputs or self.printed.recorded)

    @property
    def all_ranges(self) -> tuple[tuple[Range, ...], ...]:
        """The ranges of torch and of Python, as far as outputs differ."""
        return tuple(ranges for ranges in (self.ranges, self.pythons) if ranges)


def outputs_of(book: Book, script: Script, cell: Cell) -> CellOutputs:
    """Return a cell with all that is known of its outputs."""
    target = f"{book.project.recipe(script.path)}#{cell.name}"
    all_results = book.display_results.get(script.path)
    result = all_results.cell(cell.name) if all_results else None
    if result is None:
        return CellOutputs(script.path, target, cell, ran=False, printed=None)
    if result.skipped:
        recorded = book.recorded(script.path, cell.name)
        printed = _recorded(book, cell, *recorded) if recorded else None
        unrun = book.unrun(script.path, cell.name)
        return CellOutputs(script.path, target, cell, ran=False, printed=printed, need=result.skipped, unrun=unrun)
    record = book.cuda.get(script.path)
    on_gpu = record.cell(cell.name) if record else None
    cuda = _recorded(book, cell, record, on_gpu) if record and on_gpu and on_gpu.touched else None
    if cuda and same(cell, result.outputs, cuda.outputs):
        cuda = None  # nothing to be told, and most cells of a script that uses a GPU print the same on it
    return CellOutputs(
        script.path,
        target,
        cell,
        ran=True,
        printed=Printed(result.outputs),
        cuda=cuda,
        differs=cuda is not None and not agree(cell, result.outputs, cuda.outputs),
        ranges=book.ranges(script.path, cell.name),
        pythons=book.pythons(script.path, cell.name),
        unrun=book.unrun(script.path, cell.name),
    )


def _recorded(book: Book, cell: Cell, record: Record, recorded: RecordedCell) -> Printed:
    where = provenance(book.printed_by(record, recorded))
    return Printed(recorded.outputs, record.device, recorded=True, where=where, stale=recorded.sha != cell.sha)


def provenance(printed_by: dict[str, str]) -> str:
    """Name the environment that printed a record: GPU, torch build, date."""
    torch = printed_by.get("torch", "")
    parts = (printed_by.get("gpu"), f"torch {torch}".strip(), printed_by.get("date"))
    return " · ".join(filter(None, parts))


# -- the blocks of a page --------------------------------------------------------------------------


@dataclass(frozen=True)
class Prose:
    """Lines as their author wrote them, boxes and headings included."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Behind:
    """A note below a heading: the section is newer in the other language."""

    newer: str
    """The other language."""


@dataclass(frozen=True)
class Shown:
    """The cells that an embed shows."""

    cells: tuple[CellOutputs, ...]
    indent: str = ""
    notes: tuple[str, ...] = ()
    """The texts of the code's annotations: the author's lines below the embed."""
    caption: str = ""
    captioned: tuple[str, ...] = ()
    """The lines below the embed up to its caption."""
    once: bool = False
    """Whether the page claims that the output of older releases was once right."""


@dataclass(frozen=True)
class Missing:
    """An embed of something that does not exist; the checks report it as well."""

    target: str
    indent: str = ""


@dataclass(frozen=True)
class List:
    """A list that is made from the whole book."""

    name: str
    """What the page asks for."""
    lines: tuple[str, ...]
    """Its Markdown; the request itself where it is not filled in, or unknown."""


@dataclass(frozen=True)
class UsedNames:
    """The line of names that a recipe's page uses."""

    text: str
    """Markdown."""


@dataclass(frozen=True)
class Unlinked:
    """The end of a chapter's index page: links to the pages that it does not link to."""

    text: str
    """Markdown."""


@dataclass(frozen=True)
class Footer:
    """The versions that printed a page's outputs; nothing for a page without outputs."""

    environment: Mapping[str, str] = field(default_factory=dict)
    library: str = ""
    beside: str = ""
    """What else ran: Python, the system."""
    tested: other_releases.Tested = field(default_factory=other_releases.Tested)


Block = Prose | Behind | Shown | Missing | List | UsedNames | Unlinked | Footer


@dataclass(frozen=True)
class Document:
    """A page in one language."""

    language: str
    blocks: tuple[Block, ...]
    recipe: str = ""
    """The recipe that the page is about; empty for others."""
    scripts: Mapping[str, tuple[CellOutputs, ...]] = field(default_factory=dict)
    """Path → all cells, hidden ones, too, of the scripts that have run: those that the page shows, and its recipe's."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What printed the outputs."""
    newest_python: str = ""
    """The newest Python that the built version was run with: it stands for newer ones, too."""

    @property
    def own(self) -> tuple[CellOutputs, ...]:
        """All cells of the page's recipe."""
        return self.scripts.get(f"examples/{self.recipe}.py", ())

    @property
    def footer(self) -> Footer:
        """The versions that printed the page's outputs."""
        return next((block for block in self.blocks if isinstance(block, Footer)), Footer())


def read(
    text: str,
    book: Book,
    language: str,
    *,
    own: str = "",
    behind: Iterable[StaleSection] = (),
    lists: Mapping[str, Sequence[str]] | None = None,
    below: Sequence[Block] = (),
) -> Document:
    """Return a page's document.

    Args:
        text: The page. Its front matter, if it has one, counts as prose.
        book: Scripts and what they printed.
        language: The page's language.
        own: The script of the recipe that the page is about.
        behind: The sections that are newer in the other language.
        lists: What a page may ask for → the list's lines.
        below: What stands below the page's own text.
    """
    text = _REMEDY_MARK.sub("{ .remedy }", MEANT_LINE.sub("", text))
    lines = text.splitlines()
    requests = embeds(text)
    cells = {
        path: tuple(outputs_of(book, script, cell) for cell in script.cells)
        for path in dict.fromkeys([*(embed.script for embed in requests), own])
        if (script := book.scripts.get(path))
    }
    insertions = {embed.line: _insertion(embed, lines, cells.get(embed.script, ())) for embed in requests}
    for listing in listings(text):
        if lists and listing.name in lists:
            asked = List(listing.name, tuple(lists[listing.name]))
            insertions[listing.line] = _Insertion(listing.line - 1, (asked,), listing.end)
    for number, notes in _behind(text, behind).items():
        insertions[number] = _Insertion(number, tuple(notes), number)
    return Document(
        language,
        (*_with_prose(lines, insertions), *below),
        book.project.recipe(own) if own else "",
        {path: all_of for path, all_of in cells.items() if path in book.display_results},
        book.environment,
        book.newest_python,
    )


class _Insertion(NamedTuple):
    """What stands between two pieces of prose: where the one ends, the blocks, and where the next begins."""

    end: int
    blocks: tuple[Block, ...]
    start: int


def _insertion(embed: Embed, lines: list[str], cells: Sequence[CellOutputs]) -> _Insertion:
    block, start = _embedded(embed, lines, cells)
    return _Insertion(embed.line - 1, (block,), start)


def _with_prose(lines: list[str], insertions: Mapping[int, _Insertion]) -> Iterator[Block]:
    """Return the blocks of a page: what is inserted, in the order of lines, and the prose between."""
    start = 0
    for _, insertion in sorted(insertions.items()):
        if start < insertion.end:
            yield Prose(tuple(lines[start : insertion.end]))
        yield from insertion.blocks
        start = insertion.start
    if start < len(lines):
        yield Prose(tuple(lines[start:]))


def _behind(text: str, items: Iterable[StaleSection]) -> dict[int, list[Behind]]:
    """Return the number of a heading's line → the notes below it."""
    by_line: dict[int, list[Behind]] = {}
    titles = headings(text)
    places = {heading.id: heading.line for heading in titles}
    first = next((heading.line for heading in titles if heading.level == 1), 0)
    for item in items:
        place = places.get(item.section, first)
        by_line.setdefault(place, []).insert(0, Behind(item.newer.split("/")[1]))
    return by_line


def _embedded(embed: Embed, lines: list[str], cells: Sequence[CellOutputs]) -> tuple[Shown | Missing, int]:
    """Return what an embed shows, and the index of the line behind all that belongs to it."""
    shown = tuple(
        outputs for outputs in cells if (outputs.cell.name == embed.cell if embed.cell else not outputs.cell.hidden)
    )
    if not shown:
        return Missing(embed.target, embed.indent), embed.end
    end = annotations_below(lines, embed.end) if any(outputs.cell.annotations for outputs in shown) else embed.end
    block = Shown(
        shown,
        embed.indent,
        notes=tuple(lines[embed.end : end]),
        once=ONCE in enclosing_box(lines, embed),
    )
    if not embed.caption:
        return block, end
    caption = next(number for number in range(end, len(lines)) if CAPTION_LINE.match(lines[number])) + 1
    return replace(block, caption=embed.caption, captioned=tuple(lines[end:caption])), caption


def cells_of(script: Script, embed: Embed) -> list[Cell]:
    """Return the cells that an embed shows: the named one, or all that are not hidden."""
    if embed.cell:
        cell = script.cell(embed.cell)
        return [cell] if cell else []
    return [cell for cell in script.cells if not cell.hidden]


def footer(book: Book, scripts: Sequence[str]) -> Footer:
    """Return the versions that printed the outputs of scripts.

    These are the versions of the records, so that a page is the same on every machine, unless other versions ran the
    scripts now.
    """
    versions = book.environment
    ran = any(book.fresh_results[script].environment for script in scripts if script in book.fresh_results)
    if not versions or not ran or book.pending & set(scripts):
        return Footer()
    tested = other_releases.tested(book, scripts)
    return Footer(versions, environment.torch(versions), environment.others(versions), tested)

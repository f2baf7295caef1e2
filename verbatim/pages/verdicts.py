"""What came of a page's code in each other release of torch, for the line below the page's title. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verbatim.book.gather import Book
from verbatim.book.releases.model import Release, Status
from verbatim.pages.document import cells_of
from verbatim.pages.page import Page
from verbatim.run.script import Cell, Script

#: Outcomes that a page shows below the built version's output.
_DIFFERENT_OUTCOMES = (Status.DIFFERS, Status.ABSENT)


@dataclass(frozen=True)
class Verdict:
    """What came of a page in one release."""

    run: int = 0
    """Cells of the page whose outcome is known and up to date."""
    different: int = 0
    """Cells of the page below which it shows something else for the release."""
    whole: bool = True
    """Whether all that the page shows was compared, and its hidden checks had the same results."""

    def __str__(self) -> str:
        """Return it for the page's script: ``3``, ``0~`` where only a part was compared, ``?`` where nothing was."""
        return f"{self.different}{'' if self.whole else '~'}" if self.run else "?"


def verdicts(book: Book, page: Page) -> dict[str, Verdict]:
    """Return release → verdict, oldest release first; empty for a page that shows no code."""
    cells = {
        (script.path, cell.name): (script, cell)
        for embed in page.embeds
        if (script := book.scripts.get(embed.script))
        for cell in (*cells_of(script, embed), *(other for other in script.cells if other.hidden))
    }
    return {release.name: _verdict(book, release, cells.values()) for release in book.releases.all} if cells else {}


def _verdict(book: Book, release: Release, cells: Iterable[tuple[Script, Cell]]) -> Verdict:
    run = different = 0
    whole = True
    for script, cell in cells:
        finding = release.finding(script, cell, book.cpu.get(script.path))
        failed_before = bool(finding and finding.status is Status.NOT_RUN and finding.reason.startswith("cell:"))
        differs = bool(finding and finding.status in _DIFFERENT_OUTCOMES) or failed_before
        if finding and (finding.status is Status.SAME or differs or (finding.status is Status.VARIES and cell.varies)):
            run += not cell.hidden
            different += differs and not cell.hidden
            whole = whole and not (differs and cell.hidden)
        else:
            whole = False
    return Verdict(run, different, whole)


def text(book: Book, page: Page) -> str:
    """Return the verdicts as the page's script reads them: ``1.13.1=3 2.0.1=0 2.2.2=?``."""
    return " ".join(f"{release}={verdict}" for release, verdict in verdicts(book, page).items())

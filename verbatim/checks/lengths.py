"""Code, scripts and pages are short enough to read: columns of code, lines of a script, sections of a page.

For exceptions, the front matter has a reason: `wide` for columns, `long` for lines and sections.
"""

from __future__ import annotations

from collections.abc import Iterator

from verbatim.book.gather import Book
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Cell, Script

#: Columns of code that a page shows on a screen of 1440 pixels.
MOST_COLUMNS = 84
#: Lines of code that a script shows: one recipe in twenty has more.
MOST_LINES = 65
#: Headings of level 2, "Read on" not counted.
MOST_SECTIONS = 8
READ_ON = "read-on"
#: The fewest characters of a reason, also in Chinese.
REASON_CHARACTERS = 8


def check_lengths(book: Book, pages: list[Page]) -> Iterator[Problem]:
    """Yield code, scripts and pages that are too long, and reasons that are no longer needed.

    Hidden and folded code does not count, nor do blank lines. A reason on any page that shows a script is enough.
    """
    wide = {path: list(_wide_lines(script)) for path, script in book.scripts.items()}
    shown = {path: sum(bool(line.strip()) for _, line in _lines(script)) for path, script in book.scripts.items()}
    excused: dict[str, set[str]] = {"wide": set(), "long": set()}
    seen: set[str] = set()
    for page in pages:
        if page.name.endswith("index.md"):
            continue  # it lists what there is
        sections = [h for h in page.headings if h.level == 2 and h.id != READ_ON]
        scripts = [path for path in page.scripts if path in book.scripts]
        seen.update(scripts)
        needed = {
            "wide": any(wide[path] for path in scripts),
            "long": len(sections) > MOST_SECTIONS or any(shown[path] > MOST_LINES for path in scripts),
        }
        for key in excused:
            if key in page.meta:
                yield from _check_reason(page, key, needed[key])
                excused[key].update(scripts)
        if len(sections) > MOST_SECTIONS and "long" not in page.meta:
            message = f"the page has {len(sections)} sections, at most {MOST_SECTIONS} are found again"
            yield Problem(page.path, sections[MOST_SECTIONS].line, message, _hint("make two pages of it", "long"))
    for path in sorted(seen):
        if path not in excused["wide"]:
            for number, line in wide[path]:
                message = f"the line has {len(line)} columns, a page shows {MOST_COLUMNS}"
                yield Problem(path, number, message, _hint("break it", "wide"))
        if shown[path] > MOST_LINES and path not in excused["long"]:
            message = f"the script shows {shown[path]} lines of code, at most {MOST_LINES} are read"
            yield Problem(path, 0, message, _hint("make two recipes of it", "long"))


def _wide_lines(script: Script) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in _lines(script) if len(line) > MOST_COLUMNS)


def _lines(script: Script) -> Iterator[tuple[int, str]]:
    """Yield each line that a page shows unfolded, with its number."""
    for cell in filter(_unfolded, script.cells):
        yield from enumerate(cell.source.split("\n"), cell.line)


def _unfolded(cell: Cell) -> bool:
    return not cell.hidden and not cell.fold


def _check_reason(page: Page, key: str, needed: bool) -> Iterator[Problem]:
    """A reason is a text, and something is too long."""
    line = next((number for number, text in enumerate(page.text.splitlines(), 1) if text.startswith(f"{key}:")), 1)
    reason = page.meta[key]
    if not isinstance(reason, str) or len(reason) < REASON_CHARACTERS:
        hint = f"say in words why it cannot be shorter: {key}: a training script to copy as a whole"
        yield Problem(page.path, line, f"`{key}` in the front matter is no reason", hint)
    elif not needed:
        message = f"`{key}` in the front matter excuses nothing: the page and its scripts are within the limits"
        yield Problem(page.path, line, message, "remove it")


def _hint(remedy: str, key: str) -> str:
    return f"{remedy}; or say in the page's front matter why it must be so: {key}: …"

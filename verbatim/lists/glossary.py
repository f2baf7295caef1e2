"""The glossary, `GLOSSARY.md` of the repository, as a list on a page, in the order of its language. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from verbatim.lists.places import Sources
from verbatim.pages.page import Page
from verbatim.words import GLOSSARY

#: The page that shows it.
PAGE = "ways/glossary.md"
FILE = "GLOSSARY.md"


@dataclass(frozen=True)
class Term:
    """A row of the table, in Markdown."""

    english: str
    chinese: str
    avoided: str = ""
    """Chinese words that are not used for it."""
    note: str = ""
    """In English."""


def terms(text: str) -> list[Term]:
    """Return the rows of the file's table; its heading is not among them."""
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    return [Term(*(cell.strip() for cell in row[:4])) for row in rows[2:]]


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as a table, the page's own language first. Notes are in English, on the English page only."""
    path = sources.book.project.root / FILE
    found = terms(path.read_text(encoding="utf-8")) if path.is_file() else []
    words = GLOSSARY[page.language]
    if page.language == "zh":
        rows = [(term.chinese, term.english, term.avoided) for term in found]
    else:
        rows = [(term.english, term.chinese, term.note) for term in found]
    head = (words["own"], words["other"], words["third"])
    return ["", *("| " + " | ".join(row) + " |" for row in (head, ("---",) * 3, *rows)), ""]

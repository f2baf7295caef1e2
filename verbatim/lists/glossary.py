"""The glossary, `book/GLOSSARY.md` of the repository, as a list on a page, in the order of its language. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verbatim.lists.places import Sources, link, title
from verbatim.pages.page import Page
from verbatim.words import GLOSSARY

#: The page that shows it.
PAGE = "ways/glossary.md"
FILE = "book/GLOSSARY.md"


@dataclass(frozen=True)
class Term:
    """A row of the table, in Markdown."""

    english: str
    chinese: str
    avoided: str = ""
    """Chinese words that are not used for it."""
    note: str = ""
    """In English."""
    page: str = ""
    """The recipe that explains it, if one does."""

    def word(self, language: str) -> str:
        """Return the term in a language; the English one in languages that the table lacks."""
        return self.chinese if language == "zh" else self.english

    def other(self, language: str) -> str:
        """Return what the term is called in the table's other language."""
        return self.english if language == "zh" else self.chinese

    def forms(self, language: str) -> list[str]:
        """Return the words by which pages of a language call it: not what is in parentheses, no single letter."""
        words = re.split(r"\s*[,/、]\s*", re.sub(r"\s*[(（].*?[)）]", "", self.word(language)))
        return [word for word in words if len(word) > 1]


def terms(text: str) -> list[Term]:
    """Return the rows of the file's table; its heading is not among them, nor a row that lacks its Chinese word."""
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    return [Term(*(cell.strip() for cell in row[:5])) for row in rows[2:] if len(row) > 1]


def explained(text: str, language: str) -> dict[str, Term]:
    """Return word, in lower case → term, of the terms in the file's table that a recipe explains."""
    return {word.lower(): term for term in terms(text) if term.page for word in term.forms(language)}


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as a table, the page's own language first. Notes are in English, on the English page only."""
    listed = terms(sources.book.project.text(FILE))
    words = GLOSSARY[page.language]
    third = "avoided" if page.language == "zh" else "note"
    head = (words["own"], words["other"], words["third"], words["page"])
    rows = [
        (term.word(page.language), term.other(page.language), getattr(term, third), _linked(sources, term, page))
        for term in listed
    ]
    return ["", *("| " + " | ".join(row) + " |" for row in (head, ("---",) * len(head), *rows)), ""]


def _linked(sources: Sources, term: Term, page: Page) -> str:
    """Return a link to the recipe that explains a term; nothing where none does."""
    there = sources.page(f"docs/{page.language}/{term.page}.md")
    return link(title(there), there, "", page) if there else ""

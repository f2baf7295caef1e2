"""Links from words of the glossary to the pages that explain them. Knows no MkDocs."""

from __future__ import annotations

from verbatim.lists import glossary
from verbatim.lists.places import path_between
from verbatim.project import Project


class GlossaryLinks:
    """Finds the page that explains a word of the glossary."""

    def __init__(self, project: Project):
        self._project, self._languages = project, project.languages
        self.text = project.text(glossary.FILE)
        """The glossary."""
        self._terms: dict[str, dict[str, glossary.Term]] = {}

    def terms(self, language: str) -> dict[str, glossary.Term]:
        """Return word → term, of those that a page of a language explains."""
        if language not in self._terms:
            docs, terms = self._project.docs(language), glossary.explained(self.text, language)
            there = {term.page for term in terms.values() if (docs / f"{term.page}.md").is_file()}
            self._terms[language] = {word: term for word, term in terms.items() if term.page in there}
        return self._terms[language]

    def elsewhere(self, language: str, name: str) -> dict[str, str]:
        """Return word → the page that explains it, seen from a page (its path below its language) that does not."""
        here = f"{self._languages.address(language, name)}index.html"
        pages = {word: f"{term.page}.md" for word, term in self.terms(language).items()}
        return {
            word: f"{path_between(self._languages.address(language, page), here)}/"
            for word, page in pages.items()
            if page != name
        }

    def page(self, language: str) -> str:
        """Return the address of a language's glossary; nothing where it has none."""
        there = (self._project.docs(language) / glossary.PAGE).is_file()
        return self._languages.address(language, glossary.PAGE) if there else ""

"""Finishes the HTML that Markdown makes of a page: formulas, links of names and of terms, the line below a remedy."""

from __future__ import annotations

from collections.abc import Callable

from verbatim.lists import api, package
from verbatim.lists.places import path_between
from verbatim.project import Project
from verbatim.site.glossary_links import GlossaryLinks
from verbatim.site.html import formulas, markup
from verbatim.words import SITE


class PageHtml:
    """Finishes the HTML of pages.

    Args:
        project: The project.
        typesetter: Has the formulas of all pages.
        glossary: Which pages explain the words of the glossary.
    """

    def __init__(self, project: Project, typesetter: formulas.Typesetter, glossary: GlossaryLinks):
        self._project, self._typesetter, self._glossary = project, typesetter, glossary
        self._languages = project.languages

    def finish(self, html: str, language: str, name: str, address: Callable[[str], str], *, terms: bool) -> str:
        """Return a page's content as the site shows it.

        Args:
            html: The content, as Markdown made it.
            language: Its language.
            name: The page's path below its language.
            address: Returns where PyTorch documents a name.
            terms: Whether words of the glossary are linked.
        """
        html = html.replace('title="Permanent link"', f'title="{SITE[language]["permalink"]}"')
        html = markup.with_switch(html, SITE[language]["always"])
        if there := self.package(language):
            here = f"{self._languages.address(language, name)}index.html"
            line = SITE[language]["package"].format(address=f"{path_between(there, here)}/")
            html = markup.below_remedy(html, line)
        html = api.link(markup.finish(self._typesetter.page(html)), address)
        return markup.terms(html, self._glossary.elsewhere(language, name)) if terms else html

    def package(self, language: str) -> str:
        """Return the address of the page that tells how to install the package; nothing where a language has none."""
        there = self._project.docs(language) / package.PAGE
        return self._languages.address(language, package.PAGE) if there.is_file() else ""

"""What the pages of a build are made with: results, formulas, the glossary, the repository. Knows no MkDocs.

`SiteContext.describe` says of a page what the templates need.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from urllib.parse import urljoin

from verbatim.book.gather import Book
from verbatim.markdown import formulas as find_formulas
from verbatim.memo import Memo
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.site.asset_versions import AssetVersions
from verbatim.site.downloads.editions import Edition
from verbatim.site.glossary_links import GlossaryLinks
from verbatim.site.html import formulas
from verbatim.site.page_context import PageContext
from verbatim.site.page_html import PageHtml
from verbatim.site.repository import Repository

#: Where the stylesheets of pages with formulas lie, from the site's root.
MATH = "assets/math"


class SiteContext:
    """The parts of one build that all its pages share.

    Args:
        book: Scripts and what they printed.
        memo: Has what was made of formulas and notebooks before.
        repository: The repository, where the site is made from one.
    """

    def __init__(self, book: Book, memo: Memo, repository: Repository | None = None):
        self.book = book
        self.languages = book.project.languages
        self.memo = memo
        self._repository = repository or Repository()
        self.typesetter = formulas.Typesetter(memo)
        self.glossary = GlossaryLinks(book.project)
        """Which pages explain the words of the glossary."""
        self.html = PageHtml(book.project, self.typesetter, self.glossary)
        """Finishes the HTML of pages."""
        self.versioned = AssetVersions(book.project.root / "docs")
        """File of the site's own → the same with ``?v=…``."""

    def home(self, language: str) -> str:
        """Return the address of a language's home from the site's root."""
        return self.languages.folder(language) or "./"

    def typeset(self, pages: Iterable[Page]) -> list[Problem]:
        """Typeset the formulas of all pages at once; return those that cannot be."""
        return formulas.problems(pages, self.typesetter)

    def recipe(self, name: str) -> str:
        """Return the recipe that a page (its path below its language's folder) is about, or nothing."""
        recipe = name.removesuffix(".md")
        return recipe if f"examples/{recipe}.py" in self.book.display_results else ""

    def math(self, text: str) -> str:
        """Return the stylesheet that the formulas of a page (expanded: a list shows other pages' formulas) need."""
        return self.typesetter.stylesheet(formula for _, formula in find_formulas(text))

    def describe(
        self,
        path: str,
        math: str,
        url: str,
        alternates: dict[str, str],
        site_url: str,
        *,
        changed: datetime | None = None,
        offline: str = "",
        editions: Sequence[Edition] = (),
    ) -> PageContext:
        """Describe a page for the templates.

        Args:
            path: The page's file from the project's root: ``docs/zh/autograd/detach.md``.
            math: The stylesheet that its formulas need; empty where it has none.
            url: Its address from the site's root.
            alternates: Language → address from the site's root, for every language that has the page.
            site_url: The site's address; absolute ones begin with it.
            changed: When it was last changed.
            offline: The zip of its language; empty where none is made.
            editions: The book's files in its language that are offered.
        """
        _, language, name = path.split("/", 2)
        recipe = self.recipe(name)
        others = {key: alternates[key] or "./" for key in self.languages.others(language) if key in alternates}
        twins = {key: urljoin(site_url, twin) for key, twin in alternates.items()}
        twins["x-default"] = next((twins[key] for key in self.languages.all if key in twins), "")
        notebook = PageContext(url=url, recipe=recipe).ipynb
        return PageContext(
            url=url,
            home=name == "index.md",
            others={key: others.get(key) or self.home(key) for key in self.languages.others(language)},
            alternates=twins if others else {},
            changed=changed,
            feed=f"{self.languages.folder(language)}feed.xml",
            markdown=f"{self.languages.folder(language)}{name}",
            glossary=self.glossary.page(language),
            report=self._repository.report(urljoin(site_url, url)),
            recipe=recipe,
            colab=self._repository.colab(f"outputs/cpu/{recipe}.ipynb", notebook) if recipe else "",
            math=sheet(math),
            versions=self.book.releases.names[::-1] if self.book.releases.all else (),
            built=self.book.releases.built,
            offline=offline,
            editions=tuple(edition for edition in editions if not edition.volume),
            volumes=tuple(edition for edition in editions if name == f"{edition.volume}/index.md"),
            versioned=self.versioned,
        )


def sheet(css: str) -> str:
    """Return where a stylesheet of formulas lies, from the site's root; nothing where it is empty.

    Pages with the same formulas share one.
    """
    return f"{MATH}/{hashlib.sha256(css.encode()).hexdigest()[:12]}.css" if css else ""

"""Makes what readers take from a recipe's page: its script, its notebook, and the notebook as HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verbatim.book import environment
from verbatim.book.gather import Book
from verbatim.markdown import resolve
from verbatim.memo import Memo, digest
from verbatim.pages import other_releases
from verbatim.pages.document import Document
from verbatim.pages.download import runnable
from verbatim.pages.page import Page
from verbatim.site.downloads import notebook_view
from verbatim.site.html import formulas
from verbatim.words import SITE
from verbatim.write import notebook


@dataclass(frozen=True)
class Downloads:
    """What readers take from a recipe's page."""

    script: str
    notebook: str
    view: str
    """The notebook as HTML, a page's content."""
    links: dict[str, str]
    """File that they link to → address from the site's root."""


class RecipeDownloads:
    """Makes the downloads of a language's pages, or takes what it made before.

    Args:
        book: Scripts and what they printed.
        memo: Has the downloads of earlier builds.
        typesetter: Typesets the formulas of the notebook views.
        site_url: The site's address.
        site_name: The site's name.
    """

    def __init__(self, book: Book, memo: Memo, typesetter: formulas.Typesetter, site_url: str, site_name: str):
        self._book, self._memo, self._typesetter = book, memo, typesetter
        self._site_url, self._site_name = site_url, site_name

    def get(self, page: Page, document: Document, expanded: str, url: str, link: Callable[[str], str]) -> Downloads:
        """Return the downloads of a page.

        Args:
            page: The page, as written.
            document: The same as a value.
            expanded: The page, expanded.
            url: The page's address from the site's root.
            link: File from the documentation's root → address from the site's root, to rewrite links by.
        """
        book = self._book
        scripts = list(dict.fromkeys([*page.scripts, f"examples/{document.recipe}.py"]))
        about = (book.environment, book.releases.names, book.covered(scripts))
        of = (
            page.path,
            page.text,
            expanded,
            url,
            self._site_url,
            self._site_name,
            *about,
            *map(book.display_hash, scripts),
        )
        key = digest(*of)

        def make() -> Downloads:
            links: dict[str, str] = {}

            def noted(file: str) -> str:
                links[file] = link(file)
                return links[file]

            return Downloads(*self._make(page, document, url, noted), links)

        def holds(stored: Downloads) -> bool:
            return all(link(file) == address for file, address in stored.links.items())

        return self._memo.verified("downloads", key, make, holds=holds)

    def _make(self, page: Page, document: Document, url: str, link: Callable[[str], str]) -> tuple[str, str, str]:
        """Return the script, the notebook, and its view."""
        book, site_url = self._book, self._site_url
        library = environment.torch(book.environment)
        footer = SITE[page.language]["from"].format(site=self._site_name, url=site_url + url, library=library)
        footer = "\n\n".join(filter(None, [footer, other_releases.ran(document.footer.tested, page.language)]))
        woven = notebook.weave(document, link=linker(page, link, site_url), footer=footer)
        placeholders = notebook_view.Formulas(self._typesetter)
        up = "../" * (url.count("/") + 1)  # the view lies one folder below the page
        view = notebook.weave(document, link=linker(page, link, up), formula=placeholders.place)
        shown = placeholders.put_back(notebook_view.render(view))
        return runnable(book.scripts[f"examples/{document.recipe}.py"]), notebook.dumps(woven), shown


def linker(page: Page, address: Callable[[str], str], prefix: str) -> notebook.Link:
    """Return what turns the links of a page, which lead to files, into addresses that begin with a prefix."""

    def link(target: str) -> str:
        file, section = resolve(target, f"{page.language}/{page.name}")
        return prefix + address(file).removeprefix("./") + (f"#{section}" if section else "")

    return link

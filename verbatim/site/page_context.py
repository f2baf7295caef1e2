"""What templates know of a page beyond what MkDocs tells them: addresses, dates, releases. Pure data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from verbatim.site.downloads.editions import Edition
from verbatim.site.html.policy import PLACEHOLDER


@dataclass(frozen=True)
class PageContext:
    """What the templates say of a page beyond what MkDocs tells them; there it is called `verbatim`.

    Addresses are from the site's root, but where it is said that they are absolute.
    """

    url: str = ""
    home: bool = False
    """Whether it is the home page of its language."""
    others: dict[str, str] = field(default_factory=dict)
    """Other language → the same page in it, else its home."""
    alternates: dict[str, str] = field(default_factory=dict)
    """Language → absolute address, this page's own included; empty for a page in one language only."""
    changed: datetime | None = None
    """When it was last changed; ``None`` where that is not known."""
    newest: datetime | None = None
    """Of a home page: when any page was last changed; ``None`` where that is not known."""
    feed: str = ""
    """The Atom feed of its language."""
    markdown: str = ""
    """The page as Markdown."""
    glossary: str = ""
    """The glossary of its language; nothing where it has none."""
    footer: tuple[tuple[str, str], ...] = ()
    """Title and address of the chapters that the footer links to."""
    step: tuple[int, int] | None = None
    """Of a page of a path: which step it is, and of how many."""
    report: str = ""
    """Absolute: a new issue about the page, its address filled in."""
    recipe: str = ""
    """The recipe that the page is about; nothing for a home page or a chapter's index."""
    colab: str = ""
    """Absolute: the page's notebook, opened in Colab, or its record where notebooks are in no branch."""
    math: str = ""
    """The stylesheet of the page's formulas; nothing where it has none."""
    versions: tuple[str, ...] = ()
    """The releases of torch that a reader can choose, newest first; nothing where none but the built one was run."""
    built: str = ""
    """The release that the site is built with."""
    ran: str = ""
    """What came of the page's code in the other releases: see `verbatim.pages.verdicts.text`."""
    card: str = ""
    """Absolute: the picture of the page that is shown beside links to it; nothing where it has none."""
    linked_data: str = ""
    """What the page says of itself to crawlers: JSON-LD."""
    offline: str = ""
    """The zip of the page's language; nothing where none is made."""
    editions: tuple[Edition, ...] = ()
    """The book's files in the page's language that are offered."""
    volumes: tuple[Edition, ...] = ()
    """Of a chapter's first page: the files that hold this chapter alone."""
    path: str = ""
    """Of the first page of the path for those who begin: the notebook with all its steps."""
    policy: str = PLACEHOLDER
    """The tag that the page's Content-Security-Policy replaces."""
    versioned: Callable[[str], str] = lambda path: path
    """File of the site's own → the same with ``?v=…``, so that what browsers keep is replaced when it changes."""

    @property
    def _name(self) -> str:
        return self.recipe.rpartition("/")[2]

    @property
    def notebook(self) -> str:
        return f"{self.url}notebook/"

    @property
    def py(self) -> str:
        return f"{self.url}{self._name}.py"

    @property
    def ipynb(self) -> str:
        return f"{self.url}{self._name}.ipynb"

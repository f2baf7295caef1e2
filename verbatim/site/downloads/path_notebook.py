"""Makes what readers take from the path for those who begin: all its steps in one notebook."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verbatim.pages.document import Document
from verbatim.pages.page import Page
from verbatim.site.downloads.recipe import linker
from verbatim.write import notebook


def name(first: str, language: str) -> str:
    """Return the name of the notebook, which lies beside the path's first page (its path below its language)."""
    return f"pytorch-verbatim-{first.partition('/')[0]}-{language}.ipynb"


def make(
    pages: Sequence[Page],
    document: Callable[[Page], Document],
    address: Callable[[str], str],
    site_url: str,
    footer: str,
) -> str:
    """Return the notebook with all steps in their order.

    Args:
        pages: The path's first page and its steps.
        document: A page as a value.
        address: File from the documentation's root → address from the site's root.
        site_url: The site's address, which links begin with.
        footer: Markdown of the last cell.
    """
    *before, last = pages
    woven = [notebook.weave(document(page), link=linker(page, address, site_url)) for page in before]
    woven.append(notebook.weave(document(last), link=linker(last, address, site_url), footer=footer))
    return notebook.dumps(notebook.join(woven))

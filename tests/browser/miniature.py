"""The miniature as a browser sees it: its pages, how it is built, and what a visit tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.site.test_plugin import command
from verbatim.project import Project

ROOT = Path(__file__).parents[2]
MINIATURE = ROOT / "tests" / "miniature"
WIDTHS = {"phone": 390, "wide": 1440}

PAGES = {
    "home": "",
    "recipe": "autograd/leaf/",
    "outputs": "tensors/print/",
    "notebook": "autograd/leaf/notebook/",
    "english home": "en/",
    "english recipe": "en/autograd/leaf/",
    "english notebook": "en/tensors/print/notebook/",
    "missing": "no/such/page",
}

each_page = pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
each_language = pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])


def build(folder: Path, site_url: str = "https://example.org/", mirror: str = "", editions: str = "") -> None:
    """Build the miniature strictly, with each language's zip.

    Args:
        folder: Where to.
        site_url: Where it is published.
        mirror: Where else it is published.
        editions: The folder of the book's files that pages offer.
    """
    arguments = ("build", "--strict", "--site-dir", str(folder))
    asked = {"SITE_URL": site_url, "VERBATIM_OFFLINE": "1", "MIRROR_URL": mirror, "VERBATIM_EDITIONS": editions}
    done = command(Project(MINIATURE), "mkdocs", *arguments, **asked)
    assert done.returncode == 0, done.stdout


def timers(page: Page) -> None:
    """Wait until each timer that a script of the site has set has run: a page runs them in the order of their times.

    The longest is 300 ms. However late the machine makes them, one of twice that, set now, comes after them.
    """
    page.evaluate("() => new Promise(resolve => setTimeout(resolve, 600))")


def shifts(page: Page) -> list[str]:
    """What moved, and how much, until a moment after the page was loaded."""
    return page.evaluate(
        """() => new Promise(resolve => {
          const seen = [];
          const tell = ({ value, sources }) => seen.push(`${value} ${sources.map(({ node }) => node?.outerHTML?.slice(0, 120))}`);
          new PerformanceObserver(list => list.getEntries().forEach(tell)).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(seen), 300);
        })"""
    )

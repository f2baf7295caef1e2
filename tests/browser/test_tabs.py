"""CPU and CUDA outputs side by side: the reader's choice holds on the page and on the next."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
TABS = '=== "CPU"\n\n    on a CPU\n\n=== "CUDA"\n\n    on a GPU\n\n'


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Two pages, each with two sets of tabs as the site makes them, and the site's script."""
    extensions = {"pymdownx.tabbed": {"alternate_style": True}}
    body = markdown.markdown(TABS + "between\n\n" + TABS, extensions=[*extensions], extension_configs=extensions)
    for name in ("one", "two"):
        html = f"<!doctype html><html><body><main>{body}</main><script src='page.js'></script></body></html>"
        (tmp_path / f"{name}.html").write_text(html)
    (tmp_path / "page.js").write_text((ROOT / "docs/assets/page.js").read_text())
    return tmp_path


def test_the_choice_is_remembered(browser: Browser, serve, pages: Path):
    address = serve(pages)
    context = browser.new_context()
    page = context.new_page()
    chosen = "[...document.querySelectorAll('.tabbed-set > input')].map(tab => tab.checked)"
    page.goto(f"{address}one.html")
    assert page.evaluate(chosen) == [True, False, True, False]
    page.get_by_text("CUDA", exact=True).first.click()
    assert page.evaluate(chosen) == [False, True, False, True]
    page.goto(f"{address}two.html")
    assert page.evaluate(chosen) == [False, True, False, True]
    context.close()

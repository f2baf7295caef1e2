"""A real Chromium, and built sites served to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.miniature import WIDTHS, build
from tests.browser.server import DRAWN
from tests.browser.windows import Visit, Windows

#: The second frame begins when the first one is drawn. Until styles are there, none begins.
TELLS = f"""
    if (location.host)
        requestAnimationFrame(() =>
            requestAnimationFrame(() => fetch("/{DRAWN}?" + encodeURIComponent(location.pathname))));
"""


@pytest.fixture(scope="session")
def site(built_once) -> Path:
    """The miniature, built for the root of a host."""
    return built_once("miniature", build)


@pytest.fixture(scope="session")
def address(site: Path, serve) -> str:
    """The address of the miniature."""
    return serve(site)


@pytest.fixture
def visit(windows: Windows) -> Callable[..., Visit]:
    """Open an address cold, on a phone or a wide screen, light or dark; write down every request and complaint.

    `slow`: the address is one of `serving(…, pause=…)`, and the rest of each page comes when the browser has drawn what it has.
    """

    def visit(url: str, *, width: str = "wide", scheme: str = "light", slow: bool = False, **options) -> Visit:
        script = {"script": TELLS} if slow else {}
        seen = windows.lend(WIDTHS[width], 900, color_scheme=scheme, **script, **options)
        seen.page.goto(url, wait_until="load")
        return seen

    return visit

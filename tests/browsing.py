"""A real Chromium, and built sites served to it: one of each a process, whichever tests ask for it.

`tests/conftest.py` takes the fixtures. Were they defined for two folders, a process that runs tests of both would start
Playwright a second time, which it refuses.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from xml.sax.saxutils import escape

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from scripts.browser import present
from tests.browser.server import serving
from tests.browser.windows import Windows

#: Each window loads two pages for suggestions in its address bar, which nobody sees: half of what a visit costs.
UNSEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
#: What Playwright itself switches off: of two such lists Chromium takes the last.
PLAYWRIGHTS = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join((*PLAYWRIGHTS, *UNSEEN))}",
)

#: Milliseconds after which what a test waits for in a page never comes: on a busy machine all comes late.
PATIENCE = 180_000

Made = TypeVar("Made", Page, BrowserContext)

#: The browser's only fonts, those in which cards are drawn: they come with packages that the site is built with.
FONTS = {"sans-serif": ("Noto Sans SC", "pylopdf_fonts_zh_cn"), "monospace": ("DejaVu Sans Mono", "matplotlib")}


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the browser's fontconfig reads in place of the machine's settings.

    Without any font Chromium ends at the first page, and without a Chinese one all Chinese letters are one box of
    another width. With the same fonts everywhere, lines break at the same letters on every Linux. macOS has its own.
    """
    folder = tmp_path_factory.mktemp("fonts")
    parts = ["<?xml version='1.0'?>", "<!DOCTYPE fontconfig SYSTEM 'urn:fontconfig:fonts.dtd'>", "<fontconfig>"]
    for generic, (family, package) in FONTS.items():
        found = importlib.util.find_spec(package)
        assert found and found.origin
        parts.append(f"<dir>{escape(str(Path(found.origin).parent))}</dir>")
        parts.append(f"<alias><family>{generic}</family><prefer><family>{family}</family></prefer></alias>")
    parts += [f"<cachedir>{escape(str(folder / 'cache'))}</cachedir>", "</fontconfig>"]
    file = folder / "fonts.conf"
    file.write_text("\n".join(parts), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def browser(fonts: Path) -> Iterator[Browser]:
    """The Chromium that is there: `make test` sees to it that one is."""
    path = present()
    if not path:
        pytest.fail("no Chromium is found: run `python scripts/browser.py`, or set VERBATIM_BROWSER to its path")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), env={**os.environ, "FONTCONFIG_FILE": str(fonts)}
        )
        for name in ("new_context", "new_page"):
            setattr(chromium, name, _patient(getattr(chromium, name)))
        yield chromium
        chromium.close()


def _patient(make: Callable[..., Made]) -> Callable[..., Made]:
    """Have what is made wait as long as `PATIENCE` says: for a page, an element, a request."""

    def made(*arguments: Any, **options: Any) -> Made:
        one = make(*arguments, **options)
        one.set_default_timeout(PATIENCE)
        return one

    return made


@pytest.fixture(scope="session")
def _windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def windows(_windows: Windows) -> Iterator[Windows]:
    """The browser's windows; what a test was lent ends with it."""
    yield _windows
    _windows.take_back()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """Serve a built site until the tests end; `prefix="/repo/"` puts it below a path. Returns its address."""
    with contextlib.ExitStack() as stack:
        yield lambda folder, prefix="/": stack.enter_context(serving(Path(folder), prefix))

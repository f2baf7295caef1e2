"""A real Chromium, and built sites served to it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from scripts.browser import present
from tests.browser.server import serving

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium that is there: `make test` sees to it that one is."""
    path = present()
    if not path:
        pytest.fail("no Chromium is found: run `python scripts/browser.py`, or set VERBATIM_BROWSER to its path")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """Serve a built site until the tests end; `prefix="/repo/"` puts it below a path. Returns its address."""
    with contextlib.ExitStack() as stack:
        yield lambda folder, prefix="/": stack.enter_context(serving(Path(folder), prefix))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try a test in the browser again: on a machine with other work a page may take longer than Playwright waits.

    What is broken fails three times.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=2))

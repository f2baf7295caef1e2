"""A real Chromium, and built sites served to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.miniature import WIDTHS, Visit, build
from tests.browser.server import DRAWN

#: The second frame begins when the first one is drawn. Until styles are there, none begins.
TELLS = f"""
    requestAnimationFrame(() => requestAnimationFrame(() => fetch("/{DRAWN}?" + encodeURIComponent(location.pathname))));
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
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Open an address cold, on a phone or a wide screen, light or dark; write down every request and complaint.

    `slow`: the address is one of `serving(…, pause=…)`, and the rest of each page comes when the browser has drawn what it has.
    """
    contexts = []

    def visit(url: str, *, width: str = "wide", scheme: str = "light", slow: bool = False, **options) -> Visit:
        size = {"width": WIDTHS[width], "height": 900}
        context = browser.new_context(viewport=size, color_scheme=scheme, **options)
        contexts.append(context)
        seen = Visit(context.new_page())
        wire = context.new_cdp_session(seen.page)
        wire.send("Network.enable")
        names: dict[str, str] = {}

        def received(event: dict) -> None:
            names[event["requestId"]] = event["response"]["url"]
            seen.statuses[event["response"]["url"]] = event["response"]["status"]
            seen.bytes.setdefault(event["response"]["url"], 0)

        def data(event: dict) -> None:
            if event["requestId"] in names:
                seen.bytes[names[event["requestId"]]] += event["encodedDataLength"]

        wire.on("Network.responseReceived", received)
        wire.on("Network.dataReceived", data)
        seen.page.on("request", lambda r: r.url.startswith("data:") or seen.requests.append(r.url))
        seen.page.on("console", lambda m: m.type in ("error", "warning") and seen.complaints.append(m.text))
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        seen.page.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('policy', e.violatedDirective, e.blockedURI))"
        )
        if slow:
            seen.page.add_init_script(TELLS)
        seen.page.goto(url, wait_until="load")
        return seen

    yield visit
    for context in contexts:
        context.close()

"""A real Chromium, and built sites served to it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, expect, sync_playwright

from scripts.browser import present
from tests.browser.miniature import WIDTHS, Visit, build
from tests.browser.server import serving

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
    expect.set_options(timeout=60_000)  # what comes comes late on a busy machine
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), env={**os.environ, "FONTCONFIG_FILE": str(fonts)}
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Have one of the processes that share the tests build a site, for all of them. Nobody writes into it afterwards."""

    def built_once(name: str, build: Callable[[Path], None]) -> Path:
        base = tmp_path_factory.getbasetemp()
        folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"built-{name}"
        with FileLock(f"{folder}.lock"):
            if not folder.exists():
                build(folder)
        return folder

    return built_once


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
    """Open an address cold, on a phone or a wide screen, light or dark; write down every request and complaint."""
    contexts = []

    def visit(url: str, *, width: str = "wide", scheme: str = "light", **options) -> Visit:
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
        seen.page.goto(url, wait_until="load")
        return seen

    yield visit
    for context in contexts:
        context.close()


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

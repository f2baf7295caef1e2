"""The miniature site, built once, served as GitHub Pages serves, and a browser that writes down what happens."""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
MINIATURE = ROOT / "tests" / "site"

#: A Chromium that does nothing of its own accord.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTHS = {"phone": 390, "wide": 1440}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium: the one that is there, else Playwright's own."""
    found = subprocess.run(
        [sys.executable, ROOT / "scripts" / "browser.py"], check=True, capture_output=True, text=True
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.stdout.strip().splitlines()[-1], args=ARGUMENTS)
        yield browser
        browser.close()


def build(folder: Path, site_url: str = "https://example.org/") -> Path:
    """Build the miniature strictly, in a process of its own; return the site."""
    environment = os.environ | {"SITE_URL": site_url, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=MINIATURE, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The miniature, built for the root of a host."""
    return build(tmp_path_factory.mktemp("build") / "site")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves as GitHub Pages does: compressed, with `404.html`, below a path of the repository's name or at the root."""

    prefix = "/"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if not path.startswith(self.prefix):
            return self._missing()
        self.path = "/" + path.removeprefix(self.prefix)
        file = Path(self.translate_path(self.path))
        if file.is_dir() and not path.endswith("/"):
            self.send_response(301)
            self.send_header("Location", path + "/")
            self.end_headers()
            return None
        file = file / "index.html" if file.is_dir() else file
        return self._send(200, file) if file.is_file() else self._missing()

    def _missing(self) -> None:
        self._send(404, Path(self.directory) / "404.html")

    def _send(self, status: int, file: Path) -> None:
        kind = self.guess_type(file)
        body = file.read_bytes()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        if kind.startswith(("text/", "application/", "image/svg")):
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # the page was left meanwhile
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def serve() -> Iterator:
    """Serve a folder until the tests end; return its address."""
    servers = []

    def serve(folder: Path, prefix: str = "/") -> str:
        handler = type("Handler", (Handler,), {"prefix": prefix})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}{prefix}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def address(site: Path, serve) -> str:
    """The address of the miniature."""
    return serve(site)


@dataclass
class Visit:
    """A page that was opened, and what happened."""

    page: Page
    requests: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    """Address → bytes that came over the wire, headers left out."""
    complaints: list[str] = field(default_factory=list)
    """What the browser's console and the page's policy complained about."""


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest):
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

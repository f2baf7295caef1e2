"""Windows of the browser that tests use one after another: to open one costs more than what most tests do in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error, Page

#: What a test may ask of a page, or of its context, that would stay with it: then no other test gets the window.
LASTING = {
    "page": ("add_init_script", "expose_binding", "expose_function", "on", "once", "route"),
    "context": (
        "add_cookies",
        "add_init_script",
        "grant_permissions",
        "new_cdp_session",
        "new_page",
        "on",
        "once",
        "route",
        "set_offline",
    ),
}
#: What every window can be given at any time, and is given where a test asks for nothing else.
MEDIA = {"media": "null", "color_scheme": "light", "reduced_motion": "no-preference", "forced_colors": "none"}

COMPLAIN = (
    "addEventListener('securitypolicyviolation', e => console.error('policy', e.violatedDirective, e.blockedURI))"
)
FORGET = "() => { try { sessionStorage.clear(); } catch { /* a page without an origin */ } }"


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
    errors: list[str] = field(default_factory=list)
    """What the page's scripts raised."""


class Window:
    """A page in a context of its own, as the browser opens it for the first time."""

    def __init__(self, browser: Browser, viewport: dict[str, int], options: dict[str, Any]):
        self.options = options
        self.lasting = "storage_state" in options  # a window that is cleaned has it no longer
        self._context = browser.new_context(
            viewport=viewport, **{name: value for name, value in options.items() if name != "script"}
        )
        page = self._context.new_page()
        self.visit = Visit(page)
        self._wire = self._context.new_cdp_session(page)
        self._wire.send("Network.enable")
        self._names: dict[str, str] = {}
        self._wire.on("Network.responseReceived", self._received)
        self._wire.on("Network.dataReceived", self._data)
        page.on("request", lambda r: r.url.startswith("data:") or self.visit.requests.append(r.url))
        page.on("console", lambda m: m.type in ("error", "warning") and self.visit.complaints.append(m.text))
        page.on("pageerror", self._raised)
        page.add_init_script(COMPLAIN + options.get("script", ""))
        for thing, names in ((page, LASTING["page"]), (self._context, LASTING["context"])):
            for name in names:
                setattr(thing, name, self._noting(getattr(thing, name)))

    def _noting(self, method: Any) -> Any:
        def noted(*arguments: Any, **options: Any) -> Any:
            self.lasting = True
            return method(*arguments, **options)

        return noted

    def _received(self, event: dict[str, Any]) -> None:
        url = self._names[event["requestId"]] = event["response"]["url"]
        self.visit.statuses[url] = event["response"]["status"]
        self.visit.bytes.setdefault(url, 0)

    def _data(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._names:
            self.visit.bytes[self._names[event["requestId"]]] += event["encodedDataLength"]

    def _raised(self, error: Error) -> None:
        self.visit.errors.append(str(error))
        self.visit.complaints.append(str(error))

    def begin(self, viewport: dict[str, int], **media: str) -> Visit:
        """Begin another visit: nothing of the last one is told of it."""
        page = self.visit.page
        self.visit = Visit(page)
        if page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        page.emulate_media(**{**MEDIA, **media})
        return self.visit

    def clean(self) -> None:
        """Forget what was read and stored; leave the page."""
        page, origins = self.visit.page, {urlsplit(url)[:2] for url in self.visit.requests}
        if any(scheme not in ("http", "https") for scheme, _ in origins):
            self.lasting = True  # files have one origin in common
            return
        page.evaluate(FORGET)
        page.goto("about:blank")
        page.mouse.move(-9, -9)
        for scheme, host in origins:
            self._wire.send(
                "Storage.clearDataForOrigin", {"origin": f"{scheme}://{host}", "storageTypes": "cookies,local_storage"}
            )
        self._wire.send("Network.clearBrowserCache")
        for disabled in (True, False):  # which has the page's process forget what it holds in memory
            self._wire.send("Network.setCacheDisabled", {"cacheDisabled": disabled})
        self._names.clear()

    def close(self) -> None:
        self._context.close()


class Windows:
    """Those of one browser. A window that a test gave back as it was is lent again."""

    def __init__(self, browser: Browser):
        self._browser = browser
        self._free: list[Window] = []
        self._lent: list[Window] = []

    def lend(self, width: int, height: int, **options: Any) -> Visit:
        """Return a page in which nobody has read anything, until `take_back`.

        `options` are those of a browser's context, and `script`, which runs before those of each page.
        """
        media = {name: options.pop(name) for name in MEDIA if name in options}
        viewport = {"width": width, "height": height}
        window = next((window for window in self._free if window.options == options), None)
        if window:
            self._free.remove(window)
        else:
            window = Window(self._browser, viewport, options)
        self._lent.append(window)
        return window.begin(viewport, **media)

    def take_back(self) -> None:
        """End what a test was lent."""
        while self._lent:
            window = self._lent.pop()
            try:
                if not window.lasting:
                    window.clean()
            except Error:  # it was closed, or has something open
                window.lasting = True
            if window.lasting:
                window.close()
            else:
                self._free.append(window)

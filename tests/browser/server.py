"""A static server that behaves like GitHub Pages: gzip, 404.html, a site at the root or below a path."""

from __future__ import annotations

import contextlib
import functools
import gzip
import threading
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: By asking for this a page says that what it has is drawn, so that a slow line brings the rest; its path stands behind `?`.
DRAWN = "drawn"


@functools.cache
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


class _Handler(BaseHTTPRequestHandler):
    folder: Path
    prefix: str
    sent: list[tuple[str, int]]
    pause: bytes
    drawn: defaultdict[str, threading.Event]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path == self.prefix + DRAWN:
            self.drawn[unquote(urlsplit(self.path).query)].set()
            self.send_response(204)
            self.end_headers()
            return
        target = self.folder / path.removeprefix(self.prefix)
        status = 200
        if path.startswith(self.prefix) and target.is_dir():
            target /= "index.html"
        if not path.startswith(self.prefix) or not target.is_file():
            status, target = 404, self.folder / "404.html"
        body = target.read_bytes() if target.is_file() else b""
        kind = guess_type(target.name)[0] or "application/octet-stream"
        packed = kind.startswith("text/") or kind.endswith(("javascript", "json", "xml"))
        first = body.find(self.pause) if self.pause and kind == "text/html" else -1
        if packed and first < 0:
            body = _packed(body)
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if packed else kind)
        if packed and first < 0:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        with contextlib.suppress(ConnectionError):
            if first > 0:
                self.drawn[path].clear()
                self.wfile.write(body[:first])
                self.wfile.flush()
                self.drawn[path].wait()
            self.wfile.write(body[max(first, 0) :])
        self.sent.append((path, len(body)))

    do_HEAD = do_GET  # noqa: N815, what the library asks for

    def log_message(self, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def serving(
    folder: Path, prefix: str = "/", sent: list[tuple[str, int]] | None = None, pause: bytes = b""
) -> Iterator[str]:
    """Serve a folder; yield the address of the site, with a slash at its end.

    ``sent``: paths and bytes go there. ``pause``: a page that has these bytes is held up before them until somebody says
    that what came before is drawn (`DRAWN`).
    """
    drawn: defaultdict[str, threading.Event] = defaultdict(threading.Event)
    state = {"folder": folder, "prefix": prefix, "sent": [] if sent is None else sent, "pause": pause, "drawn": drawn}
    handler = type("Handler", (_Handler,), state)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{prefix}"
        finally:
            for event in [*drawn.values()]:
                event.set()
            server.shutdown()
            thread.join()

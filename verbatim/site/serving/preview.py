"""While serving, pages that are asked for or were saved are made first, and the whole site behind them.

MkDocs' server listens after a first build. `Preview` listens before it, with a page that says so (`waiting`). The first
build makes no page: it finds the pages, their addresses and the navigation. From then on one thread makes pages,
MkDocs' build loop. It calls `Preview` after every save, and `Preview` calls `pump` whenever it has a moment: also while
the scripts run and between two pages of a build of the whole site.

Requests come in other threads. One for a page that has not been made yet waits until the build thread has made it.
"""

from __future__ import annotations

import contextlib
import posixpath
import queue
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from verbatim.project import Project
from verbatim.run.result import Result
from verbatim.site.adapt import Server
from verbatim.site.html import policy, waiting
from verbatim.site.serving.page_builder import PageBuilder

Made = TypeVar("Made")

#: Interval in seconds at which files are checked for changes, and at which a busy build thread looks for requests.
POLL_SECONDS = 0.2
#: Seconds without a save after which the whole site is built at the earliest.
QUIET_SECONDS = 2.0
#: The names of this machine for itself.
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
#: Seconds that a request waits for its page; after that it gets the waiting page, which asks again.
WAIT_SECONDS = 20.0


class Stopped(Exception):
    """The server has ended."""


class Preview:
    """What is served, and what is waited for.

    Args:
        project: The project.
        page_builder: Makes pages.
        status: Returns how far the work is.
    """

    def __init__(self, project: Project, page_builder: PageBuilder, status: Callable[[], str]):
        self._project, self._page_builder, self._status = project, page_builder, status
        self._listener: waiting.Listener | None = None
        """Answers until MkDocs' server is there."""
        self._server: Server | None = None
        """MkDocs' server, once it is there."""
        self.wanted: list[str] = []
        """Scripts of the pages that were asked for, the last one last."""
        self._deferred: dict[str, str] = {}
        """Pages that are not made yet: address from the site's root → file from the documentation's root."""
        self._asked: list[str] = []
        """Addresses of deferred pages that requests wait for."""
        self._results: queue.SimpleQueue[Result] = queue.SimpleQueue()
        """Results of scripts that no page shows yet."""
        self._changed = threading.Condition()
        """Guards the three above, and wakes who waits for them."""
        self._files = state(project)
        """The state of pages and scripts when they were looked at last."""
        self._saved: set[str] = set()
        """Files that were saved since the build of the whole site began, and are shown already."""
        self._timer: threading.Timer | None = None
        """Starts the build of the whole site."""
        self._build_seconds = 0.0
        """How long the last build of the whole site took."""
        self._pool = ThreadPoolExecutor(1, "verbatim-prepare")
        self._stopped = False
        self._folder = tempfile.TemporaryDirectory(prefix="verbatim-serve-")
        self._local = False
        """Whether the server answers to this machine alone."""
        self.address = ""
        """Where the site is served, once `listen` was called."""
        self._next = ""
        """The folder of the site that is being built."""

    # -- before MkDocs' server is there -----------------------------------------------------------

    def listen(self, host: str, port: int, recipes: Sequence[str] = ()) -> None:
        """Answer with the waiting page until `take` is called, and say at which addresses.

        Args:
            host: The address to listen at.
            port: The port to listen at; 0: one that is free.
            recipes: The recipes that are shown; all if empty.

        Raises:
            Problems: another program listens there.
        """
        self._listener = waiting.Listener(host, port, self._status, self._project.languages)
        self._local = host in LOCAL_HOSTS
        self.address = f"http://{host}:{self._listener.port}/"
        for language in self._project.languages.all:
            for recipe in recipes or [""]:
                folder = self._project.languages.folder(language)
                print(f"{self.address}{folder}{recipe}{'/' if recipe else ''}")
        print("Ctrl-C ends it", flush=True)

    def take(self, server: Any, watched: Iterable[str]) -> None:
        """Take over MkDocs' server: its requests, its builds, and how it watches files; begin with the whole site."""
        self._server = Server(server, self, self.respond, self._error, policy.NONCE)
        self._server.watch(watched, POLL_SECONDS)
        if self._deferred:
            self._server.ring()
        if self._listener:
            self._server.listen_on(self._listener.hand_over())
            self._listener = None

    def end(self) -> None:
        """Have MkDocs' server end when it waits next."""
        if self._server is not None:
            self._server.end()

    def stop(self) -> None:
        """End all that goes on besides MkDocs' server, and delete temporary folders."""
        if self._listener:
            self._listener.close()
        if self._timer:
            self._timer.cancel()
        self._stopped = True
        self._pool.shutdown(cancel_futures=True)
        self._folder.cleanup()

    # -- requests, in threads of their own ----------------------------------------------------------

    def respond(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request, after its page was made.

        A page of another site could lead its own name to this machine and read drafts, so the name in the request must
        be one of this machine's own.
        """
        if self._local and _hostname(environ.get("HTTP_HOST", "")) not in LOCAL_HOSTS:
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"This server answers to localhost alone.\n"]
        path = environ.get("PATH_INFO", "")
        if "\0" in path:  # no file has such a name, and to ask for it is an error
            start_response("400 Bad Request", [("Content-Type", "text/plain")])
            return [b"No address has such a character.\n"]
        address = self._address(path)
        if address is not None and not self._await(address):
            text = waiting.page(self._status(), self._project.languages)
            headers = [("Content-Type", "text/html; charset=utf-8"), ("Retry-After", "1"), (waiting.HEADER, "1")]
            start_response("503 Service Unavailable", [*headers, ("Content-Length", str(len(text)))])
            return [text]
        assert self._server
        return self._server.answer(environ, start_response)

    def _address(self, path: str) -> str | None:
        """Return the address of the page that has not been made yet and that a request needs; else ``None``."""
        path = path.encode("latin-1").decode(errors="ignore").lstrip("/").removesuffix("index.html")
        folder = posixpath.dirname(path)
        for address in (path, f"{path}/", f"{folder}/", f"{posixpath.dirname(folder)}/"):  # its downloads, its notebook
            if address in self._deferred and (address or not path):
                return address
        return None

    def _await(self, address: str) -> bool:
        with self._changed:
            self._asked.append(address)
            self._changed.notify_all()
            return self._changed.wait_for(lambda: address not in self._deferred, WAIT_SECONDS)

    def _error(self, code: int) -> bytes | None:
        with contextlib.suppress(OSError):
            return (self.site / f"{code}.html").read_bytes()
        return None

    # -- the build thread ---------------------------------------------------------------------------

    def defer(self, pages: dict[str, str]) -> None:
        """Make pages only when somebody asks for them.

        Args:
            pages: Address from the site's root → file from the documentation's root.
        """
        with self._changed:
            self._deferred = {address.removeprefix("./"): file for address, file in pages.items()}
            self._changed.notify_all()

    def finished(self, result: Result) -> None:
        """Take the result of a script that has just run. Called in any thread.

        Raises:
            Stopped: nobody waits for more.
        """
        if self._stopped:
            raise Stopped
        with self._changed:
            self._results.put(result)
            self._changed.notify_all()

    def meanwhile(self, work: Callable[[], Made]) -> Made:
        """Do some work in another thread, and meanwhile what is asked for in this one. Return the work's result."""
        future = self._pool.submit(work)
        while not future.done():
            self.pump(POLL_SECONDS)
        self.pump()
        return future.result()

    def pump(self, seconds: float = 0.0) -> None:
        """Make the pages that are asked for or were saved, and those whose scripts have run.

        Args:
            seconds: How long to wait for a request or a result, if there is none.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._asked or not self._results.empty(), seconds)
        while self._asked:
            self._make(self._asked.pop())
        if not self._results.empty():
            results = [self._results.get() for _ in range(self._results.qsize())]
            if self._page_builder.ran(results, self._made):
                self._reload()
        if self._server is not None and self._server.saved:
            names, gone = self._look()
            if names and not gone and (shown := self._page_builder.saved(names)):
                self._saved.update(names)
                self._tell(names, shown)
                self._reload()

    def _make(self, address: str) -> None:
        file = self._deferred.get(address)
        if file is None:  # two have asked for it
            return
        try:
            scripts = self._page_builder.make(file)
        finally:
            with self._changed:
                self._deferred.pop(address, None)
                self._changed.notify_all()
        self.wanted += scripts

    def _made(self, address: str) -> bool:
        return address.removeprefix("./") not in self._deferred

    def __call__(self) -> None:
        """Make what was saved, or the whole site. Called by MkDocs' server after a save, or after `_ring`."""
        started = time.monotonic()
        self.pump()
        names, gone = self._look()
        if names and not gone and (shown := self._page_builder.saved(names)):
            self._tell(names, shown, time.monotonic() - started)
            self._later(max(QUIET_SECONDS, self._build_seconds))
            return
        if self._timer:
            self._timer.cancel()
        assert self._server
        try:
            with self._server.answering():
                self._server.build_all()
                self._build_seconds = time.monotonic() - started
                print(f"all pages: {self._build_seconds:.1f} s", flush=True)
                self._swap()
        finally:
            shutil.rmtree(self._next, ignore_errors=True)

    def _reload(self) -> None:
        """Have browsers load their pages again."""
        if self._server is not None:
            self._server.reload()

    @property
    def site(self) -> Path:
        """The folder of the site that is served."""
        assert self._server
        return Path(self._server.root)

    def begin(self) -> str:
        """Return the folder for a build of the whole site."""
        self._next = tempfile.mkdtemp(prefix="site-", dir=self._folder.name)
        return self._next

    def _swap(self) -> None:
        """Serve the site that was just built, and show again what was saved meanwhile."""
        assert self._server
        self._page_builder.built()
        old, self._server.root = self._server.root, self._next
        self._next = ""
        with self._changed:
            self._deferred = {}
            self._changed.notify_all()
        if Path(old).is_relative_to(self._folder.name):  # the first one is MkDocs' own
            shutil.rmtree(old, ignore_errors=True)
        if self._saved:
            self._page_builder.saved(sorted(self._saved))
            self._saved.clear()

    def _look(self) -> tuple[list[str], bool]:
        """Return the pages and scripts that were saved since this was asked last, and whether any is gone."""
        now = state(self._project)
        saved = [path for path in now if now[path] != self._files.get(path)]
        gone = bool(self._files.keys() - now.keys())
        self._files = now
        return sorted(self._project.relative(path) for path in saved), gone

    @staticmethod
    def _tell(names: list[str], shown: list[str], seconds: float | None = None) -> None:
        where = "" if shown == names else f" on {', '.join(shown)}"
        after = f" after {seconds:.2f} s" if seconds is not None else ""
        print(f"{', '.join(names)}: shown{where}{after}; the other pages follow", flush=True)

    def _later(self, seconds: float) -> None:
        """Schedule the build of the whole site."""
        if self._timer:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        """Have the server call this object, as if a file had been saved."""
        if self._server is not None:
            self._server.ring()


def end_on_signal(end: Callable[[], object]) -> None:
    """Have the server end as Ctrl-C does, with its temporary folders, where an editor or a service ends it.

    `make` passes the signal on, so that it can come twice; the second must not interrupt what the first began.

    Args:
        end: Called first. The exception can be lost (in a destructor, say); then the server must end all the same.
    """

    def handle(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end()
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, handle)


def _hostname(host: str) -> str:
    """Return the name in a request's header `Host`, without the port; empty if it is none."""
    try:
        return "" if "@" in host else urlsplit(f"//{host}").hostname or ""  # a browser sends no user's name
    except ValueError:
        return ""


def state(project: Project) -> dict[Path, tuple[int, int]]:
    """Return the modification time (ns) and size (bytes) of each page and script."""
    files = {}
    for folder, pattern in ((project.root / "docs", "*.md"), (project.examples, "*.py")):
        for path in folder.rglob(pattern):
            with contextlib.suppress(OSError):  # an editor may be replacing the file right now
                about = path.stat()
                files[path] = (about.st_mtime_ns, about.st_size)
    return files

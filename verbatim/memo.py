"""One store for what is derived from texts: text → value. Deleting it costs time, never correctness.

A value is found by a hash of what it was made from and of the software that made it, so it is never out of date. Each
value is sealed with a hash: one that was truncated, modified or swapped with another is made again. Values are read
with `pickle`, which is told to make data classes of the engine and plain values and nothing else: a file that was
tampered with can bring wrong data, but it cannot run code.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import hashlib
import importlib
import io
import logging
import os
import pickle
import sqlite3
import sys
import threading
import time
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Made = TypeVar("Made")

log = logging.getLogger(__name__)

ENGINE = Path(__file__).parent
#: The database's name in a project's cache folder.
NAME = "memo.sqlite"
#: Days after which a value that nothing asked for is dropped.
UNUSED_DAYS = 30
#: The most bytes of one value. The largest, the search of a language, has some 20 MB.
MOST_BYTES = 1 << 28
#: Bytes of new values that are held before they are written.
BUFFER_BYTES = 32_000_000

#: Seconds to wait for another build, which writes for a moment. Whatever holds the file longer is not waited for.
WAIT_SECONDS = 10

_TABLE = "CREATE TABLE IF NOT EXISTS memo (key TEXT PRIMARY KEY, seal TEXT, day INTEGER, data BLOB)"


class Memo:
    """Values by what they were made from.

    Args:
        folder: Where they are stored; ``None`` if they shall last only as long as this object.
        fresh: Take nothing from earlier builds, but store what is made for later ones.
    """

    def __init__(self, folder: Path | None = None, *, fresh: bool = False):
        self._path = folder / NAME if folder else None
        self._fresh = fresh
        self._lock = threading.RLock()
        self._database: sqlite3.Connection | None = None
        self._objects: dict[str, Any] = {}
        self._new: dict[str, bytes] = {}
        """Values to write."""
        self._bytes = 0
        """Their size."""
        self._old: set[str] = set()
        """Keys of stored values that were asked for, for the first time today."""
        if self._path:
            with self._guarded():
                self._connect(self._path)

    def get(self, kind: str, made_of: str, make: Callable[[], Made], software: str | None = None) -> Made:
        """Return a value, the same object for all who ask for it; none of them may change it.

        Args:
            kind: What the value is.
            made_of: Everything that it is made from, as a text.
            make: Makes it. What it raises is passed on, and nothing is stored.
            software: What makes it, if that is not the whole engine (`software`).
        """
        key = _key(kind, made_of, software)
        with self._lock:
            if key not in self._objects:
                value = self._read(key)
                if value is None:
                    value = make()
                    self._add(key, value)
                self._objects[key] = value
            made: Made = self._objects[key]
            return made

    def check(self, kind: str, made_of: str, find: Callable[[], Iterable[Made]]) -> list[Made]:
        """Return the problems of a text.

        Args:
            kind: As in `get`.
            made_of: As in `get`. It has the file's name, too, which problems tell.
            find: Finds the problems.
        """
        return self.get(kind, made_of, lambda: list(find()))

    def verified(
        self,
        kind: str,
        made_of: str,
        make: Callable[[], Made],
        *,
        holds: Callable[[Made], bool] = lambda value: True,
        lasts: Callable[[], bool] = lambda: True,
        software: str | None = None,
    ) -> Made:
        """Return a stored value that still holds, else one that is made and stored; nobody else has the same object.

        Args:
            kind: As in `get`, like the other arguments that are not named here.
            made_of: What the value is made from, but for what it says itself and `holds` compares.
            make: Makes it.
            holds: Whether what a stored value says of what it was made with is still so.
            lasts: Whether what was made is stored, asked once it is made.
            software: What makes it.
        """
        stored: Made | None = self.load(kind, made_of, software)
        if stored is not None and holds(stored):
            return stored
        made = make()
        if lasts():
            self.save(kind, made_of, made, software)
        return made

    def load(self, kind: str, made_of: str, software: str | None = None) -> Any:
        """Return a value that `save` stored; ``None`` if there is none. The arguments are those of `get`."""
        with self._lock:
            return self._read(_key(kind, made_of, software))

    def save(self, kind: str, made_of: str, value: Any, software: str | None = None) -> None:
        """Store a value as it is now; nothing else in this process refers to it through this store."""
        with self._lock:
            self._add(_key(kind, made_of, software), value)

    def store(self) -> None:
        """Store what is new."""
        with self._lock:
            self._write()

    def close(self) -> None:
        """Store what is new, and drop what nothing has asked for in `UNUSED_DAYS` days."""
        with self._lock:
            self.store()
            with self._guarded():
                if self._database:
                    self._database.execute("DELETE FROM memo WHERE day < ?", (_today() - UNUSED_DAYS,))
                    self._database.close()
            self._database = None

    def _connect(self, path: Path) -> None:
        """Open the file. It is closed with the memo's end at the latest."""
        self._database = _open(path)
        weakref.finalize(self, self._database.close)

    def _read(self, key: str) -> Any:
        if key in self._new:
            return _unpacked(self._new[key])
        row = None
        if self._database and not self._fresh:
            with self._guarded():
                row = self._database.execute("SELECT seal, day, data FROM memo WHERE key = ?", (key,)).fetchone()
        if not row:
            return None
        seal, day, data = row
        if not (isinstance(data, bytes) and isinstance(day, int)) or seal != _seal(key, data):
            log.warning("a value in %s was damaged; it is made again", NAME)
            return None
        if day < _today():
            self._old.add(key)
        return _unpacked(data)

    def _add(self, key: str, value: Any) -> None:
        if self._database:
            self._new[key] = zlib.compress(pickle.dumps(value, protocol=5), 1)
            self._bytes += len(self._new[key])
            if self._bytes > BUFFER_BYTES:
                self._write()

    def _write(self) -> None:
        """Store new values, and note which old ones were asked for today, in one transaction."""
        with self._guarded():
            if self._database and (self._new or self._old):
                today = _today()
                rows = ((key, _seal(key, data), today, data) for key, data in self._new.items())
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany("INSERT OR REPLACE INTO memo VALUES (?, ?, ?, ?)", rows)
                self._database.executemany("UPDATE memo SET day = ? WHERE key = ?", ((today, key) for key in self._old))
                self._database.execute("COMMIT")
        self._new.clear()
        self._old.clear()
        self._bytes = 0

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Go on without stored values where the disk or the file refuses. A damaged file is replaced."""
        try:
            yield
        except OSError:
            self._database = None
        except sqlite3.Error as error:
            if self._database:
                with contextlib.suppress(sqlite3.Error):
                    self._database.close()
            self._database = None
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY:
                log.warning("another program holds %s: all is made anew, and nothing of it is stored", NAME)
            if not isinstance(error, sqlite3.OperationalError) and self._path:  # neither locked nor full nor read-only
                log.warning("%s was damaged; it is made again", NAME)
                with contextlib.suppress(OSError, sqlite3.Error):
                    self._path.unlink()
                    self._connect(self._path)


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    made = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        # What a power failure loses is made again; a file that it damages is noticed.
        made.execute("PRAGMA synchronous = OFF")
        made.execute(_TABLE)
    except sqlite3.Error:
        made.close()
        raise
    return made


def _key(kind: str, made_of: str, software: str | None) -> str:
    text = f"{kind}\0{engine() if software is None else software}\0{made_of}"
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _seal(key: str, data: bytes) -> str:
    return hashlib.sha256(key.encode() + data).hexdigest()


def _today() -> int:
    return int(time.time() // 86400)


class _Reader(pickle.Unpickler):
    """Makes data classes and enumerations of the engine and plain values, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] == __package__:
            kind = getattr(importlib.import_module(module), name, None)
            if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, enum.Enum)):
                return kind
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def _unpacked(data: bytes) -> Any:
    """Return a stored value; ``None`` if it is none that `Memo` stores."""
    try:
        return _Reader(io.BytesIO(zlib.decompressobj().decompress(data, MOST_BYTES))).load()
    except (zlib.error, pickle.UnpicklingError, EOFError, ImportError):
        return None
    except (LookupError, AttributeError, TypeError, ValueError, MemoryError, OverflowError, RecursionError):
        return None  # something else was pickled


def call(folder: Path, work: Callable[[Memo], Made], *, fresh: bool = False) -> Made:
    """Return what a function makes with stored values. If it fails, it makes them anew: one may have another shape.

    Args:
        folder: Where values are stored.
        work: The function. Its problems are no failure.
        fresh: As in `Memo`.
    """
    try:
        with contextlib.closing(Memo(folder, fresh=fresh)) as memo:
            return work(memo)
    except (AttributeError, LookupError, TypeError, ValueError):
        if fresh:
            raise
        log.warning("a value in %s may be damaged; everything is made again", NAME)
        return call(folder, work, fresh=True)


# -- Software -------------------------------------------------------------------------------------


@functools.cache
def engine() -> str:
    """Return a hash of everything that makes values: the engine's files, the installed packages and Python."""
    own = sorted(path for path in ENGINE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return software(*map(str, own), packages=tuple(packages()))


@functools.cache
def software(*files: str, packages: tuple[str, ...] = ()) -> str:
    """Return a hash of files, packages and Python. `packages`: names with versions."""
    sha = hashlib.sha256(repr((sys.version, packages)).encode())
    for path in map(Path, files):
        sha.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return sha.hexdigest()


def packages() -> list[str]:
    """Return every installed package with its version."""
    names: set[str] = set()
    for folder in filter(os.path.isdir, sys.path):
        names.update(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    return sorted(names)


def digest(*values: object) -> str:
    """Return one hash of texts, and of other values that their `repr` tells apart."""
    sha = hashlib.sha256()
    for value in values:
        data = (value if isinstance(value, str) else repr(value)).encode(errors="surrogatepass")
        sha.update(f"{type(value).__name__} {len(data)} ".encode() + data)
    return sha.hexdigest()

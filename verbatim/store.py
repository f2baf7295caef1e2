"""A cache of texts that are derived from others. Deleting it costs time, never correctness.

The name of a cached file is a hash of everything that its content depends on, so a file is never out of date. (What
`verbatim.site.reuse` caches states in the file what it was made from.) The first line of a file is a hash of the name
and of the rest: a file that was truncated, modified or swapped with another is made again, and the log says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import logging
import os
import pickle
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from verbatim.project import write_if_changed

Found = TypeVar("Found")

log = logging.getLogger(__name__)


def file(folder: Path, kind: str, key: str, suffix: str) -> Path:
    """Return the path under which a text is cached. `key`: everything that the text depends on."""
    return folder / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.{suffix}"


def text(path: Path | None, make: Callable[[], str]) -> str:
    """Return a cached text. If it is missing or damaged, make it and cache it; without a path, only make it."""
    if path is None:
        return make()
    kept = read(path)
    if kept is None:
        kept = make()
        write(path, kept)
    return kept


def load(path: Path) -> dict[str, str]:
    """Return what `save` wrote; an empty dictionary if the file is missing or damaged."""
    kept = read(path)
    return dict(json.loads(kept)) if kept is not None else {}


def save(path: Path, values: dict[str, str]) -> None:
    """Cache a dictionary of texts."""
    write(path, json.dumps(values, ensure_ascii=False, sort_keys=True))


class Plain(pickle.Unpickler):
    """Makes strings, numbers, lists and dictionaries, and nothing else: a file that was forged cannot run code."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def load_plain(path: Path, reader: type[Plain] = Plain) -> Any:
    """Return what `save_plain` wrote; ``None`` if the file is missing or damaged. `reader`: says what may be made."""
    kept = read_bytes(path)
    try:
        return None if kept is None else reader(io.BytesIO(kept)).load()
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, TypeError, ValueError):
        return None


def save_plain(path: Path, value: Any) -> None:
    """Cache a value such as JSON has, or such as the reader makes. That is five times as fast as JSON."""
    write_bytes(path, pickle.dumps(value, protocol=5))


def _seal(path: Path, content: bytes) -> str:
    found = hashlib.sha256(f"{path.name}\0".encode())
    found.update(content)
    return found.hexdigest()


def read(path: Path) -> str | None:
    """Return the text of a cached file; ``None`` if it is missing or unreadable, or if its hash does not match."""
    content = read_bytes(path)
    return content.decode() if content is not None else None


def read_bytes(path: Path) -> bytes | None:
    """The same of a file that need not be text."""
    try:
        seal, _, content = path.read_bytes().partition(b"\n")
        if seal.decode() == _seal(path, content):
            return content
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        pass
    log.warning("%s was damaged; it is made again", path.name)
    return None


def write(path: Path, content: str) -> None:
    """Write a sealed file."""
    with contextlib.suppress(UnicodeEncodeError):  # half a character, which no file can hold
        write_bytes(path, content.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """The same of what need not be text."""
    with contextlib.suppress(OSError):  # a folder that cannot be written costs time, nothing else
        write_if_changed(path, _seal(path, content).encode() + b"\n" + content)


#: Days after which a file that nothing asked for is dropped.
KEPT = 30


def collect(folder: Path, now: float | None = None) -> int:
    """Drop the files of a cache that nothing has read or written for `KEPT` days. Call it after a build.

    The kernel notes when a file was read, once a day at least. Where it does not, the file's age counts, and what is
    still in use is made again once a month.

    Args:
        folder: The cache.
        now: The time in seconds since 1970, if not now.

    Returns:
        How many files were dropped.
    """
    oldest = (time.time() if now is None else now) - KEPT * 86400
    dropped = 0
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for one in found:
            with contextlib.suppress(OSError):  # another build may drop it, too
                about = one.stat(follow_symlinks=False)
                if max(about.st_atime, about.st_mtime) < oldest and one.is_file(follow_symlinks=False):
                    os.unlink(one.path)
                    dropped += 1
    return dropped


class Passed:
    """Remembers which texts were found in order, so that later builds look only at the others.

    Args:
        path: Where it is cached; its name depends on everything that the verdict depends on besides the text. ``None``
            if nothing shall be remembered.
    """

    def __init__(self, path: Path | None = None):
        self._path = path
        self._known = set(load(path)) if path else set()
        self._seen: set[str] = set()

    def __contains__(self, text: str) -> bool:
        return _hash(text) in self._known

    def add(self, text: str) -> None:
        self._seen.add(_hash(text))

    def check(self, text: str, look: Callable[[], Iterable[Found]]) -> list[Found]:
        """Return what is wrong with a text; nothing, without a look, where an earlier build found it in order."""
        found = [] if text in self else list(look())
        if not found:
            self.add(text)
        return found

    def keep(self) -> None:
        """Cache what was added, and nothing else: what earlier builds added may be gone."""
        if self._path and self._seen != self._known:
            save(self._path, dict.fromkeys(self._seen, ""))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:24]

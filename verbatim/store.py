"""What a build makes and the next one need not make again, in the cache folder. Only what it costs depends on it.

A file's name is the hash of everything that can change what is in it, so nothing in it is ever out of date.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from verbatim.project import write_if_changed


def file(folder: Path, kind: str, key: str, suffix: str) -> Path:
    """Return where something is kept. `key`: everything that can change it."""
    return folder / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.{suffix}"


def text(path: Path | None, make: Callable[[], str]) -> str:
    """Return the text of a file; where it is missing, make it and keep it. With no path nothing is kept."""
    if path and path.is_file():
        return path.read_text(encoding="utf-8")
    made = make()
    if path:
        _write(path, made)
    return made


def load(path: Path) -> dict[str, str]:
    """Return what `save` wrote; nothing where that is missing or damaged."""
    with contextlib.suppress(OSError, ValueError):
        return dict(json.loads(path.read_text(encoding="utf-8")))
    return {}


def save(path: Path, values: dict[str, str]) -> None:
    """Write down names and texts."""
    _write(path, json.dumps(values, ensure_ascii=False, indent=0, sort_keys=True))


def _write(path: Path, content: str) -> None:
    with contextlib.suppress(OSError):  # a folder that cannot be written costs time, nothing else
        write_if_changed(path, content)

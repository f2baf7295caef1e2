"""Cache of derived texts. Deleting it costs time, never correctness.

A file's name is the hash of everything that can change what is in it, so nothing in it is ever out of date (what
`verbatim.site.reuse` keeps says itself what it was made from). Its first
line is the hash of the name and of the rest: a file that was cut off, changed or put in another's place is made again,
and the log says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path

from verbatim.project import write_if_changed

log = logging.getLogger(__name__)


def file(folder: Path, kind: str, key: str, suffix: str) -> Path:
    """Return where something is kept. `key`: everything that can change it."""
    return folder / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.{suffix}"


def text(path: Path | None, make: Callable[[], str]) -> str:
    """Return the text of a file; where it is missing or damaged, make it and keep it. With no path nothing is kept."""
    if path is None:
        return make()
    kept = read(path)
    if kept is None:
        kept = make()
        write(path, kept)
    return kept


def load(path: Path) -> dict[str, str]:
    """Return what `save` wrote; nothing where that is missing or damaged."""
    kept = read(path)
    return dict(json.loads(kept)) if kept is not None else {}


def save(path: Path, values: dict[str, str]) -> None:
    """Write down names and texts."""
    write(path, json.dumps(values, ensure_ascii=False, indent=0, sort_keys=True))


def _seal(path: Path, content: str) -> str:
    return hashlib.sha256(f"{path.name}\0{content}".encode()).hexdigest()


def read(path: Path) -> str | None:
    """Return the content of a sealed file; ``None`` where it is missing, cannot be read or does not fit its seal."""
    try:
        seal, _, content = path.read_bytes().decode().partition("\n")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        seal = content = ""
    if seal == _seal(path, content):
        return content
    log.warning("%s was damaged; it is made again", path.name)
    return None


def write(path: Path, content: str) -> None:
    """Write a sealed file."""
    # A folder that cannot be written costs time, nothing else; nor does half a character, which no file can hold.
    with contextlib.suppress(OSError, UnicodeEncodeError):
        write_if_changed(path, f"{_seal(path, content)}\n{content}")

"""Remembers between builds what was made of texts: scripts, records and pages as the engine reads them.

To load such an object takes a fifth of the time that it takes to parse its text. All of them lie in one file. It is
read with `pickle`, which is told to make data classes of the engine and nothing else: a file that was tampered with can
bring wrong data, as any file of the cache can, but it cannot run code.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import hashlib
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from verbatim import store

Made = TypeVar("Made")
#: The file is written anew when more than one object in so many is new: until then, these few are made in each build.
FEW = 50


class Kept:
    """Objects by the texts that they were made of.

    Args:
        path: Where they are kept. ``None`` if nothing shall be kept.
        maker: Says which software makes them; what another one made is not used.
    """

    def __init__(self, path: Path | None = None, maker: str = ""):
        self._path, self._maker = path, maker
        self._known = _load(path, maker) if path else {}
        self._used: dict[str, Any] = {}

    def get(self, text: str, make: Callable[[], Made]) -> Made:
        """Return the object that is made of a text, the same for all who ask for it; none of them may change it.

        Args:
            text: Everything that the object is made of, with a word first that says what it is.
            make: Makes the object. What it raises is passed on, and nothing is kept.
        """
        key = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:24]
        if key not in self._used:
            self._used[key] = self._known[key] if key in self._known else make()
        made: Made = self._used[key]
        return made

    def keep(self) -> None:
        """Write what was asked for, unless nearly all of it was there."""
        different = len(self._used.keys() ^ self._known.keys())
        if self._path and different * FEW > len(self._used):
            store.save_plain(self._path, (self._maker, self._used))


def file(cache: Path) -> Path:
    """Return where a project's cache holds them: there is one file, whatever made it."""
    return cache / "kept.pickle"


#: What YAML makes of a date in a page's front matter.
_DATES = {"date", "datetime", "timezone", "timedelta"}


class _Reader(store.Plain):
    """Makes data classes and enumerations of the engine, and dates, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module == "datetime" and name in _DATES:
            return getattr(datetime, name)
        if module.partition(".")[0] == __package__:
            found = getattr(importlib.import_module(module), name, None)
            if isinstance(found, type) and (dataclasses.is_dataclass(found) or issubclass(found, enum.Enum)):
                return found
        return super().find_class(module, name)


def _load(path: Path, maker: str) -> dict[str, Any]:
    try:
        by, known = store.load_plain(path, _Reader) or ("", {})
        return dict(known) if by == maker else {}
    except (TypeError, ValueError):  # something else was pickled
        return {}

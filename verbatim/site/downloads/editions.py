"""Offers the book's files, which `make book` has written into a folder, beside the site. Knows no MkDocs."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from verbatim.project import Project

#: The kinds of files, by the endings of their names, in the order in which pages offer them.
FILE_KINDS = ("epub", "pdf")


@dataclass(frozen=True)
class Edition:
    """A file that holds the book in one language, or a chapter of it."""

    path: Path
    size: int
    """In bytes."""
    written: int
    """When it was written, in nanoseconds."""
    volume: str = ""
    """The chapter that it holds; empty for the whole book."""

    @property
    def name(self) -> str:
        """Its name, which is its address from the site's root."""
        return self.path.name

    @property
    def kind(self) -> str:
        """What readers call it: EPUB, PDF."""
        return self.path.suffix.removeprefix(".").upper()

    @property
    def megabytes(self) -> str:
        """Its size for readers: ``12 MB``."""
        return f"{max(1, round(self.size / 1e6))} MB"


def find(project: Project, folder: str, language: str) -> tuple[Edition, ...]:
    """Return the editions in a language: those of the whole book, then its volumes.

    Args:
        project: The project.
        folder: Where they are, from the project's root; empty if none are offered.
        language: The language.
    """
    if not folder:
        return ()
    whole = [(project.root / folder / f"pytorch-verbatim-{language}.{kind}", "") for kind in FILE_KINDS]
    of_volumes = re.compile(rf"pytorch-verbatim-(.+)-{language}\.(?:{'|'.join(FILE_KINDS)})")
    others = sorted((project.root / folder).glob("pytorch-verbatim-*"))
    volumes = [(path, match[1]) for path in others if (match := of_volumes.fullmatch(path.name))]
    files = [(path, path.stat(), volume) for path, volume in [*whole, *volumes] if path.is_file()]
    return tuple(Edition(path, state.st_size, state.st_mtime_ns, volume) for path, state, volume in files)


def copy(site: Path, editions: tuple[Edition, ...]) -> None:
    """Put editions into the finished site."""
    for edition in editions:
        shutil.copyfile(edition.path, site / edition.name)

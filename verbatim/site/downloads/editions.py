"""Offers the book's files, which `make book` has written into a folder, beside the site. Knows no MkDocs."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from verbatim.project import Project

#: The kinds of files, by the endings of their names, in the order in which pages offer them.
KINDS = ("epub", "pdf")


@dataclass(frozen=True)
class Edition:
    """A file that holds the whole book in one language."""

    path: Path
    size: int
    """In bytes."""
    written: int
    """When it was written, in nanoseconds."""

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
    """Return the editions in a language.

    Args:
        project: The project.
        folder: Where they are, from the project's root; empty if none are offered.
        language: The language.
    """
    paths = [project.root / folder / f"pytorch-verbatim-{language}.{kind}" for kind in KINDS] if folder else []
    found = [(path, path.stat()) for path in paths if path.is_file()]
    return tuple(Edition(path, state.st_size, state.st_mtime_ns) for path, state in found)


def copy(site: Path, editions: tuple[Edition, ...]) -> None:
    """Put editions into the finished site."""
    for edition in editions:
        shutil.copyfile(edition.path, site / edition.name)

"""Detects that a build can be skipped: all possible inputs are unchanged, and so is the existing site.

The inputs are not listed individually: they are all files of the project, the loaded settings, the git commit, the
machine and its packages. Files and folders whose names begin with a dot, the site itself and `build/` are excluded.

What was noted of the pages of the existing site is stored with it, for builds that cannot be skipped (`carried`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from verbatim import git, store
from verbatim.project import LANGUAGES, Project
from verbatim.run import cache
from verbatim.site.reuse import digest, maker

_NO_SOURCE = {"__pycache__", "node_modules"}


@dataclass(frozen=True)
class Inputs:
    """Hashes of what a build could read."""

    all: str
    """Of everything."""
    shared: str
    """Of everything but the contents of pages, scripts and records, and the git commit: what any page could read."""


def inputs(project: Project, site: Path, folders: Iterable[str], settings: Any) -> Inputs:
    """Return hashes of what a build could read.

    Args:
        project: The project.
        site: The folder of the finished site.
        folders: Folders with custom templates; they may be outside the project.
        settings: MkDocs' settings and those of its plugins, as names and values.
    """
    history = git.run(project.root, "rev-parse", "HEAD", "--is-shallow-repository")
    around = digest(settings, maker(), cache.machine())
    whole = hashlib.sha256(f"{around}\0{history}".encode())
    shared = hashlib.sha256(around.encode())
    parts = {str(path) for language in LANGUAGES for path in project.pages(language)}
    parts.update(map(str, project.scripts()))
    records = f"{project.outputs}{os.sep}"
    for folder in dict.fromkeys([str(project.root), *folders]):
        for path in _files(folder, {str(site), str(project.root / "build")}):
            name = f"\0{path}\0".encode(errors="surrogateescape")
            with open(path, "rb") as file:
                content = hashlib.sha256(file.read()).digest()
            whole.update(name + content)
            if not path.startswith(records):
                shared.update(name if path in parts else name + content)
    return Inputs(whole.hexdigest(), shared.hexdigest())


def _files(folder: str, built: set[str]) -> Iterator[str]:
    for within, names, files in os.walk(folder, followlinks=True):
        names[:] = sorted(
            n for n in names if n[0] != "." and n not in _NO_SOURCE and f"{within}{os.sep}{n}" not in built
        )
        paths = (f"{within}{os.sep}{name}" for name in sorted(files) if name[0] != ".")
        yield from filter(os.path.isfile, paths)


def outputs(site: Path) -> str:
    """Return one hash of the names, sizes and modification times of a site's files."""
    found = hashlib.sha256()
    for within, names, files in os.walk(site):
        names.sort()
        for name in sorted(files):
            about = os.stat(os.path.join(within, name))
            found.update(f"{os.path.join(within, name)}\0{about.st_size}\0{about.st_mtime_ns}\0".encode())
    return found.hexdigest()


@dataclass(frozen=True)
class Before:
    """What is known of a site that was built."""

    read: Inputs
    """What it was built from."""
    noted: dict[str, Any]
    """What was noted of its pages."""


def before(project: Project, site: Path) -> Before | None:
    """Return what is known of the existing site; ``None`` if nothing is, or if it was modified."""
    said = store.load_plain(_place(project, site))
    if said is None:
        return None
    if said["maker"] != maker() or said["site"] != outputs(site):
        return None
    return Before(Inputs(**said["read"]), said["noted"])


def remember(project: Project, site: Path, built: Before) -> None:
    """Store what is known of a site that was built just now."""
    said = {"maker": maker(), "site": outputs(site), "read": asdict(built.read), "noted": built.noted}
    store.save_plain(_place(project, site), said)


def _place(project: Project, site: Path) -> Path:
    return store.file(project.cache, "built", str(site), "pickle")

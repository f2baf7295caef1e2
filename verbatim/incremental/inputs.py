"""Fingerprints of what a build could read, and of the site that a build made.

Inputs are not listed one by one: they are all files of the project, the loaded settings, the git commit, the machine
and its packages. Left out are files and folders whose names begin with a dot, folders of Python environments, the site
itself and `build/`.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verbatim import git
from verbatim.memo import engine
from verbatim.pages import freshness
from verbatim.project import Project
from verbatim.run import cache, packages

_NO_SOURCE = {"__pycache__", "node_modules"}


@dataclass(frozen=True)
class Inputs:
    """Fingerprints of what a build could read."""

    all: str
    """Of everything."""
    shared: str
    """Of everything but the contents of pages, scripts and records, and the git commit: what any page could read."""


def inputs(project: Project, site: Path, folders: Iterable[str], settings: str) -> Inputs:
    """Return fingerprints of what a build could read.

    Args:
        project: The project.
        site: The folder of the finished site.
        folders: Folders with custom templates; they may be outside the project.
        settings: The `token` of the site generator's settings and those of its plugins.
    """
    history = git.run(project.root, "rev-parse", "HEAD", "--is-shallow-repository")
    around = "\1".join((settings, engine(), cache.machine(), packages.all_distributions()))
    whole = hashlib.sha256(f"{around}\0{history}".encode())
    shared = hashlib.sha256(around.encode())
    parts = {str(path) for language in project.languages.all for path in project.pages(language)}
    parts.update(map(str, project.scripts()))
    parts.add(str(project.root / freshness.FILE))  # what it says of a page is in the page's own fingerprint
    records = f"{project.outputs}{os.sep}"
    for folder in dict.fromkeys([str(project.root), *folders]):
        for path in _files(folder, {str(site), str(project.root / "build")}):
            name = f"\0{path}\0".encode(errors="surrogateescape")
            try:
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).digest()
            except FileNotFoundError:  # an editor's copy, that is gone again
                continue
            whole.update(name + content)
            if not path.startswith(records):
                shared.update(name if path in parts else name + content)
    return Inputs(whole.hexdigest(), shared.hexdigest())


def _files(folder: str, built: set[str]) -> Iterator[str]:
    seen: set[str] = set()
    for within, names, files in os.walk(folder, followlinks=True):
        real = os.path.realpath(within)
        if "pyvenv.cfg" in files or real in seen:  # links may lead in a ring
            names.clear()
            continue
        seen.add(real)
        names[:] = sorted(
            n for n in names if n[0] != "." and n not in _NO_SOURCE and f"{within}{os.sep}{n}" not in built
        )
        paths = (f"{within}{os.sep}{name}" for name in sorted(files) if name[0] != ".")
        yield from filter(os.path.isfile, paths)


def site_state(site: Path) -> str:
    """Return one fingerprint of the names, sizes and modification times of a site's files, wherever the site lies."""
    sha = hashlib.sha256()
    for within, names, files in os.walk(site):
        names.sort()
        folder = os.path.relpath(within, site)
        for name in sorted(files):
            sha.update(f"{folder}{os.sep}{name}\0".encode(errors="surrogateescape"))
            try:
                about = os.stat(os.path.join(within, name))
            except FileNotFoundError:  # another build puts its site there: no fingerprint that is stored has this
                sha.update(b"gone")
            else:
                sha.update(f"{about.st_size}\0{about.st_mtime_ns}\0".encode())
    return sha.hexdigest()


def token(value: Any) -> str:
    """Return a string that differs when a setting's value differs: settings can hold functions and objects."""
    if isinstance(value, Mapping):
        return "{" + "\0".join(sorted(f"{token(key)}:{token(value[key])}" for key in value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + "\0".join(map(token, value)) + "]"
    if isinstance(value, (set, frozenset)):
        return "{" + "\0".join(sorted(map(token, value))) + "}"
    if isinstance(value, functools.partial):
        return token((value.func, value.args, value.keywords))
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if hasattr(value, "__dict__"):
        return type(value).__qualname__ + token(vars(value))
    return repr(value)  # may contain a memory address: it then never matches, which is safe

"""Whether a build has anything to do: everything that it could read is what it was, and so is the site that stands.

What a build reads is not listed: every file of the project counts, whatever it is, with the settings as they were
loaded, git's commit, the machine and its packages. Names that begin with a dot, the site itself and `build/`, which
holds nothing but what was built, do not count.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from verbatim import git, store
from verbatim.project import Project
from verbatim.run import cache
from verbatim.site.reuse import digest, maker

_NO_SOURCE = {"__pycache__", "node_modules"}


def inputs(project: Project, site: Path, folders: Iterable[str], settings: Any) -> str:
    """Return one hash of everything that a build could read.

    Args:
        project: What is built.
        site: Where the finished site goes.
        folders: Where templates of the project's own lie; they may lie outside of it.
        settings: MkDocs' settings and those of its plugins, as names and values.
    """
    history = git.run(project.root, "rev-parse", "HEAD", "--is-shallow-repository")
    found = hashlib.sha256(digest(settings, maker(), cache.machine(), history).encode())
    for folder in dict.fromkeys([str(project.root), *folders]):
        for path in _files(Path(folder), {site, project.root / "build"}):
            found.update(f"\0{path}\0".encode(errors="surrogateescape"))
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _files(folder: Path, built: set[Path]) -> Iterator[Path]:
    for within, names, files in os.walk(folder, followlinks=True):
        here = Path(within)
        names[:] = sorted(n for n in names if n[0] != "." and n not in _NO_SOURCE and here / n not in built)
        yield from (here / name for name in sorted(files) if name[0] != "." and (here / name).is_file())


def outputs(site: Path) -> str:
    """Return one hash of which files a site has, how long they are and when they were written."""
    found = hashlib.sha256()
    for within, names, files in os.walk(site):
        names.sort()
        for name in sorted(files):
            about = os.stat(os.path.join(within, name))
            found.update(f"{os.path.join(within, name)}\0{about.st_size}\0{about.st_mtime_ns}\0".encode())
    return found.hexdigest()


def unchanged(project: Project, site: Path, read: str) -> bool:
    """Whether a site stands as it was built, from what can be read now (`inputs`)."""
    kept = store.read(_place(project, site))
    return kept is not None and json.loads(kept) == [read, outputs(site)]


def remember(project: Project, site: Path, read: str) -> None:
    """Write down that a site was built from what could be read when the build began."""
    store.write(_place(project, site), json.dumps([read, outputs(site)]))


def _place(project: Project, site: Path) -> Path:
    return store.file(project.cache, "site", str(site), "json")

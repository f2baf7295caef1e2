"""A finished site takes the place of the old one whole: it is built beside it, then swapped in."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def staging(site: Path) -> Path:
    """Where this process builds: beside the site, so that a rename can put it in place."""
    return site.parent / f".{site.name}-{os.getpid()}"


def swap(folder: Path, site: Path) -> None:
    """Put a finished site in the place of the old one.

    Raises:
        OSError: the disk refuses; the old site is where it was.
    """
    old = site.parent / f".{site.name}-old-{os.getpid()}"
    if site.exists():
        os.replace(site, old)
    try:
        os.replace(folder, site)
    except OSError:
        if old.exists():
            os.replace(old, site)
        raise
    shutil.rmtree(old, ignore_errors=True)

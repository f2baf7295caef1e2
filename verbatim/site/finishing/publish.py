"""Replaces the old site by the new one in one step: the new site is built in a folder beside it, then swapped in.

However and whenever a build is interrupted, there is always a complete site, at the latest when the next build begins.
That build also removes what the interrupted one left.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import re
import shutil
import stat
from pathlib import Path

#: ``renameat2``'s flag, and the descriptor that stands for the working folder. Linux only.
_EXCHANGE = 2
_HERE = -100


def place(site: Path) -> Path:
    """Return the folder that holds the site: where a link leads, if the site's name is a link."""
    return site.resolve() if site.is_symlink() else site


def staging(site: Path) -> Path:
    """Return the folder that this process builds in: beside the site, so that a rename can move it there."""
    return site.parent / f".{site.name}-{os.getpid()}"


def begin(site: Path) -> Path:
    """Make the folder to build in, after repairing what killed builds have left.

    Raises:
        OSError: the file system refuses.
    """
    site.parent.mkdir(parents=True, exist_ok=True)
    _mend(site)
    folder = staging(site)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def _mend(site: Path) -> None:
    """Put back an old site that was moved aside and not replaced; remove the folders of processes that are gone."""
    left = re.compile(rf"\.{re.escape(site.name)}-(?P<old>old-)?(?P<pid>\d+)")
    for folder in sorted(site.parent.glob(f".{site.name}-*")):
        match = left.fullmatch(folder.name)
        if not match or _alive(int(match["pid"])):
            continue
        if match["old"] and not site.exists():
            os.replace(folder, site)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's process
    return pid != os.getpid()


def swap(folder: Path, site: Path) -> None:
    """Replace the old site by a finished one, and make it readable for everybody, whatever the umask.

    Raises:
        OSError: the file system refuses; the old site is unchanged.
    """
    for within, _, names in os.walk(folder):
        _permit(within, 0o755)
        for name in names:
            _permit(os.path.join(within, name), 0o644)
    if site.exists() and _exchange(folder, site):
        shutil.rmtree(folder, ignore_errors=True)
        return
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


def _permit(path: str, mode: int) -> None:
    if stat.S_IMODE(os.lstat(path).st_mode) != mode:  # to look costs less than to write the same again
        os.chmod(path, mode)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step, so that there is a site at every moment. Return whether the system can."""
    with contextlib.suppress(AttributeError, OSError):
        rename = ctypes.CDLL(None, use_errno=True).renameat2
        if rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
            return True
    return False


def explain(error: OSError, site: Path) -> str:
    """Say what the disk refused, and what to do about it."""
    hints = {
        errno.ENOSPC: "make room on the disk",
        errno.EDQUOT: "make room in your quota",
        errno.EROFS: "the file system is read-only: build elsewhere with --site-dir",
        errno.EACCES: "the folder belongs to somebody else: build elsewhere with --site-dir",
        errno.EPERM: "the folder belongs to somebody else: build elsewhere with --site-dir",
        errno.EBUSY: "a mounted folder cannot be replaced whole: build into a folder inside of it with --site-dir",
        errno.EXDEV: "a mounted folder cannot be replaced whole: build into a folder inside of it with --site-dir",
    }
    hint = hints.get(error.errno or 0, "look at the folder and its rights")
    return f"{error.filename or site}: {error.strerror or error}\n  hint: {hint}; the old site is untouched"

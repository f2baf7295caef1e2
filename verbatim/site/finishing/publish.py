"""Replaces the old site by the new one in one step: the new site is built in a folder beside it, then swapped in.

However and whenever a build is interrupted, there is always a complete site, at the latest when the next build begins.
That build also removes what the interrupted one left.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from verbatim.lists.manifest import SCHEMA_FILE

#: ``renameat2``'s flag, and the descriptor that stands for the working folder. Linux only.
_EXCHANGE = 2
_HERE = -100
#: In a build's folder: the site that it makes, and the old one while it is moved aside.
_NEW, _OLD = "new", "old"
#: A file that every build makes; it begins by naming its schema.
MADE = "verbatim.json"


def place(site: Path) -> Path:
    """Return the folder that holds the site: where a link leads, if the site's name is a link."""
    return site.resolve() if site.is_symlink() else site


class Staging:
    """A folder beside the site, so that a rename can move a site there, in which one build makes its own.

    The build keeps it locked: what is not locked was left by a build that was killed. A number of a process would not
    tell, because two containers number their processes alike.

    Args:
        site: Where the site is shown.

    Raises:
        OSError: the file system refuses.
    """

    def __init__(self, site: Path):
        self._site = site
        _check_whose(site)
        site.parent.mkdir(parents=True, exist_ok=True)
        with _locked(site.parent):  # so that nobody takes a folder that is not locked yet for one that was left
            _mend(site)
            self._folder = Path(tempfile.mkdtemp(prefix=f".{site.name}-", dir=site.parent))
            self._lock = contextlib.ExitStack()
            self._lock.enter_context(_locked(self._folder))
        self.new = self._folder / _NEW
        """Where the new site is made."""
        self.new.mkdir()

    def swap(self) -> None:
        """Replace the old site by the new one, and make it readable for everybody, whatever the umask.

        Raises:
            OSError: the file system refuses; the old site is unchanged.
        """
        for within, _, names in os.walk(self.new):
            _permit(within, 0o755)
            for name in names:
                _permit(os.path.join(within, name), 0o644)
        with _locked(self._site.parent):
            if not self._site.exists() or not _exchange(self.new, self._site):
                self._replace(self._folder / _OLD)
        self.close()

    def _replace(self, old: Path) -> None:
        if self._site.exists():
            os.replace(self._site, old)
        try:
            os.replace(self.new, self._site)
        except OSError:
            if old.exists():
                os.replace(old, self._site)
            raise

    def close(self) -> None:
        """Remove the folder, with whatever is in it."""
        with contextlib.suppress(OSError):
            _clear(self._folder, self._site)
        self._lock.close()


def _check_whose(site: Path) -> None:
    """Look whether what stands in the site's place may be replaced: it is swapped away whole, and removed.

    Raises:
        OSError: it has files that no build made, such as the repository of a worktree, or is a file.
    """
    if site.exists() and not site.is_dir():
        raise OSError(errno.ENOTDIR, "this is a file, and no folder that a build made", str(site))
    names = os.listdir(site) if site.is_dir() else []
    hidden = [name for name in names if name.startswith(".") and name != ".DS_Store"]  # macOS leaves this one
    if names and (hidden or not _is_ours(site / MADE)):
        raise OSError(errno.ENOTEMPTY, "the folder has files that no build made", str(site))


def _is_ours(manifest: Path) -> bool:
    """Whether a build of this project wrote the file: it begins by naming its schema, whatever its version."""
    if not manifest.is_file():  # to open a pipe would never end
        return False
    with manifest.open("rb") as stream:
        return SCHEMA_FILE.encode() in stream.read(200)


def _mend(site: Path) -> None:
    """Clear the folders of builds that are gone. A running build's is locked, another user's may not be read."""
    for folder in filter(Path.is_dir, sorted(site.parent.glob(f".{site.name}-*"))):
        with contextlib.suppress(BlockingIOError, PermissionError):
            if set(os.listdir(folder)) <= {_NEW, _OLD}:  # else it is no build's
                with _locked(folder, wait=False):
                    _clear(folder, site)


def _clear(folder: Path, site: Path) -> None:
    """Remove a build's folder. Put back an old site that was moved aside and not replaced."""
    if (folder / _OLD).exists() and not site.exists():
        os.replace(folder / _OLD, site)
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the lock of a folder; the system frees it when this process ends, whatever ends it.

    Raises:
        BlockingIOError: another build holds it and we do not wait, or the file system cannot tell.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as error:  # some network file systems have no such locks
            if not wait:
                raise BlockingIOError from error
        yield
    finally:
        os.close(descriptor)


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
        errno.ENOTEMPTY: "build elsewhere with --site-dir, or move them away: a build replaces the folder whole",
        errno.ENOTDIR: "build elsewhere with --site-dir, or move it away: a build replaces what stands there",
        errno.EBUSY: "a mounted folder cannot be replaced whole: build into a folder inside of it with --site-dir",
        errno.EXDEV: "a mounted folder cannot be replaced whole: build into a folder inside of it with --site-dir",
    }
    hint = hints.get(error.errno or 0, "look at the folder and its rights")
    # What is copied is named first, and where it did not fit second.
    full = error.filename2 if error.errno in (errno.ENOSPC, errno.EDQUOT) else None
    return f"{full or error.filename or site}: {error.strerror or error}\n  hint: {hint}; the old site is untouched"

"""Reads and removes what a script left, whatever that is: it never waits, and it never recurses."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

#: Bytes that are read at once.
_PIECE = 1 << 20
#: How folders are opened: a link in the place of one is an error.
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def opened(path: str | Path, *, follow: bool = False) -> Iterator[int]:
    """Open a regular file for reading; a pipe, a device or a folder is an error.

    Args:
        path: The file.
        follow: Whether it may be a symbolic link to one.

    Raises:
        OSError: there is none, or it cannot be read.
    """
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW))
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        yield file
    finally:
        os.close(file)


def pieces(file: int, limit: int) -> Iterator[bytes]:
    """Yield at most `limit` bytes of an open file, piece by piece.

    Raises:
        OSError: it cannot be read without waiting.
    """
    while limit > 0 and (piece := os.read(file, min(limit, _PIECE))):
        limit -= len(piece)
        yield piece


def read(path: str | Path, limit: int) -> bytes:
    """Return at most `limit` bytes of a regular file.

    Raises:
        OSError: there is none, or it cannot be read.
    """
    with opened(path) as file:
        return b"".join(pieces(file, limit))


def remove(folder: str | Path) -> None:
    """Remove a folder with all that is in it, however deep. What cannot be removed stays.

    The folders in a folder are moved up to the first one before they are looked into, so neither the stack nor a path
    grows with their depth.
    """
    with contextlib.suppress(OSError):
        top = os.open(folder, _FOLDER)
        try:
            _empty(top)
        finally:
            os.close(top)
        os.rmdir(folder)


def _empty(top: int) -> None:
    number = 0
    pending = list(_unlink_files(top))
    while pending:
        name = pending.pop()
        with contextlib.suppress(OSError):
            folder = _open_folder(name, top)
            try:
                for inner in _unlink_files(folder):
                    number += 1
                    moved = f"{number}.verbatim-removes"
                    os.rename(inner, moved, src_dir_fd=folder, dst_dir_fd=top)
                    pending.append(moved)
            finally:
                os.close(folder)
            os.rmdir(name, dir_fd=top)


def _open_folder(name: str, within: int) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=within)
    except PermissionError:  # its mode was taken away; the script has ended, so it is still the same folder
        if stat.S_ISDIR(os.lstat(name, dir_fd=within).st_mode):
            os.chmod(name, stat.S_IRWXU, dir_fd=within)
        return os.open(name, _FOLDER, dir_fd=within)


def _unlink_files(folder: int) -> list[str]:
    """Remove all in an open folder but the folders in it, and return their names."""
    names = []
    with contextlib.suppress(OSError):
        os.fchmod(folder, stat.S_IRWXU)
    for name in os.listdir(folder):
        with contextlib.suppress(OSError):
            if stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
                names.append(name)
            else:
                os.unlink(name, dir_fd=folder)
    return names

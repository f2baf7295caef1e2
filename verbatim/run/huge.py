"""Moves the fork server's memory into huge pages, where many scripts will run (`many.py`).

A fork copies an entry for each page of memory that has been written, sixty thousand for PyTorch, and the child's end
gives back as many; a huge page, of 2 MiB, is one. What a child writes is still copied in small pages, and only that. To
move the memory takes half a second of processor time and spares six to eight milliseconds a script. Linux 6.1 or newer;
elsewhere nothing happens.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

_COLLAPSE = 25  # MADV_COLLAPSE, from linux/mman.h
_SIZE = 2 << 20


def collapse(maps: str) -> int:
    """Move private memory of this process into huge pages.

    Args:
        maps: The text of ``/proc/self/maps``.

    Returns:
        How many huge pages there are now. What the kernel refuses stays as it is.
    """
    library = ctypes.CDLL(None)
    return sum(
        not library.madvise(ctypes.c_void_p(place), ctypes.c_size_t(_SIZE), ctypes.c_int(_COLLAPSE))
        for place in places(maps)
    )


def places(maps: str) -> Iterator[int]:
    """Yield the addresses of what may become a huge page: whole ones in writable memory that no file stands behind."""
    for line in maps.splitlines():
        span, rights, _, _, _, *name = line.split()
        if rights == "rw-p" and name in ([], ["[heap]"]):
            start, end = (int(number, 16) for number in span.split("-"))
            yield from range(-(-start // _SIZE) * _SIZE, end - _SIZE + 1, _SIZE)

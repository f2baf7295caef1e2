"""PyTorch's own list of the names that it documents: the `objects.inv` that Sphinx writes beside every documentation.

`make upgrade` fetches it into `objects.inv` beside this file, where it is kept in git. While it is not there, `api`
finds pages by rules.
"""

from __future__ import annotations

import functools
import hashlib
import re
import zlib
from pathlib import Path

FILE = Path(__file__).parent / "objects.inv"

_HEAD = b"# Sphinx inventory version 2\n"
#: ``name domain:role priority address title``; a `$` at the address's end stands for the name.
_LINE = re.compile(r"(?P<name>\S+) py:(?P<role>\w+) -?\d+ (?P<address>\S+) .*")


def parse(data: bytes) -> dict[str, str]:
    """Return name → address from the documentation's root, of Python's names.

    Raises:
        ValueError: this is no inventory, or a damaged one.
    """
    if not data.startswith(_HEAD):
        raise ValueError("it does not begin as an inventory of Sphinx does")
    *_, body = data.split(b"\n", 4)  # below four lines of comments
    try:
        lines = zlib.decompress(body).decode().splitlines()
    except (zlib.error, UnicodeDecodeError) as error:
        raise ValueError(f"it is damaged: {error}") from None
    matches = filter(None, map(_LINE.fullmatch, lines))
    return {
        match["name"]: re.sub(r"\$$", match["name"], match["address"]) for match in matches if match["role"] != "module"
    }


@functools.cache
def known() -> dict[str, str]:
    """Return what PyTorch documents, and where; nothing while no inventory is kept.

    Raises:
        ValueError: the file is damaged.
    """
    return parse(FILE.read_bytes()) if FILE.is_file() else {}


def version() -> str:
    """Return a hash of the inventory; nothing while none is kept."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest() if FILE.is_file() else ""

"""Names that become paths: of chapters, recipes and pages. The one place that says what such a name may be. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from verbatim.problems import Problem, Problems, printable

#: A part of a name: lower-case words joined by hyphens.
NAME_PART = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
#: The most letters of a part: with what builds add to it, every file system takes it.
MOST_LETTERS = 100
#: Names that Windows cannot hold: those that it keeps for devices, whatever follows them; letters that mean a path or
#: nothing to it; ends that it cuts off.
UNPORTABLE_NAME = re.compile(
    r"""(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$) | .*(?: [\\:*?"<>|\0-\x1f\x7f\ud800-\udfff] | [. ]$ )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
HINT = "lower-case words joined by hyphens, which addresses and every file system keep: shares-storage"


def unfit(name: str, reserved: Collection[str] = (), *, parts: int = 0) -> str:
    """Say why a name such as ``autograd/detach`` cannot be that of a recipe or a page; empty if it can.

    Args:
        name: The name.
        reserved: Folders of the site that hold something else, so that no name begins with one.
        parts: How many parts it must have, if not any number.
    """
    if parts and name.count("/") + 1 != parts:
        return f"`{printable(name)[:MOST_LETTERS]}` is not the name of a recipe: chapter/name"
    for part in name.split("/"):
        if not NAME_PART.fullmatch(part) or len(part) > MOST_LETTERS:
            return f"`{printable(part)[:MOST_LETTERS]}` cannot be a recipe's name"
        if UNPORTABLE_NAME.match(part):
            return f"Windows cannot hold a file of the name `{part}`"
    if parts and name.endswith("/index"):
        return f"`{name}` is the address of a chapter's own page"
    first = name.partition("/")[0]
    return f"`{first}` is a folder of the site that holds something else" if first in reserved else ""


def inside(folder: Path, place: str) -> Path:
    """Return the path of a place below a folder, ``autograd/detach/index.html``.

    Raises:
        Problems: The place is not below the folder, or would not be on another system.
    """
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in place.split("/")):
        raise Problems(
            [Problem(printable(place)[:MOST_LETTERS], 0, "this path leaves the folder that it belongs into", HINT)]
        )
    return folder / place

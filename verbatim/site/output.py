"""Where the site's files lie, and how they are written: never outside of its folder."""

from __future__ import annotations

from pathlib import Path

from verbatim.paths import inside

#: The folder of the pictures that are shown beside links to pages.
CARDS = "assets/cards"
#: That of the search: its scripts, and a folder for the index of each language.
SEARCH = "assets/search"


def put(site: Path, place: str, text: str) -> None:
    """Write a file of the site.

    Raises:
        Problems: Its place is not below the site.
    """
    path = inside(site, place)
    try:
        path.write_text(text, encoding="utf-8")
    except FileNotFoundError:  # rarer than a folder that is there already
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

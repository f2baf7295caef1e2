"""Material's stylesheets as one text, and whether the project's own templates make the frame of the pages."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

#: Material's stylesheets in one file, without what no page uses.
SHEET = "assets/stylesheets/material.css"
#: Files of Material that no page asks for: its search is not used, and its stylesheets become `SHEET`.
UNUSED_FILE = re.compile(r"assets/(?:javascripts/(?:lunr|workers)/|stylesheets/|images/favicon)|.*\.map$")


#: Width from which Material shows the list of pages on the left, and the last one below it → those of this site: on a
#: tablet the contents on the right go first, which the site's own stylesheet sees to.
FRAME_WIDTHS = {"76.25em": "60em", "76.234375em": "59.984375em"}


def framed(config: MkDocsConfig) -> bool:
    """Whether the project's own templates make the frame of the pages."""
    return _holds("notebook.html", tuple(config.theme.dirs))


@functools.cache
def _holds(name: str, folders: tuple[str, ...]) -> bool:
    """Whether a file is in one of some folders."""
    return any((Path(folder) / name).is_file() for folder in folders)


def take_stylesheets(files: Files) -> str:
    """Return the text of Material's stylesheets, in its order, with `FRAME_WIDTHS`; empty if they were taken before.

    They are removed from the files of the site, and so is what else no page asks for.
    """
    sheets = [f for f in files if f.src_uri.startswith("assets/stylesheets/") and f.src_uri.endswith(".css")]
    text = "".join(file.content_string for file in sorted(sheets, key=lambda file: file.src_uri))
    for width, narrower in FRAME_WIDTHS.items():
        text = text.replace(width, narrower)
    for file in [file for file in files if UNUSED_FILE.match(file.src_uri)]:
        files.remove(file)
    return text

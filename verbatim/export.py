"""Writes the whole book as a folder of plain Markdown, for another site generator or to be read directly.

DIR/zh and DIR/en hold the pages with code and outputs inserted, and their figures as files. Marks that only this site's
style uses are removed.
"""

from __future__ import annotations

import dataclasses
import posixpath
import re
import shutil
from pathlib import Path

from verbatim.build import Build
from verbatim.lists import manifest
from verbatim.markdown import front_matter_end
from verbatim.pages.page import Page
from verbatim.project import write_if_changed
from verbatim.write import markdown

#: Figures are drawn in the text colour of their page. As an image file a figure has no page, so it gets a background.
PAPER = '<svg style="background: #fff; color: #1f2328" '

#: A link to a file that both languages share.
_SHARED_LINK = re.compile(r"(?<=\]\()(?:\.\./)+(assets/[^)\s]+)")


def write(build: Build, out: Path) -> None:
    """Write every page with code and outputs inserted. Files that did not change keep their modification time."""
    languages = build.book.project.languages
    urls: dict[str, dict[str, str]] = {}
    for page in build.pages:
        write_if_changed(out / page.language / page.name, text(build, page, out))
        for script in page.scripts:
            urls.setdefault(script, {}).setdefault(page.language, languages.address(page.language, page.name))
    # Pages link to the manifest where the site has it: at its root, which is also the root of the first language.
    for folder in (out, out / languages.default):
        manifest.write(folder / "verbatim.json", build.sources, urls)
        _copy(build.book.project.root / "docs" / manifest.SCHEMA_FILE, folder / manifest.SCHEMA_FILE)


def text(build: Build, page: Page, out: Path) -> str:
    """Return a page as plain Markdown, and write its figures beside where it goes."""
    folder = (out / page.language / page.name).parent
    drawn: dict[str, str] = {}

    def figure(svg: str, recipe: str, cell: str) -> str:
        chapter, _, name = recipe.rpartition("/")
        own = name if chapter == page.name.rpartition("/")[0] else recipe.replace("/", "-")
        file, number = f"{own}-{cell}.svg", 1
        while drawn.setdefault(file, svg) != svg:  # a cell may draw several
            number += 1
            file = f"{own}-{cell}-{number}.svg"
        write_if_changed(folder / file, svg.replace("<svg ", PAPER, 1) + "\n")
        return file

    def shared(match: re.Match[str]) -> str:
        """Copy the file into the folder of the page's language, because that folder may become the root of a site."""
        _copy(build.book.project.root / "docs" / match[1], out / page.language / match[1])
        return posixpath.relpath(match[1], posixpath.dirname(page.name))

    lines = page.text.split("\n")
    front = lines[: front_matter_end(lines)]
    linked = dataclasses.replace(page, text=_SHARED_LINK.sub(shared, page.text))
    return markdown.plain(build.document(linked), figure, markdown.PLAIN, front=front)


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)

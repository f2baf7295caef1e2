"""The data of the package `pytorch-verbatim-book`: the pages as Markdown and the search, as the built site has them.

Beside the pages stands what of their lines a chosen release of torch replaces (`verbatim.write.data`).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from verbatim.languages import Languages
from verbatim.problems import Problem, Problems
from verbatim.project import write_if_changed
from verbatim.site.downloads import offline
from verbatim.site.downloads.assistants import ERRORS, MESSAGE_CHARACTERS
from verbatim.site.output import SEARCH
from verbatim.write.data import Replaced

#: Where the package has its data, from the project's root.
FILE = "explain/book/src/pytorch_verbatim_book/book.zip"
NAME = "book.zip"
#: What of the pages' lines a release replaces: file of a page → as `verbatim.write.data.page` has it.
RELEASES = "releases.json"

#: File of a page, as on the site → its text, and what of its lines a release replaces.
Pages = Mapping[str, tuple[str, list[Replaced]]]


def pack(
    site: Path, path: Path, about: dict[str, Any], languages: Languages, known: Collection[str], pages: Pages
) -> None:
    """Write what `packed` returns into a file."""
    write_if_changed(path, packed(site, about, languages, known, pages))


def packed(site: Path, about: dict[str, Any], languages: Languages, known: Collection[str], pages: Pages) -> bytes:
    """Return the pages and the search of a built site as a zip, each file where it lies on the site.

    Beside them stands ``book.json``: what `explain.data` says of the book, and ``folders``, language → its folder.

    Args:
        site: The folder of the site.
        about: The book, as `explain.data` has it.
        languages: The languages of the book.
        known: The messages that the book shows.
        pages: The book's pages.

    Raises:
        Problems: The site is not built, or is that of another book.
    """
    hint = "make build"
    for language in languages.whole:
        listed = site / languages.folder(language) / ERRORS
        if not listed.is_file():
            raise Problems([Problem(site.name, 0, f"the site is not built: it lacks {listed.relative_to(site)}", hint)])
        errors = json.loads(listed.read_text(encoding="utf-8"))
        shown = {error["message"] for error in errors["errors"]}
        if errors["count"] != about["messages"] or not shown <= {text[:MESSAGE_CHARACTERS] for text in known}:
            raise Problems([Problem(site.name, 0, "the site shows other messages than the book: it is older", hint)])
    for name, (text, _) in pages.items():
        if not (site / name).is_file() or (site / name).read_bytes() != text.encode():
            raise Problems([Problem(site.name, 0, f"the site has another {name} than the book: it is older", hint)])
    head = {**about, "folders": {language: languages.folder(language) for language in languages.whole}}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zipped:
        offline.add(zipped, "book.json", json.dumps(head, ensure_ascii=False).encode())
        replaced = {name: lines for name, (_, lines) in pages.items() if lines}
        offline.add(zipped, RELEASES, json.dumps(replaced, ensure_ascii=False, separators=(",", ":")).encode())
        for name in sorted(_files(site, languages)):
            offline.add(zipped, name, (site / name).read_bytes())
    return made.getvalue()


def _files(site: Path, languages: Languages) -> Iterator[str]:
    """Yield the files that the package has, from the site's root."""
    partial = tuple(languages.folder(language) for language in languages.partial)
    for path in site.rglob("*.md"):
        if not (name := path.relative_to(site).as_posix()).startswith(partial):
            yield name
    for folder in ("", *languages.whole):  # scripts, the license of the one that is not the project's own; the index
        for path in (site / SEARCH / folder).iterdir():
            if path.suffix in (".js", ".txt"):
                yield path.relative_to(site).as_posix()

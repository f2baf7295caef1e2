"""The content of a page: Markdown → HTML as the site shows it, with what others ask of it. Knows no MkDocs."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from verbatim.incremental.inputs import token
from verbatim.memo import Memo, digest
from verbatim.site.logs import collected


@dataclass(frozen=True)
class Content:
    """The content of a page, and what it was made with besides its text."""

    html: str
    toc: tuple[dict[str, Any], ...]
    """Entries of the table of contents: ``level``, ``id``, ``name`` and ``children``."""
    heading: str | None
    """The title that stands on the page."""
    anchors: tuple[str, ...]
    links: dict[str, dict[str, str]]
    """File that it links to → anchor → link as written."""
    math: str
    """The stylesheet that its formulas need; empty where it has none."""
    files: dict[str, str | None]
    """Path of each file that was looked up → what a link to it depends on (`FileLookups.state`)."""
    addresses: dict[str, str]
    """Names on it → their addresses in PyTorch's documentation."""


class FileLookups:
    """Looks up the files of one language, and notes which ones a page looked up. Stands in for MkDocs' `Files`.

    Args:
        files: MkDocs' files.
        fallback: Returns the file of a page that the language lacks, if another language has it.
    """

    def __init__(self, files: Any, fallback: Callable[[str], Any]):
        self._files, self._fallback = files, fallback
        self._cache: dict[str, Any] = {}
        self.noted: dict[str, str | None] = {}
        """Path → its `state`, of the lookups since this was emptied."""

    def get_file_from_path(self, path: str) -> Any:
        """Return the file of a path, or ``None``, and note the lookup. MkDocs calls this for each link of a page."""
        self.noted[path] = self.state(path)
        return self.file(path)

    def file(self, path: str) -> Any:
        """Return the file of a path, which static-i18n takes long to find, or ``None``."""
        if path not in self._cache:
            self._cache[path] = self._files.get_file_from_path(path) or self._fallback(path)
        return self._cache[path]

    def state(self, path: str) -> str | None:
        """Return what a link to a path depends on; ``None`` if there is no such file."""
        file = self.file(path)
        return f"{file.src_uri} {file.url} {file.inclusion}" if file else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)


class Contents:
    """Makes the contents of one language's pages, or takes those that earlier builds made.

    Args:
        memo: Has contents that were made before.
        files: The language's files.
        settings: The settings that rendering reads.
        address: Returns the address of a name in PyTorch's documentation.
    """

    def __init__(self, memo: Memo, files: FileLookups, settings: Any, address: Callable[[str], str]):
        self._memo, self._files, self._address = memo, files, address
        self._settings = token(settings)

    def get(self, text: tuple[Any, ...], make: Callable[[], Content]) -> Content:
        """Return the content of a page. What warns is made in every build, and warns again.

        Args:
            text: All that the page itself says: its Markdown, front matter, place and address.
            make: Makes it; it looks files up by `files`.
        """
        key = digest(self._settings, *text)
        warned: list[object] = []

        def noted() -> Content:
            self._files.noted = {}
            with collected(logging.INFO) as told:
                made = make()
            warned.extend(told)
            return dataclasses.replace(made, files=self._files.noted)

        return self._memo.verified("content", key, noted, holds=self._holds, lasts=lambda: not warned)

    def _holds(self, content: Content) -> bool:
        """Whether links and names still lead where they led."""
        return all(self._files.state(path) == state for path, state in content.files.items()) and all(
            self._address(name) == address for name, address in content.addresses.items()
        )


def entries(toc: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield MkDocs' table of contents as plain values."""
    for entry in toc:
        yield {"level": entry.level, "id": entry.id, "name": entry.title, "children": [*entries(entry.children)]}

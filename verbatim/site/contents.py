"""The content of a page (Markdown → HTML), rendered by MkDocs or taken from the cache. Does not import MkDocs.

What MkDocs stores on a page (table of contents, anchors, link targets) is cached with the HTML, so that every build
validates the links and anchors of all pages, including those from the cache.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from verbatim.site import search
from verbatim.site.reuse import Asked, Shelf, digest, token

STEP = "content"


class Contents:
    """The contents of the pages of one language.

    Args:
        shelf: The cache.
        config: MkDocs' settings for this language.
        files: MkDocs' files for this language.
        address: Returns the address of a name in PyTorch's documentation.
        contents: Builds MkDocs' table of contents from entries with `level`, `id`, `name` and `children`.
    """

    def __init__(
        self, shelf: Shelf, config: Any, files: Any, address: Callable[[str], str], contents: Callable[[Any], Any]
    ):
        self._shelf, self._config, self._files, self._contents = shelf, config, files, contents
        self.address = address
        self._settings: dict[str, str] = {}
        self._found: dict[str, Any] = {}
        self._places: dict[str, str | None] = {}
        self._making: dict[str, dict[str, Any]] = {}
        self._spans: dict[str, str] = {}
        self.addresses: dict[str, dict[str, str]] = {}
        """Page → the names on it, with their addresses in PyTorch's documentation; pages that warned are left out."""

    def render(self, page: Any, config: Any, files: Any) -> dict[str, Any] | None:
        """Render a page with MkDocs, or restore it from the cache.

        Returns:
            The cached facts if the page was restored; ``None`` if it was rendered. Then call `keep` to cache it.
        """
        source = page.file.src_uri
        text = digest(page.markdown, source, page.file.url, page.meta)
        kept = self._shelf.take(STEP, source, lambda facts: facts["of"] == text and self._same(facts))
        if kept is None:
            found, asked = _Lookups(files, self._place), Asked(config)
            with _warnings() as told:
                type(page).render(page, asked, found)
            if not told and page.links_to_anchors is not None:  # not cached: it warns in every build
                settings = {name: self._setting(name) for name in sorted(asked.names)}
                self._making[source] = {"of": text, "files": found.asked, "settings": settings}
            self._spans = {}
            return None
        facts, page.content = kept
        self.addresses[source] = facts["addresses"]
        page.toc = self._contents(facts["toc"])
        page._title_from_render = facts["title"]
        page.present_anchor_ids = set(facts["anchors"])
        page.links_to_anchors = {self.file(path): links for path, links in facts["links"].items()}
        return facts

    def asked(self, span: str) -> str:
        """Return a name's address in PyTorch's documentation and record it as a dependency of the current page."""
        self._spans[span] = self.address(span)
        return self._spans[span]

    def keep(self, page: Any, html: str, found: search.Page | None, math: str) -> None:
        """Cache the finished content of a page that was just rendered.

        Args:
            page: MkDocs' page.
            html: Its finished content.
            found: What the search indexes of it, if anything.
            math: The stylesheet that its formulas need; may be empty.
        """
        facts = self._making.pop(page.file.src_uri, None)
        if facts is None:
            return
        facts |= {
            "addresses": self._spans,
            "toc": list(_entries(page.toc)),
            "title": page._title_from_render,
            "anchors": sorted(page.present_anchor_ids),
            "links": {file.src_uri: links for file, links in page.links_to_anchors.items()},
            "search": asdict(found) if found else None,
            "math": math,
        }
        self.addresses[page.file.src_uri] = self._spans
        self._shelf.put(STEP, page.file.src_uri, facts, html)

    def _same(self, facts: dict[str, Any]) -> bool:
        return (
            all(self._place(path) == place for path, place in facts["files"].items())
            and all(self._setting(name) == value for name, value in facts["settings"].items())
            and all(self.address(span) == address for span, address in facts["addresses"].items())
        )

    def _place(self, path: str) -> str | None:
        """Return the properties of a linked file that affect the link; ``None`` if there is no such file."""
        if path not in self._places:
            file = self.file(path)
            self._places[path] = f"{file.src_uri} {file.url} {file.inclusion}" if file else None
        return self._places[path]

    def file(self, path: str) -> Any:
        """Return MkDocs' file of a path, which static-i18n takes long to find, or ``None``."""
        if path not in self._found:
            self._found[path] = self._files.get_file_from_path(path)
        return self._found[path]

    def _setting(self, name: str) -> str:
        if name not in self._settings:
            try:
                self._settings[name] = digest(token(self._config[name]))
            except (KeyError, TypeError):
                self._settings[name] = digest(token(getattr(self._config, name, None)))
        return self._settings[name]


def restored(kept: dict[str, Any]) -> search.Page:
    """Rebuild the search data of a page from its cached facts."""
    sections = [search.Section(**section) for section in kept["sections"]]
    # Tuples again, as they were before they were kept: `search.seal` tells them from lists.
    links, keywords = tuple(map(tuple, kept["links"])), tuple(kept["keywords"])
    return search.Page(**{**kept, "sections": sections, "links": links, "keywords": keywords})


def _entries(toc: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for entry in toc:
        children = list(_entries(entry.children))
        yield {"level": entry.level, "id": entry.id, "name": entry.title, "children": children}


class _Lookups:
    """Proxy for MkDocs' files that records which files are looked up."""

    def __init__(self, files: Any, place: Callable[[str], str | None]):
        self._files, self._place = files, place
        self.asked: dict[str, str | None] = {}

    def get_file_from_path(self, path: str) -> Any:
        self.asked[path] = self._place(path)
        return self._files.get_file_from_path(path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)


@contextmanager
def _warnings() -> Iterator[list[logging.LogRecord]]:
    """Collect the messages that MkDocs logs while the context is open."""
    told: list[logging.LogRecord] = []
    handler = logging.Handler(logging.INFO)
    vars(handler)["emit"] = told.append
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    try:
        yield told
    finally:
        logger.removeHandler(handler)

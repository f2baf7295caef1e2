"""The pages of the book as Markdown, from the package `pytorch_verbatim_book`, which the extra `EXTRA` installs.

A page is named by its address on the site, without the language: ``autograd/detach``, a chapter ``autograd``.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import json
import re
import zipfile
from typing import Any, NamedTuple

from pytorch_verbatim import data, markdown

#: The extra that brings the pages and what searches them.
EXTRA = "book"
#: How many names are told in place of one that no page has.
MOST_NAMES = 5


class MissingError(Exception):
    """A package of an extra is not installed."""

    def __init__(self, extra: str) -> None:
        super().__init__(data.book().about["install"][extra])


class UnknownError(Exception):
    """No page, or no section of a page, has this name."""

    def __init__(self, name: str, near: list[str]) -> None:
        super().__init__(name)
        # no orders to a terminal
        self.name = "".join(character if character.isprintable() else "?" for character in name)
        self.near = near
        """Names that are like it, best first."""


class Named(NamedTuple):
    """A page, and a section of it."""

    language: str
    name: str
    section: str
    """The id of the section; empty for the whole page."""


class Shelf:
    """The pages of all languages. ``file``: the zip that the build has made."""

    def __init__(self, file: str) -> None:
        self._zip = zipfile.ZipFile(file)
        self.about: dict[str, Any] = json.loads(self._zip.read("book.json"))
        """What `data.Book.about` says, and ``folders``: language → its folder in the zip."""
        self._replaced: dict[str, list[markdown.Replaced]] = json.loads(self._zip.read("releases.json"))
        """File of a page → what of its lines a chosen release replaces."""
        self._files = self._zip.namelist()

    def read(self, file: str) -> str:
        """Return a file of the zip; its path is that from the site's root."""
        return self._zip.read(file).decode("utf-8")

    def below(self, folder: str) -> list[str]:
        """Return the paths of the files right below a folder, such as ``assets/search/``."""
        return [file for file in self._files if file.startswith(folder) and "/" not in file[len(folder) :]]

    def names(self, language: str) -> dict[str, str]:
        """Return the names of all pages, with their files in the zip; that of the home page is empty."""
        folder = self.about["folders"][language]
        others = tuple(other for other in self.about["folders"].values() if other and other != folder)
        own = (file for file in self._files if file.startswith(folder) and not file.startswith(others))
        return {_name(file[len(folder) :]): file for file in own if file.endswith(".md")}

    def named(self, text: str, language: str) -> Named:
        """Return the page that a reader means: by its name, its address or its file, with ``#`` and a section.

        Args:
            text: What the reader says. An address tells the language, too.
            language: The language of what tells none.
        """
        own = text.startswith(self.about["address"])
        path, _, section = text[len(self.about["address"]) * own :].partition("#")
        folders = self.about["folders"]
        for other in folders:
            if f"{path}/".startswith(f"{other}/"):
                return Named(other, _name(path[len(other) :]), section)
        first = next(language for language in folders if not folders[language])
        return Named(first if own else language, _name(path), section)

    def page(self, text: str, language: str, torch: str = "") -> str:
        """Return a page, or one section of it, as the site offers it to assistants.

        Args:
            text: The page, as `named` takes it.
            language: The language of what tells none.
            torch: A recorded release, the outputs of which stand in place of the others; without it all are there.

        Raises:
            UnknownError: There is no such page, or it has no such section.
        """
        wanted = self.named(text, language)
        names = self.names(wanted.language)
        wanted = wanted._replace(name=self.about.get("moved", {}).get(wanted.name, wanted.name))
        if wanted.name not in names:
            raise UnknownError(wanted.name, _near(wanted.name, [*names]))
        content = self.read(names[wanted.name])
        if torch:
            content = markdown.printed_by(content, torch, self._replaced.get(names[wanted.name], []))
        if wanted.section:
            sections = markdown.sections(content)
            if wanted.section not in sections:
                near = [f"{wanted.name}#{section}" for section in sections]
                raise UnknownError(f"{wanted.name}#{wanted.section}", _near(f"{wanted.name}#{wanted.section}", near))
            content = sections[wanted.section]
        return content

    def release(self, torch: str) -> str:
        """Return the recorded release that one is: ``2.4`` is ``2.4.1``; empty if it is not recorded."""
        own = [known for known in self.about["releases"] if f"{known}.".startswith(f"{torch}.")]
        return own[-1] if own else ""


@functools.lru_cache(maxsize=1)
def shelf() -> Shelf:
    """Return the pages that are installed.

    Raises:
        MissingError: They are not.
    """
    try:
        return Shelf(importlib.import_module("pytorch_verbatim_book").FILE)
    except (ImportError, FileNotFoundError):
        raise MissingError(EXTRA) from None


def _name(path: str) -> str:
    """Return the name of a page by its file or its address: ``autograd/index.md``, ``/autograd/`` → ``autograd``."""
    return re.sub(r"(?:^|/)index$", "", path.strip("/").removesuffix(".md")).strip("/")


def _near(name: str, names: list[str]) -> list[str]:
    """Return the names that are most like one: those with its last part, else what looks alike."""
    last = re.split("[/#]", name)[-1].lower()
    same = [candidate for candidate in names if last and last in re.split("[/#]", candidate)[-1].lower()]
    same.sort(key=lambda candidate: (len(candidate), candidate))
    return (same or difflib.get_close_matches(name, names, MOST_NAMES, 0.5))[:MOST_NAMES]

"""Carries pages over from the existing site into the next one as they are, without making anything of them.

`reuse` asks for each step of a page whether what it read is what it was. To ask, much has to be made first: the page's
Markdown, what templates are told of it. Most builds change few pages, so the others are found before, by everything
that a page could depend on:

- `shared`: what any page could read, the contents of pages, scripts and records excepted (`untouched.Inputs.shared`);
- `spoken`: what pages say of themselves to others: front matter, title, date;
- its key: its own text, and what its scripts print (`verbatim.build.Build.inputs`).

Pages with lists are made of what stands on other pages, so they are never carried over. A page that is not carried over
is not made anew for that: its steps are still taken from the cache one by one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from verbatim.build import Build
from verbatim.lists.places import title
from verbatim.site.additions import Site
from verbatim.site.reuse import digest
from verbatim.site.untouched import Before, Inputs

Facts = dict[str, Any]
#: The facts of a page without which it cannot be carried over: `files` and `figures` are paths from the site's root,
#: `classes` and `data` what its frames use of Material's stylesheets, the others what MkDocs and the search ask for.
NEEDED = {"key", "files", "figures", "classes", "data", "addresses", "titles", "anchors", "links", "search", "found"}


class Carried:
    """The pages of the existing site that can be carried over, and the facts of all pages for the next build.

    Args:
        site: The existing site.
        before: What is known of it.
        read: What this build reads.
    """

    def __init__(self, site: Path, before: Before | None, read: Inputs):
        self.site = site
        self._there = before is not None
        self._before = before.noted if before and before.read.shared == read.shared else {}
        self._spoken = ""
        self._noted: dict[str, Facts] = {}
        self.pages: dict[str, Facts] = {}
        """Those that are carried over: file from the documentation's root → facts."""
        self.also: set[str] = set()
        """Other files of the existing site that are carried over: paths from the site's root."""

    def decide(self, files: Iterable[str], build: Build, parts: Site) -> None:
        """Find the pages of a language that are carried over.

        Args:
            files: The files of the language's pages, from the documentation's root.
            build: Scripts and pages.
            parts: What the site adds to pages.
        """
        self._spoken = self._spoken or spoken(build, parts)
        known = self._before.get("pages", {}) if self._before.get("spoken") == self._spoken else {}
        for file in files:
            page = build.page(f"docs/{file}")
            if page is None or page.listings:
                continue
            key, facts = digest(*build.inputs(page)), known.get(file)
            self.pages.pop(file, None)
            self._noted[file] = {"key": key}
            if facts and facts["key"] == key and _documented(facts["addresses"], parts):
                self.pages[file] = self._noted[file] = facts

    def note(self, page: str, **facts: Any) -> None:
        """Add facts (JSON values) of a page that was decided on and is not carried over."""
        if page in self._noted and page not in self.pages:
            self._noted[page].update(facts)

    def use(self, page: str, facts: Facts) -> None:
        """Add what a frame uses of Material's stylesheets to the facts of a page: it can have more than one frame."""
        if page in self._noted and page not in self.pages:
            known = self._noted[page]
            known["classes"] = " ".join(sorted({*known.get("classes", "").split(), *facts["classes"].split()}))
            known["data"] = sorted({*known.get("data", ()), *facts["data"]})

    def note_pages(self, pages: Iterable[Any], addresses: Mapping[str, dict[str, str]]) -> None:
        """Note what MkDocs knows of the pages of a language; what is not known of a page is made in the next build.

        Args:
            pages: MkDocs' pages.
            addresses: Page → the names on it, with their addresses in PyTorch's documentation.
        """
        for page in pages:
            file = page.file.src_uri
            if file in addresses and page.links_to_anchors is not None:
                self.note(
                    file,
                    addresses=addresses[file],
                    titles=[str(page.meta["title"]), str(page.title)],
                    anchors=sorted(page.present_anchor_ids or ()),
                    links={to.src_uri: links for to, links in page.links_to_anchors.items()},
                )

    def noted(self, without: Container[str] = ()) -> dict[str, Any]:
        """Return what the next build needs. `without`: pages that it shall make."""
        return {
            "spoken": self._spoken,
            "pages": {p: facts for p, facts in self._noted.items() if {*facts} >= NEEDED and p not in without},
        }

    def before(self, path: str) -> str:
        """Return a file of the existing site; nothing if it is not there, or if the site is not as it was built."""
        try:
            return self.text(path) if self._there else ""
        except FileNotFoundError:
            return ""

    def text(self, path: str) -> str:
        """Return a file of the existing site, every character as it is: `Path.read_text` would change line ends."""
        return (self.site / path).read_bytes().decode()

    def link(self, folder: Path) -> None:
        """Put the files that are carried over into a site that is otherwise finished.

        They are hard links, or copies where the file system has none; whoever wrote to one would change both sites.
        """
        for path in self.files():
            source, target = os.path.join(self.site, path), os.path.join(folder, path)
            try:
                _link(source, target)
            except FileNotFoundError:  # rarer than a folder that is there already
                os.makedirs(os.path.dirname(target), exist_ok=True)
                _link(source, target)

    def files(self) -> set[str]:
        """Return the files that are carried over: paths from the site's root."""
        return self.also | {path for facts in self.pages.values() for path in (*facts["files"], *facts["figures"])}


def spoken(build: Build, parts: Site) -> str:
    """Return a hash of what pages say of themselves to others, and of what there is besides pages."""
    pages = [(page.path, page.meta, title(page), parts.date(page.path)) for page in build.pages]
    return digest(repr(pages), sorted(build.book.results), build.book.versions.names, build.book.versions.built)


def _documented(addresses: Mapping[str, str], parts: Site) -> bool:
    """Whether PyTorch documents names where it did."""
    return all(parts.names.address(name) == address for name, address in addresses.items())


def restore(page: Any, facts: Facts, meta: Mapping[str, Any], file: Callable[[str], Any]) -> None:
    """Give MkDocs' page what other pages, the navigation and the validation of links ask it for.

    Args:
        page: The page; it is not read.
        facts: What was noted of it.
        meta: Its front matter.
        file: Given a file from the documentation's root, returns MkDocs' file.
    """
    page.meta = {**meta}
    page.markdown = page.content = ""
    page.meta["title"], page.title = map(Markup, facts["titles"])
    page.present_anchor_ids = set(facts["anchors"])
    page.links_to_anchors = {file(path): links for path, links in facts["links"].items()}


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except FileExistsError:  # pages can share a file
        pass
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, target)

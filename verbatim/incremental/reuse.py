"""Reuses the pages of an existing site that are as they were.

A page is reused if all of these are as they were when it was made:

- `Inputs.shared`: what any page could read, the contents of pages, scripts and records excepted;
- `SiteRecord.metadata`: what pages say of themselves to others;
- its fingerprint: its own text and what its scripts print; of a page with lists, its text with the lists expanded
  (`verbatim.build.Build.inputs`);
- where PyTorch documents the names on it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from pathlib import Path

from verbatim.incremental.inputs import Inputs
from verbatim.incremental.records import PageRecord, SiteRecord


class Reuse:
    """The pages of the existing site that a build reuses, and the records that it makes for the next build.

    Args:
        site: The existing site.
        before: Its record.
        read: Returns what a build reads.
    """

    def __init__(self, site: Path, before: SiteRecord | None, read: Callable[[], Inputs]):
        self.site = site
        self._read, self._inputs = read, read()
        self.unchanged = before is not None and before.inputs == self._inputs
        """Whether the existing site is what a build would make."""
        self._before = before if before and before.inputs.shared == self._inputs.shared else None
        self._metadata = ""
        self._fingerprints: dict[str, str] = {}
        self._made: dict[str, PageRecord] = {}
        self.pages: dict[str, PageRecord] = {}
        """The pages that are reused: file from the documentation's root → record."""

    def choose(self, fingerprints: Mapping[str, str], metadata: str, address: Callable[[str], str]) -> None:
        """Find the pages that are reused. Called once a language.

        Args:
            fingerprints: File from the documentation's root → the page's fingerprint.
            metadata: `SiteRecord.metadata` of this build.
            address: Returns where PyTorch documents a name.
        """
        self._metadata = metadata
        self._fingerprints.update(fingerprints)
        known = self._before.pages if self._before and self._before.metadata == metadata else {}
        for file, fingerprint in fingerprints.items():
            record = known.get(file)
            if record and record.fingerprint == fingerprint:
                if all(address(name) == recorded for name, recorded in record.addresses.items()):
                    self.pages[file] = record

    def fingerprint(self, file: str) -> str:
        """Return the fingerprint of a page; empty for one that was not among those to choose from."""
        return self._fingerprints.get(file, "")

    def forget(self, file: str) -> None:
        """Do not reuse a page, and do not let the next build reuse it."""
        self.pages.pop(file, None)
        self._made.pop(file, None)

    def add(self, file: str, record: PageRecord) -> None:
        """Keep the record of a page that was made."""
        self._made[file] = record

    @property
    def page_records(self) -> dict[str, PageRecord]:
        """The records of the pages of the new site, those that are reused and those that were made."""
        return {**self.pages, **self._made}

    def link(self, folder: Path) -> None:
        """Put reused pages and their files into a site that is otherwise finished.

        They are hard links, or copies where the file system has none; whoever wrote to one would change both sites.
        """
        for path in sorted({path for page in self.pages.values() for path in (page.html, *page.files)}):
            source, target = os.path.join(self.site, path), os.path.join(folder, path)
            try:
                _link(source, target)
            except FileNotFoundError:  # rarer than a folder that is there already
                os.makedirs(os.path.dirname(target), exist_ok=True)
                _link(source, target)

    def record(self, loud: Container[str], *, warned: bool) -> SiteRecord | None:
        """Return the record of the new site; ``None`` if something was saved while it was made: what it has is unknown.

        Args:
            loud: Pages that warned; the next build makes them.
            warned: Whether anything warned, so that the next build must not be skipped.
        """
        if self._read() != self._inputs:
            return None
        pages = self.page_records
        inputs = replace(self._inputs, all="") if warned else self._inputs
        return SiteRecord(inputs, self._metadata, {file: pages[file] for file in pages if file not in loud})


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except FileExistsError:  # pages can share a file
        pass
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, target)

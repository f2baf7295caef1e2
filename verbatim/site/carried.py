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
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
        self._before = before.noted if before and before.read.shared == read.shared else {}
        self._spoken = ""
        self._noted: dict[str, Facts] = {}
        self.pages: dict[str, Facts] = {}
        """Those that are carried over: file from the documentation's root → facts."""

    def speak(self, spoken: str) -> None:
        """Tell what pages say to each other, as a hash. No page can be carried over before."""
        self._spoken = spoken

    def decide(self, page: str, key: str, address: Callable[[str], str]) -> None:
        """Decide on a page.

        Args:
            page: Its file from the documentation's root.
            key: Hash of what it alone is made of.
            address: Where PyTorch documents a name.
        """
        self.pages.pop(page, None)
        self._noted[page] = {"key": key}
        facts = self._before.get("pages", {}).get(page) if self._before.get("spoken") == self._spoken else None
        if facts and facts["key"] == key and all(address(name) == to for name, to in facts["addresses"].items()):
            self.pages[page] = self._noted[page] = facts

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

    def forget(self, page: str) -> None:
        """Leave it to the next build to make a page: something of it is not known."""
        if page not in self.pages:
            self._noted.pop(page, None)

    def noted(self) -> dict[str, Any]:
        """Return what the next build needs."""
        return {
            "spoken": self._spoken,
            "pages": {page: facts for page, facts in self._noted.items() if {*facts} >= NEEDED},
        }

    def text(self, path: str) -> str:
        """Return a file of the existing site."""
        return (self.site / path).read_text(encoding="utf-8")

    def link(self, folder: Path) -> None:
        """Put the files of the pages that are carried over into a site that is otherwise finished.

        They are hard links, or copies where the file system has none; whoever wrote to one would change both sites.
        """
        for path in {path for facts in self.pages.values() for path in (*facts["files"], *facts["figures"])}:
            target = folder / path
            try:
                _link(self.site / path, target)
            except FileNotFoundError:  # rarer than a folder that is there already
                target.parent.mkdir(parents=True, exist_ok=True)
                _link(self.site / path, target)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileExistsError:  # pages can share a file
        pass
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, target)

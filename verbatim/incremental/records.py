"""What is stored of a site for the build after it: one record a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verbatim.incremental.inputs import Inputs, site_state
from verbatim.memo import Memo


@dataclass(frozen=True)
class PageRecord:
    """A page of a site: what it was made from, what came out, and what others ask of it."""

    fingerprint: str
    """Of all that the page itself depends on. What any page could read is in `SiteRecord.inputs`."""
    html: str
    """Its file, from the site's root."""
    files: tuple[str, ...]
    """Its other files: Markdown, downloads, notebook view, figures, stylesheet of formulas, card."""
    titles: tuple[str, str]
    """Its title, and what the navigation calls it; both are HTML."""
    anchors: tuple[str, ...]
    links: dict[str, dict[str, str]]
    """File that it links to → anchor → link as written."""
    addresses: dict[str, str]
    """Names on the page → their addresses in PyTorch's documentation."""
    searchable: Any
    """What the search shall find on it; ``None`` if nothing."""
    styled: frozenset[str]
    """What stylesheets can ask for in its HTML, notebook view included: see `stylesheet.marks`."""


@dataclass(frozen=True)
class SiteRecord:
    """A site that was built."""

    inputs: Inputs
    metadata: str
    """Fingerprint of what pages say of themselves to others: front matter, titles, dates."""
    pages: dict[str, PageRecord]
    """File from the documentation's root → its record. A page that warned is left out, so that it warns again."""


def load(memo: Memo, site: Path) -> SiteRecord | None:
    """Return the record of the existing site; ``None`` if there is none, or if the site was modified since."""
    stored = memo.load("site", str(site))
    if not isinstance(stored, tuple) or stored[0] != site_state(site):
        return None
    record: SiteRecord = stored[1]
    return record


def save(memo: Memo, site: Path, state: str, record: SiteRecord) -> None:
    """Store the record of a site that has just been built.

    Args:
        memo: Where to.
        site: Where the site is shown.
        state: Its `site_state`, from before it was shown: after that, another build may have put its own there.
        record: The record.
    """
    memo.save("site", str(site), (state, record))

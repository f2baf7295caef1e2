"""What pages claim of releases of PyTorch can be seen in the book. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verbatim.book.gather import Book
from verbatim.book.releases.model import sort_key
from verbatim.checks.exemptions import FORM
from verbatim.markdown import CODE_SPAN, prose
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: A release of PyTorch in a sentence.
NAMED_RELEASE = re.compile(r"\b(?:PyTorch|[Tt]orch) v?(?P<name>\d+\.\d+(?:\.\d+)?)(?!\.?\d)")
#: One that is named by its number alone. The words around it tell it from other numbers: “before 1.5 epochs” is none.
BARE_RELEASE = re.compile(
    r"\b(?:[Bb]efore|[Ss]ince) (?P<en>1\.\d\d?(?:\.\d)?)(?=[,;:.)]|$| (?:it|this|that|the|there|they)\b)|"
    r"(?:^|[。；，：（])\s*(?:在 |从 )?(?P<zh>1\.\d\d?(?:\.\d)?) ?(?:以前|之前|起)(?=，)"
)


def recorded(book: Book) -> tuple[str, str] | None:
    """Return the oldest and the newest release that outputs are shown of; ``None`` where only one was run."""
    names = book.releases.names
    return (names[0], names[-1]) if book.releases.all else None


def check_releases(book: Book, page: Page) -> Iterator[Problem]:
    """Nothing is said of a release that is older or newer than all that were recorded."""
    if not (known := recorded(book)):
        return
    for number, line in prose(page.text):
        bare = CODE_SPAN.sub("`", line)
        named = [(match[0], match["name"]) for match in NAMED_RELEASE.finditer(bare)]
        named += [
            (release, release) for match in BARE_RELEASE.finditer(bare) if (release := match["en"] or match["zh"])
        ]
        for text, name in named:
            first, last = (sort_key(release)[: len(sort_key(name))] for release in known)
            if not first <= sort_key(name) <= last:
                message = f"nothing shows what `{text}` does: the records are of {known[0]} to {known[1]}"
                hint = f"leave it out; where an old note is corrected, {FORM}"
                yield Problem(page.path, number, message, hint)

"""What is said in the reader's own numbers can be filled, and is said of a message that pages show. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from verbatim.lists import advice, errors
from verbatim.lists.places import Sources
from verbatim.problems import Problem


def check_advice(sources: Sources, *, whole: bool) -> Iterator[Problem]:
    """Each entry of `advice.FILE` can be filled; if these are all pages, one of them shows such a message."""
    entries, problems = advice.read(sources.book.project)
    yield from problems
    if whole and not problems and not sources.book.problems:  # else a message may be missing by another mistake
        listed = errors.messages(sources, sources.languages.default)
        yield from advice.unmatched(entries, list(dict.fromkeys(" ".join(message.whole.split()) for message in listed)))

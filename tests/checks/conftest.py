"""The sound recipes, and what is told of them with changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest

from tests.checks.recipe import written
from verbatim import checks
from verbatim.book.gather import Book, gather
from verbatim.build import prepare
from verbatim.pages.page import Page, load_pages
from verbatim.problems import Problem, report
from verbatim.project import Project


@pytest.fixture(scope="session")
def sound(tmp_path_factory) -> Book:
    """One sound recipe, run once."""
    return gather(written(tmp_path_factory.mktemp("mistakes") / "book"))


class Said(str):
    """A report of `check`."""

    def __new__(cls, problems: Iterable[Problem]) -> Said:
        return super().__new__(cls, report(problems))

    def __init__(self, problems: Iterable[Problem]):
        self.problems = [str(problem) for problem in sorted(set(problems))]
        """Its problems, a text each."""


#: The new text of a file or its bytes, ``None`` where it is removed, or what stands in it and what is written instead.
Change = str | bytes | None | tuple[str, str]


@pytest.fixture
def told(sound, tmp_path, request) -> Callable[..., Said]:
    """Return what is said of the sound recipe with changes: path → `Change`.

    Where only texts of pages change, no script runs again, and nothing is written. `of`: the smaller book instead,
    `SMALL_BOOK`, which is written into `project`.
    """

    def told(of: Mapping[str, str] | None = None, **changes: Change) -> Said:
        if of is not None:
            project, write = map(request.getfixturevalue, ("project", "write"))
            for path, text in {**of, **changes}.items():
                if text is not None:
                    write(path, text)
            return Said(prepare(gather(project)).problems)
        texts = {path: _text(sound.project, path, change) for path, change in changes.items()}
        if all(path.startswith("docs/") and not isinstance(text, bytes) for path, text in texts.items()):
            pages, problems = load_pages(sound.project)
            known = {page.path: page.text for page in pages} | texts
            changed = [Page(path, text) for path, text in known.items() if text is not None]
            return Said([*problems, *sound.problems, *checks.check(sound, changed)])
        copy = written(tmp_path / "changed")
        for path, text in texts.items():
            (copy.root / path).write_bytes(text.encode() if isinstance(text, str) else text)
        return Said(prepare(gather(copy)).problems)

    return told


def _text(project: Project, path: str, change: Change) -> str | bytes | None:
    if not isinstance(change, tuple):
        return change
    text = (project.root / path).read_text(encoding="utf-8")
    assert change[0] in text
    return text.replace(*change, 1)

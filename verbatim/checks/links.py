"""Links within the site lead somewhere, and records have their scripts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from verbatim.book import records
from verbatim.markdown import OUTSIDE
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.project import Project


def check_links(project: Project, pages: Iterable[Page]) -> Iterator[Problem]:
    """Each link within the site leads somewhere."""
    by_path = {page.path: page for page in pages}
    ids = {page.path: [h.id for h in page.headings] for page in by_path.values()}
    elsewhere = {(p.language, h.id): f"it stands in {p.path}" for p in by_path.values() for h in p.headings if h.id}
    for page in by_path.values():
        for line, target in page.links:
            if OUTSIDE.match(target):
                continue
            path, _, anchor = target.partition("#")
            if path.startswith("/"):
                yield Problem(
                    page.path,
                    line,
                    f"the link `{target}` breaks where the site lies in a sub-folder",
                    "write it relative to this page",
                )
                continue
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path)) if path else page.path
            if goal not in by_path:
                if not (project.root / goal).is_file():
                    names = [
                        posixpath.relpath(p, posixpath.dirname(page.path))
                        for p in by_path
                        if p.split("/")[1] == page.language
                    ]
                    yield Problem(page.path, line, f"the link `{target}` leads nowhere", did_you_mean(path, names))
                continue
            if anchor and anchor not in ids[goal]:
                yield Problem(
                    page.path,
                    line,
                    f"{goal} has no heading `#{anchor}`",
                    elsewhere.get((page.language, anchor)) or did_you_mean(anchor, filter(None, ids[goal])),
                )


def check_orphans(project: Project) -> Iterator[Problem]:
    """Each record has its script."""
    for path in records.orphans(project):
        yield Problem(
            project.relative(path),
            0,
            "the script of this record is gone",
            "remove it: python -m verbatim record",
        )

"""Links within the site lead somewhere, and records have their scripts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from packaging.utils import canonicalize_name

from verbatim.book import records
from verbatim.book.gather import Book
from verbatim.markdown import OUTSIDE_LINK, resolve
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.project import CONFIG, Project

#: An item of a list in MkDocs' settings that is an address.
LOADED_ADDRESS = re.compile(r"[\s-]*(?:path:\s*)?[\"']?(?:https?:)?//")
#: The file that pins what everything is built with.
PINS = "requirements.txt"
#: The file that pins what those need, too.
LOCK = "requirements/base.lock"


def check_links(project: Project, linked_pages: Sequence[tuple[Page, Iterable[tuple[int, str]]]]) -> Iterator[Problem]:
    """Each link within the site leads somewhere.

    Args:
        project: The project.
        linked_pages: Its pages, each with line and target of its links.
    """
    by_path = {page.path: page for page, _ in linked_pages}
    ids = {page.path: [h.id for h in page.headings] for page in by_path.values()}
    elsewhere = {(p.language, h.id): f"it stands in {p.path}" for p in by_path.values() for h in p.headings if h.id}
    own = project.site_url
    for page, links in linked_pages:
        for line, target in links:
            if own and target.startswith(own):
                message = f"the link `{target}` leads to this site by its address"
                yield Problem(page.path, line, message, "write it relative to this page: ../shapes/cat.md#cat-dims")
            if OUTSIDE_LINK.match(target):
                continue
            if target.startswith("/"):
                yield Problem(
                    page.path,
                    line,
                    f"the link `{target}` breaks where the site lies in a sub-folder",
                    "write it relative to this page",
                )
                continue
            goal, anchor = resolve(target, page.path)
            if goal == page.path and not anchor:
                message = f"the link `{target}` leads to this page itself"
                yield Problem(page.path, line, message, "link to a section, cat.md#cat-dims, or take the link out")
            if goal in by_path and by_path[goal].language != page.language:
                message = f"the link `{target}` leads to a page of another language"
                yield Problem(page.path, line, message, "link to that page in this language: ../shapes/cat.md")
            if goal not in by_path:
                goal = project.fallback(goal)
            if goal not in by_path:
                if not (project.root / goal).is_file():
                    hint = _nearest(page, target.partition("#")[0], by_path)
                    yield Problem(page.path, line, f"the link `{target}` leads nowhere", hint)
                continue
            if anchor and anchor not in ids[goal]:
                yield Problem(
                    page.path,
                    line,
                    f"{goal} has no heading `#{anchor}`",
                    elsewhere.get((page.language, anchor)) or did_you_mean(anchor, filter(None, ids[goal])),
                )


def _nearest(page: Page, path: str, pages: Iterable[str]) -> str:
    """Return the page, or the pages of the chapter, that a link which leads nowhere may mean."""
    if "\\" in path:
        return "write " + path.replace("\\", "/")
    if not path.endswith(".md"):
        return "a link names a page's file, ../shapes/cat.md; images stand below docs/assets"
    names = [posixpath.relpath(p, posixpath.dirname(page.path)) for p in pages if p.split("/")[1] == page.language]
    beside = [name for name in names if posixpath.dirname(name) == posixpath.dirname(path)]
    return did_you_mean(path, beside or names)


def check_built(book: Book) -> Iterator[Problem]:
    """The records were printed by the packages that the requirements pin."""
    pins = dict(re.findall(r"^([\w-]+)==([\w.]+)", book.project.text(PINS), re.MULTILINE))
    for package, version in book.recorded_environment.items():
        recorded = version.partition("+")[0]
        if recorded != pins.get(package, recorded):
            place = book.project.relative(records.environment_path(book.project))
            message = f"it names {package} {recorded}; {PINS} pins {pins[package]}"
            hint = (
                f"nobody edits it: git checkout {place}; {package} is raised by make upgrade, on whose branch, once no "
                'script fails, comes: make record OPTIONS="--new-environment --cached"'
            )
            yield Problem(place, 0, message, hint)


def check_pins(project: Project) -> Iterator[Problem]:
    """Each package that is required is pinned, once, and so is what it needs: the lock has it."""
    names = re.findall(r"^([\w.-]+)==", text, re.MULTILINE) if (text := project.text(LOCK)) else None
    locked = set(map(canonicalize_name, names)) if names is not None else None
    first: dict[str, int] = {}
    for number, line in enumerate(project.text(PINS).splitlines(), 1):
        name = re.match(r"[\w.-]+", line)
        if not name or line.startswith("-"):
            continue
        if (other := first.setdefault(canonicalize_name(name[0]), number)) != number:
            yield Problem(PINS, number, f"`{name[0]}` stands on line {other}, too", "keep one")
        if not re.match(r"[\w.-]+(?:\[[\w,-]+\])?==[\w.+!-]+", line):
            message = f"`{line.partition('#')[0].strip()}` names no single release, so every build may get another"
            yield Problem(PINS, number, message, f"write {name[0]}==…, and run make lock")
        elif locked is not None and name[0] != "torch" and canonicalize_name(name[0]) not in locked:
            yield Problem(LOCK, 0, f"`{name[0]}` of {PINS} is not in it", "run make lock")


def check_origins(project: Project) -> Iterator[Problem]:
    """No page asks another origin than the site's own for a style, a script or a font."""
    key = ""
    for number, line in enumerate(project.text(CONFIG).splitlines(), 1):
        key = setting[1] if (setting := re.match(r"([\w-]+):", line)) else key
        if key in ("extra_css", "extra_javascript") and LOADED_ADDRESS.match(line):
            hint = f"keep the file below docs/assets and name it so: assets/…; `{line.strip().lstrip('- ')}`"
            yield Problem(CONFIG, number, "each page would load this from another origin", hint)
        elif re.match(r"  font:(?!\s*false\b)", line):
            yield Problem(CONFIG, number, "each page would load this font from another origin", "write font: false")


def check_orphans(project: Project) -> Iterator[Problem]:
    """Each record has its script."""
    for path in records.orphans(project):
        yield Problem(
            project.relative(path),
            0,
            "the script of this record is gone",
            "remove it: python -m verbatim record",
        )

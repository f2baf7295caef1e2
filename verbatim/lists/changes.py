"""What each torch version changed in the outputs, from git's history of `outputs/`; as a page and as a feed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from verbatim import git
from verbatim.book import records
from verbatim.book.drift import CellChange, classify
from verbatim.lists.feed import Entry, atom
from verbatim.lists.places import Place, Sources, link_place, page_address
from verbatim.markdown import fence
from verbatim.pages.page import Page
from verbatim.problems import Problems
from verbatim.project import Project, write_if_changed
from verbatim.words import CHANGES

#: The page that tells the changes.
PAGE = "ways/changes.md"
ENVIRONMENT = "outputs/cpu/environment.json"


@dataclass(frozen=True)
class Step:
    """A change of the torch version that printed the records."""

    old: str
    new: str
    time: int
    """Seconds since 1970."""
    changes: tuple[CellChange, ...] = ()

    @property
    def date(self) -> str:
        """Day of the change, 2026-11-21."""
        return datetime.fromtimestamp(self.time, UTC).strftime("%Y-%m-%d")

    @property
    def anchor(self) -> str:
        """The id of its heading."""
        return f"torch-{self.new.replace('.', '-')}"


def steps(project: Project) -> list[Step] | None:
    """Return every change of version, newest first; ``None`` where git's history is not at hand as a whole."""
    if not git.complete(project.root):
        return None
    log = git.run(project.root, "log", "--first-parent", "-m", "--format=%H %ct", "--", ENVIRONMENT).split("\n")
    found = []
    for line in filter(None, log):
        commit, time = line.split()
        old, new = version_at(project, f"{commit}^"), version_at(project, commit)
        if old and new and old != new:
            found.append(Step(old, new, int(time), changed(project, f"{commit}^", commit)))
    return found


def version_at(project: Project, commit: str) -> str:
    """The torch version that printed the records of a commit, without its build; nothing where there were none."""
    name = f"{commit}:./{ENVIRONMENT}"
    return _version(git.blobs(project.root, [name]).get(name, ""))


def version_now(project: Project) -> str:
    """The torch version that printed the records as they lie on disk."""
    try:
        return _version((project.root / ENVIRONMENT).read_text(encoding="utf-8"))
    except OSError:
        return ""


def _version(environment: str) -> str:
    try:
        return str(json.loads(environment)["torch"]).partition("+")[0]
    except (ValueError, KeyError, TypeError):
        return ""


def changed(project: Project, before: str, after: str) -> tuple[CellChange, ...]:
    """Return the cells whose code stayed and whose output did not, between two commits."""
    paths = git.run(project.root, "diff", "--name-only", "--relative", before, after, "--", "outputs/cpu").splitlines()
    paths = sorted(path for path in paths if path.endswith(".ipynb"))
    texts = git.blobs(project.root, [f"{commit}:./{path}" for path in paths for commit in (before, after)])
    found = []
    for path in paths:
        recipe = path.removeprefix("outputs/cpu/").removesuffix(".ipynb")
        try:
            old, new = (
                records.read(texts.get(f"{commit}:./{path}", ""), path, recipe, "cpu") for commit in (before, after)
            )
        except Problems:
            continue  # it did not exist, or was not a record yet
        for cell in new.cells:
            was = old.cell(cell.name)
            if was and was.sha == cell.sha and not was.skipped and not cell.skipped:
                change = classify(recipe, cell.name, was.outputs, cell.outputs)
                if change.diff:
                    found.append(change)
    return tuple(found)


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown: a heading a version, an item and a diff a cell."""
    words = CHANGES[page.language]
    if sources.steps is None:
        return [words["unknown"]]
    lines = [f'{words["feed"]}<a href="../../changes.xml">Atom</a>', ""]
    if not sources.steps:
        return [*lines, words["none"].format(version=sources.version)]
    places = _places(sources, page.language)
    for step in sources.steps:
        heading = words["heading"].format(old=step.old, new=step.new, date=step.date)
        lines += ["", f"## {heading} {{ #{step.anchor} }}", ""]
        if not step.changes:
            lines += [words["same"], ""]
        for change in step.changes:
            place = places.get((change.recipe, change.cell))
            where = link_place(place, page) if place else words["gone"]
            name = f"{change.recipe}#{change.cell}"
            lines += [f'<span id="{anchor(step, change)}"></span>`{name}` · {where}', ""]
            lines += [*fence(change.diff, "diff"), ""]
    return lines


def anchor(step: Step, change: CellChange) -> str:
    """The id of one changed output."""
    return f"{step.anchor}-{change.recipe.replace('/', '-')}-{change.cell}"


def _places(sources: Sources, language: str) -> dict[tuple[str, str], Place]:
    found: dict[tuple[str, str], Place] = {}
    for place in sources.places(language):
        found.setdefault((sources.book.project.recipe(place.script.path), place.cell.name), place)
    return found


def feed(sources: Sources, language: str, site_url: str, site_name: str) -> str:
    """Return the Atom feed: an entry a changed output, newest version first."""
    base = site_url.rstrip("/") + "/"
    address = base + page_address(language, PAGE)
    places = _places(sources, language)
    entries = []
    for step in sources.steps or ():
        for change in step.changes:
            place = places.get((change.recipe, change.cell))
            name = place.heading if place else f"{change.recipe}#{change.cell}"
            url = f"{address}#{anchor(step, change)}"
            updated = datetime.fromtimestamp(step.time, UTC)
            entries.append(Entry(url, f"torch {step.new}: {name}", change.diff, updated))
    titles = {"zh": "PyTorch 改变的输出", "en": "Outputs that PyTorch changed"}
    return atom(
        entries,
        title=titles[language],
        url=address,
        feed_url=base + page_address(language, "index.md") + "changes.xml",
        language=language,
        author=site_name,
    )


def write_feeds(site: Path, sources: Sources, site_url: str, site_name: str) -> None:
    """Write ``changes.xml`` beside each language's first page, where the book has the page of changes."""
    for page in sources.pages:
        if page.name == PAGE:
            path = site / page_address(page.language, "index.md") / "changes.xml"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_if_changed(path, feed(sources, page.language, site_url, site_name))

"""What each torch version changed in the outputs, as a page and as a feed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from verbatim.book.drift import CellChange
from verbatim.lists.feed import Entry, atom
from verbatim.lists.history import Step
from verbatim.lists.places import Place, Sources, link_place, page_address
from verbatim.markdown import fence
from verbatim.pages.page import Page
from verbatim.project import write_if_changed
from verbatim.words import CHANGES

#: The page that tells the changes.
PAGE = "ways/changes.md"


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

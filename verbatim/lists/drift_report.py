"""Writes the report on outputs that changed: first what readers would notice, page by page, then the rest. Pure.

It is read in a terminal, on a pull request and in an issue, by people who decide whether to adopt a new torch.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from urllib.parse import urljoin

from verbatim.book.drift import KINDS, NOTICED_KINDS, CellChange
from verbatim.lists.places import Place, Sources, title
from verbatim.lists.quotes import Quote, find
from verbatim.markdown import fence
from verbatim.pages.page import Page
from verbatim.problems import Problem, report

#: The report is in English, and so are the titles that it names; the pages of other languages are named by their paths.
LANGUAGE = "en"
KIND_ORDER = {kind: number for number, kind in enumerate(KINDS)}


def render(
    changes: Iterable[CellChange],
    sources: Sources,
    problems: Iterable[Problem],
    *,
    title: str,
    address: str = "",
    command: str = "",
) -> str:
    """Return the report as Markdown.

    Args:
        changes: A change for every cell, as `verbatim.book.drift.against_records` returns them.
        sources: The book and its pages.
        problems: The errors of the run.
        title: The report's heading.
        address: The site's address; where it is empty, titles link to the pages' files.
        command: The command that approves the changes; it is written below them.
    """
    changes, problems = list(changes), sorted(set(problems))
    noticed = [change for change in changes if change.kind in NOTICED_KINDS]
    wording = [change for change in changes if change.kind == "wording"]
    lines = [f"# {title}", "", _summary(changes, noticed, problems), ""]
    lines += _part("What readers would notice", noticed, sources, address)
    if problems:
        lines += [
            "## What fails",
            "",
            "To be mended first: `record` leaves the records of these scripts as they are.",
            "",
        ]
        lines += [*fence(report(problems), "text"), ""]
    lines += _part("Messages in other words", wording, sources, address)
    lines += _rest(changes)
    if command and (noticed or wording):
        lines += ["## If this is right", "", *fence(command, "sh"), ""]
    return "\n".join(lines)


def _summary(changes: list[CellChange], noticed: list[CellChange], problems: list[Problem]) -> str:
    """Return the first sentence: how much changed, of how much."""
    counts = Counter(change.kind for change in changes)
    parts = [f"{_many(len(problems), 'failure')}"] if problems else []
    parts += [f"{_many(len(noticed), 'cell')} that readers would notice"]
    parts += [f"{_many(counts['wording'], 'message')} in other words"] if counts["wording"] else []
    parts += [f"{counts['unchanged'] + counts['noise']:,} cells as before"]
    unknown = sum(counts[kind] for kind in ("not run", "not reached"))
    parts += [f"**{unknown} not run**"] if unknown else []
    return ", ".join(parts) + "."


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _by_page(changes: list[CellChange], sources: Sources) -> list[tuple[Page | None, list[CellChange]]]:
    """Return the first page of each cell, with its changes; the page with the gravest change first."""
    by_page: dict[str, list[CellChange]] = {}
    for change in changes:
        places = _on_pages(change, sources)
        shown = next((place.page.path for place in places if place.page.language == LANGUAGE), "")
        by_page.setdefault(shown or (places[0].page.path if places else ""), []).append(change)
    ordered = [(sources.page(path), sorted(some, key=_gravity)) for path, some in by_page.items()]
    return sorted(ordered, key=lambda item: (_gravity(item[1][0]), -len(item[1])))


def _gravity(change: CellChange) -> int:
    return KIND_ORDER[change.kind]


def _places(change: CellChange, sources: Sources) -> list[Place]:
    """Return where a cell is shown, in every language."""
    return [place for place in _of_script(change, sources) if place.cell.name == change.cell]


def _on_pages(change: CellChange, sources: Sources) -> list[Place]:
    """Return where a cell is shown; of a hidden one, where its script is: sentences there say what it proves."""
    return _places(change, sources) or _of_script(change, sources)


def _of_script(change: CellChange, sources: Sources) -> list[Place]:
    """Return where cells of a script are shown, in every language."""
    script = f"examples/{change.recipe}.py"
    every = (place for language in sources.languages.all for place in sources.places(language))
    return [place for place in every if place.script.path == script]


def _part(heading: str, changes: list[CellChange], sources: Sources, address: str) -> list[str]:
    """Return the part on changes of one gravity, page by page."""
    lines = [f"## {heading}", ""] if changes else []
    for page, of_page in _by_page(changes, sources):
        lines += _page(page, of_page, sources, address)
    return lines


def _page(page: Page | None, changes: list[CellChange], sources: Sources, address: str) -> list[str]:
    """Return the part on a page: its title, the changes of its cells, and the sentences that quote the old outputs."""
    if page:
        target = urljoin(address, sources.languages.address(page.language, page.name)) if address else page.path
        lines = [f"### [{title(page)}]({target})", ""]
    else:
        lines = ["### On no page", ""]
    quotes: dict[tuple[str, int], Quote] = {}
    for change in changes:
        places = _places(change, sources)
        shown = ", ".join(f"`{place.page.path}:{place.embed.line}`" for place in places)
        shown = shown or ("hidden: it proves what the page says" if page else "")
        lines += [f"`{change.recipe}#{change.cell}` {KINDS[change.kind]}" + (f": {shown}" if shown else ""), ""]
        if change.diff:  # without the lines that name the files: the cell is named above
            lines += [*fence("\n".join(change.diff.splitlines()[2:]) or change.diff, "diff"), ""]
        for quote in find(sources.pages, places, change.old, change.new):
            quotes.setdefault((quote.path, quote.line), quote)
    if quotes:
        lines += ["To be read again:", ""]
        for _, quote in sorted(quotes.items()):
            why = f" (quotes `{quote.quoted.replace('`', '')}`)" if quote.quoted else ""
            lines.append(f"- `{quote.path}:{quote.line}`{why}: {_short(quote.text)}")
        lines.append("")
    return lines


def _short(text: str, most: int = 160) -> str:
    """Return a line for a list of lines: shortened, and without the marks of a heading or a list."""
    text = re.sub(r"\s*\{[^{}]*\}$", "", text.lstrip("#-!> ").strip())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _rest(changes: list[CellChange]) -> list[str]:
    """Return the counts of all kinds of changes, and the cells that were not run."""
    counts = Counter(change.kind for change in changes)
    lines = ["## All cells", "", "| | cells |", "| --- | ---: |"]
    lines += [f"| {name} | {counts[kind]:,} |" for kind, name in KINDS.items() if counts[kind]]
    lines.append("")
    for kind, label in (("noise", "The same but for rounding, layout or line numbers"), ("not reached", "Not reached")):
        if counts[kind]:
            lines += [f"{label}: {_names(changes, kind)}.", ""]
    needs = sorted({change.needs for change in changes if change.kind == "not run"})
    for need in needs:
        names = _names((change for change in changes if change.needs == need), "not run")
        lines += [f"Not run, because `{need}` is missing here; their records stay as they are: {names}.", ""]
    return lines


def _names(changes: Iterable[CellChange], kind: str) -> str:
    return ", ".join(f"`{change.recipe}#{change.cell}`" for change in changes if change.kind == kind)


def pages(changes: Iterable[CellChange], sources: Sources) -> list[str]:
    """Return the paths of the pages, in every language, that show, rest on or quote what changed or did not run."""
    of = [change for change in changes if change.kind in (*NOTICED_KINDS, "wording", "not reached")]
    quoted = (
        quote.path for change in of for quote in find(sources.pages, _places(change, sources), change.old, change.new)
    )
    return sorted({*(place.page.path for change in of for place in _on_pages(change, sources)), *quoted})

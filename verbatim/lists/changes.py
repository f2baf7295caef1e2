"""The page and the Atom feed that list which outputs each release of torch changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from verbatim.lists import names, parts, releases
from verbatim.lists.feed import Entry, atom
from verbatim.lists.parts import Part
from verbatim.lists.places import Place, Sources, chapter, chapter_title, link, link_place, path_between, title
from verbatim.lists.releases import ReleaseChange, Step
from verbatim.markdown import fence
from verbatim.pages import other_releases
from verbatim.pages.page import Page
from verbatim.project import write_if_changed
from verbatim.words import CHANGES, COMMON, UPGRADE

#: The page that lists the changes.
PAGE = "ways/changes.md"
#: The id of its section with the changes by chapter.
BY_CHAPTER = "by-chapter"
#: Kinds of change that a release's section only counts: they have no message, and the list by chapter has their links.
COUNTED_KINDS = ("new", "gone", "changed")
#: Kinds of change after which code that ran before runs as well.
EASING_KINDS = ("new", "message gone")


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown lines: the changes by chapter, a section per release, a table of the releases.

    A release that a part of the list takes has its numbers here, and a link to that part.
    """
    words = CHANGES[page.language]
    if not sources.book.releases.all:
        return [words["none"].format(version=sources.book.releases.built)]
    lines = [f'{words["feed"]}<a href="../../changes.xml">Atom</a>', "", *own_code(sources, page)]
    lines += [*by_chapter(sources, page), ""]
    taken = parts.parts(sources, "changes", page.language)
    for step in releases.steps(sources, page.language):
        lines += _heading(step, page)
        if part := parts.part_for(taken, step.new, ""):
            target = f"{path_between(part.page.name, page.name)}#{step.anchor}"
            lines += [f"{summary(step, page.language)}{words['stop']}[{words['all']}]({target})", ""]
        else:
            lines += _section(sources, step, page)
    lines += [f"## {words['numbers']} {{ #numbers }}", "", *table(sources, page.language), ""]
    recorded = sources.book.releases
    if newer := recorded.names[recorded.names.index(recorded.built) + 1 :]:
        which = other_releases.listed(newer, page.language).removeprefix("torch ")
        lines += [words["why"].format(built=recorded.built, newer=which), ""]
    return lines


def render_part(sources: Sources, part: Part) -> list[str]:
    """Return a part of the list as Markdown lines: all that its releases changed."""
    taken = parts.parts(sources, "changes", part.page.language)
    of_part = [
        step for step in releases.steps(sources, part.page.language) if parts.part_for(taken, step.new, "") == part
    ]
    return [
        line
        for step in of_part
        for line in (*_heading(step, part.page), *_section(sources, step, part.page, list_page=PAGE))
    ]


def _heading(step: Step, page: Page) -> list[str]:
    """Return the heading of a release, and what it is compared with."""
    after = CHANGES[page.language]["after"].format(old=step.old)
    return [f"## torch {step.new} {{ #{step.anchor} }}", "", after, ""]


def _section(sources: Sources, step: Step, page: Page, *, list_page: str = "") -> list[str]:
    """Return what a release changed: names, then changes by kind. `list_page`: that of the whole list, if another."""
    words = CHANGES[page.language]
    if not (step.changes or step.names or step.gone):
        return [words["same"], ""]
    lines: list[str] = []
    places, listed = _places(sources, page.language), names.places_of(sources, page.language)
    for key, changed in (("names", step.names), ("names gone", step.gone)):
        if changed:
            linked = " · ".join(names.link_name(name, listed, page) for name in changed)
            lines += [f"**{words[key]}**", "", linked, ""]
    by_chapter = f"{path_between(list_page, page.name) if list_page else ''}#{BY_CHAPTER}"
    for kind in releases.CHANGE_KINDS:
        of_kind = [change for change in step.changes if change.kind == kind]
        if of_kind and kind in COUNTED_KINDS:
            count = words["counted"].format(count=len(of_kind), target=by_chapter)
            lines += [f"**{words[kind]}**{words['colon']}{count}", ""]
        elif of_kind:
            lines += [f"**{words[kind]}**", "", *_list(of_kind, step, places, page), ""]
    return lines


def _list(changes: list[ReleaseChange], step: Step, places: dict[tuple[str, str], Place], page: Page) -> list[str]:
    """Return Markdown lines for changes of messages: links to their sections, each with a diff."""

    def where(change: ReleaseChange) -> str:
        link = link_place(places[change.recipe, change.cell], page)
        compared_with = CHANGES[page.language]["known"].format(old=change.before)
        return link if change.before == step.old else f"{link}{compared_with}"

    lines = []
    for change in changes:
        lines += [f"- {where(change)}", ""]
        texts = [*(f"- {text}" for text in change.old), *(f"+ {text}" for text in change.new)]
        lines += [*(f"    {line}" for line in fence("\n".join(texts), "diff")), ""]
    return lines


def own_code(sources: Sources, page: Page) -> list[str]:
    """Return the place of the form that tells what changes for a reader's code, as Markdown lines.

    The site's script puts the form there: `docs/assets/changes/form.js`.
    """
    releases = sources.book.releases
    heading = f"## {UPGRADE[page.language]['heading']} {{ #own-code }}"
    return [heading, "", form(page.language, releases.names, releases.built), ""]


def form(language: str, releases: Sequence[str], built: str) -> str:
    """Return the paragraph that the form comes below, in HTML, with all that it is made of."""
    words = {**UPGRADE[language], "comma": CHANGES[language]["comma"]}
    data = {"torch": " ".join(releases), "built": built, "words": json.dumps(words, ensure_ascii=False)}
    attributes = " ".join(f'data-{key}="{escape(text)}"' for key, text in data.items())
    return f'<p class="upgrade" {attributes}>{words["about"]}</p>'


def by_chapter(sources: Sources, page: Page) -> list[str]:
    """Return the changes as Markdown lines: one heading per chapter, one item per section, oldest change first.

    The site's script adds two choices of releases above, and shows what changed between them. For it, each cell has in
    `data-steps` its changes: the release, the numbers of what was printed before and after it, the kind.
    """
    words = CHANGES[page.language]
    by_cell: dict[tuple[str, str], list[tuple[str, ReleaseChange]]] = {}
    for step in reversed(releases.steps(sources, page.language)):
        for change in step.changes:
            by_cell.setdefault((change.recipe, change.cell), []).append((step.new, change))
    sections: dict[str, dict[str, list[str]]] = {}
    places = {key: place for key, place in _places(sources, page.language).items() if key in by_cell}
    for key, text in links(places, page).items():
        notes = sections.setdefault(chapter(places[key].page), {}).setdefault(text, [])
        notes += [note] if (note := _steps(by_cell[key], words)) not in notes else []
    count = sum(map(len, sections.values()))
    said = {key: words[f"between {key}"] for key in ("from", "to", "all", "none")}
    kinds = {kind: words[f"short {kind}"] for kind in releases.CHANGE_KINDS}
    data = {
        "torch": " ".join(sources.book.releases.names),
        "words": json.dumps({**said, "kinds": kinds}, ensure_ascii=False),
        "eased": json.dumps(EASING_KINDS),
    }
    attributes = " ".join(f'data-{key}="{escape(text)}"' for key, text in data.items())
    text = words["between"].format(count=f"<b>{count}</b>")
    lines = [f"## {words['by chapter']} {{ #{BY_CHAPTER} }}", "", f'<p class="between" {attributes}>{text}</p>', ""]
    for name, items in sections.items():
        lines += [f"### {chapter_title(sources, name, page.language)} {{ #in-{name or 'home'} }}", ""]
        lines += [*(f"- {link} {' '.join(notes)}" for link, notes in items.items()), ""]
    return lines


def links(places: Mapping[tuple[str, str], Place], page: Page) -> dict[tuple[str, str], str]:
    """Return Markdown links to places; one to a heading that several pages of a chapter have names its page, too."""
    pages: dict[tuple[str, str], set[str]] = {}
    for place in places.values():
        pages.setdefault((chapter(place.page), place.heading), set()).add(place.page.name)
    colon = COMMON[page.language]["colon"]
    found = {}
    for key, place in places.items():
        alone = len(pages[chapter(place.page), place.heading]) == 1
        text = place.heading if alone else f"{title(place.page)}{colon}{place.heading}"
        found[key] = link(text, place.page, place.anchor, page)
    return found


def _steps(changes: Sequence[tuple[str, ReleaseChange]], words: dict[str, str]) -> str:
    """Return the changes of a cell as HTML: one element, since there are many."""
    steps = ";".join(f"{release} {change.was} {change.now} {change.kind}" for release, change in changes)
    said = " ".join(f"· {release} {words[f'short {change.kind}']}" for release, change in changes)
    return f'<span data-steps="{steps}">{said}</span>'


def table(sources: Sources, language: str) -> list[str]:
    """Return a Markdown table of the cells' outcomes per release, oldest first, without the built version."""
    book, words = sources.book, CHANGES[language]
    keys = ("run", "same", "changed", "errors", "absent", "varies", "not_run", "stale")
    lines = [
        "| " + " | ".join(["torch", *(words[f"column {key}"] for key in keys), words["column date"]]) + " |",
        "| :--- |" + " ---: |" * len(keys) + " :--- |",
    ]
    for release in book.releases.all:
        counts = sources.counts[release.name]
        numbers = [f"{getattr(counts, key):,}" for key in keys]
        lines.append("| " + " | ".join([release.name, *numbers, _time(release.environment.get("date", ""))]) + " |")
    return [*lines, "", words["table"].format(built=book.releases.built)]


def _time(date: str) -> str:
    return f'<time datetime="{date}">{date}</time>' if date else ""


def _places(sources: Sources, language: str) -> dict[tuple[str, str], Place]:
    recipe = sources.book.project.recipe
    return {(recipe(place.script.path), place.cell.name): place for place in releases.first_places(sources, language)}


def summary(step: Step, language: str) -> str:
    """Return one line with the number of changes of each kind in a release."""
    words = CHANGES[language]
    counted = [(words[kind], sum(change.kind == kind for change in step.changes)) for kind in releases.CHANGE_KINDS]
    counted.insert(0, (words["names"], len(step.names)))
    return words["comma"].join(f"{name} {count}" for name, count in counted if count) or words["same"]


def feed(sources: Sources, language: str, site_url: str, site_name: str) -> str:
    """Return the Atom feed, with one entry for each release that changed something.

    Args:
        sources: The data of the lists.
        language: The language of the texts.
        site_url: The address of the site's root.
        site_name: The feed's author.
    """
    base = site_url.rstrip("/") + "/"
    address = base + sources.languages.address(language, PAGE)
    entries = [
        Entry(
            f"{address}#{step.anchor}",
            f"torch {step.new}",
            summary(step, language),
            datetime.fromisoformat(step.date).replace(tzinfo=UTC),
        )
        for step in releases.steps(sources, language)
        if step.date and (step.changes or step.names or step.gone)
    ]
    return atom(
        entries,
        title=CHANGES[language]["feed title"],
        url=address,
        feed_url=base + sources.languages.address(language, "index.md") + "changes.xml",
        language=language,
        author=site_name,
    )


def write_feeds(site: Path, sources: Sources, site_url: str, site_name: str) -> None:
    """Write ``changes.xml`` next to the home page of each language that has the page of changes."""
    for page in sources.pages:
        if page.name == PAGE:
            path = site / sources.languages.address(page.language, "index.md") / "changes.xml"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_if_changed(path, feed(sources, page.language, site_url, site_name))

"""The page for maintainers: topics, cells that await a GPU, stale translations, varying outputs. Pure."""

from __future__ import annotations

from verbatim.book import gather
from verbatim.book.gather import Awaiting
from verbatim.lists.places import Place, Sources, chapter_title, link, link_place
from verbatim.markdown import Heading, code
from verbatim.pages.page import Page
from verbatim.words import COVERAGE


def awaiting(sources: Sources, language: str) -> list[tuple[Place, Awaiting]]:
    """Return the shown cells that the CUDA job has yet to record, in reading order."""
    waiting = {(item.script, item.cell): item for item in gather.awaiting(sources.book)}
    waiting_places: dict[tuple[str, str], tuple[Place, Awaiting]] = {}
    for place in sources.places(language):
        key = (place.script.path, place.cell.name)
        if key in waiting:
            waiting_places.setdefault(key, (place, waiting[key]))
    return list(waiting_places.values())


def topics(sources: Sources, language: str) -> dict[str, tuple[Page, Heading]]:
    """Return topic → its section in one language."""
    return {h.id: (page, h) for page in sources.pages_in(language) for h in page.headings if h.id}


def missing_topics(sources: Sources) -> list[tuple[str, str]]:
    """Return ``(chapter, topic)`` of the topics of `book/topics.yml` that are missing in some language."""
    written = [topics(sources, language) for language in sources.languages.whole]
    return [
        (chapter, topic)
        for chapter, of_chapter in sources.map.topics.items()
        for topic in of_chapter
        if not all(topic in sections for sections in written)
    ]


def varying(sources: Sources, language: str) -> list[Place]:
    """Return the cells whose numbers change from run to run."""
    return [place for place in sources.places(language) if place.cell.varies]


def warning(sources: Sources, language: str) -> list[Place]:
    """Return the cells that warn on purpose."""
    return [place for place in sources.places(language) if place.cell.warns]


def render_awaiting(sources: Sources, page: Page) -> list[str]:
    """Return the cells that await a GPU as Markdown."""
    words = COVERAGE[page.language]
    items = []
    for place, item in awaiting(sources, page.language):
        reason = words["stale" if item.stale else "unrecorded"]
        items.append(f"- {code(place.target)} · {reason} · {code(item.needs)} · {link_place(place, page)}")
    return items or [words["nothing"]]


def render(sources: Sources, page: Page) -> list[str]:
    """Return the coverage page's lists as Markdown."""
    parts = [_topics(sources, page), _awaiting(sources, page), _behind(sources, page)]
    for key, find in (("varies", varying), ("warnings", warning)):
        parts.append(_cells(sources, page, key, find(sources, page.language)))
    return [line for part in parts for line in (*part, "")][:-1]


def _topics(sources: Sources, page: Page) -> list[str]:
    """Return the written topics, chapter by chapter, and the missing ones."""
    words, language = COVERAGE[page.language], page.language
    missing = missing_topics(sources)
    count = sum(len(topics) for topics in sources.map.topics.values())
    lines = [f"## {words['topics'].format(done=count - len(missing), all=count)} {{ #topics }}", ""]
    written = topics(sources, language)
    for name, wanted in sources.map.topics.items():
        links = [link(code(t), written[t][0], t, page) for t in wanted if t in written and (name, t) not in missing]
        title = f"{chapter_title(sources, name, language)} · {len(links)}/{len(wanted)}"
        lines += [f'??? quote "{title}"', "", "    " + (" · ".join(links) or words["nothing"]), ""]
    lines += [f"### {words['missing']} {{ #missing-topics }}", ""]
    return [*lines, " · ".join(code(f"{name}: {topic}") for name, topic in missing) or words["nothing"]]


def _awaiting(sources: Sources, page: Page) -> list[str]:
    """Return the cells that await a GPU, below their heading."""
    title = COVERAGE[page.language]["awaiting"].format(count=len(awaiting(sources, page.language)))
    return [f"## {title} {{ #awaiting }}", "", *render_awaiting(sources, page)]


def _behind(sources: Sources, page: Page) -> list[str]:
    """Return the sections whose other language is newer; those of the page's own language as links."""
    words = COVERAGE[page.language]
    lines = [f"## {words['behind'].format(count=len(sources.behind))} {{ #behind }}", ""]
    for item in sources.behind:
        there = sources.page(item.page)
        if there and there.language == page.language:
            section = link(item.section or words["top"], there, item.section, page)
        else:
            section = code("#" + item.section) if item.section else words["top"]
        lines.append(f"- {code(item.page)} · {section}")
    return lines if sources.behind else [*lines, words["nothing"]]


def _cells(sources: Sources, page: Page, key: str, places: list[Place]) -> list[str]:
    """Return cells with links to their sections, below a heading."""
    words = COVERAGE[page.language]
    lines = [f"## {words[key].format(count=len(places))} {{ #{key} }}", ""]
    lines += [f"- {code(place.target)} · {link_place(place, page)}" for place in places]
    return lines if places else [*lines, words["nothing"]]

"""What leads from one file to another: links, topics, records without a script."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator

import yaml

from verbatim.book import records
from verbatim.markdown import OUTSIDE
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.project import LANGUAGES, Project


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


def check_topics(project: Project, pages: list[Page]) -> Iterator[Problem]:
    """Each topic of `topics.yml` has its section, once, in every language, in its own chapter."""
    path = project.root / "topics.yml"
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    lines = {line.strip().removeprefix("- "): number for number, line in enumerate(text.splitlines(), 1)}
    places: dict[tuple[str, str], list[str]] = {}
    for page in pages:
        for heading in page.headings:
            places.setdefault((page.language, heading.id), []).append(f"{page.path}:{heading.line}")
    try:
        chapters = yaml.safe_load(text) or {}
        listed = [(chapter, topic) for chapter, topics in chapters.items() for topic in topics]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        yield Problem("topics.yml", mark.line + 1 if mark else 0, "the map is not YAML", "compare it with git diff")
        return
    except (AttributeError, TypeError):
        yield Problem("topics.yml", 0, "the map is no list of topics for each chapter", "compare it with git diff")
        return
    for topic in (topic for topic, count in Counter(topic for _, topic in listed).items() if count > 1):
        yield Problem("topics.yml", lines.get(str(topic), 0), f"the map names the topic `{topic}` twice", "keep one")
    for chapter, topic in listed:
        for language in LANGUAGES:
            found = places.get((language, topic), [])
            line = lines.get(topic, 0)
            if found and not any(place.startswith(f"docs/{language}/{chapter}/") for place in found):
                message = f"the topic `{topic}` of `{chapter}` stands in {found[0]}"
                yield Problem(
                    "topics.yml", line, message, "list it below the chapter that answers it, or move the section"
                )
            if not found:
                hint = f"write it: a heading with {{ #{topic} }} in docs/{language}/{chapter}/"
                yield Problem("topics.yml", line, f"the topic `{topic}` has no section in `{language}`", hint)
            elif len(found) > 1:
                hint = "links and searches lead to one place: rename the others"
                yield Problem("topics.yml", line, f"the topic `{topic}` stands twice: {', '.join(found)}", hint)


def check_orphans(project: Project) -> Iterator[Problem]:
    """Each record has its script."""
    for path in records.orphans(project):
        yield Problem(
            project.relative(path),
            0,
            "the script of this record is gone",
            "remove it: python -m verbatim record",
        )

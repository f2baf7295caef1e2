"""What each message leads to, as a person approved it: ``outputs/remedies/CHAPTER.yml``.

Below each template stand its places on the pages of the chapter, a place with what readers are handed in each language,
and with the cell that proves it, or why none does. The files are made of the pages (`made`); they are kept so that a
change of what readers are told shows as a diff, as one of an output does.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from verbatim import yaml_texts
from verbatim.lists import errors
from verbatim.lists.errors import Message
from verbatim.lists.places import Sources, chapter, once, relink
from verbatim.problems import Problem
from verbatim.project import Project, write_if_changed

#: What stands for the remedy of a message without one, and of one that only says which releases run the cell.
NONE, RELEASE = "see the page", "another release"
#: Why nothing proves a remedy, where a page does not say why.
UNPROVED = "no cell shows it applied"

#: Template → its places: ``at``, page and section, then language → remedy, and ``proof`` or ``unproved``.
Templates = dict[str, list[dict[str, str]]]


def folder(project: Project) -> Path:
    """Return the folder of the files."""
    return project.outputs / "remedies"


@once
def made(sources: Sources) -> dict[str, Templates]:
    """Return what the pages say: chapter → templates."""
    twins: dict[tuple[str, str, str, str], dict[str, Message]] = {}
    for language in sources.languages.whole:
        for message in errors.messages(sources, language):
            twins.setdefault((message.name, message.text, message.place.page.name, message.place.anchor), {})[
                language
            ] = message
    by_chapter: dict[str, Templates] = {}
    for by in twins.values():
        message = next(iter(by.values()))
        places = by_chapter.setdefault(chapter(message.place.page) or "index", {}).setdefault(message.template, [])
        if (told := _told(by)) not in places:
            places.append(told)
    return {
        name: {key: sorted(templates[key], key=lambda told: [*told.values()]) for key in sorted(templates)}
        for name, templates in sorted(by_chapter.items())
    }


def _told(by: Mapping[str, Message]) -> dict[str, str]:
    message = next(iter(by.values()))
    name = message.place.page.name.removesuffix(".md")
    at = {"at": f"{name}#{message.place.anchor}" if message.place.anchor else name}
    if message.runs_with:
        return at | {"remedy": RELEASE}
    if not all(message.remedy for message in by.values()):
        return at | {"remedy": NONE}
    proof = {"proof": message.proof} if message.proof else {"unproved": message.reason or UNPROVED}
    return at | {language: message.remedy for language, message in by.items()} | proof


def unproved(templates: Mapping[str, Templates]) -> Iterator[dict[str, str]]:
    """Yield the places whose remedy nothing proves."""
    for chapter_ in templates.values():
        for places in chapter_.values():
            yield from (told for told in places if "unproved" in told)


def text(templates: Templates) -> str:
    """Return a chapter's file. Each value is in one line, so that a diff shows what was said and what is."""
    lines = ["# What the messages of this chapter lead to. Approved by: python -m verbatim remedies"]
    for template, places in templates.items():
        lines += ["", f"{_quoted(template)}:"]
        for told in places:
            lines += [f"{'- ' if key == 'at' else '  '}{key}: {_quoted(value)}" for key, value in told.items()]
    return "\n".join(lines) + "\n"


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(project: Project) -> tuple[dict[str, Templates], list[Problem]]:
    """Return what was approved: chapter → templates. A file that is not such a one is a problem."""
    by_chapter: dict[str, Templates] = {}
    problems = []
    for path in sorted(folder(project).glob("*.yml")):
        data: Any = None
        place = project.relative(path)
        hint = "restore it with git, or approve what the pages say: python -m verbatim remedies"
        try:
            data = yaml_texts.load(path.read_bytes()) or {}
        except OSError as error:
            problems.append(Problem(place, 0, f"the approved remedies cannot be read: {error.strerror}", hint))
        except yaml.YAMLError as error:
            problems.append(yaml_texts.problem(error, place, "the list of approved remedies", hint))
        else:
            if _valid(data):
                by_chapter[path.stem] = data
            else:
                fact = "the approved remedies hold something else than templates and their places"
                problems.append(Problem(place, 0, fact, hint))
    return by_chapter, problems


def _valid(data: Any) -> bool:
    return isinstance(data, dict) and all(
        isinstance(template, str)
        and isinstance(places, list)
        and all(
            isinstance(told, dict) and "at" in told and all(isinstance(value, str) for value in told.values())
            for told in places
        )
        for template, places in data.items()
    )


def renamed(templates: Mapping[str, Templates], old: str, new: str) -> dict[str, Templates]:
    """Return what was approved after a recipe got another name: its places, the cells that prove, the links to it."""
    by_chapter: dict[str, Templates] = {}
    for name, chapter_ in templates.items():
        for template, places in chapter_.items():
            for told in places:
                page = told["at"].partition("#")[0]
                own = page == old
                into = (posixpath.dirname(new) or name) if own else name
                by_chapter.setdefault(into, {}).setdefault(template, []).append(
                    {key: _renamed(key, value, page, old, new) for key, value in told.items()}
                )
    return by_chapter


def _renamed(key: str, value: str, page: str, old: str, new: str) -> str:
    if key in ("at", "proof"):
        recipe, mark, name = value.partition("#")
        return f"{new}{mark}{name}" if recipe == old else value
    return relink(value, f"{page}.md", f"{new if page == old else page}.md", {f"{old}.md": f"{new}.md"})


def without(templates: Mapping[str, Templates], recipe: str) -> dict[str, Templates]:
    """Return what was approved after a recipe was taken out."""
    return {
        name: {
            template: [told for told in places if told["at"].partition("#")[0] != recipe]
            for template, places in chapter_.items()
        }
        for name, chapter_ in templates.items()
    }


def write(project: Project, now: Mapping[str, Templates], of: Callable[[str], bool] = lambda page: True) -> list[Path]:
    """Approve what the pages say. Return the files that changed.

    Args:
        project: The project.
        now: What `made` returned.
        of: Whether the remedies of a page, ``losses/nll``, are approved; of others those of before stay.
    """
    before, _ = read(project)
    changed = []
    for name in sorted({*before, *now}):
        templates: Templates = {}
        for source, wanted in ((before, False), (now, True)):
            for template, places in source.get(name, {}).items():
                kept = [told for told in places if of(told["at"].partition("#")[0]) is wanted]
                templates.setdefault(template, []).extend(kept)
        path = folder(project) / f"{name}.yml"
        ordered = {
            key: sorted(templates[key], key=lambda told: [*told.values()])
            for key in sorted(templates)
            if templates[key]
        }
        if not ordered:
            path.unlink(missing_ok=True)
            changed.append(path)
        elif write_if_changed(path, text(ordered)):
            changed.append(path)
    return changed

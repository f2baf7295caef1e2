"""The data of the package that readers install (`explain/`): all messages, their remedies, how they are recognised.

Messages are cut into words here and not at the readers', whose program waits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verbatim import git
from verbatim.book.releases.model import PYTHON, torch_release
from verbatim.lists import advice, errors, package
from verbatim.lists.places import Sources
from verbatim.pages import moved
from verbatim.problems import Problem, Problems
from verbatim.project import CONFIG, write_if_changed
from verbatim.site.downloads import upgrades
from verbatim.site.search import message_words, messages

#: Where the package has its data, from the project's root.
FILE = "explain/src/pytorch_verbatim/messages.json"


def data(sources: Sources, site_url: str) -> dict[str, Any]:
    """Return the data: of each language also the numbers of all messages, in the order of `messages.ordered`.

    Args:
        sources: The book.
        site_url: The site's address; those of pages are relative to it.

    Raises:
        Problems: The site has no address, or the languages show different messages, or the advice cannot be read.
    """
    if not site_url:
        hint = "readers need to know where the pages are"
        raise Problems([Problem(CONFIG, 0, "the site has no address: `site_url` is not set", hint)])
    entries: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    order: dict[str, list[tuple[str, str, str, str]]] = {}
    for language in sources.languages.whole:
        listed = zip(messages.ordered(sources, language), messages.templates(sources, language), strict=True)
        for message, template in listed:
            key = (message.name, message.text, message.place.page.name, message.place.anchor)
            order.setdefault(language, []).append(key)
            entry = entries.setdefault(
                key,
                {
                    "text": template.text,
                    "cell": message.place.target,
                    "torch": message.torch,
                    "pythons": [name.removeprefix(PYTHON) for name in message.pythons],
                    "quoted": message.quoted,
                    "places": {},
                },
            )
            address = f"{template.url}#{template.section}" if template.section else template.url
            entry["places"][language] = [address, template.titles, template.remedy, template.about]
    missing = [
        Problem(f"docs/{language}/{page}", 0, f"`{text}` stands on no page of this language", "show its cell here, too")
        for (_, text, page, _), entry in entries.items()
        for language in sources.languages.whole
        if language not in entry["places"]
    ]
    if missing:
        raise Problems(missing)
    numbers = {key: number for number, key in enumerate(entries)}
    return {
        "book": _about(sources, site_url),
        "rules": messages.rules(),
        "advice": advice.data(sources.book.project),
        "order": {language: [numbers[key] for key in keys] for language, keys in order.items()},
        **packed(list(entries.values())),
    }


def packed(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return messages as the package reads them, nothing twice.

    Returns:
        ``words``: all words. ``texts``: of each text itself, and the words of the whole and of its first sentence, as
        twice their number, and one more for names. ``messages``: values of the entries, a text as its number.
    """
    cut = message_words.Cutter(messages.rules())
    words: dict[str, int] = {}
    texts: dict[str, tuple[int, list[list[int]]]] = {}
    for entry in entries:
        if entry["text"] not in texts:
            _, *both = cut.known(entry["text"])
            numbered = [[2 * words.setdefault(w, len(words)) + named for w, named in some.items()] for some in both]
            texts[entry["text"]] = len(texts), numbered
    return {
        "words": list(words),
        "texts": [[text, *numbered] for text, (_, numbered) in texts.items()],
        "messages": [[texts[entry["text"]][0], *list(entry.values())[1:]] for entry in entries],
    }


def _about(sources: Sources, site_url: str) -> dict[str, Any]:
    """Return which build of the book this is: commit, day, what printed it; and the packages' version."""
    book, root = sources.book, sources.book.project.root
    commit, _, date = git.run(root, "log", "-1", "--format=%H %cs").strip().partition(" ")
    edited = bool(git.run(root, "status", "--porcelain", "--untracked-files=no"))
    return {
        "address": site_url,
        "version": version(date, edited=edited),
        "commit": commit,
        "date": date,
        "edited": edited,
        "torch": torch_release(book.environment.get("torch", "")),
        "python": book.environment.get("python", ""),
        "releases": book.releases.names,
        "moved": moved.read(book.project),
        "messages": len(errors.groups(sources, sources.languages.default)),
        "install": {extra: " && ".join(package.commands(book.project, extra)) for extra in ("book", "mcp")},
    }


def version(date: str, *, edited: bool) -> str:
    """Return the day of the book: ``2026.11.23``; of one that was edited since, one that no index takes.

    Empty without a day: the files are in no git checkout.
    """
    day = ".".join(str(int(part)) for part in date.split("-")) if date else ""
    return f"{day}+edited" if day and edited else day


def files(sources: Sources, site_url: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return which book this is, and the files of data that the package has beside its modules: name → content.

    Raises:
        Problems: as `data` does.
    """
    made = data(sources, site_url)
    written = {Path(FILE).name: made, Path(upgrades.FILE).name: upgrades.data(sources)}
    return made["book"], {name: f"{_json(value)}\n" for name, value in written.items()}


def write(sources: Sources, site_url: str, path: Path) -> dict[str, Any]:
    """Write the data into a file, and that of releases beside it; the package has them at `FILE`. Return the book."""
    book, made = files(sources, site_url)
    for name, text in made.items():
        write_if_changed(path.parent / name, text)
    return book


def known(sources: Sources) -> set[str]:
    """Return all messages that the book shows."""
    languages = sources.languages.whole
    return {template.text for language in languages for template in messages.templates(sources, language)}


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

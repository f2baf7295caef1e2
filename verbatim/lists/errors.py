"""The pages that list all errors and warnings that recipes print, each with its section and a remedy. Pure."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, replace

from verbatim.book.releases.model import sort_key
from verbatim.book.releases.ranges import Kind, Range
from verbatim.lists import filtering, parts
from verbatim.lists.messages import messages_of, whole
from verbatim.lists.parts import Part
from verbatim.lists.places import (
    Place,
    Sources,
    chapter,
    chapter_title,
    first_sentence,
    join,
    link_place,
    once,
    paragraphs,
    path_between,
    relink,
    section_end,
)
from verbatim.markdown import code
from verbatim.pages import other_releases
from verbatim.pages.page import Page
from verbatim.words import COMMON, ERRORS, VERSIONS

#: Attribute at the end of a paragraph that marks it as the remedy for the error in its section.
REMEDY = re.compile(r"\s*\{ \.remedy \}$")
#: The number of characters of a message that the whole list shows, if a part of it shows all of them.
BRIEF = 80
#: The shortest id of a message, in hexadecimal digits.
_ID = 4


@dataclass(frozen=True)
class Message:
    """One error or warning at one place where a page shows it."""

    name: str
    """The exception or warning category."""
    text: str
    """Its complete first line, as printed."""
    place: Place
    remedy: str
    """What the page advises, as Markdown."""
    quoted: bool = False
    """Whether the text is quoted from PyTorch's source because no run has recorded it yet."""
    torch: tuple[str, ...] = ()
    """The releases that print it, oldest first; empty if all recorded releases do."""
    pythons: tuple[str, ...] = ()
    """The Pythons that print it, oldest first, if that of the records does not."""
    whole: str = ""
    """All that is printed, the class in front."""


@once
def messages(sources: Sources, language: str) -> list[Message]:
    """Return all messages, sorted by exception and text, without duplicates within a section.

    Messages that only other torch releases or other Pythons print are included: readers may have one of those.
    """
    found: dict[tuple[str, str, str, str], Message] = {}

    def add(message: Message) -> None:
        key = (message.name, message.text, message.place.page.name, message.place.anchor)
        old = found.setdefault(key, message)
        if old is not message:
            torch = {*old.torch, *message.torch} if old.torch and message.torch else ()
            pythons = {*old.pythons, *message.pythons} if old.pythons and message.pythons else ()
            found[key] = replace(
                old, torch=tuple(sorted(torch, key=sort_key)), pythons=tuple(sorted(pythons, key=sort_key))
            )

    for place in sources.places(language):
        if text := sources.quoted(place):
            add(Message(text.partition(":")[0], text, place, remedy(place), quoted=True, whole=text))
        ranges = sources.book.ranges(place.script.path, place.cell.name)
        printing = [(sources.outputs(place), other_releases.built(ranges))]
        printing += [(one.outputs, [one]) for one in other_releases.others(ranges)]
        for outputs, of in printing:
            torch = tuple(name for one in of for name in one.versions)
            missing = other_releases.absence(of[0], ranges) if of else ""
            for name, text in messages_of(outputs):
                advice = _runs(missing, ranges, language) if missing else remedy(place)
                add(Message(name, text, place, advice, torch=torch, whole=whole(name, text, outputs)))
        for one in other_releases.others(sources.book.pythons(place.script.path, place.cell.name)):
            for name, text in messages_of(one.outputs):
                everything = whole(name, text, one.outputs)
                add(Message(name, text, place, remedy(place), pythons=one.versions, whole=everything))
    everywhere = {*sources.book.releases.names}
    simplified = (replace(one, torch=()) if everywhere == {*one.torch} else one for one in found.values())
    return sorted(simplified, key=lambda m: (m.name.rpartition(".")[2].lstrip("_").lower(), m.text.lower()))


def _runs(missing: str, ranges: tuple[Range, ...], language: str) -> str:
    """Return the advice for a cell that uses a feature its release lacks: which releases can run it."""
    able = [one for one in ranges if one.kind in (Kind.SAME, Kind.OTHER)]
    words = VERSIONS[language]
    return f"{words[missing]}{words['stop']}" + words["runs"].format(versions=other_releases.labelled(able, language))


def remedy(place: Place) -> str:
    """Return what a page advises about a message.

    The first of these that exists: the paragraph of the section marked with ``{ .remedy }``; the first sentence between
    the embed and the next one; the paragraph above the embed; the next sentence of the section, even inside a box. A
    colon at the end is replaced by a full stop.
    """
    page, embed = place.page, place.embed
    start = place.section.line + 1 if place.section else 1
    end = section_end(page, embed.line)
    for _, text in paragraphs(page, start, end):
        if REMEDY.search(text):
            return REMEDY.sub("", text)
    following = next((e.line - 1 for e in page.embeds if e.line > embed.line), end)
    below = paragraphs(page, embed.end + 1, min(end, following))
    above = paragraphs(page, start, embed.line - 1)
    text = first_sentence(below[0][1]) if below else above[-1][1] if above else _later(page, embed.end + 1, end)
    return re.sub(r"[：:]$", COMMON[page.language]["stop"], text)


def _later(page: Page, start: int, end: int) -> str:
    """Return the first sentence between two lines, of a paragraph or else of a box; empty if there is neither."""
    if plain := paragraphs(page, start, end):
        return first_sentence(plain[0][1])
    lines = page.lines
    inside = {n for embed in page.embeds for n in range(embed.line, embed.end + 1)}
    boxed = [n for n in range(start, end + 1) if lines[n - 1].startswith("    ") and n not in inside]
    first = [lines[n - 1] for i, n in enumerate(boxed) if n == boxed[0] + i]
    return first_sentence(join(line.strip() for line in first))


#: ``(exception, text)`` → the messages with this text.
Groups = dict[tuple[str, str], list[Message]]


@once
def groups(sources: Sources, language: str) -> Groups:
    """Return the messages of a language by exception and text: the items of the list, in its order."""
    grouped: Groups = {}
    for message in messages(sources, language):
        grouped.setdefault((message.name, message.text), []).append(message)
    return grouped


@once
def _parts(sources: Sources, language: str) -> dict[tuple[str, str], Part | None]:
    """Return exception and text → the part of the list that shows all of a message; ``None`` if none does."""
    found = parts.parts(sources, "errors", language)
    return {
        (name, text): parts.of(found, name, text.removeprefix(f"{name}:").lstrip(" '\"`<("))
        for name, text in groups(sources, language)
    }


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown lines: one heading per chapter, one item per message.

    A message stands in the chapter of the first page that prints it.
    """
    grouped = groups(sources, page.language)
    order = list(dict.fromkeys(chapter(one) for one in sources.of(page.language)))
    chapters = {key: chapter(group[0].place.page) for key, group in grouped.items()}
    ordered = {key: grouped[key] for key in sorted(grouped, key=lambda key: order.index(chapters[key]))}
    headings = {
        key: (chapter_title(sources, name, page.language), f"in-{name or 'home'}") for key, name in chapters.items()
    }
    split = bool(parts.parts(sources, "errors", page.language))
    above = filtering.header("errors", len(grouped), page.language, brief=split)
    return _render(sources, page, ordered, headings, above)


def render_part(sources: Sources, part: Part) -> list[str]:
    """Return a part of the list as Markdown lines: one heading per exception, one item per message."""
    language = part.page.language
    shown = _parts(sources, language)
    found = {key: group for key, group in groups(sources, language).items() if shown[key] == part}
    headings = {(name, text): (name, anchor(name)) for name, text in found}
    return _render(sources, part.page, found, headings, filtering.header("errors", len(found), language))


def _render(
    sources: Sources, page: Page, grouped: Groups, headings: dict[tuple[str, str], tuple[str, str]], lines: list[str]
) -> list[str]:
    """Return `lines` and the messages below them. `headings`: exception and text → heading and its id."""
    counts = Counter(headings[key] for key in grouped)
    ids, shown = _identified(sources, page.language), _parts(sources, page.language)
    current = ("", "")
    for (name, text), group in grouped.items():
        if headings[name, text] != current:
            current = headings[name, text]
            lines += filtering.heading(*current, counts[current])
        part = shown[name, text]
        if part is None or part.page == page:
            lines += _item(page, text, group, ids[name, text] if part else "", sources.book.newest_python)
        else:
            target = path_between(part.page.name, page.name)
            lines.append(f"- [{code(_brief(text.strip()))}]({target}#{ids[name, text]})")
    return lines


def _item(page: Page, text: str, group: list[Message], identifier: str, newest: str) -> list[str]:
    """Return the list's item for a message.

    Args:
        page: The list.
        text: The message.
        group: The places where it is printed.
        identifier: The id of the item; empty if it has none.
        newest: The newest Python that was run.
    """
    mark = f" ({ERRORS[page.language]['known']})" if all(message.quoted for message in group) else ""
    if all(message.torch or message.pythons for message in group):
        torch = sorted({release for message in group for release in message.torch}, key=sort_key)
        pythons = sorted({python for message in group for python in message.pythons}, key=sort_key)
        mark += f" · {other_releases.named([*torch, *pythons], page.language, newest)}"
    place = f'<span id="{identifier}"></span>' if identifier else ""
    lines = [f"- {place}{code(text.strip())}{mark}", ""]
    for message in group:
        advice = relink(message.remedy, message.place.page.name, page.name)
        lines += [f"    {link_place(message.place, page)}{_colon(page, advice)}", ""]
    return lines


def _brief(text: str) -> str:
    """Return the beginning of a message, cut at the end of a word unless that leaves too little."""
    if len(text) <= BRIEF:
        return text
    whole = text[:BRIEF].rpartition(" ")[0]
    return f"{whole if len(whole) > BRIEF / 2 else text[:BRIEF]} …"


@once
def _identified(sources: Sources, language: str) -> dict[tuple[str, str], str]:
    return _ids(groups(sources, language))


def _ids(grouped: Groups) -> dict[tuple[str, str], str]:
    """Return an id for each message. New messages do not change the ids of others, except for collisions."""
    ids: dict[str, tuple[str, str]] = {}
    for key in sorted(grouped):
        sha = hashlib.sha256("\0".join(key).encode()).hexdigest()
        ids[next(short for n in range(_ID, len(sha)) if (short := f"e{sha[:n]}") not in ids)] = key
    return {key: short for short, key in ids.items()}


def _colon(page: Page, text: str) -> str:
    return f"{COMMON[page.language]['colon']}{text}" if text else ""


def anchor(name: str) -> str:
    """Return the heading id of an exception: ``torch.OutOfMemoryError`` → ``torch-outofmemoryerror``."""
    return re.sub(r"\W+", "-", name.lower())

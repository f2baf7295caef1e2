"""All errors and warnings that recipes print, each with its sections and remedies, and the pages that list them. Pure.

Whoever hands a message to readers takes it from here: the lists, the search, ``errors.json``, ``verbatim.json`` and the
package. `messages` has one for each text in each section; `groups` puts those of one template together.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verbatim.book.messages import messages_of, template, whole
from verbatim.book.releases.model import sort_key
from verbatim.book.releases.ranges import Kind, Range
from verbatim.lists import filtering, parts
from verbatim.lists import remedies as told
from verbatim.lists.parts import Part
from verbatim.lists.places import (
    Place,
    Sources,
    chapter,
    chapter_title,
    link_place,
    once,
    path_between,
    relink,
)
from verbatim.lists.remedies import Remedy
from verbatim.markdown import code
from verbatim.pages import other_releases
from verbatim.pages.page import Page
from verbatim.words import COMMON, ERRORS, VERSIONS

#: The number of characters of a message that the whole list shows, if a part of it shows all of them.
BRIEF_CHARACTERS = 80
#: Messages of Python that say nothing of PyTorch: a class alone, a file or a process that was not there.
FOLLOWING_MESSAGE = re.compile(r"[\w.]+|(?:FileNotFoundError|SystemExit|subprocess\.CalledProcessError): .*", re.DOTALL)
#: What other releases raise where something is missing: of a cell that raises another class, that is not its message.
NOT_THERE = ("AttributeError", "ImportError", "ModuleNotFoundError")
#: A function that some messages begin with, behind their class.
OPERATOR_PREFIX = re.compile(r"(?<=: )[a-z_][\w.]*(?:\(\))?: ")
#: The shortest id of a message, in hexadecimal digits.
_ID_DIGITS = 4


@dataclass(frozen=True)
class Message:
    """One error or warning at one place where a page shows it."""

    name: str
    """The exception or warning category."""
    text: str
    """Its complete first line, as printed."""
    place: Place
    remedy: str
    """What to do, as Markdown; empty if the page has to be read."""
    quoted: bool = False
    """Whether the text is quoted from PyTorch's source because no run has recorded it yet."""
    torch: tuple[str, ...] = ()
    """The releases that print it, oldest first; empty if all recorded releases do."""
    pythons: tuple[str, ...] = ()
    """The Pythons that print it, oldest first, if that of the records does not."""
    whole: str = ""
    """All that is printed, the class in front."""
    runs_with: tuple[str, ...] = ()
    """The releases that run the cell, if those that print the message cannot; oldest first."""
    proof: str = ""
    """The cell in which the remedy is applied and the message is gone: ``losses/nll#counted-from-zero``."""
    reason: str = ""
    """Why there is no such cell, as far as it is known."""

    @property
    def template(self) -> str:
        """What messages have in common that differ in numbers alone."""
        return template(self.name, self.whole)


@once
def messages(sources: Sources, language: str) -> list[Message]:
    """Return all messages, sorted by exception and text, without duplicates within a section.

    Messages that only other torch releases or other Pythons print are included: readers may have one of those.
    """
    by_key: dict[tuple[str, str, str, str], Message] = {}

    def add(message: Message) -> None:
        key = (message.name, message.text, message.place.page.name, message.place.anchor)
        old = by_key.setdefault(key, message)
        if old is not message:
            better = (old.runs_with and not message.runs_with) or (not old.remedy and message.remedy)
            told_by = message if better else old
            torch = {*old.torch, *message.torch} if old.torch and message.torch else ()
            pythons = {*old.pythons, *message.pythons} if old.pythons and message.pythons else ()
            by_key[key] = replace(
                told_by, torch=tuple(sorted(torch, key=sort_key)), pythons=tuple(sorted(pythons, key=sort_key))
            )

    remedies = told.remedies(sources, language)
    for place in sources.places(language):
        advice = remedies.get((place.page.name, place.target), [])
        for message in (*_own(sources, place, advice), *_others(sources, place, advice)):
            add(message)
    everywhere = {*sources.book.releases.names}
    simplified = (
        replace(message, torch=()) if everywhere == {*message.torch} else message for message in by_key.values()
    )
    return sorted(simplified, key=lambda m: (m.name.rpartition(".")[2].lstrip("_").lower(), m.text.lower()))


def _own(sources: Sources, place: Place, advice: Sequence[Remedy]) -> Iterator[Message]:
    """Yield the messages that a cell prints as its page shows it."""
    if text := sources.quoted(place):
        yield _advised(Message(text.partition(":")[0], text, place, "", quoted=True, whole=text), advice)
    ranges = sources.book.ranges(place.script.path, place.cell.name)
    torch = tuple(name for recorded in other_releases.built(ranges) for name in recorded.versions)
    outputs = sources.outputs(place)
    for name, text in messages_of(outputs):
        yield _advised(Message(name, text, place, "", torch=torch, whole=whole(name, text, outputs)), advice)


def _others(sources: Sources, place: Place, advice: Sequence[Remedy]) -> Iterator[Message]:
    """Yield the messages that a cell prints in other releases and other Pythons, as far as it is about them.

    It is, if it raises or warns in the book's release, too, so that these only word it otherwise; if it raises
    there, and others only warn that it will; or if its page marks a remedy for it. Of an error that others alone
    raise, readers are told which releases run the cell; a warning that others alone print is none of its business.
    Nor is what says nothing of PyTorch: `FOLLOWING_MESSAGE`. A remedy that no release runs that prints the message is
    not told: the page has to be read.
    """
    book, path, cell = sources.book, place.script.path, place.cell.name
    classes = {name for name, _ in told.own(sources, place)}
    known = {*map(is_warning, classes)}
    ranges = book.ranges(path, cell)
    able = [recorded for recorded in ranges if _runs(recorded)]
    for recorded in (*other_releases.others(ranges), *other_releases.others(book.pythons(path, cell))):
        of_torch = recorded in ranges
        printed = messages_of(recorded.outputs)
        for name, text in printed:
            warning = is_warning(name)
            message = Message(name, text, place, "", whole=whole(name, text, recorded.outputs))
            versions = recorded.versions
            message = replace(message, torch=versions) if of_torch else replace(message, pythons=versions)
            beside = name not in classes and any(other in classes for other, _ in printed)
            if beside or FOLLOWING_MESSAGE.fullmatch(message.whole):
                continue
            message, raised = _advised(message, advice), any(not is_warning(other) for other, _ in printed)
            if warning and advice and not message.remedy:
                continue  # the page says which ones it is about
            announced = warning and bool(known) and not raised
            absent = recorded.kind is Kind.ABSENT or (bool(known) and name in NOT_THERE and name not in classes)
            if not absent and (warning in known or announced or (advice and not known)):
                of_proof = book.ranges if of_torch else book.pythons
                failed = bool(message.proof) and _fails(of_proof(*told.proving_cell(message.proof)), versions)
                yield replace(message, remedy="", proof="", reason="") if failed else message
            elif of_torch and not warning:
                runs = VERSIONS[place.page.language]["use"].format(
                    versions=other_releases.labelled(able, place.page.language)
                )
                releases = tuple(name for recorded in able for name in recorded.versions)
                yield replace(message, remedy=runs if able else "", runs_with=releases, proof="", reason="")


def is_warning(name: str) -> bool:
    """Whether a class is that of a warning."""
    return name.endswith("Warning")


def _raises(outputs: Sequence[dict[str, Any]]) -> bool:
    return any(output["output_type"] == "error" for output in outputs)


def _fails(ranges: Sequence[Range], versions: Sequence[str]) -> bool:
    """Whether a cell raises, or cannot be run, in each of these versions."""
    failing = {version for recorded in ranges if not _runs(recorded) for version in recorded.versions}
    return failing.issuperset(versions)


def _runs(recorded: Range) -> bool:
    """Whether a cell was run in these releases, and raised nothing."""
    return recorded.kind in (Kind.SAME, Kind.OTHER) and not _raises(recorded.outputs)


def _advised(message: Message, advice: Sequence[Remedy]) -> Message:
    """Return a message with what its page advises: the first remedy that is about it."""
    for remedy in sorted(advice, key=lambda remedy: "of" not in (remedy.block.mark or {})):  # what names it comes first
        if told.is_for(remedy.block, message.whole):
            return replace(message, remedy=remedy.text, proof=remedy.proof, reason=remedy.reason)
    return message


#: ``(exception, template)`` → the messages of this template.
Groups = dict[tuple[str, str], list[Message]]


@once
def groups(sources: Sources, language: str) -> Groups:
    """Return the messages of a language by exception and template: the items of the list, in its order.

    As many messages the book knows: whoever says how many counts these.
    """
    grouped: Groups = {}
    for message in messages(sources, language):
        grouped.setdefault((message.name, message.template), []).append(message)
    return grouped


@once
def _parts(sources: Sources, language: str) -> dict[tuple[str, str], Part | None]:
    """Return exception and text → the part of the list that shows all of a message; ``None`` if none does."""
    list_parts = parts.parts(sources, "errors", language)
    return {
        (name, text): parts.part_for(list_parts, name, text.removeprefix(f"{name}:").lstrip(" '\"`<("))
        for name, text in groups(sources, language)
    }


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown lines: one heading per chapter, one item per message.

    A message stands in the chapter of the first page that prints it.
    """
    grouped = groups(sources, page.language)
    order = list(dict.fromkeys(chapter(listed) for listed in sources.pages_in(page.language)))
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
    of_part = {key: group for key, group in groups(sources, language).items() if shown[key] == part}
    headings = {(name, text): (name, anchor(name)) for name, text in of_part}
    return _render(sources, part.page, of_part, headings, filtering.header("errors", len(of_part), language))


def _render(
    sources: Sources, page: Page, grouped: Groups, headings: dict[tuple[str, str], tuple[str, str]], lines: list[str]
) -> list[str]:
    """Return `lines` and the messages below them. `headings`: exception and text → heading and its id."""
    ids, shown = _identified(sources, page.language), _parts(sources, page.language)
    elsewhere = {key: group for key, group in grouped.items() if (part := shown[key]) and part.page != page}
    lines_of = {alike[0]: alike for alike in _alike(elsewhere)}
    first = {key: alike[0] for alike in lines_of.values() for key in alike}
    counts = Counter(headings[first.get(key, key)] for key in grouped)
    current = ("", "")
    for key, group in grouped.items():
        if first.get(key, key) != key:
            continue
        if headings[key] != current:
            current = headings[key]
            lines += filtering.heading(*current, counts[current])
        part = shown[key]
        if part is None or part.page == page:
            lines += _item(page, group, ids[key] if part else "", sources.book.newest_python)
        else:
            target = f"{path_between(part.page.name, page.name)}#{ids[key]}"
            lines.append(_line({key: grouped[key] for key in lines_of[key]}, target, page.language))
    return lines


def _alike(grouped: Groups) -> list[list[tuple[str, str]]]:
    """Return the messages in the lists of those that read alike in one line, in the order of their first ones.

    They have the same beginning, or some begin with a function's name, as `addmm: mat1 and mat2 …` does, the first
    without.
    """
    by_beginning: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for key in grouped:
        by_beginning.setdefault((key[0], brief(key[1])), []).append(key)
    for name, start in [*by_beginning]:
        plain = (name, brief(OPERATOR_PREFIX.sub("", by_beginning[name, start][0][1], count=1)))
        if plain != (name, start) and plain in by_beginning:
            by_beginning[plain] += by_beginning.pop((name, start))
    return [*by_beginning.values()]


def _line(grouped: Groups, target: str, language: str) -> str:
    """Return the one line of messages that read alike: the first of them, and how often there are such."""
    words = ERRORS[language]
    messages = [message for group in grouped.values() for message in group]
    own = messages[0].text.strip()
    also = dict.fromkeys(
        match[0].strip()
        for _, text in grouped
        if (match := OPERATOR_PREFIX.search(text)) and not OPERATOR_PREFIX.match(own, match.start())
    )
    places = {(message.place.page.name, message.place.anchor) for message in messages}
    said = [f"[{code(brief(own))}]({target})"]
    said += [words["also"].format(names=COMMON[language]["comma"].join(map(code, also)))] if also else []
    said += [words["messages"].format(count=f"<b>{len(grouped)}</b>")] if len(grouped) > 1 else []
    said += [words["places"].format(count=len(places))] if len(places) > 1 else []
    return "- " + " · ".join(said)


def _item(page: Page, group: list[Message], identifier: str, newest: str) -> list[str]:
    """Return the list's item for a message.

    Args:
        page: The list.
        group: The message, where it is printed.
        identifier: The id of the item; empty if it has none.
        newest: The newest Python that was run.
    """
    mark = f" ({ERRORS[page.language]['known']})" if all(message.quoted for message in group) else ""
    if all(message.torch or message.pythons for message in group):
        torch = sorted({release for message in group for release in message.torch}, key=sort_key)
        pythons = sorted({python for message in group for python in message.pythons}, key=sort_key)
        mark += f" · {other_releases.named([*torch, *pythons], page.language, newest)}"
    place = f'<span id="{identifier}"></span>' if identifier else ""
    lines = [f"- {place}{code(group[0].text.strip())}{mark}", ""]
    for message in group:
        advice = relink(message.remedy, message.place.page.name, page.name)
        line = f"    {link_place(message.place, page)}{_colon(page, advice)}"
        lines += [line, ""] if line not in lines else []
    return lines


def brief(text: str) -> str:
    """Return the beginning of a message, cut at the end of a word unless that leaves too little."""
    if len(text) <= BRIEF_CHARACTERS:
        return text
    whole = text[:BRIEF_CHARACTERS].rpartition(" ")[0]
    return f"{whole if len(whole) > BRIEF_CHARACTERS / 2 else text[:BRIEF_CHARACTERS]} …"


@once
def _identified(sources: Sources, language: str) -> dict[tuple[str, str], str]:
    return _ids(groups(sources, language))


def _ids(grouped: Groups) -> dict[tuple[str, str], str]:
    """Return an id for each message. New messages do not change the ids of others, except for collisions."""
    ids: dict[str, tuple[str, str]] = {}
    for key in sorted(grouped):
        sha = hashlib.sha256("\0".join(key).encode()).hexdigest()
        ids[next(short for n in range(_ID_DIGITS, len(sha)) if (short := f"e{sha[:n]}") not in ids)] = key
    return {key: short for short, key in ids.items()}


def _colon(page: Page, text: str) -> str:
    return f"{COMMON[page.language]['colon']}{text}" if text else ""


def anchor(name: str) -> str:
    """Return the heading id of an exception: ``torch.OutOfMemoryError`` → ``torch-outofmemoryerror``."""
    return re.sub(r"\W+", "-", name.lower())

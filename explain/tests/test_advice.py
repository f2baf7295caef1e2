"""What the most pasted messages say in the reader's own numbers: with other ones than the page's, in both languages."""

from __future__ import annotations

import re

import pytest
from test_matching import LANGUAGES, ROOT, recognised
from verbatim.lists import advice
from verbatim.project import Project

from pytorch_verbatim import data, explaining

COMPILED = advice.data(Project(ROOT))


def other(value: str, place: int) -> str:
    """Another value than the page's: other numbers; names stay."""
    if not re.fullmatch(r"-?\d+|[\[(].*|[\d.]+ [KMGT]iB", value):
        return value
    return re.sub(r"\d+", lambda match: str(int(match[0]) + 40 + place), value)


def altered(one: dict, text: str) -> tuple[str, dict[str, str]]:
    """Return a message of the book with other values in its holes, and these."""
    match = re.search(one["pattern"], text)
    given = [other(value, place) for place, value in enumerate(match.groups())]
    for place in range(len(given), 0, -1):
        text = text[: match.start(place)] + given[place - 1] + text[match.end(place) :]
    return text, dict(zip(one["names"], given, strict=True))


def samples() -> list[tuple[str, dict[str, str], dict[str, str]]]:
    """Return of each entry a message with other values, these, and what is said of it."""
    book = data.book()
    texts = [" ".join(book[number].text.split()).replace("…", "1") for number in range(len(book))]
    fitting: dict[str, str] = {}
    for text in texts:
        if first := next((one["pattern"] for one in COMPILED if re.search(one["pattern"], text)), ""):
            fitting.setdefault(first, text)
    return [(*altered(one, fitting[one["pattern"]]), one["says"]) for one in COMPILED]


@pytest.mark.parametrize("language", LANGUAGES)
def test_readers_numbers_stand_in_the_sentence(language):
    told, expected = [], []
    for text, given, says in samples():
        explained = explaining.explain(text, language)
        assert explained, text
        told.append(explained.yours)
        expected.append(
            advice.HOLE_USE.sub(
                lambda use: str(int(given[use["name"]]) + int(use["plus"])) if use["plus"] else given[use["name"]],  # noqa: B023
                says[language],
            )
        )
        assert explained.yours in explaining.below(explained) and explained.yours in explaining.whole(explained)
    assert told == expected
    assert recognised(language, [text for text, *_ in samples()], yours=True) == expected


def test_nothing_that_controls_a_terminal_is_repeated():
    found = explaining.explain("RuntimeError: shape '[\x073]' is invalid for input of size 4", "en")
    assert found and found.yours == ""


def test_sixty_messages_are_told_in_the_readers_numbers():
    assert len(COMPILED) >= 60

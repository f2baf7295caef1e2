"""What the most pasted messages say in the reader's own numbers: with other ones than the page's, in both languages."""

from __future__ import annotations

import re

import pytest
import yaml
from test_matching import LANGUAGES, ROOT, recognised
from verbatim.problems import Problems
from verbatim.site.search import advice

from pytorch_verbatim import data, explaining

ENTRIES = yaml.safe_load((ROOT / advice.FILE).read_text(encoding="utf-8"))
COMPILED = list(advice.compiled(ENTRIES))


def other(value: str, place: int) -> str:
    """Another value than the page's: other numbers; names stay."""
    if not re.fullmatch(r"-?\d+|[\[(].*", value):
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
    texts = [" ".join(book[number].text.split()) for number in range(len(book))]
    found, missing = [], []
    for one in COMPILED:
        text = next((text for text in texts if re.search(one["pattern"], text)), "")
        if not text:
            missing.append(one["pattern"])
            continue
        found.append((*altered(one, text), one["says"]))
    assert not missing, "no page shows these"
    return found


def test_each_sentence_is_there_in_both_languages():
    for entry in ENTRIES:
        assert set(entry) == {"message", *LANGUAGES}
        used = [{use["name"] for use in advice.USE.finditer(entry[language])} for language in LANGUAGES]
        assert used[0] == used[1] and used[0], entry["message"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_readers_numbers_stand_in_the_sentence(language):
    told, expected = [], []
    for text, given, says in samples():
        explained = explaining.explain(text, language)
        assert explained, text
        told.append(explained.yours)
        expected.append(
            advice.USE.sub(
                lambda use: str(int(given[use["name"]]) + int(use["plus"])) if use["plus"] else given[use["name"]],  # noqa: B023
                says[language],
            )
        )
        assert explained.yours in explaining.below(explained) and explained.yours in explaining.whole(explained)
    assert told == expected
    assert recognised(language, [text for text, *_ in samples()], yours=True) == expected


@pytest.mark.parametrize(
    ("entry", "fact"),
    [
        ({"message": "a {b:odd}", "en": "x"}, "odd is none of word, shape"),
        ({"message": "a {b}", "en": "{c}"}, "has no c"),
    ],
)
def test_a_sentence_that_cannot_be_filled_is_refused(entry, fact):
    with pytest.raises(ValueError, match=fact):
        list(advice.compiled([entry]))


def test_a_wrong_file_is_told_with_its_name(tmp_path):
    (tmp_path / "explain").mkdir()
    (tmp_path / advice.FILE).write_text("- message: 'a {b}'\n  en: '{c}'\n")
    with pytest.raises(Problems, match=r"explain/advice\.yml.*has no c"):
        advice.read(tmp_path)
    assert advice.read(tmp_path / "explain") == []


def test_a_file_that_nobody_would_write_is_told_with_its_line(tmp_path):
    (tmp_path / "explain").mkdir()
    (tmp_path / advice.FILE).write_text("- message: 'a'\n  en: " + "[" * 3000 + "]" * 3000)
    with pytest.raises(Problems, match=r"explain/advice\.yml:2: .*nested too deeply"):
        advice.read(tmp_path)


def test_nothing_that_controls_a_terminal_is_repeated():
    found = explaining.explain("RuntimeError: shape '[\x073]' is invalid for input of size 4", "en")
    assert found and found.yours == ""

"""What readers paste, written by people who did not see the rules (`tests/search/messages`), in package and search."""

from __future__ import annotations

import json

import pytest
from test_matching import LANGUAGES, ROOT, recognised

from pytorch_verbatim import data, explaining

SETS = ROOT / "tests/search/messages"


def rows(name: str) -> list[dict]:
    return json.loads((SETS / f"{name}.json").read_text(encoding="utf-8"))


def place(number: int) -> str:
    """Where the book shows a message, as the sets name it: ``autograd/detach#detach-cuts``."""
    address = data.book()[number].places["en"].address.removeprefix("en/")
    return address.replace("/#", "#").rstrip("/")


def found(text: str, language: str) -> str:
    explained = explaining.explain(text, language)
    return place(explained.number) if explained else ""


#: How many rows of each set have the right answer, at least.
RIGHT = {"altered": 290, "foreign": 300, "one-word": 95}
#: How many of those that pages show are recognised at all, at least: 98 of 100.
RECOGNISED = 294


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RIGHT)
def test_readers_messages_lead_to_the_right_page(name, language):
    wrong = []
    for row in rows(name):
        got = found(row["text"], language)
        if got not in (row.get("pages") or [""]):
            wrong.append((row["text"][-200:], got, row.get("pages")))
    assert len(rows(name)) - len(wrong) >= RIGHT[name], wrong
    assert name != "altered" or sum(not got for _, got, _ in wrong) <= len(rows(name)) - RECOGNISED, wrong


def test_the_site_recognises_the_same():
    texts = [row["text"] for name in RIGHT for row in rows(name)]
    shown = [found(text, "en") for text in texts]
    theirs = [place(numbers[0]) if numbers else "" for numbers in recognised("en", texts, pasted=True)]
    apart = [(text[-200:], one, other) for text, one, other in zip(texts, shown, theirs, strict=True) if one != other]
    assert apart == []

"""Sentences in the reader's own numbers can be read, filled, and are about messages that pages show."""

from __future__ import annotations

import pytest

from verbatim.lists import advice

#: The recipe's own message is `two shapes`.
GOOD = '- message: "two {what:word}"\n  en: "It is {what}."\n  zh: "是 {what}。"\n'

MISTAKES = {
    "no YAML": ("- message: [", ":2: the list is not YAML"),
    "nested without end": (GOOD.replace('"It is {what}."', "[" * 3000 + "]" * 3000), ":2: the list is not YAML: values are nested too deeply"),
    "no list": ("message: x\n", ":1: this is no list of entries"),
    "no entry": (f"{GOOD}- text\n", ":4: this is no entry"),
    "a key that is none": (GOOD.replace("message", "mesage"), ":1: an entry has no `mesage`\n  hint: did you mean `message`?"),
    "a language without a sentence": (GOOD.partition("  zh")[0], ":1: the entry has no `zh`"),
    "a sentence that is none": (GOOD.replace('"It is {what}."', "[1]"), ":2: `en` is no text"),
    "a key twice": (f"{GOOD}  en: again {{what}}\n", ":4: the entry has `en` twice"),
    "a kind that is none": (GOOD.replace(":word", ":wrod"), ":1: `{what:wrod}` is of no known kind\n  hint: did you mean `word`?"),
    "a hole in capitals": (GOOD.replace("{what:word}", "{What}"), ":1: `{What}` is no hole"),
    "a hole in capitals in a sentence": (GOOD.replace("It is {what}", "It is {What}"), ":2: `{What}` is no hole"),
    "a hole that does not exist": (GOOD.replace("It is {what}", "It is {waht}"), ":2: the message has no hole `waht`\n  hint: did you mean `what`?"),
    "a hole twice": (GOOD.replace("two {what:word}", "{what} {what:word}"), ":1: two holes have one name"),
    "a word that is reckoned with": (GOOD.replace("It is {what}", "It is {what+1}"), ":2: `{what+1}` reckons with what is no number"),
    "one language says less": (GOOD.replace("是 {what}。", "是。"), ":3: `zh` does not say `{what}`, which another does"),
    "nothing of the reader's": (GOOD.replace("It is {what}", "It").replace("是 {what}。", "是。"), ":1: the sentences say nothing of the reader's own"),
    "two holes side by side": (GOOD.replace("{what:word}", "{a:word}{what:word}"), ":1: `{a:word}` and `{what:word}` cannot be told apart"),
    "a text and a word": (GOOD.replace("two {what:word}", "{a:text} {what:word}"), ":1: `{a:text}` and `{what:word}` cannot be told apart"),
    "two holes and what either may end with": (GOOD.replace("{what:word}", "{a:word}.{what:word}"), "cannot be told apart"),
    "a number and a word": (GOOD.replace("two ", "two {a}"), ":1: `{a}` and `{what:word}` cannot be told apart"),
    "a message that no page shows": (GOOD.replace("two", "three"), ":1: no page shows a message like this"),
    "a message that is told of already": (GOOD + GOOD.replace("two ", ""), ":4: the entry of line 1 is told of all messages"),
}  # fmt: skip


@pytest.fixture
def told(sound, told, tmp_path, monkeypatch):
    """Return what `check` says of the sound recipe with such a file."""

    def told_of(text: str) -> str:
        path = sound.project.root / advice.FILE
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        try:
            return told()
        finally:
            path.unlink()
            path.parent.rmdir()

    return told_of


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(told, mistake):
    text, expected = MISTAKES[mistake]
    said = told(text)
    assert f"{advice.FILE}{expected}" in said or (expected[0] != ":" and expected in said), said
    assert said.endswith("\n1 problem"), said


@pytest.mark.parametrize(
    "text",
    [
        "",
        GOOD,
        GOOD.replace("{what:word}", "{what:word}.").replace("two", "got a list; two"),
    ],
)
def test_what_is_right(told, text):
    said = told(text)
    assert said == "0 problems" or "no page shows" in said, said


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("of size {a:shape}{b:shape}", "of size [1, 2][3]"),
        ("{a}x{b}", "3x4"),
        ("size{b:shape} and {a:word}: x", "size(2,) and f_1: x"),
        ("{a:word}, {b:word}!", "cuda:0, cpu!"),
    ],
)
def test_holes_that_can_be_told_apart(told, message, text):
    sentence = "{a}, {b}"
    entry = f'- message: "{message}"\n  en: "{sentence}"\n  zh: "{sentence}"\n'
    assert "cannot be told apart" not in told(entry)

"""Where a check of wording is wrong, the page says that its words are meant, and why."""

from __future__ import annotations

import pytest

from tests.checks.recipe import EN, PAGES, WHOLE, ZH
from tests.expanded import expand, weave

CHINESE = "梯度是完整的：`cat` 把它们接起来。"


def on(language: str, text: str) -> dict[str, str]:
    path, stood = {"en": (EN, WHOLE), "zh": (ZH, CHINESE)}[language]
    return {path: PAGES[language].replace(stood, f"{text}\n", 1)}


@pytest.mark.parametrize(
    ("language", "sentence", "comment"),
    [
        ("en", "The speed of light is 2.99792 in these units.", "2.99792 (a constant of nature)"),
        ("en", "Keras! was its first name.", "! (part of the name)"),
        ("en", "The name 张量 is Chinese for it.", "张量 (the sentence is about the word)"),
        ("en", "Do simply as told.", "simply (quotes an old saying)"),
        ("zh", "书名是《就这么办！》。", "! (书名里的)"),
        ("zh", "Come as you are my friend.", "English (歌词)"),
    ],
)
def test_what_is_meant_is_not_told(told, language, sentence, comment):
    before = told(**on(language, sentence))
    assert before.count(": ") > told().count(": ")
    assert told(**on(language, f"{sentence}\n<!-- meant: {comment} -->")) == told()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("It works!\n<!-- meant: ! -->", "this comment does not say what is meant, and why"),
        ("It works! <!-- meant: ! (why not) -->", "this comment does not say what is meant, and why"),
        (f"{WHOLE}\n<!-- meant: 0.5 (a half) -->", "nothing here is said of `0.5`"),
        ("Do simply as told!\n<!-- meant: ! (a name) -->", "simply"),
        ("It works!\n\nBut here.\n<!-- meant: ! (a name) -->", "a sentence ends with an exclamation mark"),
        ("A [link](none.md).\n<!-- meant: none.md (to come) -->", "the link `none.md` leads nowhere"),
    ],
)
def test_a_comment_gives_a_reason_and_holds_for_its_paragraph_and_for_wording(told, text, what):
    assert what in told(**on("en", text))


def test_readers_get_no_such_comment(sound):
    text = PAGES["en"].replace(WHOLE, f"{WHOLE}\n<!-- meant: 0.5 (a half) -->\nMore.\n", 1)
    shown = expand(text, sound, "en", lambda *_: "figure.svg")
    notebook = weave(text, sound, "en", "examples/topic/join.py", link=lambda target: target)
    assert "meant:" not in shown and f"{WHOLE}\nMore." in shown and "meant:" not in str(notebook)

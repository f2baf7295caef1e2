"""Characters that nobody sees, or that belong to another language."""

from __future__ import annotations

import pytest

from tests.checks.recipe import EN, PAGES, WHOLE, ZH, on_pages
from verbatim.checks import characters
from verbatim.pages.page import Page

MISTAKES = {
    "traditional characters": (ZH, "梯度是", "這裡的梯度是", ":10: `這` is no simplified character"),
    "a traditional keyword": (ZH, "[拼接]", "[拼接, 張量]", ":5: `張` is no simplified character"),
    "Chinese on an English page": (EN, WHOLE, "The 梯度 is whole.", ":10: Chinese on an English page: `梯度`"),
    "an English sentence on a Chinese page": (ZH, "梯度是完整的：`cat` 把它们接起来。", "The gradient is whole, and `cat` joins them all.", ":10: an English sentence on a Chinese page"),
    "a control character": (EN, WHOLE, "The gra\x08dient is whole.", ":10: U+0008 cannot be seen"),
    "a NUL": (EN, WHOLE, "The gra\0dient is whole.", ":10: U+0000 cannot be seen"),
    "a tab": (EN, WHOLE, "The gradient\tis whole.", ":10: U+0009 cannot be seen, or is taken for a space"),
    "a space of no width": (EN, WHOLE, "The gra\u200bdient is whole.", ":10: U+200B (zero width space) cannot be seen"),
    "a space that does not break": (ZH, "梯度是", "梯\xa0度是", ":10: U+00A0 (no-break space) cannot be seen"),
    "a mark that turns the line around": (EN, WHOLE, "The \u202egradient is whole.", ":10: U+202E (right-to-left override)"),
    "curly quotation marks in code": (EN, WHOLE, "Use `print(“a”)`.", ":10: `“` in code, which Python does not read"),
    "full-width punctuation in code": (ZH, "`cat` 把", "`cat（x，y）` 把", ":10: `（` in code"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


@pytest.mark.parametrize(
    "line",
    [
        "`a b c d e f` 与“Expected all tensors to be on the same device”。",
        "- [Expected all tensors to be on the same device](index.md)",
        r"\[\text{one two three four five six}\]",
        "## Expected all tensors to be on the same device { #same-device }",
        "昇腾是一个名字。",  # of a product, with a character that is in no GB 2312
        "| one | two three four five six |\n| --- | --- |\n\n",
    ],
)
def test_names_and_messages_on_a_chinese_page_are_left_alone(line):
    assert list(characters.check_language(Page(ZH, f"---\ntitle: 题\n---\n\n{line}\n"))) == []


def test_fixing_mends_what_cannot_be_seen():
    text = "a\u200bb\xa0c  \n\t- d\x08\n"
    assert characters.fix_characters(text) == "ab c\n    - d\n"
    assert characters.fix_characters(PAGES["en"]) == PAGES["en"]

"""Messages that pages name or quote are printed."""

from __future__ import annotations

import dataclasses

import pytest

from tests.checks.recipe import EN, PAGES, WHOLE, ZH
from verbatim.checks import messages
from verbatim.memo import Memo
from verbatim.pages.page import Page

COLUMNS = "## Columns { #join-columns }"


@pytest.mark.parametrize(
    ("heading", "wrong"),
    [
        ("## Error: sizes must match { #join-columns }", False),
        ("## Error: a thing is wrong { #join-wrong }\n\nIt is.\n\n## Columns { #join-columns }", True),
        ("## Error: a thing { #join-wrong }\n\n### Columns { #join-columns }", False),
        ("## Errors in general { #join-columns }", False),
    ],
)
def test_a_heading_that_names_a_message_has_it_below(told, heading, wrong):
    said = told(**{EN: PAGES["en"].replace(COLUMNS, heading, 1)})
    assert ("the heading names a message, and nothing below it prints one" in said) == wrong, said


def test_a_message_that_a_script_has_may_be_quoted(sound):
    (script,) = sound.scripts.values()
    text = script.text + "\nprint('Sizes of tensors must\\nmatch except in dimension 1, it says')\n"
    changed = dataclasses.replace(sound, scripts={script.path: dataclasses.replace(script, text=text)})
    for quoted in (
        "Sizes of tensors must match except in dimension",
        "Sizes of … match except in dimension …, it says",
    ):
        page = Page(EN, PAGES["en"].replace(WHOLE, f"It raises “{quoted}”.", 1))
        assert (
            list(messages.check_quoted(changed, [(page, messages.quoted(page))], messages.printed_by(changed), Memo()))
            == []
        )
        assert (
            len(list(messages.check_quoted(sound, [(page, messages.quoted(page))], messages.printed_by(sound), Memo())))
            == 1
        )


@pytest.mark.parametrize(
    ("path", "sentence", "wrong"),
    [
        (EN, "It then raises “delta must be finite and real here”.", True),
        (EN, "PyTorch then says “delta must be finite and real here”.", True),
        (ZH, "这时会报“delta must be finite and real here”。", True),
        (EN, "It raises “sizes of tensors\u2026 in dimension 1”.", True),
        (EN, "The documentation calls it “stable and in maintenance mode”.", False),
        (EN, "Read the message as “too large”.", False),
        (EN, "It raises an error. Read “one and the other one” as a pair.", False),
    ],
)
def test_a_quoted_message_is_one_that_something_prints(told, path, sentence, wrong):
    old = WHOLE if path == EN else "梯度是完整的：`cat` 把它们接起来。"
    said = told(**{path: PAGES[path[5:7]].replace(old, sentence, 1)})
    assert ("is quoted as a message, and nothing in the book prints it" in said) == wrong, said

"""What pages claim of releases, colours and counts."""

from __future__ import annotations

import dataclasses

import pytest

from tests.checks.recipe import EN, PAGES, ZH
from verbatim.book.releases.model import Release
from verbatim.checks import claims
from verbatim.pages.page import Page


@pytest.mark.parametrize(
    ("path", "sentence", "told"),
    [
        (EN, "Before PyTorch 1.8, this was a copy.", "PyTorch 1.8"),
        (EN, "Since PyTorch 2.9, this is a view.", "PyTorch 2.9"),
        (EN, "This belongs to releases before 1.10 of another library.", ""),
        (ZH, "在 PyTorch 1.12 之前是副本。", "PyTorch 1.12"),
        (EN, "Since PyTorch 1.13, this is a view.", ""),
        (EN, "Since PyTorch 2.0, this is a view.", ""),
        (EN, "It needs NumPy 1.26 and C++17.", ""),
        (EN, "The factor is 1.8, before and after.", ""),
        (EN, "See `torch 1.8` there.", ""),
        (ZH, "从 1.5 起每轮减半。", ""),
    ],
)
def test_a_release_that_is_older_or_newer_than_all_records(sound, path, sentence, told):
    releases = dataclasses.replace(sound.releases, all=(Release("1.13.1", {}), Release("2.1.2", {})))
    found = [
        str(one) for one in claims.check_releases(dataclasses.replace(sound, releases=releases), Page(path, sentence))
    ]
    assert len(found) == bool(told) and all(f"{path}:1: nothing shows what `{told}` does" in one for one in found)
    assert list(claims.check_releases(sound, Page(path, sentence))) == []  # no release is recorded


@pytest.mark.parametrize(
    ("caption", "told"),
    [
        ("*Figure: a purple line that rises.*", "purple"),
        ("*Figure: the line that rises.*", ""),
        ("*Figure: the blue line rises.*", ""),
        ("*Figure: what is purplish rises.*", ""),
    ],
)
def test_a_colour_that_the_figure_lacks(sound, caption, told):
    old = "*Figure: a line that rises through 1, 2 and 4.*"
    assert old in PAGES["en"]
    found = [str(one) for one in claims.check_colours(sound, Page(EN, PAGES["en"].replace(old, caption)))]
    assert len(found) == bool(told) and all(f"that the figure does not have: {told}\n" in one for one in found)


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (EN, "There are three ways:\n\n- One.\n- The other.", "3 things are announced, and the list below has 2"),
        (ZH, "有三种做法：\n\n- 一种。\n- 另一种。", "3 things are announced, and the list below has 2"),
        (EN, "There are two ways:\n\n1. One.\n\n    It has a second paragraph.\n\n2. The other.\n\nThat is all.", ""),
        (EN, "Two things differ. Of these three ways, one of the two is right:\n\n- This.", ""),
        (EN, "It has two rows:\n\n```example\na.py\n```", ""),
        (ZH, "一共三行：\n\n- 这样。", ""),
    ],
)
def test_a_list_of_another_length_than_is_announced(path, text, told):
    found = [str(one) for one in claims.check_counts(Page(path, text))]
    assert len(found) == bool(told) and all(told in one for one in found)

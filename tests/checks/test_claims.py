"""What pages claim of releases."""

from __future__ import annotations

import dataclasses

import pytest

from tests.checks.recipe import EN, ZH
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

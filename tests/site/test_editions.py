"""The book's files that pages offer: those of the whole book, and of chapters."""

from __future__ import annotations

from pathlib import Path

import pytest

from verbatim.project import Project
from verbatim.site.downloads import editions

FILES = [
    "pytorch-verbatim-en.epub",
    "pytorch-verbatim-en.pdf",
    "pytorch-verbatim-language-models-en.pdf",
    "pytorch-verbatim-start-en.pdf",
    "pytorch-verbatim-start-zh.pdf",
    "pytorch-verbatim-start-en.zip",
    "other.pdf",
]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "made").mkdir()
    for name in FILES:
        (tmp_path / "made" / name).write_bytes(b"x")
    return Project(tmp_path)


def test_the_book_comes_first_then_its_volumes(project: Project):
    found = editions.find(project, "made", "en")
    assert [(one.name, one.volume) for one in found] == [
        ("pytorch-verbatim-en.epub", ""),
        ("pytorch-verbatim-en.pdf", ""),
        ("pytorch-verbatim-language-models-en.pdf", "language-models"),
        ("pytorch-verbatim-start-en.pdf", "start"),
    ]
    assert [one.volume for one in editions.find(project, "made", "zh")] == ["start"]


def test_none_are_offered_where_none_are(project: Project):
    assert editions.find(project, "", "en") == editions.find(project, "missing", "en") == ()

"""What a cache keeps, and for how long."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from verbatim import store

DAY = 86400
NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("read", "written", "kept"),
    [(31, 31, False), (29, 31, True), (31, 29, True), (29, 29, True)],
    ids=["old", "read", "written", "new"],
)
def test_what_nothing_asked_for_is_dropped(tmp_path, read, written, kept):
    file = tmp_path / "view-1.html"
    file.write_text("x")
    os.utime(file, (NOW - read * DAY, NOW - written * DAY))
    assert store.collect(tmp_path, NOW) == (not kept)
    assert file.exists() == kept


def test_folders_stay_and_a_cache_may_be_missing(tmp_path):
    (tmp_path / "folder").mkdir()
    os.utime(tmp_path / "folder", (0, 0))
    assert store.collect(tmp_path, NOW) == 0
    assert (tmp_path / "folder").is_dir()
    assert store.collect(Path(tmp_path / "none"), NOW) == 0

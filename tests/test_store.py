"""What a cache keeps, and for how long."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from tests.test_kept import Runs
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


def test_plain_values_come_back_and_nothing_else_does(tmp_path, caplog):
    file = tmp_path / "built-1.pickle"
    assert store.load_plain(file) is None
    value = {"read": {"all": "0a"}, "pages": {"zh/a.md": {"files": ["a"], "found": '{"x": 1}', "none": None}}}
    store.save_plain(file, value)
    assert store.load_plain(file) == value
    file.write_bytes(file.read_bytes()[:-1])
    assert store.load_plain(file) is None
    assert "built-1.pickle was damaged" in caplog.text
    store.write_bytes(file, b"no pickle")
    assert store.load_plain(file) is None


def test_a_forged_value_cannot_run_code(tmp_path):
    file, ran = tmp_path / "built-1.pickle", tmp_path / "ran"
    store.write_bytes(file, pickle.dumps({"maker": Runs(ran)}))
    assert store.load_plain(file) is None
    assert not ran.exists()


def test_folders_stay_and_a_cache_may_be_missing(tmp_path):
    (tmp_path / "folder").mkdir()
    os.utime(tmp_path / "folder", (0, 0))
    assert store.collect(tmp_path, NOW) == 0
    assert (tmp_path / "folder").is_dir()
    assert store.collect(Path(tmp_path / "none"), NOW) == 0

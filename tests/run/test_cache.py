from __future__ import annotations

import os

import pytest

from verbatim.book.gather import gather
from verbatim.problems import Problem
from verbatim.run import cache
from verbatim.run.script import parse


@pytest.fixture
def script(write):
    write("examples/topic/_data.py", "value = 1\n")
    return write("examples/topic/a.py", '"""T."""\n# %% a\nimport _data\nprint(_data.value)')


def test_a_no_change_build_runs_nothing(project, script):
    assert gather(project).executed == 1
    book = gather(project)
    assert book.executed == 0
    assert book.display_results["examples/topic/a.py"].cells[0].outputs[0]["text"] == "1\n"


def test_only_what_changed_is_run(project, script, write):
    write("examples/topic/b.py", '"""T."""\n# %% a\nprint(2)')
    gather(project)
    write("examples/topic/b.py", '"""T."""\n# %% a\nprint(3)')
    assert gather(project).executed == 1


def test_an_imported_module_that_changed_counts(project, script, write):
    gather(project)
    write("examples/topic/_data.py", "value = 22\n")
    book = gather(project)
    assert (book.executed, book.display_results["examples/topic/a.py"].cells[0].outputs[0]["text"]) == (1, "22\n")


def test_another_machine_or_torch_is_another_key(project, script, monkeypatch):
    gather(project)
    monkeypatch.setattr(cache, "machine", lambda: "torch 9.9")
    assert gather(project).executed == 1


@pytest.mark.parametrize(
    "damage",
    [lambda b: b[: len(b) // 2], lambda b: b"\xff\x00", lambda b: b"", lambda b: b.replace(b"1", b"2")],
)
def test_a_damaged_cache_file_is_rebuilt_with_a_word(project, script, damage):
    gather(project)
    (file,) = project.cache.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    book = gather(project)
    assert book.executed == 1
    assert "the cache file was damaged" in str(book.notes[0])
    assert book.display_results["examples/topic/a.py"].cells[0].outputs[0]["text"] == "1\n"
    assert gather(project).executed == 0


def test_a_failed_run_is_not_kept(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\n1 / 0')
    gather(project)
    book = gather(project)
    assert (book.executed, len(book.problems)) == (1, 1)


def test_a_cache_that_cannot_be_written_is_noted(project, script):
    (project.root / ".cache").write_text("a file where the folder should be")
    book = gather(project)
    assert book.display_results["examples/topic/a.py"].problems == ()
    assert any("cache cannot be" in str(note) for note in book.notes)
    assert os.path.isfile(project.root / ".cache")


DAY, NOW = 86400, 1_800_000_000.0


@pytest.mark.parametrize(
    ("read", "written", "there"),
    [(31, 31, False), (29, 31, True), (31, 29, True), (29, 29, True)],
    ids=["old", "read", "written", "new"],
)
def test_what_nothing_asked_for_is_dropped(tmp_path, read, written, there):
    file = tmp_path / "1.json"
    file.write_text("x")
    os.utime(file, (NOW - read * DAY, NOW - written * DAY))
    assert cache.sweep(tmp_path, NOW) == (not there)
    assert file.exists() == there


def test_folders_stay_and_a_cache_may_be_missing(tmp_path):
    (tmp_path / "folder").mkdir()
    os.utime(tmp_path / "folder", (0, 0))
    assert cache.sweep(tmp_path, NOW) == 0 == cache.sweep(tmp_path / "none", NOW)
    assert (tmp_path / "folder").is_dir()


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("/dev/zero", path), os.mkdir])
def test_what_is_no_file_among_the_results_is_not_read(project, make):
    script = parse('"""T."""\n# %% a\nprint(1)\n', "examples/topic/a.py")
    path = project.cache / f"{cache._key(script, '')}.json"
    path.parent.mkdir(parents=True)
    make(path)
    notes: list[Problem] = []
    assert cache.get(project, script, notes) is None and "cannot be read" in str(notes[0])

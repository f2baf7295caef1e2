"""Whatever ends a build, a whole site stands where the old one stood."""

from __future__ import annotations

import errno
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from verbatim.lists.manifest import SCHEMA_FILE
from verbatim.site.finishing import publish

#: How the manifest of each build begins.
MANIFEST = f'{{"$schema": "{SCHEMA_FILE}",\n"schema": 1}}'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A finished site."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("old")
    (folder / publish.MADE).write_text(MANIFEST)
    return folder


def build(site: Path) -> None:
    staging = publish.Staging(site)
    (staging.new / "index.html").write_text("new")
    (staging.new / publish.MADE).write_text(MANIFEST)
    staging.swap()


def left(site: Path, **texts: str) -> Path:
    """Make the folder of a build that was killed: name → text of a site in it."""
    folder = site.parent / ".site-killed"
    for name, text in texts.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "index.html").write_text(text)
    return folder


@pytest.mark.parametrize("exchange", [True, False])
def test_the_new_site_takes_the_place_of_the_old_one(site, monkeypatch, exchange):
    if not exchange:
        monkeypatch.setattr(publish, "_exchange", lambda *_: False)
    build(site)
    assert (site / "index.html").read_text() == "new"
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_a_build_that_was_killed_between_two_renames_is_mended(site):
    shutil.rmtree(site)
    folder = left(site, old="old", new="new")
    publish.Staging(site).close()
    assert (site / "index.html").read_text() == "old" and not folder.exists()


def test_what_a_killed_build_left_is_removed_and_what_is_no_build_s_is_left_alone(site):
    folder, other = left(site, new="half"), site.parent / ".site-packages"
    other.mkdir()
    (other / "module.py").touch()
    publish.Staging(site).close()
    assert not folder.exists() and list(other.iterdir()) and (site / "index.html").read_text() == "old"


HOLDS = """
import pathlib, sys
from verbatim.site.finishing import publish
staging = publish.Staging(pathlib.Path(sys.argv[1]))
print(staging.new, flush=True)
input()
"""


def test_a_running_build_is_left_alone_whatever_its_number_and_a_killed_one_is_not(site):
    """Two containers on one checkout number their processes alike, so numbers tell nothing."""
    command = [sys.executable, "-c", HOLDS, site]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        try:
            folder = Path(other.stdout.readline().strip())
            mine = publish.Staging(site)
            assert folder.is_dir() and mine.new != folder
            build(site)
            assert folder.is_dir() and mine.new.is_dir()
            mine.close()
        finally:
            other.kill()
    build(site)
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_builds_that_begin_at_the_same_moment_leave_each_other_alone(site):
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: publish.Staging(site), range(64)))
    assert len({staging.new for staging in made}) == 64 and all(staging.new.is_dir() for staging in made)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(publish.Staging.swap, made))
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_where_the_file_system_has_no_locks_sites_are_built_and_nothing_is_taken_for_left(site, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(errno.EBADF, "no locks")

    monkeypatch.setattr(publish.fcntl, "flock", refuse)
    folder = left(site, new="of another build")
    build(site)
    assert (site / "index.html").read_text() == "new" and folder.is_dir()


def test_a_link_keeps_leading_to_the_site(site, tmp_path):
    link = tmp_path / "public"
    link.symlink_to(site)
    build(publish.place(link))
    assert link.is_symlink() and (link / "index.html").read_text() == "new"


def test_a_swap_that_fails_leaves_the_old_site(site, monkeypatch):
    staging = publish.Staging(site)
    monkeypatch.setattr(publish, "_exchange", lambda *_: False)
    staging.new.rmdir()  # nothing to put in place
    with pytest.raises(OSError) as error:
        staging.swap()
    staging.close()
    assert (site / "index.html").read_text() == "old"
    assert "the old site is untouched" in publish.explain(error.value, site)


def test_a_file_in_the_sites_place_stays(tmp_path):
    file = tmp_path / "thesis.tex"
    file.write_text("mine")
    with pytest.raises(OSError, match="no folder that a build made") as told:
        publish.Staging(file)
    assert file.read_text() == "mine" and [*tmp_path.iterdir()] == [file]
    assert "--site-dir" in publish.explain(told.value, file)


@pytest.mark.parametrize("name", ["precious.txt", ".git", publish.MADE])
def test_a_folder_with_files_that_no_build_made_stays(tmp_path, site, name):
    folder = site if name == ".git" else tmp_path / "other"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("mine")
    with pytest.raises(OSError, match="the folder has files that no build made") as told:
        publish.Staging(folder)
    assert publish.explain(told.value, folder).startswith(f"{folder}: ") and (folder / name).read_text() == "mine"
    assert "--site-dir" in publish.explain(told.value, folder)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_full_disk_is_told_of_the_file_that_did_not_fit(site):
    error = OSError(errno.ENOSPC, "No space left on device", "docs/assets/a.json", None, "build/site/a.json")
    assert publish.explain(error, site).startswith("build/site/a.json: No space left")

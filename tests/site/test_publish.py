"""Whatever ends a build, a whole site stands where the old one stood."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from verbatim.site.finishing import publish


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A finished site."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("old")
    return folder


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def build(site: Path) -> None:
    folder = publish.begin(site)
    (folder / "index.html").write_text("new")
    publish.swap(folder, site)


@pytest.mark.parametrize("exchange", [True, False])
def test_the_new_site_takes_the_place_of_the_old_one(site, monkeypatch, exchange):
    if not exchange:
        monkeypatch.setattr(publish, "_exchange", lambda *_: False)
    build(site)
    assert (site / "index.html").read_text() == "new"
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_a_build_that_was_killed_between_two_renames_is_mended(site, gone):
    site.rename(site.parent / f".site-old-{gone}")
    (site.parent / f".site-{gone}").mkdir()
    publish.begin(site)
    assert (site / "index.html").read_text() == "old"
    assert not (site.parent / f".site-{gone}").exists()


def test_what_a_killed_build_left_is_removed_and_a_running_one_is_left_alone(site, gone):
    left, other = site.parent / f".site-{gone}", site.parent / ".site-1"
    for folder in (left, other):
        folder.mkdir()
    publish.begin(site)
    assert not left.exists() and other.exists()


def test_a_link_keeps_leading_to_the_site(site, tmp_path):
    link = tmp_path / "public"
    link.symlink_to(site)
    build(publish.place(link))
    assert link.is_symlink() and (link / "index.html").read_text() == "new"


def test_a_swap_that_fails_leaves_the_old_site(site, monkeypatch):
    folder = publish.begin(site)
    monkeypatch.setattr(publish, "_exchange", lambda *_: False)
    folder.rmdir()  # nothing to put in place
    with pytest.raises(OSError) as error:
        publish.swap(folder, site)
    assert (site / "index.html").read_text() == "old"
    assert "the old site is untouched" in publish.explain(error.value, site)

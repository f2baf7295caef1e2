"""When Python looks for garbage."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from verbatim import garbage


@pytest.fixture(autouse=True)
def as_before():
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_it_looks_seldom_and_at_what_earlier_builds_left():
    garbage.keep()
    assert gc.get_freeze_count() > 0
    garbage.seldom()
    assert gc.get_threshold()[0] == garbage.NEW
    assert gc.get_freeze_count() == 0
    assert gc.isenabled()


def test_a_build_keeps_what_it_read(project, write):
    """Told by MkDocs' own command as it ends."""
    write("mkdocs.yml", "site_name: scratch\nplugins: [verbatim]\n")
    write("docs/zh/index.md", "---\ntitle: 一页\ndescription: 这是一页。\n---\n\n# 一页\n")
    write("docs/en/index.md", "---\ntitle: A page\ndescription: This is a page.\n---\n\n# A page\n")
    told = "import atexit, gc; atexit.register(lambda: print(gc.get_threshold()[0], gc.get_freeze_count()))"
    run = "import sys; sys.argv = ['mkdocs', 'build', '-q']; from mkdocs.__main__ import cli; cli()"
    ended = subprocess.run([sys.executable, "-c", f"{told}\n{run}"], cwd=project.root, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    new, kept = map(int, ended.stdout.split())
    assert new == garbage.NEW
    assert kept > 0


def test_a_cycle_is_freed_all_the_same():
    garbage.seldom()

    class Node:
        freed = 0

        def __del__(self):
            Node.freed += 1

    for _ in range(garbage.NEW + 10):
        node = Node()
        node.self = node
    assert Node.freed > 0

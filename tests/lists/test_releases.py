"""What changed from one release to the next."""

from __future__ import annotations

import dataclasses

from tests.conftest import stand_in_version
from tests.lists.book import BUILT, NEW, OLD, rendered
from verbatim import lists
from verbatim.book.gather import gather
from verbatim.book.releases.ranges import Releases
from verbatim.lists import releases


def test_one_version_is_no_change(sources):
    built = Releases("2.13.0")
    only = dataclasses.replace(sources, book=dataclasses.replace(sources.book, releases=built))
    assert releases.steps(only, "en") == []
    assert "So far every output comes from one version, torch 2.13.0." in rendered(only, "changes", "en")


def test_each_release_is_compared_with_the_one_before_it(several):
    newest, built = releases.steps(several, "en")
    assert (newest.old, newest.new) == ("2.13.0", "2.15.0") and (built.old, built.new) == ("1.13.1", "2.13.0")
    assert [(one.kind, one.old, one.new) for one in newest.changes] == [("changed message", (BUILT,), (NEW,))]
    assert [(one.cell, one.kind) for one in built.changes] == [
        ("caught", "new"),
        ("old-name", "new warning"),
        ("product", "changed message"),
    ]
    assert (built.names, built.gone, newest.names) == (("torch.ones",), (), ())
    assert f"-{OLD}" in built.changes[-1].diff and "(torch 1.13.1)" in built.changes[-1].diff


def test_what_changed_without_a_message_is_told_too(several, project):
    stand_in_version(project, "2.14.1", {"topic/a": {"caught": "RuntimeError: other\n7\n", "old-name": "loud\n"}})
    stand_in_version(project, "2.15.0", {"topic/a": {"caught": "RuntimeError: other\n8\n", "old-name": "loud\n"}})
    again = lists.gather(gather(project), several.pages, [])
    newest, before, _ = releases.steps(again, "en")
    assert [(one.cell, one.kind) for one in newest.changes] == [("caught", "changed")]
    assert [(one.cell, one.kind) for one in before.changes] == [
        ("caught", "changed message"),
        ("old-name", "message gone"),
    ]


def test_a_release_that_did_not_run_a_cell_hides_no_change(several, project):
    stand_in_version(project, "2.6.0", {"topic/a": {"product": ["ended"]}})
    again = lists.gather(gather(project), several.pages, [])
    built = releases.steps(again, "en")[1]
    (change,) = [one for one in built.changes if one.cell == "product"]
    assert (built.old, change.before) == ("2.6.0", "1.13.1")
    assert "[Matrices \\[2, 3\\]](../topic/a.md#product) (compared with torch 1.13.1)" in rendered(
        again, "changes", "en"
    )


def test_a_name_that_comes_back_was_not_gone(several, project):
    """An old release that cannot import a module lacks none of its names, and the next one may lack them."""
    stand_in_version(project, "2.0.1", {}, missing=("torch.zeros",))
    again = lists.gather(gather(project), several.pages, [])
    assert [(step.new, step.gone) for step in releases.steps(again, "en")] == [
        ("2.15.0", ()),
        ("2.13.0", ()),
        ("2.0.1", ()),
    ]
    assert any("torch.zeros" in step.names for step in releases.steps(again, "en"))

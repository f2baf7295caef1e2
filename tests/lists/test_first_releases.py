"""Names by the first release that has them."""

from __future__ import annotations

import dataclasses

from tests.conftest import stand_in_version
from tests.lists.book import page
from verbatim import lists
from verbatim.book.gather import gather
from verbatim.book.releases import run
from verbatim.book.releases.ranges import Releases
from verbatim.lists import first_releases


def test_names_are_listed_by_the_first_release_that_has_them(several):
    assert first_releases.render(several, page(several, "docs/en/ways/changes.md")) == [
        "**2.13.0** (not in 1.13.1)",
        "",
        "- [`torch.ones`](names.md#torch.ones)",
    ]
    assert first_releases.render(several, page(several, "docs/zh/ways/changes.md"))[0] == "**2.13.0**（1.13.1 还没有）"


def test_the_oldest_release_comes_first(several, project):
    stand_in_version(project, "2.0.1", {}, missing=("torch.zeros",))
    again = lists.gather(gather(project), several.pages, [])
    lines = first_releases.render(again, page(again, "docs/en/ways/changes.md"))
    assert [line.split()[0] for line in lines if line.startswith("**")] == ["**2.0.1**", "**2.13.0**"]


def test_without_other_releases_nothing_is_said_of_names(sources):
    only = dataclasses.replace(sources, book=dataclasses.replace(sources.book, releases=Releases("2.13.0")))
    assert first_releases.render(only, page(only, "docs/en/ways/changes.md")) == ["No other release has been run yet."]


def test_operators_that_a_script_registers_are_no_names_of_a_release(several, project):
    stand_in_version(project, "2.0.1", {}, missing=("torch.zeros", "torch.ops.book.area"))
    again = lists.gather(gather(project), several.pages, [])
    assert "torch.ops" not in "".join(first_releases.render(again, page(again, "docs/en/ways/changes.md")))
    assert [name for release in again.book.releases.all for name in release.missing if "torch.ops" in name] == []
    assert run.missing(["torch.ops.book.area", "torch.no_such_name"]) == ("torch.no_such_name",)

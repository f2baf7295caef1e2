"""The releases beside the built version: merged into ranges, found stale, counted."""

from __future__ import annotations

from tests.conftest import stand_in_version
from tests.releases.recipes import RECORDED
from verbatim.book.gather import gather
from verbatim.book.releases import files
from verbatim.book.releases.model import Finding, Release, Status, sort_key, torch_release
from verbatim.book.releases.ranges import Kind, Releases


def ranges(recorded, cell: str = "value", text: str = "1\n") -> list[tuple]:
    """Return what is said of a cell, given what the built version prints in the cell `value`."""
    script, record = recorded(text)
    found, problems = files.load(recorded.project)
    assert not problems
    ranges = Releases("2.13.0", found).ranges(script, script.cell(cell), record)
    return [(one.versions, one.kind, "".join(o.get("text", "") for o in one.outputs)) for one in ranges]


def test_nothing_is_said_where_all_releases_print_the_same(recorded):
    stand_in_version(recorded.project, "2.6.0", {})
    assert ranges(recorded) == []


def test_ranges_are_merged_in_the_order_of_releases(recorded):
    for torch, text in (("2.10.0", None), ("1.13.1", "0\n"), ("2.2.2", "0\n"), ("2.15.0", "3\n"), ("2.9.1", None)):
        stand_in_version(recorded.project, torch, {"a/b": {"value": text}} if text else {})
    assert ranges(recorded) == [
        (("1.13.1", "2.2.2"), Kind.OTHER, "0\n"),
        (("2.9.1", "2.10.0", "2.13.0"), Kind.SAME, ""),
        (("2.15.0",), Kind.OTHER, "3\n"),
    ]
    assert ranges(recorded, "last") == []


def test_rounding_parts_no_range(recorded):
    stand_in_version(recorded.project, "2.0.1", {"a/b": {"value": "0.50001\n"}})
    stand_in_version(recorded.project, "2.2.2", {"a/b": {"value": "0.50002\n"}})
    assert [one[0] for one in ranges(recorded)] == [("2.0.1", "2.2.2"), ("2.13.0",)]


def test_absent_and_what_needs_it(recorded):
    said = {"setup": ("AttributeError", "module 'torch' has no attribute 'new'"), "value": ["cell:setup"]}
    stand_in_version(recorded.project, "1.13.1", {"a/b": said})
    assert [one[:2] for one in ranges(recorded, "setup")] == [(("1.13.1",), Kind.ABSENT), (("2.13.0",), Kind.SAME)]
    assert [one[:2] for one in ranges(recorded)] == [(("1.13.1",), Kind.NOT_RUN), (("2.13.0",), Kind.SAME)]


def test_what_the_machine_lacked_is_not_said(recorded):
    stand_in_version(recorded.project, "1.13.1", {"a/b": {"value": ["needs:no-cuda"]}})
    assert ranges(recorded) == []


def test_a_cell_before_it_that_changed_makes_it_stale(recorded, write):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n", "last": "4\n"}})
    write("examples/a/b.py", RECORDED.replace("print(1)", "print(1 + 0)"))
    assert ranges(recorded) == ranges(recorded, "last") == []
    script, record = recorded()
    found = Releases("2.13.0", files.load(recorded.project)[0])
    [hint] = found.stale({script.path: script}, {script.path: record})
    assert str(hint).startswith("outputs/versions: still to be run with torch 2.6.0: 2 cells of a/b; CI does that (")
    assert found.covered([(script, record)]) == ()


def test_releases_that_lack_the_same_cells_are_told_as_one(recorded, write):
    for release in ("2.0.1", "2.6.0"):
        stand_in_version(recorded.project, release, {"a/b": {"value": "0\n", "last": "4\n"}})
    write("examples/a/b.py", RECORDED.replace("print(1)", "print(1 + 0)"))
    script, record = recorded()
    found = Releases("2.13.0", files.load(recorded.project)[0])
    [hint] = found.stale({script.path: script}, {script.path: record})
    assert "still to be run with torch 2.0.1, 2.6.0: 2 cells of a/b;" in hint.message and not hint.hint


def test_another_approved_output_makes_it_stale(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n", "last": "4\n"}})
    assert ranges(recorded, text="7\n") == []
    assert [one[0] for one in ranges(recorded, "last", text="7\n")] == [("2.6.0",), ("2.13.0",)]


def test_covered_releases_and_counts(recorded):
    error = ("AttributeError", "gone")
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n", "setup": error, "last": ["cell:setup"]}})
    stand_in_version(recorded.project, "2.0.1", {})
    script, record = recorded()
    found = Releases("2.13.0", files.load(recorded.project)[0])
    assert found.names == ("2.0.1", "2.6.0", "2.13.0")
    assert found.covered([(script, record)]) == ("2.0.1", "2.6.0")
    scripts, cpu = {script.path: script}, {script.path: record}
    assert found.stale(scripts, cpu) == []
    counts = found.find("2.6.0").counts(scripts, cpu)
    assert (counts.run, counts.same, counts.changed, counts.absent, counts.not_run) == (2, 0, 1, 1, 1)
    assert (counts.errors, counts.stale) == (0, 0)


def test_a_changed_error_is_counted(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": ("TypeError", "no")}})
    release = files.read(recorded.project, "2.6.0")
    old = release.findings["a/b"]["value"]
    release.findings["a/b"]["value"] = Finding(old.code, old.approved, Status.DIFFERS)
    script, record = recorded()
    assert release.counts({script.path: script}, {script.path: record}).errors == 1


def test_releases_are_ordered_by_number():
    names = ["2.10.0", "2.9.1", "1.13.1"]
    assert sorted(names, key=sort_key) == ["1.13.1", "2.9.1", "2.10.0"]
    assert torch_release("2.6.0+cu124") == "2.6.0"
    assert Release("2.6.0").outputs("a/b", "c") == ()


def test_the_book_has_them(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n"}})
    stand_in_version(recorded.project, "2.13.0", {"a/b": {"value": "0\n"}})  # the built one is no other release
    book = gather(recorded.project)
    path = "examples/a/b.py"
    assert [(one.first, one.built) for one in book.ranges(path, "value")] == [("2.6.0", False), ("2.13.0", True)]
    stand_in_version(recorded.project, "2.15.0", {})
    (_, last) = gather(recorded.project).ranges(path, "value")
    assert (last.versions, last.built) == (("2.13.0", "2.15.0"), True)
    assert book.ranges(path, "last") == book.ranges(path, "gone") == book.ranges("gone.py", "value") == ()
    assert book.covered([path]) == ("2.6.0",)
    (recorded.project.outputs / "versions/2.6.0/a/b.ipynb").unlink()
    assert "outputs/versions/2.6.0/a/b.ipynb" in [problem.path for problem in gather(recorded.project).problems]

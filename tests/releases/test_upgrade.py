"""What other releases printed is kept when the built version is raised."""

from __future__ import annotations

import pytest

from tests.conftest import stand_in_version
from tests.releases.recipes import SCRIPT, error, text
from verbatim.__main__ import main
from verbatim.book import records
from verbatim.book.gather import gather
from verbatim.book.releases import files, run, upgrade
from verbatim.book.releases.model import Status
from verbatim.book.releases.ranges import Kind
from verbatim.run.result import CellResult, Result
from verbatim.run.script import parse


def record_anew(project, script, printed, **environment: str) -> None:
    """Write a script's record anew, as it is printed in another environment; keep what releases printed."""
    was = records.environment(project)
    now = {**was, **environment}
    before = {script.path: records.load(project, project.recipe(script.path), "cpu")}
    result = Result(script.path, tuple(CellResult(name, outputs) for name, outputs in printed.items()), now)
    records.write(project, script, result, all_anew=True)
    records.write_environment(project, now)
    upgrade.keep(project, {script.path: script}, before, was)


@pytest.fixture
def raise_to(of_torch_1):
    """Write the records anew, as another torch prints them; keep what releases printed."""
    path = "examples/a/other.py"
    script = parse((of_torch_1.root / path).read_text(), path)

    def raise_to(torch: str, printed: str, **environment: str) -> None:
        record_anew(of_torch_1, script, {"one": text(printed)}, torch=torch, **environment)

    def said(torch: str) -> tuple[str, str]:
        release = files.read(of_torch_1, torch)
        holds = release.finding(script, script.cells[0], records.load(of_torch_1, "a/other", "cpu"))
        return (holds.status if holds else "stale"), "".join(
            o.get("text", "") for o in release.outputs("a/other", "one")
        )

    raise_to.said = said
    return raise_to


def test_what_agreed_with_the_old_output_is_kept(of_torch_1, raise_to):
    stand_in_version(of_torch_1, "0.9.0", {})
    stand_in_version(of_torch_1, "0.8.0", {"a/other": {"one": "0\n"}})
    stand_in_version(of_torch_1, "2.1.0", {"a/other": {"one": "2\n"}})
    raise_to("2.0.0+cpu", "2")
    assert raise_to.said("0.9.0") == ("differs", "1\n")  # agreed with the old output, which is gone
    assert raise_to.said("0.8.0") == ("differs", "0\n")
    assert raise_to.said("2.1.0") == ("same", "")  # differed from the old one, as the new one does
    assert raise_to.said("1.0.0") == ("differs", "1\n")  # built until now
    assert files.read(of_torch_1, "1.0.0").environment == {
        "torch": "1.0.0+cpu",
        "python": "3.11.7",
        "numpy": "2.4.6",
        "matplotlib": "3.11.2",
    }
    ranges = gather(of_torch_1, [of_torch_1.script("a/other")]).ranges("examples/a/other.py", "one")
    assert [(one.versions, one.kind) for one in ranges] == [
        (("0.8.0",), Kind.OTHER),
        (("0.9.0", "1.0.0"), Kind.OTHER),
        (("2.0.0", "2.1.0"), Kind.SAME),
    ]


def test_a_raise_in_two_runs_keeps_what_the_old_torch_printed(of_torch_1, raise_to):
    """Where another script fails, the shared environment stays the old one until all records are of the new torch."""
    path, was = "examples/a/other.py", records.environment(of_torch_1)
    script = parse((of_torch_1.root / path).read_text(), path)
    before = {path: records.load(of_torch_1, "a/other", "cpu")}
    result = Result(path, (CellResult("one", text("2")),), {**was, "torch": "2.0.0+cpu"})
    records.write(of_torch_1, script, result)
    upgrade.keep(of_torch_1, {path: script}, before, was)
    assert records.environment(of_torch_1) == was and raise_to.said("1.0.0") == ("differs", "1\n")
    raise_to("2.0.0+cpu", "2")  # the second run, of everything
    assert raise_to.said("1.0.0") == ("differs", "1\n")


def test_the_release_that_is_built_now_needs_no_record_of_its_own(of_torch_1, raise_to):
    stand_in_version(of_torch_1, "2.0.0", {"a/other": {"one": "2\n"}})
    raise_to("2.0.0+cpu", "2")
    assert not (files.folder(of_torch_1) / "2.0.0").exists()


def test_rounding_changes_nothing_but_what_was_compared(of_torch_1, raise_to):
    stand_in_version(of_torch_1, "0.9.0", {"a/other": {"one": "0.50000\n"}})
    raise_to("2.0.0+cpu", "0.50001")
    assert raise_to.said("0.9.0") == ("same", "")


def test_another_output_of_the_same_torch_is_not_put_on_other_releases(of_torch_1, raise_to):
    stand_in_version(of_torch_1, "0.9.0", {})
    stand_in_version(of_torch_1, "0.8.0", {"a/other": {"one": "0\n"}})
    raise_to("1.0.0+cpu", "2", numpy="3.0.0")
    assert raise_to.said("0.9.0")[0] == raise_to.said("0.8.0")[0] == "stale"
    assert not (files.folder(of_torch_1) / "1.0.0").exists()


def test_what_was_absent_stays_so(of_torch_1, raise_to):
    stand_in_version(of_torch_1, "0.9.0", {"a/other": {"one": ("AttributeError", "no")}})
    raise_to("2.0.0+cpu", "2")
    assert raise_to.said("0.9.0")[0] == "absent"


def test_cells_that_are_gone_or_moved_leave_a_record_that_can_be_read(of_torch_1, write):
    gone = {"new": ("AttributeError", "no"), "needs-it": "6\n", "value": "5\n"}
    stand_in_version(of_torch_1, "0.9.0", {"a/b": gone})
    value, new = "# %% value\nprint(torch.ones(1))\n\n", "# %% new\ntorch.no_such_function()\n\n"
    moved = SCRIPT.replace(value, "").replace(new, "").replace("print(6)\n", f"print(6)\n\n{value}")
    write("examples/a/b.py", moved)
    assert main(["record", "--new-environment", "a/b"]) == 0
    release = files.read(of_torch_1, "0.9.0")
    assert [*release.findings["a/b"]] == ["setup", "needs-it", "value"]
    assert release.outputs("a/b", "value") == text("5") and release.outputs("a/b", "new") == ()


def test_record_keeps_it(of_torch_1, capsys):
    stand_in_version(of_torch_1, "0.9.0", {})
    assert main(["record", "--new-environment", "a/other"]) == 0
    assert files.read(of_torch_1, "0.9.0").findings["a/other"]["one"].status is Status.SAME
    script = of_torch_1.script("a/other")
    script.write_text(script.read_text().replace("print(1)", "print(3)"))
    assert main(["record", "--new-environment", "a/other"]) == 0
    scripts = {"examples/a/other.py": parse(script.read_text(), "examples/a/other.py")}
    assert run.waiting(of_torch_1, "0.9.0", scripts) == ["examples/a/other.py"]  # its code is another


@pytest.mark.parametrize(
    ("header", "first", "kept"),
    [
        ('# %% new raises="AttributeError"', "import torch", True),  # declared for the new torch: the code is the same
        ("# %% new", "import torch, math", False),  # a cell above is other code, which the old torch never ran
    ],
)
def test_what_the_old_torch_printed_is_kept_where_its_code_did_not_change(of_torch_1, write, header, first, kept):
    changed = SCRIPT.replace("# %% new", header).replace("import torch", first)
    write("examples/a/b.py", changed)
    script = parse(changed, "examples/a/b.py")
    new = error("AttributeError", "module 'torch' has no attribute 'no_such_function'")
    printed = {"setup": (), "value": text("tensor([1.])"), "new": new, "needs-it": text("7")}
    record_anew(of_torch_1, script, printed, torch="2.0.0+cpu")
    release, record = files.read(of_torch_1, "1.0.0"), records.load(of_torch_1, "a/b", "cpu")
    findings = {cell.name: release.finding(script, cell, record) for cell in script.cells}
    if kept:
        assert [finding.status for finding in findings.values()] == ["same", "same", "differs", "same"]
        assert release.outputs("a/b", "new") == text("5")
    else:
        assert not any(findings.values()) and not list(release.records)


def test_an_error_that_is_declared_no_longer_says_that_something_was_absent(of_torch_1, write):
    """As a run of that release would say it."""
    declared = '"""Another."""\n\n# %% one raises="TypeError"\nprint(1)\n'
    path, of_old_torch = write("examples/a/other.py", declared), {"one": error("TypeError", "no")}
    record_anew(of_torch_1, parse(declared, of_torch_1.relative(path)), of_old_torch)
    script = parse(declared.replace(' raises="TypeError"', ""), of_torch_1.relative(path))
    record_anew(of_torch_1, script, {"one": text("1")}, torch="2.0.0+cpu")
    assert files.read(of_torch_1, "1.0.0").findings["a/other"]["one"].status is Status.ABSENT

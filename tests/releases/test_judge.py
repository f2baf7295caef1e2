"""What came of each cell in another release, beside the built version's record."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest

from tests.conftest import stand_in_version
from tests.releases.recipes import error, text
from verbatim.book import compare, records
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases import files
from verbatim.book.releases.judge import drop_unsteady, judge, rejudge
from verbatim.book.releases.model import Status
from verbatim.run.result import CellResult, Result
from verbatim.run.script import Cell, parse


def same(one: tuple, other: tuple) -> bool:
    return compare.same(Cell("x", "1", 2, 1), one, other, across_releases=True)


def judged(source: str, ran: dict[str, tuple | str | None], old: dict[str, tuple] | None = None) -> dict[str, str]:
    """Return what came of each cell. Unless `ran` or `old` says otherwise, a cell prints its name."""
    script = parse('"""A script."""\n\n' + textwrap.dedent(source).lstrip("\n"), "examples/a/b.py")
    names = [cell.name for cell in script.cells]
    approved = tuple(RecordedCell(n, "", "", (old or {}).get(n, text(n))) for n in names)
    results = tuple(
        CellResult(n, skipped=value) if isinstance(value, str) else CellResult(n, value)
        for n in names
        if (value := ran.get(n, text(n))) is not None
    )
    found, own = judge(script, Record("", "cpu", approved), Result(script.path, results))
    assert [one.name for one in own] == [n for n in names if found[n].status in (Status.DIFFERS, Status.ABSENT)]
    return {n: " ".join(filter(None, (found[n].status, found[n].reason))) for n in names}


TWO = """
    # %% one
    x = 1
    # %% two
    y = 2
"""


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (text("one"), "same"),
        (text("other"), "differs"),
        (error("AttributeError", "module 'torch' has no attribute 'new'"), "absent"),
        (error("TypeError", "got an unexpected keyword argument 'new'"), "absent"),
        (error("ModuleNotFoundError", "No module named 'torch.new'"), "absent"),
        (
            error("RuntimeError", "AttributeError: 'Tensor' object has no attribute 'new'\n\nAt:\n  a.py(1): f"),
            "absent",
        ),
        (error("RuntimeError", "\"exp\" not implemented for 'Half'"), "differs"),
        (error("ModuleNotFoundError", "No module named 'six'"), "skipped needs:six"),
        (error("RuntimeError", "Found no NVIDIA driver on your system."), "skipped needs:cuda"),
        (error("AcceleratorError", "CUDA error: CUDA driver version is insufficient for …"), "skipped needs:cuda"),
        (error("RuntimeError", "Python 3.11+ not yet supported for torch.compile"), "skipped needs:python"),
        ("no-cuda", "skipped needs:no-cuda"),
        (None, "skipped ended"),
    ],
)
def test_what_came_of_a_cell(printed, said):
    assert judged(TWO, {"one": printed}) == {"one": said, "two": "same"}


def test_a_message_that_the_built_version_gives_too_is_the_same():
    lacks = error("ModuleNotFoundError", "No module named 'six'")
    assert judged(TWO, {"one": lacks}, {"one": lacks})["one"] == "same"


def test_a_declared_error_that_is_another_or_none_is_what_it_printed():
    source = '# %% one raises="ValueError"\nx = 1'
    built = {"one": error("ValueError", "no")}
    assert judged(source, {"one": error("TypeError", "no")}, built) == {"one": "differs"}
    assert judged(source, {"one": ()}, built) == {"one": "differs"}


def test_a_cell_that_varies_is_not_compared_but_may_be_absent():
    source = "# %% one varies=true\nx = 1"
    assert judged(source, {"one": text("other")}) == {"one": "varies"}
    assert judged(source, {"one": error("AttributeError", "gone")}) == {"one": "absent"}


def test_a_cell_without_an_approved_output_has_nothing_to_be_compared_with():
    script = parse('"""A script."""\n\n# %% one\nx = 1', "examples/a/b.py")
    found, _ = judge(script, None, Result(script.path, (CellResult("one", text("one")),)))
    assert (found["one"].status, found["one"].reason, found["one"].approved) == (Status.NOT_RUN, "unrecorded", "")


FOUR = """
    # %% one
    import torch
    x = torch.new()
    # %% uses
    y = torch.sin(x)
    # %% also
    print(y)
    # %% other
    z = torch.ones(1)
"""


def test_what_an_earlier_cell_would_have_made_is_named():
    undefined = {
        "uses": error("NameError", "name 'x' is not defined"),
        "also": error("NameError", "name 'y' is not defined"),
    }
    said = judged(FOUR, {"one": error("AttributeError", "no 'new'"), **undefined, "other": text("differs")})
    assert said == {"one": "absent", "uses": "skipped cell:one", "also": "skipped cell:uses", "other": "differs"}


def test_another_output_of_what_a_failed_cell_uses_is_not_taken_for_the_releases():
    source = "# %% one\nx = [1]\n# %% grow\nx.append(f())\n# %% show\nprint(x)\n# %% same\nprint(len(x) > 0)"
    said = judged(source, {"grow": error("RuntimeError", "no"), "show": text("[1]")})
    assert said == {"one": "same", "grow": "differs", "show": "skipped cell:grow", "same": "same"}


def test_what_needs_a_cell_that_the_machine_could_not_run_is_not_run_for_the_same_reason():
    source = "# %% one\ny = f()\n# %% two\nprint(y)\n# %% three\nprint(1)"
    gone = {"one": error("RuntimeError", "Python 3.11+ not yet supported for torch.compile")}
    gone["two"] = error("NameError", "name 'y' is not defined")
    assert judged(source, gone) == {"one": "skipped needs:python", "two": "skipped needs:python", "three": "same"}


def test_an_import_that_failed_is_needed_by_what_uses_the_name():
    source = "# %% one\nfrom torch import new\n# %% two\nnew()"
    gone = {
        "one": error("ImportError", "cannot import name 'new'"),
        "two": error("NameError", "name 'new' is not defined"),
    }
    assert judged(source, gone)["two"] == "skipped cell:one"


def test_what_is_not_torchs_doing_is_no_difference():
    built = {"one": text("[np.float64(1.5), 2.5] alloc_cpu.cpp:127 numpy._core.multiarray.scalar")}
    old = text("[1.5, 2.5] alloc_cpu.cpp:75 numpy.core.multiarray.scalar")
    assert judged(TWO, {"one": old}, built)["one"] == "same"
    frames = ['File "…/site-packages/torch/nn/modules/module.py", line 1501, in f', "torch/autograd.py(12): f"]
    assert same(text(*frames), text(*(line.replace("1501", "7").replace("12", "3") for line in frames)))
    found = text("[Gloo] Rank 0 is connected to 1 peer ranks. Expected number of connected peer ranks is : 1", "1")
    assert same((*found[:1], *text("1")), text("1"))
    assert not same(found, text("2", "1"))
    own = 'File "examples/a/b.py", line 5'
    assert not same(text(own), text(own.replace("5", "6")))


def test_what_a_second_run_prints_otherwise_varies():
    script = parse('"""A script."""\n\n# %% one\nx = 1\n# %% two\ny = 2', "examples/a/b.py")
    approved = Record("", "cpu", tuple(RecordedCell(cell.name, "", "", text("built")) for cell in script.cells))
    first = Result(script.path, (CellResult("one", text("1e+30")), CellResult("two", text("b"))))
    second = Result(script.path, (CellResult("one", text("4e+12")), CellResult("two", text("b"))))
    found, own = drop_unsteady(script, *judge(script, approved, first), second)
    assert [found[name].status for name in ("one", "two")] == [Status.VARIES, Status.DIFFERS]
    assert [cell.name for cell in own] == ["two"]


def test_a_difference_that_is_none_by_todays_rules_is_taken_out(of_torch_1):
    stand_in_version(of_torch_1, "2.6.0", {"a/other": {"one": "[Gloo] Rank 0 is connected to 1 peer ranks.\n1\n"}})
    scripts = {
        path: parse((of_torch_1.root / path).read_text(), path) for path in ("examples/a/b.py", "examples/a/other.py")
    }
    cpu = {path: records.load(of_torch_1, of_torch_1.recipe(path), "cpu") for path in scripts}
    release = rejudge(files.read(of_torch_1, "2.6.0"), scripts, cpu)
    assert release.findings["a/other"]["one"].status is Status.SAME
    files.save(of_torch_1, release)
    assert files.read(of_torch_1, "2.6.0").records == {}

    lacks = {"value": ["cell:setup"], "setup": "", "new": ["cell:value"]}
    stored = stand_in_version(of_torch_1, "2.6.0", {"a/b": lacks})
    refused = error("RuntimeError", "Python 3.11+ not yet supported for torch.compile")
    record = stored.records["a/b"]
    cells = (replace(record.cells[0], outputs=refused),)
    stored = replace(stored, records={"a/b": replace(record, cells=cells)})
    release = rejudge(stored, scripts, cpu)
    said = {name: f"{one.status} {one.reason}".strip() for name, one in release.findings["a/b"].items()}
    python = "skipped needs:python"
    assert said == {"setup": python, "value": python, "new": python, "needs-it": "same"}
    assert release.records["a/b"].cells == ()

"""The scripts run with another release of torch: what came of each cell, and what is kept when torch is raised."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import textwrap
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.conftest import stand_in_version
from tests.test_plugin import command
from verbatim.__main__ import main
from verbatim.book import raised, records, version_runs, versions
from verbatim.book.gather import gather
from verbatim.book.records import Record, RecordedCell
from verbatim.book.version_runs import judge, missing, steady
from verbatim.book.versions import Kind, Status
from verbatim.run import worker
from verbatim.run.clean import Cleaner
from verbatim.run.job import Job, Limits
from verbatim.run.result import CellResult, Result
from verbatim.run.runner import run
from verbatim.run.script import parse

SCRIPTS = Path(__file__).parent.parent / "scripts"


def text(*lines: str) -> tuple[dict, ...]:
    return tuple({"output_type": "stream", "name": "stdout", "text": f"{line}\n"} for line in lines)


def error(name: str, message: str) -> tuple[dict, ...]:
    return ({"output_type": "error", "ename": name, "evalue": message, "traceback": [f"{name}: {message}"]},)


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
    assert (found["one"].status, found["one"].reason, found["one"].built) == (Status.NOT_RUN, "unrecorded", "")


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
    assert versions.alike(text(*frames), text(*(line.replace("1501", "7").replace("12", "3") for line in frames)))
    found = text("[Gloo] Rank 0 is connected to 1 peer ranks. Expected number of connected peer ranks is : 1", "1")
    assert versions.alike((*found[:1], *text("1")), text("1"))
    assert not versions.alike(found, text("2", "1"))
    own = 'File "examples/a/b.py", line 5'
    assert not versions.alike(text(own), text(own.replace("5", "6")))


def test_what_a_second_run_prints_otherwise_varies():
    script = parse('"""A script."""\n\n# %% one\nx = 1\n# %% two\ny = 2', "examples/a/b.py")
    approved = Record("", "cpu", tuple(RecordedCell(cell.name, "", "", text("built")) for cell in script.cells))
    first = Result(script.path, (CellResult("one", text("1e+30")), CellResult("two", text("b"))))
    second = Result(script.path, (CellResult("one", text("4e+12")), CellResult("two", text("b"))))
    found, own = steady(*judge(script, approved, first), second)
    assert [found[name].status for name in ("one", "two")] == [Status.VARIES, Status.DIFFERS]
    assert [cell.name for cell in own] == ["two"]


def test_cells_after_one_that_failed_are_run_when_asked(project, write):
    path = write("examples/a/b.py", '"""A script."""\n\n# %% one\nx = y\n\n# %% two\nprint("on")\n')
    script = parse(path.read_text(), "examples/a/b.py")
    stopped, went_on = (run(script, project, Limits(seconds=30), go_on=go_on) for go_on in (False, True))
    assert [cell.name for cell in stopped.cells] == ["one"] and stopped.problems
    assert [cell.name for cell in went_on.cells] == ["one", "two"] and not went_on.problems
    assert went_on.cells[1].outputs == text("on")


def test_names_that_are_not_there(monkeypatch, tmp_path):
    here = ["torch.cat", "torch.Tensor.sum", "torch.nn.functional.relu", "torch.utils.data.DataLoader"]
    here += ["torch.nn.Linear.in_features", "torch.optim.SGD.param_groups"]  # only objects have these
    # A module that is there, and imports what is not.
    module = ModuleType("torch.utils.stand_in")
    module.__path__ = [str(tmp_path)]
    (tmp_path / "lame.py").write_text("import a_package_that_nobody_has\n")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    here.append("torch.utils.stand_in.lame.Timer")
    gone = ["torch.no_such", "torch.nn.Linear.no_such", "torch.nn.NoSuch.forward", "torch.no_module.f"]
    assert missing([*gone, *here]) == tuple(sorted(gone))


def test_the_engine_does_without_what_old_releases_have_not(project, write):
    script = """
        \"\"\"Compile.\"\"\"

        # %% one
        import os

        import torch

        from tests.stand_in_old_torch import PLACE

        print(torch.ones(1), hasattr(torch, "accelerator"), os.path.isdir(PLACE))
        """
    write("examples/a/b.py", script)
    write("examples/a/other.py", script)
    done = command(project, "verbatim", "run", "--jobs", "1", VERBATIM_PRELOAD="tests.stand_in_old_torch")
    assert done.returncode == 0
    assert done.stdout.count("tensor([1.]) False True\n") == 2
    assert "Exception ignored" not in done.stdout
    assert "Traceback" not in done.stdout


def test_vector_instructions_as_old_releases_tell_them(monkeypatch):
    import torch

    monkeypatch.delattr(torch.backends.cpu, "get_cpu_capability")
    monkeypatch.setattr(torch.__config__, "show", lambda: "  - CPU capability usage: AVX2\n  - CUDA 11.7")
    assert worker.environment.__wrapped__()["cpu"] == "AVX2"
    monkeypatch.setattr(torch.__config__, "show", str)
    assert worker.environment.__wrapped__()["cpu"] == "unknown"


def test_the_engines_frames_leave_stacks_that_cpp_writes(tmp_path):
    stack = """RuntimeError: AttributeError: 'Tensor' object has no attribute 'new'

At:
  examples/a/b.py(115): pack
  verbatim/run/worker.py(178): _execute
  verbatim/run/forks.py(113): _run
  <string>(1): <module>
"""
    clean = Cleaner(Job(parse('"""A."""\n\n# %% a\nx', "examples/a/b.py"), "b.py", str(tmp_path), str(tmp_path)))
    assert clean(stack).endswith("At:\n  examples/a/b.py(115): pack\n")


@pytest.mark.parametrize("folder", ["", ".venv/lib/python3.11/site-packages/", "/opt/x/site-packages/"])
def test_torchs_log_names_its_own_files_in_one_way(folder, tmp_path):
    """Where the environment lies below a folder of `sys.path`, torch writes the way from there."""
    clean = Cleaner(Job(parse('"""A."""\n\n# %% a\nx', "examples/a/b.py"), "b.py", str(tmp_path), str(tmp_path)))
    line = f"V1122 10:00:00.000000 77 {folder}torch/_dynamo/guards.py:5396] [0/1] in {folder}x.py\n"
    shown = clean(line)
    assert shown.startswith("V torch/_dynamo/guards.py:5396] [0/1] in ")
    assert clean(f"see {folder}torch\n").startswith("see ")  # text that is no log stays


# -- the command, with the torch that is here in the part of another release ------------------------

SCRIPT = '''
"""A script."""

# %% setup
import torch

# %% value
print(torch.ones(1))

# %% new
torch.no_such_function()

# %% needs-it
print(6)
'''


@pytest.fixture
def book(project, write, monkeypatch):
    """A recipe whose record says that torch 1.0.0 printed it, where every cell ran."""
    write("examples/a/b.py", SCRIPT)
    write("examples/a/other.py", '"""Another."""\n\n# %% one\nprint(1)\n')
    environment = {"torch": "1.0.0+cpu", "python": "3.11.7", "numpy": "2.4.6", "matplotlib": "3.11.2"}
    records.write_environment(project, environment)
    outputs = {
        "a/b": {"setup": (), "value": text("tensor([1.])"), "new": text("5"), "needs-it": text("7")},
        "a/other": {"one": text("1")},
    }
    for recipe, cells in outputs.items():
        path = f"examples/{recipe}.py"
        script = parse((project.root / path).read_text(), path)
        result = Result(path, tuple(CellResult(name, out) for name, out in cells.items()), environment)
        records.write(project, script, result)
    monkeypatch.chdir(project.root)
    return project


def installed() -> str:
    import torch

    return versions.release(str(torch.__version__))


def test_the_command_writes_what_differs_and_runs_only_what_is_stale(book, write, capsys):
    names = write("names.json", json.dumps(["torch.cat", "torch.no_such_function"]))
    assert main(["versions", "--names", str(names)]) == 0
    assert "5 cells run: 3 same, 1 changed, 0 errors, 1 absent" in capsys.readouterr().out
    version = versions.read(book, installed())
    assert {name: one.status for name, one in version.cells["a/b"].items()} == {
        "setup": Status.SAME,
        "value": Status.SAME,
        "new": Status.ABSENT,
        "needs-it": Status.DIFFERS,
    }
    assert version.outputs("a/b", "needs-it") == text("6")
    assert "no_such_function" in version.outputs("a/b", "new")[0]["evalue"]
    assert version.missing == ("torch.no_such_function",)
    assert version.about["torch"].startswith(installed()) and version.about["date"]
    assert version.cells["a/other"]["one"].status is Status.SAME and "a/other" not in version.records
    scripts = {path: parse((book.root / path).read_text(), path) for path in ("examples/a/b.py", "examples/a/other.py")}
    assert version_runs.waiting(book, installed(), scripts) == []

    write("examples/a/other.py", '"""Another."""\n\n# %% one\nprint(2)\n')
    scripts["examples/a/other.py"] = parse((book.root / "examples/a/other.py").read_text(), "examples/a/other.py")
    assert version_runs.waiting(book, installed(), scripts) == ["examples/a/other.py"]
    assert main(["versions", "a/b"]) == 0  # nothing of it is stale, and the other one was not asked for
    assert version_runs.waiting(book, installed(), scripts) == ["examples/a/other.py"]
    assert main(["versions"]) == 0
    version = versions.read(book, installed())
    assert version.outputs("a/other", "one") == text("2")
    assert version.missing == ("torch.no_such_function",)

    (book.root / "examples/a/other.py").unlink()
    assert main(["versions"]) == 0
    assert "a/other" not in versions.read(book, installed()).cells
    assert not (versions.folder(book) / installed() / "a/other.ipynb").exists()


def test_a_record_that_cannot_be_read_is_written_anew(book):
    path = versions.folder(book) / installed() / "manifest.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    assert main(["versions"]) == 0
    assert versions.read(book, installed()).cells["a/other"]["one"].status is Status.SAME


def test_the_built_version_is_no_other_release(book, capsys):
    about = {"torch": f"{installed()}+cpu", "python": platform.python_version()}
    records.write_environment(book, about | {"numpy": "2.4.6", "matplotlib": "3.11.2"})
    assert main(["versions"]) == 1
    assert "this is the built version" in capsys.readouterr().err
    assert not versions.folder(book).exists()


def test_a_script_whose_process_ends_is_run_once_more(book, monkeypatch):
    """A busy machine ends a script once; what ends it twice is the release's doing."""
    tries = []

    class Busy:
        def __init__(self, *_: object, **__: object):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_: object):
            pass

        def submit(self, script, *, go_on):
            assert go_on
            tries.append(script.path)
            future: Future[Result] = Future()
            ran = tuple(CellResult(cell.name, text("x")) for cell in script.cells)
            ended = tries.count(script.path) == 1
            problem = version_runs.Problem(script.path, 1, "ended")
            future.set_result(Result(script.path, () if ended else ran, problems=(problem,) if ended else ()))
            return future

    monkeypatch.setattr(version_runs, "Runner", Busy)
    book_ = gather(book, [])
    path = "examples/a/other.py"
    scripts = {path: parse((book.root / path).read_text(), path)}
    version, notes = version_runs.rerun(book_.project, scripts)
    assert version.cells["a/other"]["one"].status is Status.DIFFERS and not notes
    assert len(tries) == 3  # and once more, because it differs


def test_check_names_what_is_stale_and_does_not_fail_for_it(book, write, capsys):
    stand_in_version(book, "2.6.0", {"a/other": {"one": "2\n"}})
    write("examples/a/other.py", '"""Another."""\n\n# %% one\nprint(1)  # one\n')
    main(["check", "examples/a/other.py"])
    told = capsys.readouterr().err
    assert "outputs/versions/2.6.0/manifest.json: 1 cells are not what was run with torch 2.6.0: a/other#one" in told
    assert "hint: make versions TORCH=2.6.0" in told
    assert "outputs/versions" not in told.partition("problem")[2]
    (book.outputs / "versions/2.6.0/a/other.ipynb").unlink()
    assert main(["check", "examples/a/other.py"]) == 1
    assert "outputs/versions/2.6.0/a/other.ipynb: the notebook is missing" in capsys.readouterr().err


def test_a_difference_that_is_none_by_todays_rules_is_taken_out(book):
    stand_in_version(book, "2.6.0", {"a/other": {"one": "[Gloo] Rank 0 is connected to 1 peer ranks.\n1\n"}})
    scripts = {path: parse((book.root / path).read_text(), path) for path in ("examples/a/b.py", "examples/a/other.py")}
    cpu = {path: records.load(book, book.recipe(path), "cpu") for path in scripts}
    version = version_runs.rejudged(versions.read(book, "2.6.0"), scripts, cpu)
    assert version.cells["a/other"]["one"].status is Status.SAME
    versions.save(book, version)
    assert versions.read(book, "2.6.0").records == {}

    lacks = {"value": ["cell:setup"], "setup": "", "new": ["cell:value"]}
    stored = stand_in_version(book, "2.6.0", {"a/b": lacks})
    refused = error("RuntimeError", "Python 3.11+ not yet supported for torch.compile")
    record = stored.records["a/b"]
    cells = (replace(record.cells[0], outputs=refused),)
    stored = replace(stored, records={"a/b": replace(record, cells=cells)})
    version = version_runs.rejudged(stored, scripts, cpu)
    said = {name: f"{one.status} {one.reason}".strip() for name, one in version.cells["a/b"].items()}
    python = "skipped needs:python"
    assert said == {"setup": python, "value": python, "new": python, "needs-it": "same"}
    assert version.records["a/b"].cells == ()


# -- raising the built version ----------------------------------------------------------------------


@pytest.fixture
def raise_to(book):
    """Write the records anew, as another torch prints them; keep what releases printed."""
    path = "examples/a/other.py"
    script = parse((book.root / path).read_text(), path)

    def raise_to(torch: str, printed: str, **environment: str) -> None:
        was = records.environment(book)
        now = {**was, "torch": torch, **environment}
        before = {path: records.load(book, "a/other", "cpu")}
        result = Result(path, (CellResult("one", text(printed)),), now)
        records.write(book, script, result, all_anew=True)
        records.write_environment(book, now)
        raised.keep(book, {path: script}, before, was)

    def said(torch: str) -> tuple[str, str]:
        version = versions.read(book, torch)
        found = versions.Versions("", (version,))
        holds = found.finding(version, script, script.cells[0], records.load(book, "a/other", "cpu"))
        return (holds.status if holds else "stale"), "".join(
            o.get("text", "") for o in version.outputs("a/other", "one")
        )

    raise_to.said = said
    return raise_to


def test_what_agreed_with_the_old_output_is_kept(book, raise_to):
    stand_in_version(book, "0.9.0", {})
    stand_in_version(book, "0.8.0", {"a/other": {"one": "0\n"}})
    stand_in_version(book, "2.1.0", {"a/other": {"one": "2\n"}})
    raise_to("2.0.0+cpu", "2")
    assert raise_to.said("0.9.0") == ("differs", "1\n")  # agreed with the old output, which is gone
    assert raise_to.said("0.8.0") == ("differs", "0\n")
    assert raise_to.said("2.1.0") == ("same", "")  # differed from the old one, as the new one does
    assert raise_to.said("1.0.0") == ("differs", "1\n")  # built until now
    assert versions.read(book, "1.0.0").about == {
        "torch": "1.0.0+cpu",
        "python": "3.11.7",
        "numpy": "2.4.6",
        "matplotlib": "3.11.2",
    }
    ranges = gather(book, [book.script("a/other")]).ranges("examples/a/other.py", "one")
    assert [(one.versions, one.kind) for one in ranges] == [
        (("0.8.0",), Kind.OTHER),
        (("0.9.0", "1.0.0"), Kind.OTHER),
        (("2.0.0", "2.1.0"), Kind.SAME),
    ]


def test_a_raise_in_two_runs_keeps_what_the_old_torch_printed(book, raise_to):
    """Where another script fails, the shared environment stays the old one until all records are of the new torch."""
    path, was = "examples/a/other.py", records.environment(book)
    script = parse((book.root / path).read_text(), path)
    before = {path: records.load(book, "a/other", "cpu")}
    result = Result(path, (CellResult("one", text("2")),), {**was, "torch": "2.0.0+cpu"})
    records.write(book, script, result)
    raised.keep(book, {path: script}, before, was)
    assert records.environment(book) == was and raise_to.said("1.0.0") == ("differs", "1\n")
    raise_to("2.0.0+cpu", "2")  # the second run, of everything
    assert raise_to.said("1.0.0") == ("differs", "1\n")


def test_the_release_that_is_built_now_needs_no_record_of_its_own(book, raise_to):
    stand_in_version(book, "2.0.0", {"a/other": {"one": "2\n"}})
    raise_to("2.0.0+cpu", "2")
    assert not (versions.folder(book) / "2.0.0").exists()


def test_rounding_changes_nothing_but_what_was_compared(book, raise_to):
    stand_in_version(book, "0.9.0", {"a/other": {"one": "0.50000\n"}})
    raise_to("2.0.0+cpu", "0.50001")
    assert raise_to.said("0.9.0") == ("same", "")


def test_another_output_of_the_same_torch_is_not_put_on_other_releases(book, raise_to):
    stand_in_version(book, "0.9.0", {})
    stand_in_version(book, "0.8.0", {"a/other": {"one": "0\n"}})
    raise_to("1.0.0+cpu", "2", numpy="3.0.0")
    assert raise_to.said("0.9.0")[0] == raise_to.said("0.8.0")[0] == "stale"
    assert not (versions.folder(book) / "1.0.0").exists()


def test_what_was_absent_stays_so(book, raise_to):
    stand_in_version(book, "0.9.0", {"a/other": {"one": ("AttributeError", "no")}})
    raise_to("2.0.0+cpu", "2")
    assert raise_to.said("0.9.0")[0] == "absent"


def test_cells_that_are_gone_or_moved_leave_a_record_that_can_be_read(book, write):
    gone = {"new": ("AttributeError", "no"), "needs-it": "6\n", "value": "5\n"}
    stand_in_version(book, "0.9.0", {"a/b": gone})
    value, new = "# %% value\nprint(torch.ones(1))\n\n", "# %% new\ntorch.no_such_function()\n\n"
    moved = SCRIPT.replace(value, "").replace(new, "").replace("print(6)\n", f"print(6)\n\n{value}")
    write("examples/a/b.py", moved)
    assert main(["record", "--new-environment", "a/b"]) == 0
    version = versions.read(book, "0.9.0")
    assert [*version.cells["a/b"]] == ["setup", "needs-it", "value"]
    assert version.outputs("a/b", "value") == text("5") and version.outputs("a/b", "new") == ()


def test_record_keeps_it(book, capsys):
    stand_in_version(book, "0.9.0", {})
    assert main(["record", "--new-environment", "a/other"]) == 0
    assert versions.read(book, "0.9.0").cells["a/other"]["one"].status is Status.SAME
    script = book.script("a/other")
    script.write_text(script.read_text().replace("print(1)", "print(3)"))
    assert main(["record", "--new-environment", "a/other"]) == 0
    scripts = {"examples/a/other.py": parse(script.read_text(), "examples/a/other.py")}
    assert version_runs.waiting(book, "0.9.0", scripts) == ["examples/a/other.py"]  # its code is another


# -- make versions ----------------------------------------------------------------------------------


@pytest.fixture
def releases(book, monkeypatch, tmp_path):
    """The script, where an environment is a list of what was asked of it."""
    monkeypatch.syspath_prepend(SCRIPTS)
    module = pytest.importorskip("versions")
    scratch = module.scratch
    asked: list[tuple] = []
    pythons: list[str] = []
    requirements = scratch.requirements()
    monkeypatch.setattr(scratch, "ROOT", book.root)
    monkeypatch.setattr(scratch, "BELOW", tmp_path / "scratch")
    monkeypatch.setattr(scratch, "requirements", lambda: requirements)
    whole = SimpleNamespace(
        problems=[], printed={}, versions=versions.collect([], {"torch": "1.0.0", "python": "3.9.1"}), scripts={}
    )
    for recipe in ("a/b", "a/other"):
        path = f"examples/{recipe}.py"
        whole.scripts[path] = parse((book.root / path).read_text(), path)
    monkeypatch.setattr(module, "gather", lambda project, options: asked.append(sorted(options.run)) or whole)

    @contextmanager
    def environment(name: str, python: str, *, ordinary: bool):
        pythons.append(python)

        def install(*requirements: str) -> None:
            asked.append(requirements)
            if "torch==9.9.9" in requirements:
                raise scratch.CannotInstall("no matching distribution")

        def run(*arguments: str) -> int:
            asked.append(arguments)
            return module.code

        assert ordinary
        yield SimpleNamespace(install=install, run=run, folder=tmp_path / name)

    monkeypatch.setattr(scratch, "environment", environment)
    module.asked, module.pythons, module.book, module.code = asked, pythons, whole, 0
    return module


def test_a_release_is_installed_run_and_one_that_cannot_be_had_left_out(releases, capsys):
    assert releases.main(["9.9.9", "2.6.0"], [], force=False) == 1
    (everything, _, (_, *packages), warm, ran) = releases.asked
    assert everything == ["examples/a/b.py", "examples/a/other.py"]
    assert packages[0] == "torch==2.6.0" and warm == ("scripts/warm.py",)
    assert ran[:3] == ("-m", "verbatim", "versions") and "--all" not in ran
    told = capsys.readouterr()
    assert "torch 9.9.9: cannot be had here and is left out: no matching distribution" in told.err
    assert "not recorded: 9.9.9" in told.err
    assert "torch 2.6.0: 2 scripts to run; installing" in told.out


def test_what_is_not_stale_is_not_installed(releases, book, capsys):
    stand_in_version(book, "2.6.0", {})
    assert releases.main(["2.6.0", "1.0.0"], [], force=False) == 0
    assert len(releases.asked) == 1  # the book alone
    told = capsys.readouterr().out
    assert "torch 2.6.0: nothing is stale" in told and "torch 1.0.0: the built version" in told
    releases.asked.clear()
    assert releases.main(["2.6.0"], ["a/other"], force=True) == 0
    assert releases.asked[0] == ["examples/a/other.py"]
    assert releases.asked[-1][-2:] == ("--all", "a/other")


def test_another_python_gets_the_built_torch(releases, capsys):
    assert releases.main([], [], [sys.executable, "python3.99"], force=False) == 1
    assert releases.pythons == [sys.executable]
    (_, (_, *packages), *_, ran) = releases.asked
    assert packages[0] == "torch==1.0.0" and ran[:3] == ("-m", "verbatim", "versions")
    told = capsys.readouterr()
    assert "python3.99: cannot be had here and is left out" in told.err and "not recorded: python3.99" in told.err
    releases.book.versions = versions.collect([], {"torch": "1.0.0", "python": platform.python_version()})
    assert releases.main([], [], [sys.executable], force=True) == 0
    assert f"{sys.executable}: the built version" in capsys.readouterr().out


def test_a_run_that_fails_is_told(releases, capsys):
    releases.code = 1
    assert releases.main(["2.6.0"], [], force=False) == 1
    assert "not recorded: 2.6.0" in capsys.readouterr().err


def test_releases_are_written_as_numbers_and_a_book_with_problems_is_not_run(releases, capsys):
    assert releases.main(["newest"], [], force=False) == 1
    assert "write them as 2.6.0" in capsys.readouterr().err
    releases.book.problems.append(version_runs.Problem("examples/a/b.py", 1, "is wrong"))
    for recipes in ([], ["a/b"]):
        releases.asked.clear()
        assert releases.main(["2.6.0"], recipes, force=False) == 1
        assert "examples/a/b.py:1: is wrong" in capsys.readouterr().err and len(releases.asked) == 1
    assert releases.main(["2.6.0"], ["a/other"], force=False) == 0  # which is not what is wrong


def test_numpy_is_the_one_that_the_release_was_built_with(releases):
    pinned = releases.scratch.requirements()
    old, new = (releases.wanted(release, pinned) for release in ("2.2.2", "2.10.0"))
    assert releases.NUMPY_1 in old and not any(pin.startswith("numpy==2") for pin in old)
    assert releases.NUMPY_1 not in new and any(pin.startswith("numpy==2") for pin in new)
    assert [pin for pin in new if pin.startswith("torch==")] == ["torch==2.10.0"]


def test_a_release_built_with_numpy_1_finds_numpy_2_in_a_folder_beside(releases):
    for release, beside in (("2.2.2", True), ("2.10.0", False)):
        releases.asked.clear()
        assert releases.main([release], [], force=True) == 0
        targets = [asked for asked in releases.asked if "--target" in asked]
        assert bool(targets) == beside
        for *_, folder, numpy in targets:
            assert folder.endswith(releases.BESIDE) and numpy.startswith("numpy==2")


def test_make_says_what_it_is_asked():
    def said(*variables: str) -> str:
        done = subprocess.run(
            ["make", "-n", "versions", f"VENV={sys.prefix}", *variables],
            cwd=SCRIPTS.parent,
            env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines()[-1].partition("scripts/versions.py")[2].strip()

    assert said() == ""
    assert said("PYTHONS=python3.12 python3.13").split() == ["--python", "python3.12", "--python", "python3.13"]
    assert said("TORCH=2.6.0 2.8.0", "RECIPES=a/b", "FORCE=1").split() == [
        *("2.6.0", "2.8.0", "--recipes", "a/b", "--force")
    ]

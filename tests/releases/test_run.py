"""The scripts run with the torch that is here, in the part of another release."""

from __future__ import annotations

import json
import platform
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType

import pytest

from tests.conftest import stand_in_version
from tests.releases.recipes import installed, text
from tests.site.test_plugin import command
from verbatim.__main__ import main
from verbatim.book import records
from verbatim.book.gather import gather
from verbatim.book.releases import files, run
from verbatim.book.releases.model import Status
from verbatim.problems import Problem
from verbatim.run.result import CellResult, Result
from verbatim.run.script import parse


def test_names_that_are_not_there(monkeypatch, tmp_path):
    here = ["torch.cat", "torch.Tensor.sum", "torch.nn.functional.relu", "torch.utils.data.DataLoader"]
    here += ["torch.nn.Linear.in_features", "torch.optim.SGD.param_groups"]  # only objects have these
    # A module that is there, and imports what is not.
    module = ModuleType("torch.utils.stand_in")
    module.__path__ = [str(tmp_path)]
    (tmp_path / "lame.py").write_text("import a_package_that_nobody_has\n")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    here.append("torch.utils.stand_in.lame.Timer")
    # A module that is there, and cannot be imported with this Python.
    (tmp_path / "old.py").write_text("raise ValueError('mutable default: use default_factory')\n")
    here.append("torch.utils.stand_in.old.Sharded")
    # An attribute that a class declares, and that its own code does not set.
    module.Declared = type("Declared", (), {"__annotations__": {"target": str}})
    here.append("torch.utils.stand_in.Declared.target")
    gone = ["torch.no_such", "torch.nn.Linear.no_such", "torch.nn.NoSuch.forward", "torch.no_module.f"]
    assert run.missing([*gone, *here]) == tuple(sorted(gone))


def test_the_command_writes_what_differs_and_runs_only_what_is_stale(of_torch_1, write, capsys):
    names = write("names.json", json.dumps(["torch.cat", "torch.no_such_function"]))
    assert main(["versions", "--names", str(names)]) == 0
    assert "5 cells run: 3 same, 1 changed, 0 errors, 1 absent" in capsys.readouterr().out
    release = files.read(of_torch_1, installed())
    assert {name: one.status for name, one in release.findings["a/b"].items()} == {
        "setup": Status.SAME,
        "value": Status.SAME,
        "new": Status.ABSENT,
        "needs-it": Status.DIFFERS,
    }
    assert release.outputs("a/b", "needs-it") == text("6")
    assert "no_such_function" in release.outputs("a/b", "new")[0]["evalue"]
    assert release.missing == ("torch.no_such_function",)
    assert release.environment["torch"].startswith(installed()) and release.environment["date"]
    assert release.findings["a/other"]["one"].status is Status.SAME and "a/other" not in release.records
    scripts = {
        path: parse((of_torch_1.root / path).read_text(), path) for path in ("examples/a/b.py", "examples/a/other.py")
    }
    assert run.waiting(of_torch_1, installed(), scripts) == []

    write("examples/a/other.py", '"""Another."""\n\n# %% one\nprint(2)\n')
    scripts["examples/a/other.py"] = parse((of_torch_1.root / "examples/a/other.py").read_text(), "examples/a/other.py")
    assert run.waiting(of_torch_1, installed(), scripts) == ["examples/a/other.py"]
    assert main(["versions", "a/b"]) == 0  # nothing of it is stale, and the other one was not asked for
    assert run.waiting(of_torch_1, installed(), scripts) == ["examples/a/other.py"]
    assert main(["versions"]) == 0
    release = files.read(of_torch_1, installed())
    assert release.outputs("a/other", "one") == text("2")
    assert release.missing == ("torch.no_such_function",)

    (of_torch_1.root / "examples/a/other.py").unlink()
    assert main(["versions"]) == 0
    assert "a/other" not in files.read(of_torch_1, installed()).findings
    assert not (files.folder(of_torch_1) / installed() / "a/other.ipynb").exists()


def test_a_record_that_cannot_be_read_is_written_anew(of_torch_1):
    path = files.folder(of_torch_1) / installed() / "manifest.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    assert main(["versions"]) == 0
    assert files.read(of_torch_1, installed()).findings["a/other"]["one"].status is Status.SAME


def test_the_built_version_is_no_other_release(of_torch_1, capsys):
    about = {"torch": f"{installed()}+cpu", "python": platform.python_version()}
    records.write_environment(of_torch_1, about | {"numpy": "2.4.6", "matplotlib": "3.11.2"})
    assert main(["versions"]) == 1
    assert "this is the built version" in capsys.readouterr().err
    assert not files.folder(of_torch_1).exists()


def test_a_script_whose_process_ends_is_run_once_more(of_torch_1, monkeypatch):
    """A busy machine ends a script once; what ends it twice is the release's doing."""
    tries = []

    class Busy:
        jobs = 1

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
            problem = Problem(script.path, 1, "ended")
            future.set_result(Result(script.path, () if ended else ran, problems=(problem,) if ended else ()))
            return future

    monkeypatch.setattr(run, "Runner", Busy)
    book_ = gather(of_torch_1, [])
    path = "examples/a/other.py"
    scripts = {path: parse((of_torch_1.root / path).read_text(), path)}
    release, problems = run.rerun(book_.project, scripts)
    assert release.findings["a/other"]["one"].status is Status.DIFFERS and not problems
    assert len(tries) == 3  # and once more, because it differs


def test_a_script_that_does_not_end_keeps_no_other_waiting(of_torch_1, monkeypatch):
    """The first ends only when all others were saved."""
    saved = threading.Event()
    paths = ["examples/a/b.py", *(f"examples/a/other{number}.py" for number in range(5))]
    text_ = (of_torch_1.root / "examples/a/other.py").read_text()
    scripts = {path: parse(text_, path) for path in paths}

    def ran(self, script, **_):
        def result():
            if script.path == paths[0]:
                assert saved.wait(60)
            return Result(script.path, tuple(CellResult(cell.name, text("x")) for cell in script.cells))

        return pool.submit(result)

    def save(project, release):
        if len(release.findings) == len(paths) - 1:
            saved.set()

    monkeypatch.setattr(run, "SAVED_EVERY", 1)
    monkeypatch.setattr(run.files, "save", save)
    monkeypatch.setattr(run.Runner, "submit", ran)
    with ThreadPoolExecutor() as pool:
        release, _ = run.rerun(of_torch_1, scripts, jobs=2)
    assert len(release.findings) == len(paths)


HANGS = '''"""Hangs in an old release."""

# %% before
print("before")

# %% hangs
import torch

while not hasattr(torch, "accelerator"):
    pass
print("over")

# %% after
print("after")
'''


OLD = ("verbatim", "versions", "--seconds", "3")


def test_a_script_that_never_ends_in_an_old_release_is_told_once_and_stops_nothing(project, write):
    """The others go on, and what was recorded before is saved."""
    for name in ("a", "c"):
        write(f"examples/t/{name}.py", '"""T."""\n\n# %% one\nprint(1)\n')
    write("examples/t/b.py", HANGS)
    done = command(project, "verbatim", "record")
    assert done.returncode == 0, done.stdout
    environment = records.environment(project)
    records.write_environment(project, environment | {"torch": "1.0.0+cpu"})
    done = command(project, *OLD, VERBATIM_PRELOAD="tests.stand_in_old_torch")
    assert done.returncode == 0, done.stdout
    told = [line for line in done.stdout.splitlines() if "did not end" in line]
    assert [line.partition(":")[0] for line in told] == ["examples/t/b.py"], done.stdout
    release = files.read(project, installed())
    assert {
        recipe: {cell: found.status for cell, found in cells.items()} for recipe, cells in release.findings.items()
    } == {
        "t/a": {"one": Status.SAME},
        "t/b": {"before": Status.SAME, "hangs": Status.NOT_RUN, "after": Status.NOT_RUN},
        "t/c": {"one": Status.SAME},
    }
    again = command(project, *OLD, VERBATIM_PRELOAD="tests.stand_in_old_torch")
    assert "did not end" not in again.stdout, again.stdout  # it is known now


def test_what_was_recorded_before_an_interruption_is_kept(of_torch_1, monkeypatch):
    """It is saved as it comes."""
    monkeypatch.setattr(run, "SAVED_EVERY", 1)
    submit = run.Runner.submit
    tries = []

    def interrupted(self, script, **options):
        tries.append(script.path)
        if script.path.endswith("other.py"):
            raise KeyboardInterrupt
        return submit(self, script, **options)

    monkeypatch.setattr(run.Runner, "submit", interrupted)
    scripts = {p: parse((of_torch_1.root / p).read_text(), p) for p in ("examples/a/b.py", "examples/a/other.py")}
    with pytest.raises(KeyboardInterrupt):
        run.rerun(of_torch_1, scripts, jobs=1)
    assert run.waiting(of_torch_1, installed(), scripts) == ["examples/a/other.py"]
    assert len(tries) == 3  # one differs, and was run twice


def test_check_names_what_is_stale_and_does_not_fail_for_it(of_torch_1, write, capsys):
    stand_in_version(of_torch_1, "2.6.0", {"a/other": {"one": "2\n"}})
    write("examples/a/other.py", '"""Another."""\n\n# %% one\nprint(1)  # one\n')
    main(["check", "examples/a/other.py"])
    told = capsys.readouterr().err
    assert "note: outputs/versions: still to be run with torch 2.6.0: 1 cell of a/other; CI does that" in told
    assert "outputs/versions" not in told.partition("problem")[2]
    (of_torch_1.outputs / "versions/2.6.0/a/other.ipynb").unlink()
    assert main(["check", "examples/a/other.py"]) == 1
    assert "outputs/versions/2.6.0/a/other.ipynb: the notebook is missing" in capsys.readouterr().err

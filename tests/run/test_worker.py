"""The process of a script under other releases of torch."""

from __future__ import annotations

from tests.releases.recipes import text
from tests.site.test_plugin import command
from verbatim.run import worker
from verbatim.run.job import Limits
from verbatim.run.runner import run
from verbatim.run.script import parse


def test_cells_after_one_that_failed_are_run_when_asked(project, write):
    path = write("examples/a/b.py", '"""A script."""\n\n# %% one\nx = y\n\n# %% two\nprint("on")\n')
    script = parse(path.read_text(), "examples/a/b.py")
    stopped, went_on = (run(script, project, Limits(seconds=30), go_on=go_on) for go_on in (False, True))
    assert [cell.name for cell in stopped.cells] == ["one"] and stopped.problems
    assert [cell.name for cell in went_on.cells] == ["one", "two"] and not went_on.problems
    assert went_on.cells[1].outputs == text("on")


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

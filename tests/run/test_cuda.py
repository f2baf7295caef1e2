"""The CUDA job against a stand-in: recording, what touches the GPU, what pages say, and what goes wrong."""

from __future__ import annotations

import functools
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

import pytest

from tests.conftest import OtherServers, has_cuda
from tests.expanded import expand
from tests.site.test_plugin import command
from tests.waiting import until, waits
from verbatim.book import records
from verbatim.book.gather import awaiting, gather
from verbatim.lists import errors
from verbatim.lists.places import Sources
from verbatim.pages.page import load_pages
from verbatim.project import Project
from verbatim.run import gpus
from verbatim.run.runner import Lender

SCRIPT = '''
"""T."""

# %% both
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
print(torch.ones(2, device=device).sum(), device)

# %% gpu needs="cuda"
print(torch.zeros(2, device="cuda"))

# %% two needs="cuda:2"
print(torch.cuda.device_count(), torch.zeros(1, device="cuda"))

# %% without needs="no-cuda" raises="AssertionError"
raise AssertionError("no CUDA in this build")
'''

PLAIN = '"""T."""\n\n# %% a\nimport os\n\nprint(repr(os.environ["CUDA_VISIBLE_DEVICES"]))\n'


@pytest.fixture(scope="module")
def cuda() -> Iterator[Callable[..., CompletedProcess]]:
    """Record on stand-ins for GPUs. Starting torch is most of the time: one server forks all scripts, and a process of
    its own looks for GPUs once for each number of them."""
    preload = {"VERBATIM_PRELOAD": "tests.stand_in_gpu", "PYTHONPATH": str(Path(__file__).parents[2])}
    standing_in = OtherServers(VERBATIM_STAND_IN_GPUS="2", **preload)  # a script sees those that are lent to it
    find = gpus.find

    @functools.cache
    def found(**variables: str) -> gpus.Gpus:
        with mock.patch.dict(os.environ, {**preload, **variables}):
            return find()

    def cuda(project: Project, count: int = 1, **variables: str) -> CompletedProcess:
        with (
            standing_in(),
            mock.patch.object(gpus, "find", lambda: found(VERBATIM_STAND_IN_GPUS=str(count), **variables)),
        ):
            return command(project, "verbatim", "record", "--device", "cuda")

    yield cuda
    standing_in.stop()


@pytest.fixture
def recipe(project, write):
    write("examples/topic/a.py", SCRIPT)
    write("examples/topic/plain.py", PLAIN)
    return project


@pytest.fixture(scope="module")
def once(tmp_path_factory, cuda) -> Path:
    """What a recording writes, made once."""
    project = Project(tmp_path_factory.mktemp("cuda"))
    (project.examples / "topic").mkdir(parents=True)
    (project.root / "mkdocs.yml").write_text("site_name: scratch\n")
    project.script("topic/a").write_text(SCRIPT.lstrip("\n"))
    project.script("topic/plain").write_text(PLAIN)
    done = cuda(project)
    assert done.returncode == 0, done.stdout
    return project.outputs


@pytest.fixture
def recorded(recipe, once):
    shutil.copytree(once, recipe.outputs)
    return recipe


def page(project, cell: str, language: str = "en") -> str:
    book = gather(project)
    text = f"```example\nexamples/topic/a.py#{cell}\n```\n"
    return expand(text, book, language, lambda *_: "figure.svg")


def test_a_record_says_what_made_it(recorded):
    record = records.load(recorded, "topic/a", "cuda")
    assert record.provenance["gpu"] == "Stand-in 1" and record.provenance["capability"] == "9.0"
    assert set(record.provenance) == {
        *("gpu", "capability", "torch", "cuda", "cudnn", "driver", "python", "platform", "date")
    }
    assert record.cell("gpu").outputs[0]["text"] == "tensor([0., 0.])\n"
    assert record.cell("gpu").touched and record.cell("both").touched
    assert record.cell("without").skipped == "no-cuda"


def test_scripts_that_use_no_gpu_are_not_recorded(recorded):
    assert not recorded.record("topic/plain", "cuda").exists()


def test_recording_again_on_another_day_changes_nothing(recorded, cuda):
    path = recorded.record("topic/a", "cuda")
    notebook = json.loads(path.read_text())
    notebook["metadata"]["verbatim"]["provenance"]["date"] = "2026-01-01"
    notebook["metadata"]["verbatim"]["sha"] = records._sha(notebook)
    path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    before = path.read_bytes()
    assert "0 records changed" in cuda(recorded).stdout
    assert path.read_bytes() == before


def test_two_gpus_are_used_where_offered(recipe, cuda):
    assert cuda(recipe).returncode == 0
    assert records.load(recipe, "topic/a", "cuda").cell("two").skipped == "cuda:2"
    assert cuda(recipe, 2).returncode == 0
    assert records.load(recipe, "topic/a", "cuda").cell("two").outputs[0]["text"] == "2 tensor([0.])\n"


def test_a_cell_that_prints_without_touching_the_gpu_is_an_error(recipe, write, cuda):
    write("examples/topic/a.py", SCRIPT.replace('print(torch.zeros(2, device="cuda"))', 'print("made up")'))
    done = cuda(recipe)
    assert done.returncode == 1
    assert "examples/topic/a.py:9: cell `gpu` needs CUDA and printed without touching the GPU" in done.stdout
    assert not recipe.record("topic/a", "cuda").exists()


def test_a_message_within_a_childs_traceback_is_a_message_of_the_page(recipe, write, cuda):
    write("docs/en/topic/a.md", "# A\n\n## In { #inside }\n\n```example\nexamples/topic/a.py#child\n```\n")
    child = """
# %% child needs="cuda" raises="RuntimeError" says="second GPU is busy" origin="a.cpp"
torch.zeros(1, device="cuda")
raise RuntimeError("a child ended:\\nTraceback …\\nOSError: second GPU is busy")
"""
    write("examples/topic/a.py", SCRIPT + child)
    assert cuda(recipe).returncode == 0
    book = gather(recipe)
    listed = {message.text for message in errors.messages(Sources(book, load_pages(recipe)[0]), "en")}
    assert listed == {"RuntimeError: a child ended:", "RuntimeError: second GPU is busy"}


WARNING = """
# %% warns-there
import warnings

if torch.cuda.is_available():
    warnings.warn("not enabled on this model")
print(torch.ones(2, device=device).sum())

# %% warns-elsewhere warns="UserWarning"
if not torch.cuda.is_available():
    warnings.warn("no GPU")
"""


def test_a_warning_of_the_gpu_is_recorded_and_one_of_the_cpu_not_asked_for(recipe, write, cuda):
    write("examples/topic/a.py", SCRIPT + WARNING)
    done = cuda(recipe)
    assert done.returncode == 0, done.stdout
    warned = records.load(recipe, "topic/a", "cuda").cell("warns-there")
    assert "UserWarning: not enabled" in warned.outputs[0]["text"] and warned.touched


#: A cell that fails where there is a GPU, as one without it may where the machine has another torch, and one after it.
ELSEWHERE = """
# %% holds
kept = torch.ones(2, device=device)

# %% fails-there
if torch.cuda.is_available():
    raise KeyError("of a newer torch")
print("fine")

# %% after needs="cuda"
print({}torch.ones(2, device="cuda"))
"""


def test_a_cell_that_fails_without_touching_the_gpu_stops_no_recording(recipe, write, cuda):
    write("examples/topic/a.py", SCRIPT + ELSEWHERE.format(""))
    done = cuda(recipe)
    assert done.returncode == 0, done.stdout
    assert command(recipe, "verbatim", "record").returncode == 0
    book = gather(recipe)
    record, cell = book.recorded("examples/topic/a.py", "fails-there")
    assert (record.device, cell.outputs[0]["text"]) == ("cpu", "fine\n")
    record, cell = book.recorded("examples/topic/a.py", "after")
    assert (record.device, cell.outputs[0]["text"]) == ("cuda", "tensor([1., 1.])\n")


def test_what_fails_after_such_a_cell_is_told_with_it(recipe, write, cuda):
    write("examples/topic/a.py", SCRIPT + ELSEWHERE.format("missing, "))
    done = cuda(recipe)
    assert done.returncode == 1
    assert 0 < done.stdout.index("KeyError: 'of a newer torch'") < done.stdout.index("NameError: name 'missing'")
    assert not recipe.record("topic/a", "cuda").exists()


#: Uses of a GPU that take no memory in the script's own process.
INDIRECT = {
    "a child process": 'import subprocess\nimport sys\n\nprint(subprocess.run([sys.executable, "-c", "pass"]).returncode)',
    "a forked process": "import os\n\npid = os.fork()\nif not pid:\n    os._exit(0)\nprint(os.waitpid(pid, 0)[1])",
    "the driver": "print(torch.cuda.get_device_properties(0).name)",
}


@pytest.mark.parametrize("use", INDIRECT)
def test_a_gpu_is_used_without_memory_of_the_script(recipe, write, cuda, use):
    later = '\n# %% later needs="cuda"\nprint("what it found")\n'
    write("examples/topic/a.py", SCRIPT.replace('print(torch.zeros(2, device="cuda"))', INDIRECT[use] + "\n" + later))
    done = cuda(recipe)
    assert done.returncode == 0, done.stdout
    assert records.load(recipe, "topic/a", "cuda").cell("later").outputs[0]["text"] == "what it found\n"


def test_no_gpu(recorded, cuda):
    before = recorded.record("topic/a", "cuda").read_bytes()
    done = cuda(recorded, 0)
    assert done.returncode == 1 and "no GPU can be used" in done.stdout and "untouched" in done.stdout
    assert recorded.record("topic/a", "cuda").read_bytes() == before


def test_a_driver_that_does_not_fit(recipe, cuda):
    done = cuda(recipe, VERBATIM_STAND_IN_BROKEN="The NVIDIA driver on your system is too old")
    assert done.returncode == 1 and "no GPU can be used: The NVIDIA driver on your system is too old" in done.stdout


@pytest.mark.parametrize("error", ["CUDA error: device lost", "CUDA out of memory. Tried to allocate 2.00 GiB"])
def test_a_gpu_lost_half_way_keeps_the_old_record(recorded, write, error, cuda):
    path = recorded.record("topic/a", "cuda")
    before = path.read_bytes()
    lost = f'print(torch.zeros(2, device="cuda"))\nraise RuntimeError("{error}")'
    write("examples/topic/a.py", SCRIPT.replace('print(torch.zeros(2, device="cuda"))', lost))
    done = cuda(recorded)
    assert done.returncode == 1 and error in done.stdout and "examples/topic/a.py:11" in done.stdout
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "damage", [lambda t: t[: len(t) // 2], lambda t: t.replace("tensor([0., 0.])", "tensor([9., 9.])")]
)
def test_a_record_that_no_run_wrote_fails_the_build(recorded, damage):
    path = recorded.record("topic/a", "cuda")
    path.write_text(damage(path.read_text()))
    (problem,) = gather(recorded).problems
    assert problem.path == "outputs/cuda/topic/a.ipynb" and "CUDA job" in problem.hint


def test_never_recorded(recipe):
    text = page(recipe, "gpu")
    assert "\nNot recorded yet: this part needs" in text and "tensor" not in text.partition("```\n")[2]
    assert [(a.cell, a.stale) for a in awaiting(gather(recipe))] == [("gpu", False), ("two", False)]


def test_recorded(recorded):
    text = page(recorded, "gpu")
    record = records.load(recorded, "topic/a", "cuda")
    where = f"Stand-in 1 · torch {record.provenance['torch']} · {record.provenance['date']}"
    assert f'title="Output · recorded on {where} · not verified by this build"' in text and 'data-device="cuda"' in text
    assert [a.cell for a in awaiting(gather(recorded))] == ["two"]


def test_stale(recorded, write):
    write("examples/topic/a.py", SCRIPT.replace("torch.zeros(2, device", "torch.zeros(3, device"))
    assert "recorded for an earlier version of this code" in page(recorded, "gpu")
    assert [(a.cell, a.stale) for a in awaiting(gather(recorded))] == [("gpu", True), ("two", False)]


def test_a_cell_for_either_device_shows_both(recorded):
    text = page(recorded, "both")
    assert '=== "CPU"' in text and '=== "CUDA"' in text
    assert 'data-device="cpu"' in text and 'data-device="cuda"' in text
    assert "differ by more than rounding" in text  # one printed cpu, the other cuda


def test_a_cell_that_prints_the_same_on_either_device_shows_it_once(recipe, write, cuda):
    write("examples/topic/a.py", SCRIPT + "\n# %% alike\nprint(torch.ones(2, device=device).tolist())\n")
    assert cuda(recipe).returncode == 0
    assert records.load(recipe, "topic/a", "cuda").cell("alike").touched
    text = page(recipe, "alike")
    assert "[1.0, 1.0]" in text and '=== "CPU"' not in text and 'data-device="cuda"' not in text


def test_a_build_without_cuda_says_so_in_a_cell_of_its_own(recorded):
    if has_cuda():
        pytest.skip("there is CUDA in this build")
    assert "AssertionError: no CUDA in this build" in page(recorded, "without")


def test_one_gpu_is_lent_to_one_script_at_a_time():
    lender, steps = Lender(2), []

    def borrow(wanted: int) -> None:
        with lender.lend(wanted) as lent:
            steps.append(len(lent))

    for kept, wanted, got in ((1, 3, 2), (2, 1, 1)):
        with lender.lend(kept):
            thread = threading.Thread(target=borrow, args=(wanted,))
            thread.start()
            until(lambda: waits(thread) or steps)  # noqa: B023
            steps.append("given back")
        thread.join()
        assert steps == ["given back", got]
        steps.clear()
    with lender.lend(1) as one, lender.lend(1) as other:
        assert sorted(one + other) == [0, 1]

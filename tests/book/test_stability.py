"""Outputs that cannot hold are told before they are approved, by cell and by what they depend on."""

from __future__ import annotations

import socket
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.conftest import has_cuda
from tests.site.test_plugin import command
from verbatim.book import stability
from verbatim.book.gather import gather
from verbatim.project import Project
from verbatim.run.job import Limits
from verbatim.run.perturb import another_time
from verbatim.run.script import parse

SCRIPTS = {
    "seed": "import torch\n\nprint(torch.randn(2))",
    "python-seed": "import random\n\nprint(random.random())",
    "numpy-seed": "import numpy\n\nprint(numpy.random.rand())",
    "time": "import time\n\nprint(time.time())",
    "date": "import datetime\n\nprint(datetime.date.today())",
    "cores": "import os\n\nprint(os.cpu_count())",
    "host": "import socket\n\nprint(socket.gethostname())",
    "folder": "import os\n\nprint(len(os.getcwd()))",
    "process": "import os\n\nprint('pid', os.getpid())",
    "set": "print({'weight', 'bias', 'scale', 'running_mean'})",
    "frozen": "print(list(frozenset(['weight', 'bias', 'scale', 'running_mean'])))",
    "hash": "print(hash('weight') % 1000)",
    "faster": "import time\n\nstart = time.perf_counter()\nsum(range(1000))\nfirst = time.perf_counter() - start\n"
    "start = time.perf_counter()\nsum(range(1000000))\nprint(time.perf_counter() - start > first)",
    "timed": "import timeit\n\nlong = timeit.timeit('sum(range(10000))', number=9)\n"
    "print(long > timeit.timeit('1', number=1))",
    "build": "import torch\n\nprint(torch.__version__)",
    "python-build": "import sys\n\nprint(sys.version)",
    "processor": "import torch\n\nprint(torch.backends.cpu.get_cpu_capability())",
    "system": "import platform\n\nprint(platform.platform())",
    "kernel": "import platform\n\nprint(platform.release())",
    "listing": "from pathlib import Path\n\nfor name in 'db':\n    Path(name).touch()\n"
    "print([path.name for path in Path('.').iterdir()])",
    "listed": "from pathlib import Path\n\nfor name in 'db':\n    Path(name).touch()\nprint(len(list(Path('.').iterdir())))",
    "globbed": "import glob\nfrom pathlib import Path\n\nfor name in 'db':\n    Path(name).touch()\nprint(glob.glob('?'))",
    "walked": "import os\nimport shutil\n\nos.makedirs('a/b')\nprint(*os.walk('a'))\nshutil.rmtree('a')\nprint(os.listdir())",
    "python": "import platform\nimport sys\n\nprint(sys.version_info > (3,), platform.system(), platform.python_version())",
    "machine": "import os\n\nprint(os.listdir('/usr/lib')[:1] != [])",
    "thread": "import threading\nimport time\n\nthreading.Thread(target=time.sleep, args=(3,)).start()",
    "pool": "import multiprocessing\n\npool = multiprocessing.Pool(1)\nprint(pool.map(abs, [-1]))",
    "executor": "from concurrent.futures import ThreadPoolExecutor\n\npool = ThreadPoolExecutor(1, 'worker')\n"
    "print(pool.submit(abs, -1).result())",
    "joined": "import threading\n\nthread = threading.Thread(target=print)\nthread.start()\nthread.join()",
    "ordered": "print(sorted({'weight', 'bias'}), {'weight': 1, 'bias': 2})",
    "release": "import torch\n\nprint(torch.__version__.split('+')[0] >= '1')",
    "clock": "import time\n\nstart = time.perf_counter()\nprint(time.perf_counter() >= start)",
    "closed": "import multiprocessing\n\nwith multiprocessing.Pool(1) as pool:\n    print(pool.map(abs, [-1]))",
    "seeded": "import torch\n\ntorch.manual_seed(0)\nprint(torch.randn(2))",
    "drawn": "import torch\n\nlayer = torch.nn.Linear(2, 2)\nprint(layer(torch.ones(2)).shape)",
    "tied": "import torch\n\nprint(torch.tensor([[7, 7, 3]]).median(dim=1))",
    "tied-mode": "import torch\n\nprint(torch.mode(torch.tensor([1, 2, 2, 1, 1])))",
    "tied-values": "import torch\n\nprint(torch.tensor([[7, 7, 3]]).median(dim=1).values, torch.tensor([7, 7, 3]).median())",
    "untied": "import torch\n\nprint(torch.tensor([[7, 1, 3]]).median(dim=1), torch.kthvalue(torch.tensor([3, 1]), 1))",
    "threads": "import torch\n\nprint(torch.get_num_threads())",
    "threads-set": "import torch\n\ntorch.set_num_threads(1)\nprint(torch.get_num_threads())",
    "node": "import platform\n\nprint(platform.node())",
    "said": "import time\n\nprint(time.time())",
    "cuda": "import torch\n\nprint(torch.version.cuda)",
    "to-cuda": "import torch\n\ntorch.zeros(1, device='cuda')",
    "pinned": "import torch\n\ntorch.zeros(1).pin_memory()",
    "pinned-meta": "import torch\n\ntorch.zeros(1, device='meta').pin_memory()",
    "no-gpu": "import torch\n\nprint(torch.cuda.is_available(), torch.cuda.device_count(), torch.accelerator.is_available())",
    "no-cuda": "import torch\n\ntorch.zeros(1).cuda()",
    "forked": "import os\n\nimport torch\nfrom torch._subclasses.fake_tensor import FakeTensorMode\n\n\n"
    "def backward():\n    torch.ones(1, requires_grad=True).sum().backward()\n\n\n"
    "with FakeTensorMode():\n    torch.ones(1)\nbackward()\nif os.fork() == 0:\n    try:\n        backward()\n"
    "    except RuntimeError:\n        os._exit(1)\n    os._exit(0)\nprint(os.wait()[1])",
    "forked-before": "import os\n\nimport torch\nfrom torch._subclasses.fake_tensor import FakeTensorMode\n\n\n"
    "def backward():\n    torch.ones(1, requires_grad=True).sum().backward()\n\n\n"
    "backward()\nwith FakeTensorMode():\n    torch.ones(1)\nif os.fork() == 0:\n    backward()\n    os._exit(0)\n"
    "print(os.wait()[1])",
    "counted": "import torch.utils.flop_counter\n\nprint('a build with CUDA has Triton')",
    "checkpoint": "import torch\nfrom torch.utils.checkpoint import checkpoint\n\n"
    "print(checkpoint(torch.sin, torch.zeros(1), use_reentrant=False))",
    "annotated": "import torch\n\n\ndef wait(stream: torch.cuda.Stream | None = None):\n    print(stream)\n\n\nwait()",
    "compiled": "import torch\n\n\n@torch.compile(backend='eager')\ndef step(weight):\n    weight.sin().sum().backward()\n\n\n"
    "step(torch.ones(1, requires_grad=True))\n"
    "print([reason.splitlines()[0] for reason in torch._dynamo.utils.counters['graph_break']])",
    "graphs": "import torch._inductor.cudagraph_trees\n\nprint(1)",
    "default-group": "import torch\nimport torch.distributed as dist\n\n"
    "dist.init_process_group('gloo', store=dist.HashStore(), rank=0, world_size=1)\n"
    "ones = torch.ones(1)\ndist.all_reduce(ones)\nprint(ones)\ndist.destroy_process_group()",
}
#: Options of cells.
OPTIONS = {
    "said": "varies=true",
    "to-cuda": 'raises="AssertionError"',
    "pinned": 'raises="RuntimeError"',
    "pinned-meta": 'raises="RuntimeError"',
    "no-cuda": 'needs="no-cuda" raises="AssertionError"',
}
TELLS = {
    "seed": "with another seed",
    "python-seed": "with another seed",
    "numpy-seed": "with another seed",
    "time": "",  # each time it is run, with or without another clock
    "date": "at another time",
    "cores": "on another machine, in another folder",
    "folder": "on another machine, in another folder",
    "process": "each time it is run",
    "set": "with another order of sets and hashes",
    "frozen": "with another order of sets and hashes",
    "hash": "with another order of sets and hashes",
    "faster": "where other things take long",
    "timed": "where other things take long",
    "build": "with another build of torch",
    "python-build": "with another build of torch or Python",
    "processor": "with another build of torch or Python, on another processor",
    "system": "on another machine, in another folder",
    "kernel": "on another machine, in another folder",
    "listing": "on another machine, in another folder",
    "globbed": "on another machine, in another folder",
    "tied": "where another one of several equal elements is found",
    "tied-mode": "where another one of several equal elements is found",
    "threads": "on another machine, in another folder",
    "node": "on another machine, in another folder",
    "cuda": "with a torch that has CUDA, where there is no GPU",
    "to-cuda": "with a torch that has CUDA, where there is no GPU",
    "forked": "with a torch that has CUDA, where there is no GPU",
    "pinned": "with a torch that has CUDA, where there is no GPU",
}
#: What is said of scripts that print the same.
LEFT = {
    "machine": ":9: the script reads /usr/lib/, which another machine has differently",
    "thread": ":7: the thread `Thread-1 (sleep)` still runs when the script has ended",
    "pool": ":7: the pool of 1 processes still runs when the script has ended",
    "executor": ":7: the thread `worker_0` still runs when the script has ended",
}


#: What a build with CUDA cannot be told, because it prints something else to begin with.
WITHOUT_CUDA = {"cuda", "to-cuda", "pinned", "no-cuda", "forked"}


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict[str, str]:
    """What is said of each script, by its name."""
    from verbatim.project import Project

    project = Project(tmp_path_factory.mktemp("steady") / "book")
    for name, source in SCRIPTS.items():
        if name in WITHOUT_CUDA and has_cuda():
            continue
        path = project.examples / f"topic/{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        header = f"# %% only {OPTIONS.get(name, '')}".rstrip()
        path.write_text(f'"""T."""\n\n# %% setup\nfirst = 1\n\n{header}\n{source}\n')
    (project.root / "mkdocs.yml").write_text("site_name: scratch\n")
    book = gather(project)
    assert not book.problems
    found = stability.check(book, book.scripts, limits=Limits(seconds=60))
    return {problem.path.rpartition("/")[2].removesuffix(".py"): str(problem) for problem in found}


@pytest.mark.parametrize(("name", "how"), TELLS.items())
def test_the_cell_is_told_with_what_it_depends_on(told, name, how):
    if name in WITHOUT_CUDA and has_cuda():
        pytest.skip("it prints so here")
    assert told[name].startswith(f"examples/topic/{name}.py:7: cell `only` prints something else {how}"), told[name]
    assert "\n-" in told[name] and "\n+" in told[name] and "\n  hint: " in told[name]


@pytest.mark.parametrize(("name", "what"), LEFT.items())
def test_what_a_script_reads_of_the_machine_or_leaves_is_told(told, name, what):
    assert told[name].startswith(f"examples/topic/{name}.py{what}"), told[name]


@pytest.mark.parametrize(("name", "lines"), [("/usr/lib/", [7]), ("/usr/lib", [7]), ("/usr/", []), ("/usr/li", [])])
def test_a_folder_is_named_only_by_its_whole_path(run_script, tmp_path, name, lines):
    """A library may list a folder above the one that a script names."""
    source = "import os\n\n\nprint(os.path.isdir('/usr/lib'))\n"
    result = run_script(source)
    script = parse(f'"""A script."""\n\n# %% only\n{source}', "examples/topic/script.py")
    found = stability.check_isolation(script, replace(result, reads={name: "a hash"}, left=()), Project(tmp_path))
    assert [problem.line for problem in found] == lines


@pytest.mark.parametrize(
    "ask",
    [
        "urllib.request.urlopen('https://pypi.org')",
        "socket.create_connection(('192.0.2.1', 80))",
        "socket.gethostbyname('pypi.org')",
    ],
)
def test_a_script_has_no_network_but_its_own_machine(run_script, ask):
    result = run_script(f"import socket\nimport urllib.request\n\n{ask}\n")
    (problem,) = result.problems
    assert "a script has no network: " in problem.message and problem.line == 7
    assert "take it out" in problem.hint
    own = "with socket.create_server(('127.0.0.1', 0)) as server:\n    socket.create_connection(server.getsockname())"
    assert not run_script(f"import socket\n\n{own}\nprint(socket.gethostbyname('localhost'))\n").problems


@pytest.mark.parametrize("hour", range(24))
def test_at_any_hour_another_time_is_another_day(hour):
    now = datetime(2026, 11, 22, hour, 30, tzinfo=UTC)
    zone, ahead = another_time(hour)
    there = timezone(timedelta(hours=-int(zone.removeprefix("XXX"))))
    shown = [now.astimezone(there), (now + timedelta(seconds=ahead)).astimezone(there), now + timedelta(seconds=ahead)]
    assert now.date() not in [other.date() for other in shown]


@pytest.mark.parametrize(
    "name",
    [
        "seeded",
        "no-gpu",
        "no-cuda",
        "checkpoint",
        "annotated",
        "graphs",
        "default-group",
        "drawn",
        "said",
        "joined",
        "ordered",
        "release",
        "clock",
        "closed",
        "compiled",
        "forked-before",
        "listed",
        "walked",
        "python",
        "tied-values",
        "untied",
        "threads-set",
    ],
)
def test_what_holds_or_says_that_it_varies_is_left_alone(told, name):
    assert name not in told


@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot give one process another host name")
def test_a_host_name_is_told_where_the_kernel_allows_another(told):
    assert ("host" in told) or socket.gethostname() == "localhost" or not _may_rename()


def _may_rename() -> bool:
    import multiprocessing

    process = multiprocessing.get_context("spawn").Process(target=_rename)
    process.start()
    process.join()
    return process.exitcode == 0


def _rename() -> None:
    import ctypes

    sys.exit(ctypes.CDLL(None).unshare(0x4000000) != 0)


def test_record_refuses_what_cannot_hold_and_shows_what_it_approves(project, write):
    write("examples/topic/a.py", '"""T."""\n\n# %% only\nimport torch\n\nprint(torch.randn(2))\n')
    write("examples/topic/b.py", '"""T."""\n\n# %% only\nprint("hello", 31)\n')
    done = command(project, "verbatim", "record", "topic/a", "topic/b")
    assert done.returncode == 1
    assert "examples/topic/a.py:4: cell `only` prints something else with another seed" in done.stdout
    assert not project.record("topic/a", "cpu").exists()
    assert "+hello 31" in done.stdout and "2 recipes run, 1 records changed" in done.stdout

    script = project.script("topic/b")
    script.write_text(script.read_text().replace("hello", "goodbye"))
    done = command(project, "verbatim", "record", "topic/b")
    assert done.returncode == 0 and "-hello 31\n+goodbye 31" in done.stdout
    assert "1 recipes run, 0 records changed" in command(project, "verbatim", "record", "topic/b").stdout


def test_a_slow_cell_is_remarked_unless_the_machine_is_busy(monkeypatch):
    from verbatim.run.result import CellResult, Result
    from verbatim.run.script import parse

    script = parse('"""T."""\n# %% only\nx = 1\n', "examples/a.py")
    result = Result("examples/a.py", (CellResult("only", seconds=5.0),))
    monkeypatch.setattr(stability, "load", lambda: "")
    (problem,) = stability.remarks(script, result)
    assert str(problem).startswith("examples/a.py:3: cell `only` took 5.0 s")
    monkeypatch.setattr(stability, "load", lambda: "a load of 9 on 2 cores")
    assert not list(stability.remarks(script, result))

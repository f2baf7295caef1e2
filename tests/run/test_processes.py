"""What compiled code, process groups, shared memory and ports of one script leave to another, and behind: nothing."""

from __future__ import annotations

import os
import socket
import types

import pytest

from tests.conftest import printed_text
from tests.run.test_confine import run_in_server
from tests.waiting import alive, until
from verbatim.run import worker
from verbatim.run.job import Limits
from verbatim.run.runner import Runner
from verbatim.run.script import parse


@pytest.fixture
def run_two(project):
    """Run a script twice, both at the same time; return what each printed."""

    def run_two(text: str) -> list[list[str]]:
        scripts = [parse(f'"""A script."""\n\n# %% only\nname = "{n}"\n{text}', f"examples/topic/{n}.py") for n in "ab"]
        for script in scripts:
            path = project.root / script.path
            path.parent.mkdir(exist_ok=True)
            path.write_text(script.text)
        with Runner(project, jobs=2, limits=Limits(seconds=60), scripts=scripts) as runner:
            results = [future.result() for future in [runner.submit(script) for script in scripts]]
        assert [result.problems for result in results] == [(), ()]
        return [printed_text(result).splitlines() for result in results]

    return run_two


GROUP = """
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, port):
    store = dist.TCPStore("localhost", port, is_master=False)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=2)
    total = torch.tensor(ord(name) * (rank + 1))
    for _ in range(20):
        mine = total.clone()
        dist.all_reduce(mine)
    if rank == 0:
        print(mine.item(), port)
    dist.destroy_process_group()


store = dist.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
mp.start_processes(process, args=(store.port,), nprocs=2, start_method="fork")
"""


def test_two_process_groups_at_once_do_not_meet_and_their_ports_are_free_afterwards(run_two):
    printed = [line.split() for (line,) in run_two(GROUP)]
    assert [int(total) for total, _ in printed] == [3 * ord("a"), 3 * ord("b")]
    for port in {int(port) for _, port in printed}:
        with socket.socket() as other, pytest.raises(ConnectionRefusedError):
            other.connect(("localhost", port))


def test_a_process_that_waits_in_a_collective_ends_with_its_script(run_script):
    result = run_script(
        """
        # %% starts
        import os
        import tempfile
        import torch
        import torch.distributed as dist
        import torch.multiprocessing as mp

        def process(rank, folder):
            dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
            print(os.getpid(), flush=True)
            dist.barrier()
            if rank == 0:
                dist.all_reduce(torch.ones(1))  # rank 1 never comes
            else:
                os.read(os.pipe()[0], 1)

        started = mp.start_processes(process, args=(tempfile.mkdtemp(),), nprocs=2, start_method="fork", join=False)
        print(*started.pids(), sep="\\n")

        # %% waits
        started.join()
        """,
        asleep=2,
    )
    assert "did not end: the script slept 2 s" in str(result.problems[0])
    members = {
        int(line) for line in printed_text(result).splitlines() if line.isdigit()
    }  # who is faster prints them twice
    assert len(members) == 2
    until(lambda: not any(map(alive, members)))  # they are killed, and the kernel takes its time


SHARED = """
import os
import torch
import torch.multiprocessing as mp


def add(x):
    x += 1


x = torch.zeros(1000).share_memory_()
child = mp.get_context("fork").Process(target=add, args=(x,))
child.start()
child.join()
kept = torch.UntypedStorage._new_shared(64)
open(f"/dev/shm/verbatim-{name}-{os.getpid()}", "w").close()
print(int(x.sum()))
print(*os.listdir("/dev/shm"))
"""


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="Linux only")
def test_shared_tensors_of_two_scripts_at_once(run_two):
    if not run_in_server():
        pytest.skip("needs a kernel that lets this user make namespaces")
    printed = run_two(SHARED)
    assert [total for total, _ in printed] == ["1000", "1000"]
    seen = [names.split() for _, names in printed]
    own = [[name for name in names if name.startswith("verbatim-")] for names in seen]
    assert [[name.split("-")[1] for name in names] for names in own] == [["a"], ["b"]]
    assert not [name for names in seen for name in names if os.path.exists(f"/dev/shm/{name}")]


COMPILED = """
import os
import torch
from torch._inductor.runtime.cache_dir_utils import cache_dir

compiled = torch.compile(lambda x: x * 2 + 1, backend="aot_eager")
print(int(compiled(torch.ones(2)).sum()))
folder = cache_dir()
os.makedirs(folder, exist_ok=True)
before = os.listdir(folder)
open(os.path.join(folder, "kernel-of-" + name), "w").close()
print(before, folder.encode().hex())  # a path would be shortened
"""


def test_caches_of_two_compiling_scripts_at_once(run_two):
    printed = run_two(COMPILED)
    assert [lines[0] for lines in printed] == ["6", "6"]
    assert [lines[1].split()[0] for lines in printed] == ["[]", "[]"]
    folders = {bytes.fromhex(lines[1].split()[1]).decode() for lines in printed}
    assert len(folders) == 2 and not any(map(os.path.exists, folders))


def test_the_compiler_is_the_one_that_cxx_names(monkeypatch):
    job = types.SimpleNamespace(without="")
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert worker._missing("compiler", job) == "compiler"
    assert worker._missing("ninja", job) == "ninja"
    monkeypatch.setenv("CXX", "true")
    assert worker._missing("compiler", job) == ""


@pytest.mark.parametrize("ninja", [True, False])
def test_extensions_need_a_compiler_and_ninja(monkeypatch, tmp_path, ninja):
    for name in ("g++", "ninja")[: 1 + ninja]:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("CXX", "g++")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert worker._missing("ninja", types.SimpleNamespace(without="")) == ("" if ninja else "ninja")

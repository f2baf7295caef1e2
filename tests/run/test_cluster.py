"""Runs on a Dask cluster: a scheduler and worker processes of their own, on this machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import distributed
import pytest

from tests.run.test_cuda import SCRIPT as CUDA_SCRIPT
from tests.site.test_plugin import command, start
from tests.waiting import PATIENCE, Program, alive, closed, listening, until
from verbatim.book.gather import Options, gather
from verbatim.problems import Problems
from verbatim.run.cluster import Cluster
from verbatim.run.job import Limits
from verbatim.run.script import parse

ROOT = Path(__file__).parents[2]
GPU = {"VERBATIM_PRELOAD": "tests.stand_in_gpu", "VERBATIM_STAND_IN_GPUS": "1"}


class Dask:
    """A scheduler, and the workers that tests start. All end with the block, also where a start fails."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._started = 0

    def __enter__(self) -> Dask:
        with contextlib.ExitStack() as stack:
            # Dask itself gives a task up with the second worker that it loses. What only waited there must run all the same.
            variables = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
            options = ("--port", "0", "--host", "127.0.0.1")
            # What a killed worker leaves goes with this folder. Not in pytest's: the path of a socket must stay short.
            self._temporary = stack.enter_context(TemporaryDirectory(prefix="dask-"))
            self.scheduler = stack.enter_context(self.dask("scheduler", *options, **variables))
            self.address = self.scheduler.line(r"Scheduler at: +(tcp://\S+)")[1]
            self._ending = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def dask(self, *arguments: str, **variables: str) -> Program:
        """Start a scheduler or workers; their log says what became of them."""
        if arguments[0] == "worker":
            self.folder.joinpath(name := f"of-{self._started}").mkdir()
            arguments += ("--local-directory", str(self.folder / name))
            if "PYTHONPATH" not in variables:
                arguments += ("--preload", "tests.torch_alone")  # half of what these workers would do is to start
        self._started += 1
        fixed = {
            "PYTHONPATH": str(ROOT),
            "TMPDIR": self._temporary,
            "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
            "VERBATIM_CONFINE": "off",  # these scripts leave files for the tests, and kill what runs them
        }
        log = self.folder / f"log-{self._started}"
        return Program(("dask", *arguments, "--no-dashboard"), cwd=self.folder, log=log, **{**fixed, **variables})

    @contextlib.contextmanager
    def workers(self, *options: str, count: int = 1, **variables: str) -> Iterator[Program]:
        """Start workers and wait for them; end them afterwards, and wait until the scheduler knows.

        It knows them by their folder: a worker that was killed is started again, so their number tells nothing.
        """
        folder = self.folder / f"of-{self._started}"
        fixed = ("--nworkers", str(count), "--nthreads", "1")
        with (
            distributed.Client(self.address, set_as_default=False) as client,
            self.dask("worker", self.address, *fixed, *options, **variables) as program,
        ):

            def known() -> int:
                workers = client.scheduler_info()["workers"].values()
                return sum(Path(one["local_directory"]).is_relative_to(folder) for one in workers)

            until(lambda: known() == count or not program.runs)
            assert program.runs, program.said
            yield program
            program.end()
            until(lambda: not known())


@pytest.fixture
def bare(tmp_path) -> Iterator[Dask]:
    """A scheduler without workers."""
    with Dask(tmp_path) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Dask]:
    """A scheduler with two workers."""
    with Dask(tmp_path_factory.mktemp("cluster")) as cluster, cluster.workers(count=2):
        yield cluster


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


# -- the same outputs -------------------------------------------------------------------------------


def test_records_are_those_of_a_local_run_byte_for_byte(cluster, project, write):
    write("examples/_data/numbers.txt", "1 2 3")
    write("examples/topic/_helper.py", "def double(x):\n    return 2 * x\n")
    write(
        "examples/topic/all.py",
        '''
        """T."""

        # %% reads
        import os, tempfile
        from pathlib import Path

        import numpy, torch
        from _helper import double

        numbers = Path(__file__).parents[1] / "_data" / "numbers.txt"
        torch.manual_seed(0)
        numpy.random.seed(0)
        print(double(torch.tensor([int(n) for n in numbers.read_text().split()])), torch.rand(2), numpy.random.rand())

        # %% places
        print(__file__, os.getcwd(), tempfile.mkdtemp(), torch.__file__, double, numbers)

        # %% warns warns="UserWarning"
        torch.ones(3)[torch.tensor([1, 0, 1], dtype=torch.uint8)]

        # %% raises raises="RuntimeError"
        torch.ones(2) @ torch.ones(3)

        # %% draws
        import matplotlib.pyplot as plt

        plt.plot([1, 2])

        # %% gpu needs="cuda"
        print(torch.ones(1, device="cuda"))
        ''',
    )
    for n in range(4):
        write(f"examples/topic/n{n}.py", f'"""T."""\n\n# %% a\nprint({n})\n')
    done = command(project, "verbatim", "record")
    assert done.returncode == 0, done.stdout
    shutil.move(project.outputs, project.root / "local")
    done = command(project, "verbatim", "record", "--scheduler", cluster.address)
    assert done.returncode == 0 and done.stdout.endswith("5 recipes run, 5 records changed\n")
    written = {p.relative_to(project.outputs): p.read_bytes() for p in project.outputs.rglob("*.*")}
    local = project.root / "local"
    assert written == {p.relative_to(local): p.read_bytes() for p in local.rglob("*.*")} and len(written) == 6


def test_cuda_scripts_run_where_a_gpu_is_offered(cluster, project, write):
    write("examples/topic/a.py", CUDA_SCRIPT)
    write("examples/topic/plain.py", '"""T."""\n\n# %% a\nprint(1)\n')
    options = ("record", "--device", "cuda")
    done = command(project, "verbatim", *options, "--scheduler", cluster.address)
    assert (done.returncode, "no worker offers the resource GPU" in done.stdout) == (1, True)
    with cluster.workers("--resources", "GPU=1", **GPU):
        done = command(project, "verbatim", *options, "--scheduler", cluster.address)
        assert done.returncode == 0, done.stdout
        assert done.stdout.startswith("Stand-in 1 · 9.0") and "1 recipes run, 1 records changed" in done.stdout
        shutil.move(project.outputs, project.root / "far")
        assert command(project, "verbatim", *options, **GPU).returncode == 0
        record = Path("cuda/topic/a.ipynb")
        assert (project.outputs / record).read_bytes() == (project.root / "far" / record).read_bytes()
        with cluster.workers("--resources", "GPU=1", **GPU):
            done = command(project, "verbatim", *options, "--scheduler", cluster.address)
            assert (done.returncode, "uses GPU 0, as tcp://" in done.stdout) == (1, True), done.stdout


def test_limits_problems_reads_and_progress_are_those_of_a_local_run(cluster, project, write):
    write("examples/topic/_data.txt", "1")
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nprint(open(__file__.replace("a.py", "_data.txt")).read())\n')
    write("examples/topic/b.py", '"""T."""\n\n# %% a\nimport time\n\ntime.sleep(60)\n')
    write("examples/topic/c.py", '"""T."""\n\n# %% a\n1 / 0\n')
    seen = []
    with Cluster(project, cluster.address, limits=Limits(asleep=2)) as workers:
        book = gather(project, options=Options(cluster=workers, progress=lambda *step: seen.append(step)))
    assert [str(p).splitlines()[0].partition(" and used")[0] for p in book.problems] == [
        "examples/topic/b.py:6: cell `a` did not end: the script slept 2 s",
        "examples/topic/c.py:4: cell `a` raised ZeroDivisionError: division by zero",
    ]
    read = {name for name in book.display_results["examples/topic/a.py"].reads if not name.startswith("packages: ")}
    assert read == {str(project.root / "examples/topic" / name) for name in ("_data.txt", "*")}
    assert [step[:2] for step in seen] == [(1, 3), (2, 3), (3, 3)]
    assert {path for _, _, path in seen} == {f"examples/topic/{name}.py" for name in "abc"}
    assert not project.cache.exists()


# -- lost workers -----------------------------------------------------------------------------------


def test_a_script_of_a_lost_worker_runs_again_and_leaves_no_process(cluster, project, write, tmp_path):
    write(
        "examples/topic/slow.py",
        f'''
        """T."""

        # %% a
        import os, subprocess, time

        print("before")
        child = subprocess.Popen(["sleep", "60"])
        with open({str(tmp_path / "started")!r}, "a") as file:
            file.write(f"{{os.getpid()}} {{child.pid}}\\n")
        while not os.path.exists({str(tmp_path / "go")!r}):
            time.sleep(0.05)
        print("after")
        ''',
    )
    for n in range(3):
        write(f"examples/topic/n{n}.py", f'"""T."""\n\n# %% a\nprint({n})\n')
    started = tmp_path / "started"
    process = start(project, "verbatim", "run", "--scheduler", cluster.address)
    until(lambda: started.exists() and started.read_text().endswith("\n"))
    script, child = map(int, started.read_text().split())
    os.kill(parent(parent(script)), signal.SIGKILL)  # the script's parent is the fork server, and its parent the worker
    until(lambda: not alive(script) and not alive(child))
    (tmp_path / "go").touch()
    output, _ = process.communicate(timeout=900)
    assert process.returncode == 0, output
    assert [line for line in output.splitlines() if line[:2] not in ("==", "--")] == ["0", "1", "2", "before", "after"]
    assert len(started.read_text().splitlines()) == 2


def test_a_script_that_kills_its_workers_is_blamed_and_the_others_finish(cluster, project, write, tmp_path):
    write(
        "examples/topic/a.py",
        f'''
        """T."""

        # %% setup
        import os, signal
        from pathlib import Path

        parent = lambda pid: int(Path(f"/proc/{{pid}}/stat").read_text().split()[3])
        with open({str(tmp_path / "tries")!r}, "a") as file:
            file.write("x")

        # %% kill
        os.kill(parent(parent(os.getpid())), signal.SIGKILL)
        ''',
    )
    for n in range(8):
        write(f"examples/topic/n{n}.py", f'"""T."""\n\n# %% a\nprint({n})\n')
    done = command(project, "verbatim", "run", "--scheduler", cluster.address)
    lines = [line for line in done.stdout.splitlines() if line[:2] not in ("==", "--") and " scripts: " not in line]
    assert lines[:8] == [str(n) for n in range(8)]
    assert lines[8].startswith("examples/topic/a.py:4: its worker was lost while it ran, 2 times (tcp://"), done.stdout
    assert "hint: if it kills its parents" in lines[9] and lines[10:] == ["1 problem"]
    assert (done.returncode, (tmp_path / "tries").read_text()) == (1, "xx")


def test_nobody_is_left(bare, project, write):
    path = write("examples/topic/a.py", '"""T."""\n\n# %% a\nimport time\n\ntime.sleep(60)\n')
    for lost, message in (("worker", "no worker is left; waited 2 s"), ("scheduler", "the scheduler was lost")):
        with bare.dask("worker", bare.address, "--nthreads", "1", "--no-nanny") as worker:
            with distributed.Client(bare.address, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=PATIENCE)
            with Cluster(project, bare.address, patience=2) as workers:
                future = workers.submit(parse(path.read_text(), project.relative(path)))
                (worker if lost == "worker" else bare.scheduler).process.kill()
                with pytest.raises(Problems, match=message):
                    future.result(PATIENCE)


# -- what is told before work starts ----------------------------------------------------------------


@pytest.fixture
def recipe(project, write):
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nprint(1)\n')
    return project


def told(project, address: str, *options: str, **variables: str) -> list[str]:
    """What a run that must fail says."""
    done = command(project, "verbatim", "run", "--scheduler", address, *options, **variables)
    assert done.returncode == 1 and "Traceback" not in done.stdout
    return done.stdout.splitlines()


def test_versions_that_differ_are_listed(cluster, recipe, tmp_path):
    for name, version in (("torch", "9.9.9"), ("numpy", "0.1")):
        (tmp_path / f"{name}-{version}.dist-info").mkdir()
        (tmp_path / f"{name}-{version}.dist-info" / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
    shutil.copytree(ROOT / "verbatim", tmp_path / "verbatim", ignore=shutil.ignore_patterns("__pycache__", "vendor"))
    with open(tmp_path / "verbatim" / "run" / "runner.py", "a") as file:
        file.write("ANOTHER = 'commit'\n")
    with cluster.workers(PYTHONPATH=str(tmp_path)):
        lines = told(recipe, cluster.address)
    assert lines[0] == f"{cluster.address}: workers differ from this machine:"
    assert lines[1].startswith("  engine is ") and lines[2].startswith("  numpy is 0.1 on tcp://127.0.0.1:")
    assert lines[3].startswith("  torch is 9.9.9 on tcp://") and "; here it is 2." in lines[3]
    assert "make .venv/.installed" in lines[4] and lines[5:] == ["1 problem"]


def test_a_worker_that_cannot_run_scripts(bare, recipe, tmp_path):
    assert told(recipe, bare.address)[0] == f"{bare.address}: the scheduler has no worker"
    without = tmp_path / "without"
    (without / "verbatim").mkdir(parents=True)
    (without / "verbatim" / "__init__.py").write_text("raise ModuleNotFoundError(\"No module named 'verbatim'\")\n")
    with bare.workers("--nthreads", "2", DASK_DISTRIBUTED__WORKER__DAEMON="True"):
        lines = told(recipe, bare.address)
        assert "the worker runs several scripts in one process" in lines[0] and "--nthreads 1" in lines[1]
        assert "the worker's process may start no other" in lines[2] and "DAEMON=False" in lines[3]
    with bare.workers(PYTHONPATH=str(without)):
        lines = told(recipe, bare.address)
        assert "the worker cannot be asked: ModuleNotFoundError(" in lines[0] and "pip install" in lines[1]


def test_no_scheduler(recipe):
    with listening() as silent, closed() as nobody:
        ways = [f"tcp://127.0.0.1:{nobody}", f"tcp://127.0.0.1:{silent}", f"tls://127.0.0.1:{nobody}"]
        addresses = [*ways, "localhost"]
        runs = [start(recipe, "verbatim", "run", "--scheduler", address) for address in addresses]
        lines = [run.communicate(timeout=900)[0].splitlines() for run in runs]
    assert [run.returncode for run in runs] == [1, 1, 1, 1] and all("dask scheduler" in said[1] for said in lines)
    assert [said[0].partition(addresses[n])[2] for n, said in enumerate(lines) if n != 2] == [
        ": no scheduler answers within 30 s",
        ": no scheduler answers within 30 s",
        ": this is no scheduler's address",
    ]
    assert "the scheduler cannot be asked: TLS" in lines[2][0] and [len(said) for said in lines] == [3, 3, 3, 3]


def test_the_extra_is_missing(recipe, tmp_path):
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError(\"No module named 'distributed'\")")
    lines = told(recipe, "tcp://127.0.0.1:1", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert lines[0] == "--scheduler: Dask is not installed: No module named 'distributed'"
    assert "pip install '.[cluster]'" in lines[1]


def test_a_script_from_elsewhere_is_not_sent(cluster, recipe, tmp_path):
    (tmp_path / "b.py").write_text('"""T."""\n\n# %% a\nprint(1)\n')
    lines = told(recipe, cluster.address, str(tmp_path / "b.py"))
    assert "b.py: a script from outside the project is not sent to a cluster" in lines[1]

"""40 scripts, cold: this project's runner against bare `exec` in one process and a notebook kernel a script.

    python -m benchmarks.cold_run [--scripts 40] [--rounds 3] [--kernels 40]

All three run the same files, copies of the recipes, one intra-op thread, in interleaved rounds. Times
are printed as ratios to the bare process, the floor: it imports once and isolates nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from verbatim.cells import parse
from verbatim.problems import Problems
from verbatim.project import find_root

FLOOR = """
import contextlib, io, sys, warnings
import torch, torch._dynamo
import matplotlib; matplotlib.use("agg")
import matplotlib.pyplot
torch.set_num_threads(1)
warnings.simplefilter("ignore")
from verbatim.cells import parse
for name in sys.argv[1:]:
    scope = {"__name__": "__main__", "__file__": name}
    for cell in parse(open(name).read(), name).cells:
        if cell.needs:
            continue
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                exec(compile(cell.source, name, "exec"), scope)
            except Exception:
                pass  # declared, or of a script that needs a process of its own: the floor only gets lower
        matplotlib.pyplot.close("all")
"""

KERNELS = """
import sys, nbformat, warnings
from nbclient import NotebookClient
from verbatim.cells import parse
warnings.simplefilter("ignore")
for name in sys.argv[1:]:
    cells = [c for c in parse(open(name).read(), name).cells if not c.needs]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c.source) for c in cells])
    NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True).execute()
"""


def copies(root: Path, folder: Path, count: int) -> list[str]:
    """Write `count` copies of the recipes, return their paths."""
    usable = []
    for path in sorted((root / "examples").rglob("*.py")):
        try:
            script = parse(path.read_text(), path.name)
        except Problems:
            continue
        # What starts interpreters of its own measures those, not the runner.
        if not any(word in script.text for word in ("spawn", "DataLoader", "timeout", "subprocess")):
            usable.append(path)
    names = []
    for number in range(count):
        text = usable[number % len(usable)].read_text()
        copy = folder / f"script{number:04d}.py"
        copy.write_text(text)
        names.append(str(copy))
    return names


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, int]:
    """Run a command; return wall seconds and the peak resident KiB of its largest process."""
    started = time.perf_counter()
    with tempfile.NamedTemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            log.seek(0)
            sys.exit(f"{' '.join(command[:4])} failed:\n{log.read()[-2000:]}")
    return time.perf_counter() - started, usage.ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scripts", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kernels", type=int, default=40, help="scripts given to notebook kernels, in the first round")
    options = parser.parse_args()
    root = find_root()
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "PYTHONPATH": str(root),
        "CUDA_VISIBLE_DEVICES": "",
    }
    with tempfile.TemporaryDirectory() as folder:
        names = copies(root, Path(folder), options.scripts)
        ways = {
            "bare exec, one process": [sys.executable, "-c", FLOOR, *names],
            "this project": [sys.executable, "-m", "verbatim", "run", *names],
        }
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        memory: dict[str, int] = {}
        for _ in range(options.rounds):
            for name, command in ways.items():
                wall, peak = timed(command, environment)
                seconds[name].append(wall)
                memory[name] = max(memory.get(name, 0), peak)
        report = {name: statistics.median(values) for name, values in seconds.items()}
        floor = report["bare exec, one process"]
        if options.kernels:
            few = names[: options.kernels]
            wall, _ = timed([sys.executable, "-c", KERNELS, *few], environment)
            report["a notebook kernel each (nbclient)"] = wall * options.scripts / options.kernels
        print(f"{options.scripts} scripts, {os.cpu_count()} cores, median of {options.rounds} rounds")
        for name, value in report.items():
            spread = seconds.get(name, [value])
            low, high = min(spread) / floor, max(spread) / floor
            peak = f"   parent's peak {memory[name] / 1024:.0f} MiB" if name in memory else ""
            print(f"{name:36} {value:7.2f} s   {value / floor:6.2f} × floor   ({low:.2f} to {high:.2f}){peak}")
        print(json.dumps({"worker peak MiB": _worker_peak(str(root / "examples/autograd/leaf.py"), environment)}))


def _worker_peak(name: str, environment: dict[str, str]) -> float:
    """The resident size of one worker at its end, shared pages with the fork server included."""
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.py"
        text = Path(name).read_text()
        probe.write_text(
            text + "\n# %% peak\nimport resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
        )
        done = subprocess.run(
            [sys.executable, "-m", "verbatim", "run", str(probe)], capture_output=True, text=True, env=environment
        )
        return round(int(done.stdout.split("-- peak\n")[1].split()[0]) / 1024, 1)


if __name__ == "__main__":
    main()

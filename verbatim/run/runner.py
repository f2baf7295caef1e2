"""Scripts → outputs: a warm fork server, one fresh process a script, limits on each.

The only way in is `Runner.submit`, which takes a script and returns a future. What comes back is a `Result`, in the
vocabulary of notebooks (`stream`, `error`, `display_data`), and every problem of the run with its place.
"""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import multiprocessing.forkserver
import os
import re
import shutil
import signal
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from verbatim.problems import Problem
from verbatim.project import Project
from verbatim.run import channel, variables, worker
from verbatim.run.channel import Broken, Ran, Receiver
from verbatim.run.script import Cell, Script
from verbatim.run.worker import Job

#: How often a running script is looked at, in seconds.
WATCH = 0.25


@dataclass(frozen=True)
class Limits:
    """What one script may take."""

    seconds: float = 60.0
    memory: int = 4 << 30
    """Bytes, of the process and of all its children together."""
    output: int = 1 << 20
    """Bytes of text: what is printed, and besides that as much in warnings and errors."""
    figures: int = 4 << 20
    """Bytes of SVG."""
    processes: int = 64


@dataclass(frozen=True)
class CellResult:
    """What one cell printed."""

    name: str
    outputs: tuple[dict[str, Any], ...] = ()
    """Notebook outputs in the order in which they came."""
    seconds: float = 0.0
    skipped: str = ""
    """The capability that was missing, where the cell was not run."""
    warned: bool = False
    """Whether it gave a warning."""
    touched: bool = False
    """Whether it used a GPU."""
    names: tuple[str, ...] = ()
    """Public PyTorch names that its own lines use."""


@dataclass(frozen=True)
class Result:
    """What one script printed, and what went wrong."""

    script: str
    cells: tuple[CellResult, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    reads: tuple[str, ...] = ()
    """Files below the root that the run read, besides the script itself."""
    seconds: float = 0.0
    summaries: dict[str, str] = field(default_factory=dict)
    """What PyTorch's own docstrings say of the names: name → first sentence."""

    def cell(self, name: str) -> CellResult | None:
        """Return the result of the cell of this name, or ``None``."""
        return next((c for c in self.cells if c.name == name), None)


class Runner:
    """Runs scripts on this machine, as many at once as there are cores."""

    def __init__(
        self,
        project: Project,
        *,
        jobs: int | None = None,
        limits: Limits | None = None,
        gpus: int = 0,
        scripts: Iterable[Script] | None = None,
    ):
        """`gpus`: how many there are; each is lent to one script at a time. With none, scripts run on the CPU.

        `scripts`: those that are to come, where they are known. What none of them needs is not imported beforehand.
        """
        self.project = project
        self.limits = limits or Limits()
        self._pool = ThreadPoolExecutor(jobs or gpus or os.cpu_count() or 1, "verbatim")
        self._gpus = Lender(gpus) if gpus else None
        _start_server(compiler=scripts is None or any(map(worker.needs_compiler, scripts)))

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(self, script: Script, without: str = "") -> Future[Result]:
        """Run a script, as if `without`, a capability, were missing here.

        The future's result never raises for what the script does.
        """
        return self._pool.submit(self._run, script, without)

    def _run(self, script: Script, without: str) -> Result:
        if self._gpus is None or not script.gpus:
            return run(script, self.project, self.limits, without=without)
        with self._gpus.lend(script.gpus) as lent:
            return run(script, self.project, self.limits, gpus=",".join(map(str, lent)))


class Lender:
    """Lends GPUs by number, each to one borrower at a time."""

    def __init__(self, count: int):
        self.count = count
        self._free = list(range(count))
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def lend(self, wanted: int) -> Iterator[list[int]]:
        """Wait for as many GPUs as are wanted, or for all where there are fewer."""
        wanted = min(wanted, self.count)
        with self._changed:
            self._changed.wait_for(lambda: len(self._free) >= wanted)
            lent = [self._free.pop(0) for _ in range(wanted)]
        try:
            yield lent
        finally:
            with self._changed:
                self._free += lent
                self._changed.notify_all()


def run(script: Script, project: Project, limits: Limits | None = None, gpus: str = "", without: str = "") -> Result:
    """Run one script in a fresh process and wait for it.

    `gpus`: numbers of the GPUs that it may see. `without`: a capability that is taken as missing.
    """
    limits = limits or Limits()
    started = time.perf_counter()
    result, lost = _attempt(script, project, limits, gpus, without)
    if lost:  # whoever ended the fork server ended others, too: each is tried once more, while no other of them is
        with _again:
            result, _ = _attempt(script, project, limits, gpus, without)
    return replace(result, seconds=time.perf_counter() - started)


def _attempt(script: Script, project: Project, limits: Limits, gpus: str, without: str) -> tuple[Result, bool]:
    """Run a script. Return its result, and whether the fork server was lost before the script was done."""
    scratch = tempfile.mkdtemp(prefix="verbatim-")
    server = _start_server()
    try:
        file = Path(script.path)
        path = str(file if file.is_absolute() else project.root / file)
        device = "cuda" if gpus else "cpu"
        job = Job(script, path, str(project.root), scratch, device, gpus, limits.memory, without)
        try:
            end = _watch(job, limits)
        except (OSError, EOFError):  # the server was gone before the process was there
            end = _End()
        lost = not end.environment and not end.broken and not _stopped(script, end) and _gone(server)
        return _collect(script, job, end, limits), lost
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def ask(function: Callable[[Any], Any], argument: Any) -> Any:
    """Call a function in a process of its own, where PyTorch is imported already, and return what it returns.

    Raises:
        EOFError: The process ended without an answer.
    """
    process, results = _start(_answer, function, argument)
    try:
        return results.recv()
    finally:
        results.close()
        process.join()


def _answer(function: Callable[[Any], Any], argument: Any, results: Connection) -> None:
    results.send(function(argument))


# -- the process ----------------------------------------------------------------------------------


@dataclass
class _End:
    """How a script's process ended."""

    ran: list[Ran] = field(default_factory=list)
    current: str = ""
    """The cell that was running when the process ended."""
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    exitcode: int | None = None
    broken: str = ""
    """The limit it broke, in words."""


_lock = threading.Lock()
_again = threading.Lock()


def _start_server(*, compiler: bool = True) -> int:
    """Start the fork server with its imports done, unless it runs. Return its process id."""
    modules = ["verbatim.run.pinned", *(["torch._dynamo"] if compiler else []), "verbatim.run.preload"]
    with _lock, _without_main(), _variables(**variables.PINNED):  # Python reads some before it imports anything
        multiprocessing.set_forkserver_preload(modules)
        multiprocessing.forkserver.ensure_running()
        return int(multiprocessing.forkserver._forkserver._forkserver_pid or 0)  # type: ignore[attr-defined]


def _gone(pid: int) -> bool:
    """Whether a child process has ended, or does so now: its pipes are closed a moment before.

    It is not reaped: `multiprocessing` does that.
    """
    for _ in range(20):
        try:
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return True
        except ChildProcessError:
            return True
        time.sleep(0.01)
    return False


def _start(target: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Fork a process from the server. It calls `target` with the arguments and its end of the connection."""
    _start_server()
    context = multiprocessing.get_context("forkserver")
    results, sender = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(*arguments, sender))
    with _lock, _without_main():
        process.start()
    sender.close()
    return process, results


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Hide the parent's main module: each child would import it again (mkdocs, or a test runner)."""
    main = sys.modules["__main__"].__dict__
    hidden: dict[str, Any] = {key: main.pop(key) for key in ("__file__", "__spec__") if key in main}
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update(hidden)


@contextlib.contextmanager
def _variables(**values: str) -> Iterator[None]:
    saved = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in saved.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _watch(job: Job, limits: Limits) -> _End:
    """Start the process, listen to it, and end it where it breaks a limit."""
    end = _End()
    process, results = _start(worker.main, job)
    receiver = Receiver(results)
    deadline = time.monotonic() + limits.seconds
    # What runs longer than a moment is looked at; most scripts are done before.
    while not end.broken:
        ready = wait([results, process.sentinel], timeout=WATCH)
        if results in ready and not _receive(receiver, job.script, end):
            process.join(WATCH)
            break
        if process.sentinel in ready and results not in ready:
            break
        if not ready or time.monotonic() > deadline:
            end.broken = _broken(process.pid or 0, job, limits, deadline)
    if end.broken:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid or 0, signal.SIGABRT)  # faulthandler writes down the line
        process.join(0.5)
    _end_all(process.pid or 0, job.scratch)
    process.join()
    end.exitcode = process.exitcode
    results.close()
    process.close()
    return end


def _receive(receiver: Receiver, script: Script, end: _End) -> bool:
    """Take the messages that are there. Return whether there may be more."""
    try:
        for kind, value in receiver.read():
            _take(kind, value, script, end)
    except (EOFError, OSError):
        return False
    except Broken as error:
        end.broken = str(error)
    return not end.environment


def _take(kind: str, value: Any, script: Script, end: _End) -> None:
    """Note what one message says.

    Raises:
        Broken: no run says so, or not now.
    """
    names = [cell.name for cell in script.cells]
    following = names[len(end.ran)] if len(end.ran) < len(names) else ""
    last = next((ran for ran in reversed(end.ran) if not ran.skipped), None)
    if kind == "start" and value == following and not end.current:
        end.current = following
    elif kind == "cell" and end.current and (ran := channel.ran(value)).name == end.current:
        end.ran.append(ran)
        end.current = ""
    elif kind == "late" and not end.current and (late := channel.ran(value)).name == (last.name if last else ""):
        if last:
            end.ran[end.ran.index(last)] = late
    elif kind == "names":
        used, summaries = channel.names(value)  # many scripts use the same ones: each is kept once
        end.names = {cell: tuple(map(sys.intern, found)) for cell, found in used.items()}
        end.summaries = {sys.intern(name): sys.intern(text) for name, text in summaries.items()}
    elif kind == "done" and not end.current and value:
        end.environment = channel.texts(value)
    else:
        raise Broken("sent something that is no result")


def _broken(pid: int, job: Job, limits: Limits, deadline: float) -> str:
    if time.monotonic() > deadline:
        return f"did not end within {limits.seconds:g} s"
    with contextlib.suppress(OSError):
        if os.lstat(Path(job.scratch) / "output").st_size > limits.output:
            return f"printed more than {_bytes(limits.output)}"
    members = _group(pid)
    if len(members) > limits.processes:
        return f"started more than {limits.processes} processes"
    most = limits.memory + (1 << 30)
    if sum(members.values()) > most and sum(map(_own, members, members.values())) > most:
        return f"took more than {_bytes(limits.memory)} of memory"
    return ""


def _group(pid: int) -> dict[int, int]:
    """Return the processes of a script's group, each with its resident bytes."""
    members = {}
    if os.path.isdir("/proc/self"):
        page = os.sysconf("SC_PAGE_SIZE")
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError, IndexError):
                stat = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
                if int(stat[2]) == pid:
                    members[int(name)] = int(stat[21]) * page
        return members
    import subprocess

    listing = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,rss="], capture_output=True, text=True, check=False)
    for line in listing.stdout.splitlines():
        member, group, kilobytes = map(int, line.split())
        if group == pid:
            members[member] = kilobytes << 10
    return members


def _own(pid: int, resident: int) -> int:
    """Return the bytes of a process, pages that it shares with others in proportion; else what is resident."""
    with contextlib.suppress(OSError):
        if match := re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE):
            return int(match[1]) << 10
    return resident


def _end_all(pid: int, scratch: str) -> None:
    """Kill the script's process group, and what left the group but not the script's folder."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if os.readlink(link).startswith(scratch):
                os.kill(int(link.parent.name), signal.SIGKILL)


# -- from what happened to a result ---------------------------------------------------------------


def _collect(script: Script, job: Job, end: _End, limits: Limits) -> Result:
    scratch = Path(job.scratch)
    text = _read(scratch / "output", limits.output)
    clean = _Cleaner(job)
    problems: list[Problem] = []
    cells = []
    for ran in end.ran:
        cell = script.cell(ran.name)
        assert cell is not None
        outputs = _outputs(ran, text, clean)
        used = end.names.get(ran.name, ())
        cells.append(CellResult(ran.name, outputs, ran.seconds, ran.skipped, bool(ran.warned), ran.touched, used))
        problems += _judge(cell, ran, script.path, clean)
        if job.device == "cuda" and cell.needs.startswith("cuda") and not ran.skipped and outputs and not ran.touched:
            hint = 'use the GPU in it, or remove needs="cuda"'
            message = f"cell `{cell.name}` needs CUDA and printed without touching the GPU"
            problems.append(Problem(script.path, cell.header_line, message, hint))
        if ran.end > limits.output:
            end.broken = end.broken or f"printed more than {_bytes(limits.output)}"
    said, drawn = _sizes(cells)
    if said > 2 * limits.output:
        end.broken = end.broken or f"gave more than {_bytes(limits.output)} of warnings and errors"
    if drawn > limits.figures:
        end.broken = end.broken or f"drew more than {_bytes(limits.figures)} of figures"
    if end.broken:
        cells = [replace(cell, outputs=tuple(_cut(cell.outputs, limits))) for cell in cells]
    elif end.environment and len(cells) < len(script.cells) and not _stopped(script, end):
        end.broken = "said that it was done before the script was"
    if end.broken or not end.environment:
        if end.broken or not _stopped(script, end):
            problems.append(_ended_early(script, job, end))
    reads = _reads(_read(scratch / "reads", 1 << 20).decode(errors="replace"))
    return Result(script.path, tuple(cells), end.environment, tuple(problems), reads, summaries=end.summaries)


def _stopped(script: Script, end: _End) -> bool:
    """Whether an error that no header declares ended the script."""
    declared = {cell.name for cell in script.cells if cell.raises}
    return any(ran.error and ran.name not in declared for ran in end.ran)


def _sizes(cells: Iterable[CellResult]) -> tuple[int, int]:
    """Return the length of all text, and of all figures."""
    said = drawn = 0
    for cell in cells:
        for output in cell.outputs:
            said += len(output.get("text", "")) + sum(map(len, output.get("traceback", ())))
            drawn += sum(map(len, output.get("data", {}).values()))
    return said, drawn


def _cut(outputs: Iterable[dict[str, Any]], limits: Limits) -> Iterator[dict[str, Any]]:
    """Keep each output within the limits: what a script that broke one gave is shown, but not all of it."""
    for output in outputs:
        if output["output_type"] == "display_data":
            if sum(map(len, output["data"].values())) <= limits.figures:
                yield output
        elif output["output_type"] == "stream":
            yield {**output, "text": output["text"][: limits.output]}
        else:
            kept = [line[: limits.output] for line in output["traceback"]]
            yield {**output, "evalue": output["evalue"][: limits.output], "traceback": kept}


def _outputs(ran: Ran, text: bytes, clean: _Cleaner) -> tuple[dict[str, Any], ...]:
    """Put text, warnings, figures and the error back into the order in which they came."""
    outputs: list[dict[str, Any]] = []
    position = ran.start
    for place, event in [*ran.events, (ran.end, None)]:
        if piece := clean(text[position:place].decode("utf-8", errors="backslashreplace")):
            outputs.append({"output_type": "stream", "name": "stdout", "text": piece})
        position = max(position, place)
        if event is None:
            continue
        event = dict(event)
        for key in ("text", "evalue"):
            if key in event:
                event[key] = clean(event[key])
        if "traceback" in event:
            event["traceback"] = [clean(line) for line in event["traceback"]]
        outputs.append(event)
    return tuple(outputs)


def _reads(log: str) -> tuple[str, ...]:
    """Return the files that the outputs depend on: not Python's, not the engine's, modules by their source."""
    own = (sys.prefix + os.sep, sys.base_prefix + os.sep, str(Path(__file__).parents[1]) + os.sep)
    found = set()
    for name in log.splitlines():
        if not name.startswith(own):
            with contextlib.suppress(ValueError):
                name = importlib.util.source_from_cache(name) if name.endswith(".pyc") else name
            found.add(name)
    return tuple(sorted(found))


def _judge(cell: Cell, ran: Ran, path: str, clean: _Cleaner) -> Iterator[Problem]:
    """Compare what a cell did with what its header promises."""
    if ran.skipped:
        return
    if ran.error is None and cell.raises:
        hint = "remove the option, or mend the example if it should still fail"
        yield Problem(
            path,
            cell.header_line,
            f'cell `{cell.name}` declares raises="{cell.raises}" but raises nothing',
            hint,
        )
    elif ran.error is not None:
        name, message, line = ran.error
        short = name.rpartition(".")[2]
        first = clean(message).splitlines()[0] if message else ""
        shown = f"{short}: {first}" if first else short
        if not cell.raises:
            hint = f'if that is what the page shows, declare it: # %% {cell.name} raises="{short}"'
            yield Problem(path, line or cell.line, f"cell `{cell.name}` raised {shown}", hint)
        elif cell.raises not in (name, short):
            message = f"cell `{cell.name}` raised {shown}; it declares {cell.raises}"
            yield Problem(path, line or cell.line, message, f'write raises="{short}" if that is right')
    categories = {category for category, _, _ in ran.warned}
    if cell.warns and cell.warns not in categories:
        hint = "remove the option, or mend the example if it should still warn"
        yield Problem(
            path,
            cell.header_line,
            f'cell `{cell.name}` declares warns="{cell.warns}" but does not warn so',
            hint,
        )
    for category, first, line in ran.warned:
        if category != cell.warns:
            hint = f'change the code, or declare it: # %% {cell.name} warns="{category}"'
            yield Problem(path, line or cell.line, f"cell `{cell.name}` gave {clean(first)}", hint)


def _ended_early(script: Script, job: Job, end: _End) -> Problem:
    name = end.current or (end.ran[-1].name if end.ran else script.cells[0].name)
    cell = script.cell(name)
    assert cell is not None
    trace = _read(Path(job.scratch) / "trace", 1 << 16).decode(errors="replace")
    match = re.search(rf'File "{re.escape(job.file)}", line (\d+)', trace)
    line = int(match[1]) if match else cell.line
    if end.broken:
        hint = "make the example smaller" if "printed" in end.broken else "a page's example ends within a second or two"
        return Problem(script.path, line, f"cell `{name}` {end.broken}", hint)
    code = end.exitcode
    if code is not None and code < 0:
        how = f"the process was killed by {signal.Signals(-code).name}"
    else:
        how = f"the process ended with exit code {code} before the script did"
    return Problem(script.path, line, f"in cell `{name}` {how}", f"run it alone: python {script.path}")


# -- text -----------------------------------------------------------------------------------------

_TRIGGERED = re.compile(r" \(Triggered internally at [^)]*\)")
_SITE = re.compile(r"(?<![^\s'\"(])/[^\s'\"(]{0,300}/site-packages/")
_TEMPORARY = re.compile(r"/tmp/(?:…/)?[\w.+-]+|(?<=/tmp/…)/tmp\w{8}\b")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
#: Control characters are shown, not obeyed: C0 and DEL as pictures, bidirectional ones as escapes.
_CONTROLS: dict[int, str] = {c: chr(0x2400 + c) for c in range(32) if chr(c) not in "\n\t"} | {127: "\u2421"}
_CONTROLS |= {
    c: f"\\u{c:04x}" for c in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
}
_CONTROLS |= {c: f"\\x{c:02x}" for c in range(0x80, 0xA0)}


class _Cleaner:
    """Takes out what belongs to the machine and not to PyTorch."""

    def __init__(self, job: Job):
        paths = {
            str(Path(job.scratch, "cwd")): "…",
            str(Path(job.scratch, "tmp")): "/tmp/…",
            job.scratch: "/tmp/…",
            os.path.realpath(job.scratch): "/tmp/…",
            job.root + os.sep: "",
            sys.base_prefix: "…/python",
        }
        # faulthandler writes letters beyond ASCII as escapes
        paths |= {path.encode("ascii", "backslashreplace").decode(): name for path, name in paths.items()}
        self.paths = sorted(paths.items(), key=lambda item: -len(item[0]))

    def __call__(self, text: str) -> str:
        text = _ANSI.sub("", text.replace("\r\n", "\n"))
        text = _TRIGGERED.sub("", text)
        text = _SITE.sub("…/site-packages/", text)  # before the root is cut off: the environment lies below it
        for path, name in self.paths:
            text = text.replace(path, name)
        text = _TEMPORARY.sub("/tmp/…", text)
        text = re.sub(r"0x[0-9a-fA-F]{6,16}\b", "0x…", text)
        text = text.translate(_CONTROLS)
        return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair is no text


def _read(path: Path, limit: int) -> bytes:
    """Return at most `limit` bytes of a file, nothing where it is missing."""
    try:
        # The script may have put something else in its place: no link is followed, no pipe waited for.
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with open(file, "rb") as data:
        return data.read(limit) if stat.S_ISREG(os.fstat(file).st_mode) else b""


def _bytes(count: int) -> str:
    """4294967296 → 4 GiB."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:g} {unit}"
        count = count // 1024 if count % 1024 == 0 else count / 1024  # type: ignore[assignment]
    return f"{count:g} GiB"

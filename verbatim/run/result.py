"""Builds a script's `Result`: outputs in order, and problems where cells do not do what their headers declare."""

from __future__ import annotations

import hashlib
import json
import re
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from verbatim.problems import Problem
from verbatim.run import leavings
from verbatim.run.channel import Ran
from verbatim.run.clean import Cleaner
from verbatim.run.job import Job, Limits, in_bytes
from verbatim.run.reads import NO_NETWORK
from verbatim.run.script import Cell, Script
from verbatim.run.watch import End

#: Where mistakes of the engine are reported.
ISSUES = "https://github.com/pytorch-verbatim/pytorch-verbatim/issues"


@dataclass(frozen=True)
class CellResult:
    """Result of one cell."""

    name: str
    outputs: tuple[dict[str, Any], ...] = ()
    """Notebook outputs in the order in which they were produced."""
    seconds: float = 0.0
    """Run time in seconds."""
    skipped: str = ""
    """The missing capability, if the cell was not run for lack of it; empty if it ran."""
    warned: bool = False
    """Whether it gave a warning."""
    touched: bool = False
    """Whether it used a GPU."""
    names: tuple[str, ...] = ()
    """Public PyTorch names that the cell's code uses."""

    @cached_property
    def outputs_sha(self) -> str:
        """Hash of its outputs."""
        return outputs_sha(self.outputs)


def outputs_sha(outputs: tuple[dict[str, Any], ...]) -> str:
    """Return the hash of a cell's outputs."""
    return hashlib.sha256(json.dumps(outputs, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Result:
    """Result of one script: its outputs and the problems of the run."""

    script: str
    cells: tuple[CellResult, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    reads: dict[str, str] = field(default_factory=dict)
    """The files and folders that the outputs depend on: name → fingerprint, as in `reads`."""
    left: tuple[str, ...] = ()
    """The threads and processes that still ran when the last cell had ended."""
    late: bool = False
    """Whether it was stopped because it did not end in time."""
    seconds: float = 0.0
    """Run time in seconds, including the start of the process."""
    summaries: dict[str, str] = field(default_factory=dict)
    """PyTorch name → first sentence of its docstring."""

    def cell(self, name: str) -> CellResult | None:
        """Return the result of the cell with this name, or ``None``."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, CellResult]:
        return {cell.name: cell for cell in reversed(self.cells)}


def collect(script: Script, job: Job, end: End, limits: Limits) -> Result:
    """Build the result of a script. Call this before the scratch folder is deleted.

    Args:
        script: The script.
        job: The job that ran it.
        end: How the process ended and what it sent; `end.broken` is set if a limit was exceeded.
        limits: The limits that applied.
    """
    scratch = Path(job.scratch)
    text = left(scratch / "output", limits.output)
    clean = Cleaner(job)
    problems: list[Problem] = []
    passed_over: list[Problem] = []
    cells = []
    has_used = False
    for ran in end.ran:
        cell = script.cell(ran.name)
        assert cell is not None
        outputs = _outputs(ran, text, clean)
        used = end.names.get(ran.name, ())
        cells.append(CellResult(ran.name, outputs, ran.seconds, ran.skipped, bool(ran.warned), ran.touched, used))
        stops = ran.error is not None and job.stops_at(cell, touched=ran.touched)
        if not job.go_on and (ran.touched or job.device == "cpu" or stops):
            problems += _judge(cell, ran, script.path, clean, on_gpu=job.device == "cuda")
        elif not job.go_on and ran.error is not None and not cell.raises:
            passed_over += _judge(cell, ran, script.path, clean, on_gpu=True)
        if job.device == "cuda" and cell.needs.startswith("cuda") and not ran.skipped:
            # once such a cell has, a later one may print what it found
            has_used |= ran.touched or any(name.startswith("torch.cuda.") for name in used)
            if outputs and not has_used:
                hint = 'use the GPU in it, or remove needs="cuda"'
                message = f"cell `{cell.name}` needs CUDA and printed without touching the GPU"
                problems.append(Problem(script.path, cell.header_line, message, hint))
        if ran.end > limits.output:
            end.broken = end.broken or f"printed more than {in_bytes(limits.output)}"
    if problems:  # may follow from an earlier cell that failed without the GPU
        problems = passed_over + problems
    text_size, figure_size = _sizes(cells)
    if text_size > 2 * limits.output:
        end.broken = end.broken or f"gave more than {in_bytes(limits.output)} of warnings and errors"
    if figure_size > limits.figures:
        end.broken = end.broken or f"drew more than {in_bytes(limits.figures)} of figures"
    if end.broken:
        cells = [replace(cell, outputs=tuple(_cut(cell.outputs, limits))) for cell in cells]
    elif end.environment and len(cells) < len(script.cells) and not stopped(job, end):
        end.broken = "said that it was done before the script was"
    if end.broken or not end.environment:
        if end.broken or not stopped(job, end):
            problems.append(_ended_early(script, job, end, limits))
    result = Result(script.path, tuple(cells), end.environment, tuple(problems), summaries=end.summaries)
    return replace(result, left=end.left, late=end.late)


def left(path: Path, limit: int) -> bytes:
    """Return at most `limit` bytes of a file of the scratch folder; empty if the script put something else there."""
    try:
        return leavings.read(path, limit)
    except OSError:
        return b""


def stopped(job: Job, end: End) -> bool:
    """Whether the script was stopped by an error that its cell's header does not declare."""
    failed = ((job.script.cell(ran.name), ran) for ran in end.ran if ran.error is not None)
    return any(cell is None or job.stops_at(cell, touched=ran.touched) for cell, ran in failed)


def _sizes(cells: Iterable[CellResult]) -> tuple[int, int]:
    """Return the total length of all text and of all figures, in characters."""
    text_size = figure_size = 0
    for cell in cells:
        for output in cell.outputs:
            text_size += len(output.get("text", "")) + sum(map(len, output.get("traceback", ())))
            figure_size += sum(map(len, output.get("data", {}).values()))
    return text_size, figure_size


def _cut(outputs: Iterable[dict[str, Any]], limits: Limits) -> Iterator[dict[str, Any]]:
    """Truncate text outputs to the limit and drop figures beyond it, for a script that exceeded a limit."""
    for output in outputs:
        if output["output_type"] == "display_data":
            if sum(map(len, output["data"].values())) <= limits.figures:
                yield output
        elif output["output_type"] == "stream":
            yield {**output, "text": output["text"][: limits.output]}
        else:
            lines = [line[: limits.output] for line in output["traceback"]]
            yield {**output, "evalue": output["evalue"][: limits.output], "traceback": lines}


def _outputs(ran: Ran, text: bytes, clean: Cleaner) -> tuple[dict[str, Any], ...]:
    """Merge the printed text with warnings, figures and the error, in the order in which they were produced."""
    outputs: list[dict[str, Any]] = []
    position = ran.start
    for place, event in [*ran.events, (ran.end, None)]:
        if piece := clean(text[position:place].decode("utf-8", errors="backslashreplace")):
            outputs.append({"output_type": "stream", "name": "stdout", "text": piece})
        position = max(position, place)
        if event is None:
            continue
        event = dict(event)
        for key in ("text", "ename", "evalue"):
            if key in event:
                event[key] = clean(event[key])
        if "traceback" in event:
            event["traceback"] = [clean(line) for line in event["traceback"]]
        outputs.append(event)
    return tuple(outputs)


def _judge(cell: Cell, ran: Ran, path: str, clean: Cleaner, *, on_gpu: bool) -> Iterator[Problem]:
    """Yield problems where a cell's errors and warnings differ from those its header declares.

    On a GPU, of which each model warns of something else, a warning is no problem: the record shows it. What a cell
    does there without the GPU is not on record, and judged where the book's own torch runs it.
    """
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
        first = next((text for text in clean(message).splitlines() if text.strip()), "")
        shown = f"{short}: {first}" if first else short
        if not cell.raises:
            hint = _remedy(cell, short, shown)
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
    for category, first, line in () if on_gpu else ran.warned:
        if category != cell.warns:
            hint = f'change the code, or declare it: # %% {cell.name} warns="{category}"'
            yield Problem(path, line or cell.line, f"cell `{cell.name}` gave {clean(first)}", hint)


#: Pattern of an error that a page seldom shows → what to do instead. The first that fits counts.
REMEDIES = {
    r"Torch not compiled with CUDA|Found no NVIDIA driver|No CUDA GPUs|NVIDIA driver on your system is too old": (
        'it asks for a GPU: write # %% {cell} needs="cuda", and the page says until when no GPU has run it'
    ),
    r"^ModuleNotFoundError: No module named '(?P<name>[\w.]+)'": (
        "take `{name}` out, or, if recipes need it, add it to requirements.txt and run `make lock`; "
        "a package that few have gets needs= (book/STYLE.md)"
    ),
    rf"{NO_NETWORK}": "take it out: a page shows what needs no server; put small data beside the script",
    r"^(?:SystemExit|KeyboardInterrupt)\b": "take it out: a script ends with its last line",
    r"^EOFError: EOF when reading a line": "take `input()` out: nobody types; give the value in the code",
    r"^(?:FileNotFoundError|NotADirectoryError|IsADirectoryError)\b": (
        "take it out, or let the script write the file first: it runs in an empty folder of its own"
    ),
    r"^(?:PermissionError|OSError: \[Errno 30\])": "take it out: a script may write into its own folder alone",
    r"^AssertionError$": (
        "what the cell claims is not so: mend it; if the page is about this error, declare it: "
        '# %% {cell} raises="{error}"'
    ),
    r"^MemoryError|can't allocate memory|not enough memory": "use smaller tensors: a script gets 4 GiB",
    r"^(?:NameError|AttributeError|SyntaxError|IndentationError|ImportError)\b": (
        'a slip? mend it; if the page is about this error, declare it: # %% {cell} raises="{error}"'
    ),
}


def _remedy(cell: Cell, error: str, shown: str) -> str:
    """Return what to do about an error that a cell does not declare."""
    for pattern, hint in REMEDIES.items():
        if match := re.search(pattern, shown):
            return hint.format(cell=cell.name, error=error, **match.groupdict())
    return f'if that is what the page shows, declare it: # %% {cell.name} raises="{error}"'


def _ended_early(script: Script, job: Job, end: End, limits: Limits) -> Problem:
    # The output limit is checked only now and then, so later cells may have run after the one that exceeded it.
    printed = next((ran.name for ran in end.ran if "printed" in end.broken and ran.end > limits.output), "")
    blamed = end.forked or printed
    name = blamed or end.current or (end.ran[-1].name if end.ran else script.cells[0].name)
    cell = script.cell(name)
    assert cell is not None
    trace = left(Path(job.scratch) / "trace", 1 << 16).decode(errors="replace")
    match = re.search(rf'File "{re.escape(job.file)}", line (\d+)', trace)
    line = int(match[1]) if match and not blamed else cell.line
    if end.broken:
        return Problem(script.path, line, f"cell `{name}` {end.broken}", end.hint or "make the example smaller")
    if end.failed:
        what, where, own = end.failed
        hint = f"if the script replaces what Python has, undo that before its cell ends; else report it: {ISSUES}"
        return Problem(script.path, own or line, f"in cell `{name}` the engine itself failed: {what} ({where})", hint)
    code = end.exitcode
    if code is None:
        how = "the process that all scripts are forked from ended, twice"
    elif code < 0:
        names = {int(member): member.name for member in signal.Signals}  # real-time signals have none
        how = f"the process was killed by {names.get(-code, f'signal {-code}')}"
    else:
        how = f"the process ended with exit code {code} before the script did"
    return Problem(script.path, line, f"in cell `{name}` {how}", f"run it alone: python {script.path}")

"""Run the scripts with another release of torch, or another Python, and say what came of each cell.

This runs in that release's own environment (`python -m verbatim versions`, started by `make versions`). There, cells
after one that fails are run, too: what fails because something does not exist there tells readers as much as an output.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, replace
from typing import Any

from verbatim.book import allowed, records, versions
from verbatim.book.records import Record, RecordedCell
from verbatim.book.versions import Finding, Status, Version, Versions
from verbatim.problems import Problem, Problems
from verbatim.project import Project
from verbatim.run.gpus import today
from verbatim.run.isolate import late
from verbatim.run.job import Limits
from verbatim.run.result import CellResult, Result
from verbatim.run.runner import Runner
from verbatim.run.script import Cell, Script
from verbatim.run.server import ask, ensure

#: Errors by which Python and PyTorch say that something does not exist.
NOT_THERE = ("AttributeError", "ImportError", "ModuleNotFoundError", "TypeError")

#: What a torch that was built with CUDA says where there is no GPU.
NO_GPU = ("Found no NVIDIA driver", "No CUDA GPUs are available")

_NO_MODULE = re.compile(r"No module named '([\w-]+)")
#: What `torch.compile` says under a Python that is newer than the release.
_OLDER_PYTHON = re.compile(r"Python 3\.\d+\+ not (?:yet )?supported")
_THROUGH = re.compile(r"(AttributeError|TypeError): ")
_UNDEFINED = re.compile(r"name '(\w+)' is not defined")


def judge(script: Script, record: Record | None, result: Result) -> tuple[dict[str, Finding], tuple[RecordedCell, ...]]:
    """Compare what a release printed with the built version's record.

    Returns:
        What came of each cell, and the cells that print something else or ask for what is not there.
    """
    codes = script.codes
    found: dict[str, Finding] = {}
    own = []
    failed: dict[str, str] = {}  # cell → why what needs it is not run
    for cell in script.cells:
        ran = result.cell(cell.name)
        status, reason = _status(cell, ran, record.cell(cell.name) if record else None)
        if ran and status in (Status.DIFFERS, Status.ABSENT):
            if needed := _needed(cell, ran, failed, script):
                status, reason = Status.NOT_RUN, failed[needed]
            else:
                own.append(RecordedCell(cell.name, cell.source, cell.sha, ran.outputs, options=cell.options))
        if ran and not ran.skipped and (_failed(cell, ran) or reason.startswith(("cell:", "needs:"))):
            failed[cell.name] = reason if reason.startswith("needs:") else f"cell:{cell.name}"
        found[cell.name] = Finding(codes[cell.name], versions.built(cell, record), status, reason)
    return found, tuple(own)


def rejudged(version: Version, scripts: Mapping[str, Script], cpu: Mapping[str, Record]) -> Version:
    """Return a release's record without the differences that are none by what is said of them here today."""
    known = Versions("", (version,))
    cells, own = dict(version.cells), dict(version.records)
    for path, script in scripts.items():
        recipe = Project.recipe(script.path)
        record = cpu.get(path)
        for cell in script.cells:
            found, old = known.finding(version, script, cell, record), record.cell(cell.name) if record else None
            if not found or not old:
                continue
            status, reason, printed = found.status, found.reason, version.outputs(recipe, cell.name)
            if status is Status.DIFFERS:
                lacks = _lacks(CellResult(cell.name, printed))
                if versions.alike(old.outputs, printed):
                    status = Status.SAME
                elif lacks:
                    status, reason = Status.NOT_RUN, f"needs:{lacks}"
            elif (needed := cells[recipe].get(reason.removeprefix("cell:"))) and needed.reason.startswith("needs:"):
                reason = needed.reason
            if (status, reason) != (found.status, found.reason):
                cells[recipe] = {**cells[recipe], cell.name: replace(found, status=status, reason=reason)}
            if status is not found.status:
                left = tuple(one for one in own[recipe].cells if one.name != cell.name)
                own[recipe] = replace(own[recipe], cells=left)
    return replace(version, cells=cells, records=own)


def steady(
    found: Mapping[str, Finding], own: Sequence[RecordedCell], second: Result
) -> tuple[dict[str, Finding], tuple[RecordedCell, ...]]:
    """Take out what a second run printed otherwise than the first: of memory that nobody set, say. It varies."""
    kept = []
    steady = dict(found)
    for cell in own:
        ran = second.cell(cell.name)
        if ran and versions.alike(cell.outputs, ran.outputs):
            kept.append(cell)
        else:
            steady[cell.name] = replace(found[cell.name], status=Status.VARIES)
    return steady, tuple(kept)


def _status(cell: Cell, ran: CellResult | None, old: RecordedCell | None) -> tuple[Status, str]:
    if ran is None:
        return Status.NOT_RUN, "ended"
    if ran.skipped:
        return Status.NOT_RUN, f"needs:{ran.skipped}"
    if old is None or old.skipped:
        return Status.NOT_RUN, "unrecorded"
    if not cell.varies and versions.alike(old.outputs, ran.outputs):
        return Status.SAME, ""
    if lacks := _lacks(ran):
        return Status.NOT_RUN, f"needs:{lacks}"
    if name := _failed(cell, ran):
        return (Status.ABSENT if name.rpartition(".")[2] in NOT_THERE else Status.DIFFERS), ""
    return (Status.VARIES if cell.varies else Status.DIFFERS), ""


def _lacks(ran: CellResult) -> str:
    """Return what this machine lacks, and not torch, as a cell's error says: a package, a GPU, an older Python."""
    for output in ran.outputs:
        if output["output_type"] == "error":
            if (module := _NO_MODULE.match(output["evalue"])) and module[1] != "torch":
                return module[1]
            if output["evalue"].startswith(NO_GPU):
                return "cuda"
            if _OLDER_PYTHON.match(output["evalue"]):
                return "python"
    return ""


def _failed(cell: Cell, ran: CellResult) -> str:
    """Return the type of the error that a cell raised without declaring one, or nothing."""
    for output in ran.outputs if not cell.raises else ():
        if output["output_type"] == "error":
            through = _THROUGH.match(output["evalue"])  # raised in Python, told by C++
            return through[1] if through else str(output["ename"])
    return ""


def _needed(cell: Cell, ran: CellResult, failed: Iterable[str], script: Script) -> str:
    """Return the earlier cell that failed and whose work this one lacks, or nothing.

    A name that is not defined is one that a failed cell would have set. And a cell that prints something else may do so
    because a failed cell did not come to change an object that both of them use: then nothing is known of it either.
    """
    shared = _names(cell) - _imported(script) - set(dir(builtins))
    for output in ran.outputs:
        undefined = _UNDEFINED.search(output.get("evalue", ""))
        if output.get("ename") == "NameError" and undefined:
            shared |= {undefined[1]}
    return next((one.name for one in script.cells if one.name in failed and shared & _names(one)), "")


def _names(cell: Cell) -> set[str]:
    """Return all names that a cell reads or sets, imports and functions included."""
    found = set()
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return found


def _imported(script: Script) -> set[str]:
    """Return the names that a script imports: that two cells use the same module joins nothing."""
    return {
        alias.asname or alias.name.partition(".")[0]
        for cell in script.cells
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def missing(names: Iterable[str]) -> tuple[str, ...]:
    """Return the public names, such as ``torch.Tensor.sum``, that this process's torch has not, sorted."""
    return tuple(sorted(name for name in set(names) if not _exists(name)))


def _exists(name: str) -> bool:
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = ".".join(parts[:count])
        try:
            found: Any = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name and f"{module}.".startswith(f"{error.name}."):
                continue
            return True  # the module is there; what it imports itself is not
        except Exception:  # a module that this release cannot import here
            continue
        for part in parts[count:]:
            if not hasattr(found, part):
                return isinstance(found, type) and part == parts[-1] and _set_on_objects(found, part)
            found = getattr(found, part)
        return True
    return False


def _set_on_objects(kind: type, name: str) -> bool:
    """Whether a class's own code, or that of a class above it, sets an attribute on its objects."""
    for one in kind.__mro__:
        with contextlib.suppress(OSError, TypeError):  # written in C
            if re.search(rf"\bself\.{name}\b[^=\n]*=[^=]", inspect.getsource(one)):
                return True
    return False


def rerun(
    project: Project,
    scripts: Mapping[str, Script],
    *,
    only: Iterable[str] | None = None,
    names: Iterable[str] = (),
    everything: bool = False,
    jobs: int | None = None,
    limits: Limits | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> tuple[Version, list[Problem]]:
    """Run the scripts with the torch and the Python that are here, and write their record below `outputs/versions`.

    Args:
        project: Where scripts and records lie.
        scripts: All scripts of the book, by path.
        only: Paths of the scripts that may be run; all unless given.
        names: Public names that the book uses; which of them are missing here is recorded.
        everything: Run all scripts, not only those with a cell that is stale.
        jobs: Scripts at once.
        limits: What each may take.
        progress: Called as `verbatim.book.gather` calls it.

    Returns:
        The release as it is recorded now, and which scripts' processes ended early, twice.

    Raises:
        Problems: both are those of the CPU records, or a record cannot be read.
    """
    paths = scripts.keys() if only is None else scripts.keys() & set(only)
    # Nothing else is imported for them: torch 1.13 cannot import all that the server would import by itself.
    ensure({module for path in paths for module in late(scripts[path])})
    environment = ask(_environment, None)
    approved = records.environment(project)
    name = versions.release(environment["torch"])
    if name == versions.release(approved.get("torch", "")):
        name = versions.python(environment["python"])
        if name == versions.python(approved.get("python", "")):
            fact = "this is the built version with the Python of its records, which are in outputs/cpu"
            raise Problems([Problem(name, 0, fact)])
    cpu = {path: record for path in scripts if (record := records.load(project, project.recipe(path), "cpu"))}
    old = rejudged(_read(project, name), scripts, cpu)
    wanted = [s for path, s in scripts.items() if path in paths and (everything or _stale(old, s, cpu.get(path)))]
    cells = {recipe: found for recipe, found in old.cells.items() if f"examples/{recipe}.py" in scripts}
    own = {recipe: record for recipe, record in old.records.items() if recipe in cells}
    notes: list[Problem] = []
    again: dict[str, Future[Result]] = {}
    with Runner(project, jobs=jobs, limits=limits, scripts=wanted) as runner:
        futures = [(script, runner.submit(script, go_on=True)) for script in wanted]
        for done, (script, future) in enumerate(futures, 1):
            result = allowed.admit(script, future.result())
            if result.problems:  # the release ends the process, or the machine was busy: then not twice
                result = allowed.admit(script, runner.submit(script, go_on=True).result())
                notes += result.problems
            recipe = project.recipe(script.path)
            cells[recipe], differing = judge(script, cpu.get(script.path), result)
            own.pop(recipe, None)
            if differing:
                own[recipe] = Record("", "cpu", differing, script.title)
                again[script.path] = runner.submit(script, go_on=True)
            if progress:
                progress(done, len(futures), script.path)
        for path, second in again.items():
            recipe = project.recipe(path)
            result = allowed.admit(scripts[path], second.result())
            cells[recipe], kept = steady(cells[recipe], own[recipe].cells, result)
            own[recipe] = replace(own[recipe], cells=kept)
    about = {key: environment[key] for key in versions.ABOUT if key in environment} | {"date": today()}
    absent = tuple(ask(missing, list(names))) if names else old.missing
    if not wanted and absent == old.missing and cells.keys() == old.cells.keys():
        about = old.about or about
    version = Version(name, about, cells, own, absent)
    versions.save(project, version)
    return version, notes


def waiting(project: Project, name: str, scripts: Mapping[str, Script]) -> list[str]:
    """Return the paths of the scripts that have a cell which is stale, or unknown, in a release's record."""
    version = _read(project, name)
    return [
        path
        for path, script in scripts.items()
        if _stale(version, script, records.load(project, project.recipe(path), "cpu"))
    ]


def _read(project: Project, name: str) -> Version:
    try:
        return versions.read(project, name)
    except Problems:
        return Version(name)  # what cannot be read is written anew


def _environment(_: None) -> dict[str, str]:
    from verbatim.run.worker import environment

    return environment()


def _stale(version: Version, script: Script, record: Record | None) -> bool:
    known = version.cells.get(Project.recipe(script.path), {})
    others = Versions("", (version,))
    return known.keys() != {cell.name for cell in script.cells} or not all(
        others.finding(version, script, cell, record) for cell in script.cells
    )


def summary(project: Project, version: Version, scripts: Mapping[str, Script]) -> str:
    """Return one line with what came of all cells."""
    cpu = {path: record for path in scripts if (record := records.load(project, project.recipe(path), "cpu"))}
    counts = Versions("", (version,)).counts(version, scripts, cpu)
    said = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in asdict(counts).items() if name != "run")
    of = f"torch {version.about['torch']}, Python {version.about['python']}"
    return f"{of}: {counts.run} cells run: {said}"

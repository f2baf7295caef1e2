"""Runs the scripts with the torch and the Python of this environment, and records the outcome of each cell.

This runs in the environment of another release (`python -m verbatim versions`, started by `make versions`). There,
cells after one that fails are run, too: that a feature does not exist tells readers as much as an output.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from typing import Any

from verbatim.book import allowed, records
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases import files
from verbatim.book.releases.judge import drop_unsteady, judge, rejudge
from verbatim.book.releases.model import ENVIRONMENT_KEYS, OPERATORS, Finding, Release, python_release, torch_release
from verbatim.problems import Problem, Problems
from verbatim.project import Project
from verbatim.run.gpus import today
from verbatim.run.job import Limits
from verbatim.run.result import Result
from verbatim.run.runner import Runner
from verbatim.run.script import Script
from verbatim.run.server import ask, prepare

#: What came of the scripts is saved each time as many more have run.
SAVED_EVERY = 32


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
) -> tuple[Release, list[Problem]]:
    """Run the scripts with the torch and the Python that are here, and write their record below `outputs/versions`.

    Args:
        project: Where scripts and records lie.
        scripts: All scripts of the book, by path.
        only: Paths of the scripts that may be run; all by default.
        names: Public names that the book uses; those that are missing here are recorded.
        everything: Run all scripts, not only those with a stale cell.
        jobs: Number of scripts run in parallel.
        limits: Limits on each script.
        progress: Called as `verbatim.book.gather` calls it.

    Returns:
        The release as it is recorded now, and a problem for each script whose process ended early, twice, or did not
        end in time, once. The cells that it did not come to are recorded as not run.

    Raises:
        Problems: Both are those of the CPU records, or a record cannot be read.
    """
    paths = scripts.keys() if only is None else scripts.keys() & set(only)
    # Nothing else is imported for them: torch 1.13 cannot import all that the server would import by itself.
    prepare(scripts[path] for path in paths)
    environment = ask(_environment, None)
    name = _name(environment, records.environment(project))
    cpu = _cpu_records(project, scripts)
    old = rejudge(_read(project, name), scripts, cpu)
    wanted = [s for path, s in scripts.items() if path in paths and (everything or _stale(old, s, cpu.get(path)))]
    findings = {recipe: of_recipe for recipe, of_recipe in old.findings.items() if f"examples/{recipe}.py" in scripts}
    notebooks = {recipe: record for recipe, record in old.records.items() if recipe in findings}
    absent = tuple(ask(missing, list(names))) if names else old.missing
    about = {key: environment[key] for key in ENVIRONMENT_KEYS if key in environment} | {"date": today()}
    if not wanted and absent == old.missing and findings.keys() == old.findings.keys():
        about = old.environment or about
    release = Release(name, about, findings, notebooks, absent)
    problems: list[Problem] = []
    with Runner(project, jobs=jobs, limits=limits, scripts=wanted) as runner:
        for number, ran in enumerate(_run_all(runner, wanted, cpu), 1):
            recipe = project.recipe(ran.script.path)
            findings[recipe] = ran.findings
            notebooks.pop(recipe, None)
            if ran.differing:
                notebooks[recipe] = Record("", "cpu", ran.differing, ran.script.title)
            problems += ran.problems
            if progress:
                progress(number, len(wanted), ran.script.path)
            if number % SAVED_EVERY == 0:
                files.save(project, release)  # a run that is interrupted goes on from here
    files.save(project, release)
    return release, problems


@dataclass(frozen=True)
class Ran:
    """What a release makes of one script."""

    script: Script
    findings: dict[str, Finding]
    """Cell → its finding."""
    differing: tuple[RecordedCell, ...]
    """The cells that print something else than the built version, with what they print."""
    problems: tuple[Problem, ...]


def _run_all(runner: Runner, scripts: Iterable[Script], cpu: Mapping[str, Record]) -> Iterator[Ran]:
    """Yield what a release makes of each script, as they end: one that hangs keeps no other waiting."""
    threads = ThreadPoolExecutor(runner.jobs, "verbatim-release")
    try:
        for future in as_completed([threads.submit(_run, runner, script, cpu.get(script.path)) for script in scripts]):
            yield future.result()
    finally:
        threads.shutdown(cancel_futures=True)


def _run(runner: Runner, script: Script, record: Record | None) -> Ran:
    """Run a script, a second time if a cell differs, and compare it with the built version's record."""

    def once() -> Result:
        return allowed.admit(script, runner.submit(script, go_on=True).result())

    result = once()
    if result.problems and not result.late:  # the release ends the process, or the machine was busy
        result = once()
    findings, differing = judge(script, record, result)
    if differing:
        findings, differing = drop_unsteady(script, findings, differing, once())
    return Ran(script, findings, differing, result.problems)


def _name(environment: Mapping[str, str], approved: Mapping[str, str]) -> str:
    """Return what the release of an environment is called: by its torch, or by its Python if the torch is built.

    Raises:
        Problems: Both are those of the CPU records.
    """
    name = torch_release(environment["torch"])
    if name != torch_release(approved.get("torch", "")):
        return name
    name = python_release(environment["python"])
    if name == python_release(approved.get("python", "")):
        fact = "this is the built version with the Python of its records, which are in outputs/cpu"
        raise Problems([Problem(name, 0, fact)])
    return name


def _cpu_records(project: Project, scripts: Iterable[str]) -> dict[str, Record]:
    return {path: record for path in scripts if (record := records.load(project, project.recipe(path), "cpu"))}


def waiting(project: Project, name: str, scripts: Mapping[str, Script]) -> list[str]:
    """Return the paths of the scripts with a cell that is stale or missing in a release's record."""
    release, cpu = _read(project, name), _cpu_records(project, scripts)
    return [path for path, script in scripts.items() if _stale(release, script, cpu.get(path))]


def _read(project: Project, name: str) -> Release:
    try:
        return files.read(project, name)
    except Problems:
        return Release(name)  # a record that cannot be read is replaced


def _environment(_: None) -> dict[str, str]:
    from verbatim.run.worker import environment

    return environment()


def _stale(release: Release, script: Script, record: Record | None) -> bool:
    """Whether a cell of a script is stale or missing in a release, or the release has one that the script has not."""
    recorded = release.findings.get(Project.recipe(script.path), {})
    return recorded.keys() != {cell.name for cell in script.cells} or any(release.stale(script, record))


def summary(project: Project, release: Release, scripts: Mapping[str, Script]) -> str:
    """Return one line with the number of cells of each outcome."""
    counts = release.counts(scripts, _cpu_records(project, scripts))
    outcomes = (f"{number} {name.replace('_', ' ')}" for name, number in asdict(counts).items() if name != "run")
    environment = f"torch {release.environment['torch']}, Python {release.environment['python']}"
    return f"{environment}: {counts.run} cells run: {', '.join(outcomes)}"


# -- in a process that has imported the release's torch ----------------------------------------------


def missing(names: Iterable[str]) -> tuple[str, ...]:
    """Return the public names, such as ``torch.Tensor.sum``, that this process's torch has not, sorted."""
    asked = {name for name in names if not name.startswith(OPERATORS)}
    return tuple(sorted(name for name in asked if not _exists(name)))


def _exists(name: str) -> bool:
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        module = ".".join(parts[:count])
        try:
            member: Any = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name and f"{module}.".startswith(f"{error.name}."):
                continue
            return True  # the module is there; what it imports itself is not
        except Exception:  # the module is there and cannot be imported with this Python: nothing is known of its names
            return True
        for part in parts[count:]:
            if not hasattr(member, part):
                return isinstance(member, type) and part == parts[-1] and _set_on_objects(member, part)
            member = getattr(member, part)
        return True
    return False


def _set_on_objects(kind: type, name: str) -> bool:
    """Whether a class, or a class above it, declares an attribute of its objects or sets it in its own code."""
    for base in kind.__mro__:
        if name in vars(base).get("__annotations__", ()):
            return True
        with contextlib.suppress(OSError, TypeError):  # written in C
            if re.search(rf"\bself\.{name}\b[^=\n]*=[^=]", inspect.getsource(base)):
                return True
    return False

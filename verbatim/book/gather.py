"""The whole book in memory: every script, what it printed just now, and what was recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from verbatim.book import allowed, records, versions
from verbatim.book.compare import diff
from verbatim.book.form import DECIDES
from verbatim.book.records import Record, RecordedCell
from verbatim.book.versions import Range, Versions
from verbatim.problems import Problem, Problems
from verbatim.project import Project
from verbatim.run import cache, confine
from verbatim.run.job import Limits
from verbatim.run.result import CellResult, Result
from verbatim.run.runner import Runner
from verbatim.run.script import Cell, Script, parse, read
from verbatim.run.server import ask

if TYPE_CHECKING:
    from verbatim.run.cluster import Cluster  # needs an extra

#: Called with (scripts done, scripts in all, the script just done).
Progress = Callable[[int, int, str], None]


@dataclass
class Book:
    """Everything that pages are made from. Keys are script paths from the project's root."""

    project: Project
    scripts: dict[str, Script] = field(default_factory=dict)
    printed: dict[str, Result] = field(default_factory=dict)
    """What each script printed in this run."""
    results: dict[str, Result] = field(default_factory=dict)
    """What pages show of it: `printed`, with the approved outputs in the place of those that agree with them."""
    approved: dict[str, str] = field(default_factory=dict)
    """What printed the CPU records."""
    cpu: dict[str, Record] = field(default_factory=dict)
    cuda: dict[str, Record] = field(default_factory=dict)
    versions: Versions = field(default_factory=Versions)
    """What other releases of torch print."""
    problems: list[Problem] = field(default_factory=list)
    """What is wrong with scripts, runs and records."""
    notes: list[Problem] = field(default_factory=list)
    """What a person may want to know and that stops nothing."""
    executed: int = 0
    """How many scripts were run; the others came from the cache."""
    _ranges: dict[tuple[str, str], tuple[Range, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def ran(self) -> dict[str, str]:
        """What ran the scripts."""
        return next((r.environment for r in self.printed.values() if r.environment), {})

    @property
    def environment(self) -> dict[str, str]:
        """What pages say printed the outputs: what printed the records, unless something else ran the scripts."""
        shown = self.ran if not self.approved or records.differs(self.approved, self.ran) else self.approved
        return {key: shown[key] for key in DECIDES if key in shown}

    def printed_by(self, record: Record, cell: RecordedCell) -> dict[str, str]:
        """Return what printed a recorded cell."""
        return record.provenance or cell.earlier or record.environment or self.approved

    def approve(self, recipes: Iterable[str]) -> str:
        """Return the command that approves what these recipes print now."""
        asked = ["--new-environment"] if records.differs(self.approved, self.ran) else []
        return " ".join(["python -m verbatim record", *asked, *recipes])

    def ranges(self, script: str, cell: str) -> tuple[Range, ...]:
        """Return what a cell prints in which releases of torch, oldest first; nothing where all print the same."""
        key = (script, cell)
        if key not in self._ranges:
            found = self.scripts.get(script)
            named = found.cell(cell) if found else None
            told = self.versions.ranges(found, named, self.cpu.get(script)) if found and named else ()
            self._ranges[key] = told
        return self._ranges[key]

    def covered(self, scripts: Iterable[str]) -> tuple[str, ...]:
        """Return the releases that ran all cells of these scripts, so that `ranges` of those tells all differences."""
        return self.versions.covered((self.scripts[one], self.cpu.get(one)) for one in scripts if one in self.scripts)

    def find(self, script: str, cell: str) -> tuple[Script, Cell, CellResult] | None:
        """Return a cell with its script and result; ``None`` where one of them is missing."""
        found, result = self.scripts.get(script), self.results.get(script)
        if not found or not result:
            return None
        named, ran = found.cell(cell), result.cell(cell)
        return (found, named, ran) if named and ran else None

    def recorded(self, script: str, cell: str) -> tuple[Record, RecordedCell] | None:
        """Return what was recorded of a cell that could not be run here; CUDA's record comes first."""
        for record in (self.cuda.get(script), self.cpu.get(script)):
            found = record.cell(cell) if record else None
            if record and found and not found.skipped:
                return record, found
        return None


def parse_all(
    project: Project, paths: Iterable[Path], notes: list[Problem] | None = None
) -> tuple[dict[str, Script], list[Problem]]:
    """Parse scripts; what cannot be parsed becomes problems. `notes` takes what only a recipe must have."""
    scripts: dict[str, Script] = {}
    problems: list[Problem] = []
    for path in paths:
        name = project.relative(path)
        try:
            scripts[name] = parse(read(path), name, notes)
        except Problems as error:
            problems += error.problems
        except (OSError, SyntaxError, UnicodeDecodeError) as error:
            problems.append(Problem(name, 0, f"the script cannot be read: {error}", "save it as UTF-8"))
    return scripts, problems


@dataclass(frozen=True)
class Options:
    """How scripts are run."""

    limits: Limits = field(default_factory=Limits)
    jobs: int | None = None
    """Scripts at once; as many as there are cores unless given."""
    progress: Progress | None = None
    fresh: bool = False
    """Run all of them, past the cache: what is approved or compared must be what this machine prints now."""
    any_script: bool = False
    """Take scripts without a title or cells, too, and note what they lack."""
    gpus: int = 0
    """Where there are any, only the scripts that can use one are run, on that many GPUs and past the cache."""
    cluster: Cluster | None = None
    """Run there, with the cluster's limits and past this machine's cache."""


def gather(project: Project, paths: Iterable[Path] | None = None, options: Options | None = None) -> Book:
    """Parse, run (or take from the cache) and read the records of the given scripts, or of all."""
    options = options or Options()
    book = Book(project)
    paths = project.scripts() if paths is None else paths
    book.scripts, book.problems = parse_all(project, paths, book.notes if options.any_script else None)
    if options.gpus:
        book.scripts = {name: script for name, script in book.scripts.items() if script.gpus}
    execute(book, options)
    try:
        book.approved = records.environment(project)
    except Problems as error:
        book.problems += error.problems
    for name in book.scripts:
        for device, kept in (("cpu", book.cpu), ("cuda", book.cuda)):
            try:
                if record := records.load(project, project.recipe(name), device):
                    kept[name] = record
                    if not record.run and device == "cpu" and "format" in book.approved:
                        hint = f"write it anew: {book.approve([project.recipe(name)])}"
                        book.problems.append(
                            Problem(record.path, 0, "the record does not say that one run made it", hint)
                        )
            except Problems as error:
                book.problems += error.problems
    others, problems = versions.load(project)
    built = versions.release(book.approved.get("torch", ""))
    book.versions = Versions(built, tuple(one for one in others if one.torch != built))
    book.problems += problems
    book.results = {name: _shown(book, name) for name in book.printed}
    return book


def _shown(book: Book, name: str) -> Result:
    """Return a result as pages show it: where the run agrees with the record, what was approved.

    So a site does not depend on the machine that built it, and of a cell that varies it shows one example until that is
    recorded anew. What agrees not in every cell is shown as it ran, whole.
    """
    script, result, record = book.scripts[name], book.printed[name], book.cpu.get(name)
    if record is None or not records.agrees_whole(script, record, result):
        return result
    approved = {cell.name: cell.outputs for cell in record.cells}
    cells = (cell if cell.skipped else replace(cell, outputs=approved[cell.name]) for cell in result.cells)
    return replace(result, cells=tuple(cells))


def execute(book: Book, options: Options) -> None:
    """Fill in what the book's scripts print."""
    keep = not options.gpus and not options.cluster
    missing = []
    for name, script in book.scripts.items():
        cached = cache.get(book.project, script, book.notes) if keep and not options.fresh else None
        if cached:
            book.printed[name] = allowed.admit(script, cached)
            book.problems += book.printed[name].problems
        else:
            missing.append(script)
    if not missing:
        return
    before = confine.stamps(book.project.root)
    with contextlib.ExitStack() as stack:
        runner: Runner | Cluster = options.cluster or stack.enter_context(
            Runner(book.project, jobs=options.jobs, limits=options.limits, gpus=options.gpus, scripts=missing)
        )
        futures = [(script, runner.submit(script)) for script in missing]
        for done, (script, future) in enumerate(futures, 1):
            result = allowed.admit(script, future.result())
            book.printed[script.path] = result
            book.problems += result.problems
            if keep:
                cache.put(book.project, script, result, book.notes)
            if options.progress:
                options.progress(done, len(futures), script.path)
    book.problems += confine.changed(book.project.root, before)
    if not options.cluster:
        with contextlib.suppress(OSError, EOFError):  # a server that was ended is told elsewhere
            book.notes += ask(confine.notes, "this machine")
    book.executed = len(missing)
    # One folder that cannot be written is one note, however many scripts there are.
    book.notes = sorted(set(book.notes))


@dataclass(frozen=True)
class Awaiting:
    """A cell whose CUDA output is missing or old."""

    script: str
    cell: str
    line: int
    stale: bool
    """Recorded, but for an earlier version of its code."""
    needs: str


def awaiting(book: Book) -> list[Awaiting]:
    """Return the cells that the CUDA job has yet to record."""
    found = []
    for name, script in book.scripts.items():
        record = book.cuda.get(name)
        for cell in script.cells:
            if not cell.needs.startswith("cuda"):
                continue
            old = record.cell(cell.name) if record else None
            if old is None or old.skipped or old.sha != cell.sha:
                stale = old is not None and not old.skipped
                found.append(Awaiting(name, cell.name, cell.header_line, stale, cell.needs))
    return found


@dataclass(frozen=True)
class Drift:
    """A cell whose fresh outputs are not those that were approved."""

    script: str
    cell: str
    line: int
    diff: str
    reason: str

    def problem(self, book: Book) -> Problem:
        """Say it with the command that approves it."""
        message = self.reason + ("\n" + self.diff if self.diff else "")
        command = book.approve([book.project.recipe(self.script)])
        return Problem(self.script, self.line, message, f"if this is right: {command}")


def drift(book: Book) -> list[Drift]:
    """Compare every fresh CPU output with its record."""
    found = []
    for name, result in book.printed.items():
        script, record = book.scripts[name], book.cpu.get(name)
        if result.problems or (record is None and book.project.record(book.project.recipe(name), "cpu").exists()):
            continue  # told already
        if record is None:
            found.append(Drift(name, "", 1, "", "the recipe has no record yet"))
            continue
        for cell in script.cells:
            ran, old = result.cell(cell.name), record.cell(cell.name)
            if old is None or old.sha != cell.sha:
                reason = f"cell `{cell.name}` is not the code that was recorded"
                if old and ran and ran.skipped and not old.skipped:
                    reason += f"; it needs `{ran.skipped}`, which is not here: record it where it is"
                found.append(Drift(name, cell.name, cell.header_line, "", reason))
            elif ran and not ran.skipped and not old.skipped:
                if not records.agrees(cell, old, ran):
                    text = diff(old.outputs, ran.outputs, f"{name}#{cell.name}")
                    reason = f"cell `{cell.name}` does not print what was recorded"
                    found.append(Drift(name, cell.name, cell.header_line, text, reason))
        for old in record.cells:
            if script.cell(old.name) is None:
                found.append(Drift(name, old.name, 0, "", f"cell `{old.name}` was recorded but is gone"))
        if record.title != script.title:
            found.append(Drift(name, "", 1, "", "the title is not the one that was recorded"))
        order = [cell.name for cell in script.cells if record.cell(cell.name)]
        if order != [old.name for old in record.cells if script.cell(old.name)]:
            found.append(Drift(name, "", 1, "", "the cells were recorded in another order"))
    return found

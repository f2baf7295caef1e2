"""The whole book in memory: every script, its outputs in this run, and its recorded outputs."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from verbatim.book import allowed, records
from verbatim.book.compare import agree, diff, same
from verbatim.book.form import DECIDING_PACKAGES
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases import files, ranges
from verbatim.book.releases.model import in_words, python_release, torch_release
from verbatim.book.releases.ranges import Range, Releases
from verbatim.memo import Memo
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

#: Progress callback: (number of finished scripts, total number of scripts, path of the script that just finished).
Progress = Callable[[int, int, str], None]


@dataclass
class Book:
    """All data that pages are generated from. Dictionary keys are script paths relative to the project root."""

    project: Project
    scripts: dict[str, Script] = field(default_factory=dict)
    fresh_results: dict[str, Result] = field(default_factory=dict)
    """Script path → result of this run."""
    display_results: dict[str, Result] = field(default_factory=dict)
    """Script path → result that pages show: recorded outputs where this run agrees with them, else `fresh_results`."""
    recorded_environment: dict[str, str] = field(default_factory=dict)
    """The environment (versions of torch, Python, NumPy, …) that produced the CPU records."""
    cpu: dict[str, Record] = field(default_factory=dict)
    cuda: dict[str, Record] = field(default_factory=dict)
    releases: Releases = field(default_factory=Releases)
    """Outputs recorded with other releases of torch and, in `Releases.pythons`, with other Pythons."""
    problems: list[Problem] = field(default_factory=list)
    """Errors in scripts, runs and records. Any of them fails the build."""
    notes: list[Problem] = field(default_factory=list)
    """Hints for the author. They do not fail the build."""
    executed: int = 0
    """Number of scripts that were run; the results of the others came from the cache or from the records."""
    pending: frozenset[str] = frozenset()
    """Scripts that have not run yet: their outputs come from their records, and the names that they use are unknown."""
    _ranges: dict[tuple[str, str, str], tuple[Range, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _display_hashes: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def ran(self) -> dict[str, str]:
        """The environment of this run; empty if no script finished."""
        return next((r.environment for r in self.fresh_results.values() if r.environment), {})

    @property
    def environment(self) -> dict[str, str]:
        """The environment that pages name: that of the records, or that of this run where the two differ.

        The Python is always that of the records: outputs that depend on the Python were compared with the record of it.
        """
        ran = {
            **self.ran,
            **{key: self.recorded_environment[key] for key in ("python",) if key in self.recorded_environment},
        }
        shown = (
            ran
            if not self.recorded_environment or records.differs(self.recorded_environment, ran)
            else self.recorded_environment
        )
        return {key: shown[key] for key in DECIDING_PACKAGES if key in shown}

    def printed_by(self, record: Record, cell: RecordedCell) -> dict[str, str]:
        """Return the environment that produced the outputs of a recorded cell."""
        return record.provenance or cell.earlier or record.environment or self.recorded_environment

    def environment_differs(self, script: str) -> str:
        """Describe how this run's environment differs from the one that printed a script's CPU record; empty if not."""
        record = self.cpu.get(script)  # one that was begun here names what runs here
        return records.differs((record and record.environment) or self.recorded_environment, self.ran)

    def approve(self, recipes: Sequence[str]) -> str:
        """Return the shell command that records the current outputs of these recipes."""
        scripts = (self.project.relative(self.project.script(recipe)) for recipe in recipes)
        option = ["--new-environment"] if any(map(self.environment_differs, scripts)) else []
        return " ".join(["python -m verbatim record", *option, *recipes])

    @property
    def another_python(self) -> str:
        """The Python of this run, such as ``python-3.13``; empty if it is that of the records, or torch another."""
        ran, approved = self.ran, self.recorded_environment
        if torch_release(ran.get("torch", "")) != torch_release(approved.get("torch", "")):
            return ""
        here = python_release(ran.get("python", ""))
        return here if here != python_release(approved.get("python", "")) else ""

    def expected(self, script: str) -> Record | None:
        """Return a script's CPU record, if any, with what its cells must print with the Python of this run."""
        record, pythons = self.cpu.get(script), self.releases.pythons
        if not record or not pythons or not self.another_python:
            return record
        return pythons.expected(self.scripts[script], record, self.another_python)

    def as_recorded(self, script: str) -> Result:
        """Return the result of this run, with the recorded output of each cell that prints what this Python must print.

        So records and pages are the same whichever Python writes them.
        """
        result, record, expected = self.fresh_results[script], self.cpu.get(script), self.expected(script)
        if not record or not expected or expected is record:
            return result
        cells = []
        for ran in result.cells:
            old, own = record.cell(ran.name), expected.cell(ran.name)
            cell = self.scripts[script].cell(ran.name)
            differs = cell and old and own and own is not old  # the record of this Python from that of the built one
            if cell and old and own and differs and not ran.skipped and same(cell, own.outputs, ran.outputs):
                ran = replace(ran, outputs=old.outputs)
            cells.append(ran)
        return replace(result, cells=tuple(cells))

    def ranges(self, script: str, cell: str) -> tuple[Range, ...]:
        """Return the ranges of torch releases that print different outputs for a cell, oldest first.

        Args:
            script: The script's path.
            cell: The cell's name.

        Returns:
            The ranges; an empty tuple if all releases print the same or the cell does not exist.
        """
        return self._ranges_of("torch", self.releases, script, cell)

    def unrun(self, script: str, cell: str) -> tuple[str, ...]:
        """Return the torch releases of which nothing is known for a cell as it is now, oldest first."""
        parsed = self.scripts.get(script)
        named = parsed.cell(cell) if parsed else None
        return self.releases.unrun(parsed, named, self.cpu.get(script)) if parsed and named else ()

    @property
    def newest_python(self) -> str:
        """The newest Python that the built version was run with."""
        return self.releases.pythons.names[-1] if self.releases.pythons and self.releases.pythons.names else ""

    def pythons(self, script: str, cell: str) -> tuple[Range, ...]:
        """Return the ranges of Pythons that print different outputs for a cell, as `ranges` does for releases."""
        return self._ranges_of("Python", self.releases.pythons, script, cell) if self.releases.pythons else ()

    def _ranges_of(self, kind: str, releases: Releases, script: str, cell: str) -> tuple[Range, ...]:
        key = (kind, script, cell)
        if key not in self._ranges:
            parsed = self.scripts.get(script)
            named = parsed.cell(cell) if parsed else None
            self._ranges[key] = releases.ranges(parsed, named, self.cpu.get(script)) if parsed and named else ()
        return self._ranges[key]

    def covered(self, scripts: Iterable[str]) -> tuple[str, ...]:
        """Return the torch releases with an up-to-date finding for every cell of these scripts, oldest first.

        For these releases, `ranges` is complete. Paths of unknown scripts are ignored.
        """
        return self.releases.covered(
            (self.scripts[path], self.cpu.get(path)) for path in scripts if path in self.scripts
        )

    def display_hash(self, script: str) -> str:
        """Return a hash of everything that pages can show of a script. The script need not exist."""
        if script not in self._display_hashes:
            parsed, result = self.scripts.get(script), self.display_results.get(script)
            cells = [(cell.name, cell.skipped, cell.outputs_sha) for cell in result.cells] if result else []
            absent = [cell.name for cell in result.cells if cell.skipped] if result else []
            recorded = [self.recorded(script, name) for name in absent]
            printed = [self.printed_by(*record) if record else None for record in recorded]
            names = [cell.name for cell in result.cells] if result else []
            ranges = [
                (self.ranges(script, name), self.pythons(script, name), self.unrun(script, name)) for name in names
            ]
            text = parsed.text if parsed else ""
            shown = (script, text, cells, recorded, printed, ranges, self.cuda.get(script))
            self._display_hashes[script] = hashlib.sha256(repr(shown).encode()).hexdigest()
        return self._display_hashes[script]

    def find(self, script: str, cell: str) -> tuple[Script, Cell, CellResult] | None:
        """Return a cell with its script and result; ``None`` if any of the three is missing."""
        parsed, result = self.scripts.get(script), self.display_results.get(script)
        if not parsed or not result:
            return None
        named, ran = parsed.cell(cell), result.cell(cell)
        return (parsed, named, ran) if named and ran else None

    def recorded(self, script: str, cell: str) -> tuple[Record, RecordedCell] | None:
        """Return the recorded cell and its record, for a cell that this machine cannot run.

        The CUDA record takes precedence over the CPU record, but not where the cell failed there unannounced, without
        the GPU: that is of the machine's other torch alone. Returns ``None`` if no record has outputs of the cell.
        """
        kept = []
        for record in (self.cuda.get(script), self.cpu.get(script)):
            recorded_cell = record.cell(cell) if record else None
            if record and recorded_cell and not recorded_cell.skipped:
                kept.append((record, recorded_cell))
        return min(kept, key=lambda pair: pair[0].device == "cuda" and pair[1].failed_elsewhere, default=None)


def parse_all(
    project: Project, paths: Iterable[Path], notes: list[Problem] | None = None, memo: Memo | None = None
) -> tuple[dict[str, Script], list[Problem]]:
    """Parse scripts.

    Args:
        project: The project that the paths belong to.
        paths: The scripts' files.
        notes: If given, missing parts that only recipes need (title, cells) are appended here and are not errors.
        memo: Caches parsed recipes.

    Returns:
        Script path → script, and a problem for each script that cannot be parsed.
    """
    scripts: dict[str, Script] = {}
    problems: list[Problem] = []
    memo = memo if memo and notes is None else Memo()
    for path in paths:
        name = project.relative(path)
        try:
            text = read(path, name)
            scripts[name] = memo.get("script", f"{name}\0{text}", functools.partial(parse, text, name, notes))
        except Problems as error:
            problems += error.problems
    return scripts, problems


@dataclass(frozen=True)
class Options:
    """How scripts are run."""

    limits: Limits = field(default_factory=Limits)
    jobs: int | None = None
    """Number of scripts run in parallel; the default is one per CPU core, or one per GPU."""
    progress: Progress | None = None
    run: Collection[str] | None = None
    """Paths of the scripts to run. The others show what is cached or recorded (`Book.pending`). All by default."""
    of: Collection[str] | None = None
    """The recipes whose records are looked at closely; all by default."""
    wanted: Sequence[str] = ()
    """Paths of scripts to run first, the last one next. The caller may change it while scripts run."""
    finished: Callable[[Result], None] | None = None
    """Called with each result as soon as its script has run."""
    fresh: bool = False
    """Ignore cached results and run every script. Recording and comparing need the current outputs of this machine."""
    any_script: bool = False
    """Accept scripts without a title or cells; what they lack becomes a note, not an error."""
    gpus: int = 0
    """Number of GPUs. If it is not 0, only the scripts that use a GPU are run, without the cache."""
    cluster: Cluster | None = None
    """If given, run the scripts on this cluster, with its limits and without the local cache."""
    memo: Memo | None = None
    """Caches scripts, results, records and the checks of figures."""
    releases: Releases | None = None
    """The other releases of torch, if they have been read already."""


def gather(project: Project, paths: Iterable[Path] | None = None, options: Options | None = None) -> Book:
    """Parse scripts, run them or take their results from the cache, and read their records.

    Args:
        project: The project.
        paths: The scripts; all scripts of the project by default.
        options: How they are run.

    Returns:
        The book. Errors are collected in `Book.problems`, not raised.

    Raises:
        Problems: Something among pages, scripts or records is a pipe or a device, so that reading it would never end.
    """
    if unreadable := project.unreadable():
        raise Problems(unreadable)
    options = options or Options()
    book = Book(project)
    paths = project.scripts() if paths is None else paths
    notes = book.notes if options.any_script else None
    book.scripts, book.problems = parse_all(project, paths, notes, options.memo)
    if options.gpus:
        book.scripts = {name: script for name, script in book.scripts.items() if script.gpus}
    execute(book, options)
    try:
        book.recorded_environment = records.environment(project)
    except Problems as error:
        book.problems += error.problems
    for name in book.scripts:
        recipe = project.recipe(name)
        looked = options.of is None or recipe in options.of
        for device, loaded in (("cpu", book.cpu), ("cuda", book.cuda)):
            try:
                if record := records.load(project, recipe, device, options.memo, checked=looked):
                    loaded[name] = record
            except Problems as error:
                book.problems += error.problems
    book.pending = frozenset(book.scripts.keys() - book.fresh_results.keys())
    for name in book.pending & book.cpu.keys():
        book.fresh_results[name] = records.recorded_result(book.scripts[name], book.cpu[name])
    if options.releases:
        book.releases = options.releases
    else:
        others, problems = files.load(project, options.memo, options.of)
        book.releases = ranges.collect(others, book.recorded_environment)
        book.problems += problems
    book.display_results = {name: display_result(book, name) for name in book.fresh_results}
    return book


def display_result(book: Book, name: str) -> Result:
    """Return the result that pages show: the recorded outputs if the run agrees with the record in every cell.

    This makes the site independent of the machine that builds it, and keeps the output of a cell that varies from run
    to run stable until it is recorded again. If any cell disagrees, all cells show the outputs of this run.
    """
    script, result, record = book.scripts[name], book.as_recorded(name), book.cpu.get(name)
    if record is None or not records.agrees_whole(script, record, result):
        return result
    approved = {cell.name: cell for cell in record.cells}
    if all(cell.skipped or cell.outputs_sha == approved[cell.name].outputs_sha for cell in result.cells):
        return result  # the same object, whose cached properties stay
    cells = (cell if cell.skipped else replace(cell, outputs=approved[cell.name].outputs) for cell in result.cells)
    return replace(result, cells=tuple(cells))


def execute(book: Book, options: Options) -> None:
    """Run scripts, or take cached results, and fill in `fresh_results`, `problems`, `notes` and `executed`."""
    keep = not options.gpus and not options.cluster
    missing = []
    for name, script in book.scripts.items():
        cached = cache.get(book.project, script, book.notes, memo=options.memo) if keep and not options.fresh else None
        if cached:
            book.fresh_results[name] = allowed.admit(script, cached, options.memo)
        elif options.run is None or name in options.run:
            missing.append(script)
    if missing:
        _run(book, missing, options, keep=keep)
    book.fresh_results = {name: book.fresh_results[name] for name in book.scripts if name in book.fresh_results}
    book.problems += [problem for result in book.fresh_results.values() for problem in result.problems]
    # Several scripts can give the same note, for example about a folder that is not writable.
    book.notes = sorted(set(book.notes))


def _run(book: Book, scripts: list[Script], options: Options, *, keep: bool) -> None:
    """Run scripts, and add their results in the order in which they end.

    Those that call a compiler come first: they take longest, and at the end the other cores would wait for the last.
    """
    before = confine.stamps(book.project.root)
    waiting = {script.path: script for script in sorted(scripts, key=lambda script: not script.compiles)}
    running: dict[Future[Result], Script] = {}
    with contextlib.ExitStack() as stack:
        runner: Runner | Cluster = options.cluster or stack.enter_context(
            Runner(book.project, jobs=options.jobs, limits=options.limits, gpus=options.gpus, scripts=scripts)
        )
        while waiting or running:
            while waiting and len(running) < runner.jobs:
                path = next((path for path in reversed(options.wanted) if path in waiting), next(iter(waiting)))
                script = waiting.pop(path)
                running[runner.submit(script)] = script
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                script = running.pop(future)
                result = book.fresh_results[script.path] = allowed.admit(script, future.result(), options.memo)
                if keep:
                    cache.put(book.project, script, result, book.notes)
                if options.finished:
                    options.finished(result)
                if options.progress:
                    options.progress(len(scripts) - len(waiting) - len(running), len(scripts), script.path)
    book.problems += confine.changed(book.project.root, before)
    if not options.cluster:
        with contextlib.suppress(OSError, EOFError):  # a terminated fork server is reported elsewhere
            book.notes += ask(confine.notes, "this machine")
    book.executed = len(scripts)


@dataclass(frozen=True)
class Awaiting:
    """A cell whose CUDA output is missing or stale."""

    script: str
    cell: str
    line: int
    stale: bool
    """Whether there is an output, recorded with an earlier version of the cell's code."""
    needs: str


def awaiting(book: Book) -> list[Awaiting]:
    """Return the cells that need CUDA and whose output is missing or stale."""
    awaiting = []
    for name, script in book.scripts.items():
        record = book.cuda.get(name)
        for cell in script.cells:
            if not cell.needs.startswith("cuda"):
                continue
            old = record.cell(cell.name) if record else None
            if old is None or old.skipped or old.sha != cell.sha:
                stale = old is not None and not old.skipped
                awaiting.append(Awaiting(name, cell.name, cell.header_line, stale, cell.needs))
    return awaiting


@dataclass(frozen=True)
class Drift:
    """A cell whose outputs in this run differ from the recorded ones."""

    script: str
    cell: str
    line: int
    diff: str
    reason: str

    def problem(self, book: Book) -> Problem:
        """Return it as a problem; the hint is the command that records the new outputs."""
        message = self.reason + ("\n" + self.diff if self.diff else "")
        recipe = book.project.recipe(self.script)
        hint = f"if this is right: {book.approve([recipe])}"
        if self.diff and book.another_python:
            hint += f"; if {in_words([book.another_python])} alone prints it: python -m verbatim versions {recipe}"
        return Problem(self.script, self.line, message, hint)


def drift(book: Book) -> list[Drift]:
    """Compare the CPU outputs of this run with the records. Scripts with problems are skipped."""
    drifts = []
    for name, result in book.fresh_results.items():
        script, record, expected = book.scripts[name], book.cpu.get(name), book.expected(name)
        if result.problems or (record is None and book.project.record(book.project.recipe(name), "cpu").exists()):
            continue  # already reported as a problem
        if record is None:
            drifts.append(Drift(name, "", 1, "", "the recipe has no record yet"))
            continue
        for cell in script.cells:
            ran, old = result.cell(cell.name), record.cell(cell.name)
            if old is None or old.sha != cell.sha:
                reason = f"cell `{cell.name}` is not the code that was recorded"
                if old and ran and ran.skipped and not old.skipped:
                    reason += f"; it needs `{ran.skipped}`, which is not here: record it where it is"
                drifts.append(Drift(name, cell.name, cell.header_line, "", reason))
            elif ran and not ran.skipped and not old.skipped:
                must = (expected and expected.cell(cell.name)) or old
                if not agree(cell, must.outputs, ran.outputs):
                    text = diff(must.outputs, ran.outputs, f"{name}#{cell.name}")
                    reason = f"cell `{cell.name}` does not print what was recorded"
                    drifts.append(Drift(name, cell.name, cell.header_line, text, reason))
        for old in record.cells:
            if script.cell(old.name) is None:
                drifts.append(Drift(name, old.name, 0, "", f"cell `{old.name}` was recorded but is gone"))
        if record.title != script.title:
            drifts.append(Drift(name, "", 1, "", "the title is not the one that was recorded"))
        order = [cell.name for cell in script.cells if record.cell(cell.name)]
        if order != [old.name for old in record.cells if script.cell(old.name)]:
            drifts.append(Drift(name, "", 1, "", "the cells were recorded in another order"))
    return drifts

"""Outputs of other releases of torch, read from `outputs/versions` and compared with the built version's records.

The built version is the torch release that produced the CPU records and that the site is built with. What it prints
with another Python than theirs is recorded in the same way: here such a Python is a release, too, its patch releases
are one.

`make versions` runs the scripts with another torch, or another Python, and writes `outputs/versions/<release>/`, for
example `2.6.0` or `python-3.13`:

- `manifest.json`: the environment (torch, Python, NumPy, Matplotlib, system, date), the public names that the release
  lacks, and a `Finding` for every cell: its status, a hash of the code that ran and a hash of the output it was
  compared with.
- `<recipe>.ipynb`: an executed notebook in the format of the records, with only the cells whose output differs.

A build reads these files and does not need the releases themselves. A cell is stale if its code or its approved output
has changed since; stale cells are ignored until they are run again. `stale` reports them as hints, not as errors.

Pages use `Versions.ranges` for what to show below a cell, `Versions.covered` for the releases that were fully compared,
and `Versions.counts` for the table of releases. A run with another Python is compared with `Versions.expected`.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from verbatim.book import records
from verbatim.book.allowed import text, texts, wrong_keys
from verbatim.book.compare import Change, compare
from verbatim.book.form import DECIDES, sayings
from verbatim.book.records import Record, RecordedCell
from verbatim.memo import Memo
from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.run.script import Cell, Script

FORMAT = 1
#: Keys of a manifest's environment.
ABOUT = (*DECIDES, "platform", "date")
#: What the name of a Python begins with.
PYTHON = "python-"
Outputs = tuple[dict[str, Any], ...]


class Status(StrEnum):
    """Outcome of one cell in one release, compared with the built version."""

    SAME = "same"
    """Its output is the same, up to rounding."""
    DIFFERS = "differs"
    """Its output differs; the release's notebook contains it."""
    ABSENT = "absent"
    """It uses a feature that the release does not have; the notebook contains the error."""
    NOT_RUN = "skipped"
    """It could not be run; `Finding.reason` says why."""
    VARIES = "varies"
    """It ran, but its output changes from run to run and cannot be compared."""


@dataclass(frozen=True)
class Finding:
    """Outcome of one cell in one release, with hashes that tell whether it is still up to date."""

    code: str
    """Hash of the code that ran: the script up to and including this cell (`codes`)."""
    built: str
    """Hash of the approved output that it was compared with (the function `built`)."""
    status: Status
    reason: str = ""
    """Why a cell was not run. `needs:no-cuda`: the machine lacked this capability. `cell:setup`: the cell depends on
    this earlier cell, which failed. `ended`: the process ended before the cell. `unrecorded`: the built version has no
    output to compare with."""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.code, self.built or "-", self.status, self.reason)))


@dataclass(frozen=True)
class Version:
    """The recorded findings and outputs of one release."""

    name: str
    """The release, such as ``2.6.0`` of torch or ``python-3.13``."""
    about: dict[str, str] = field(default_factory=dict)
    """Its environment, with the keys of `ABOUT`; here ``torch`` names the exact build, such as ``2.6.0+cu124``."""
    cells: dict[str, dict[str, Finding]] = field(default_factory=dict)
    """Recipe → cell → outcome."""
    records: dict[str, Record] = field(default_factory=dict)
    """Recipe → notebook of the cells with status `DIFFERS` or `ABSENT`."""
    missing: tuple[str, ...] = ()
    """Public names that the book uses and that this release lacks, sorted."""

    def outputs(self, recipe: str, cell: str) -> Outputs:
        """Return the outputs of a cell with status `DIFFERS` or `ABSENT`; empty for other cells."""
        record = self.records.get(recipe)
        found = record.cell(cell) if record else None
        return found.outputs if found else ()


class Kind(StrEnum):
    """How the output of a range of releases relates to that of the built version."""

    SAME = "same"
    """The output is the same."""
    OTHER = "other"
    """The output differs; it is in `Range.outputs`."""
    ABSENT = "absent"
    """The releases lack a feature that the cell uses; `Range.outputs` contains the error."""
    NOT_RUN = "not run"
    """The cell depends on an earlier cell that failed in these releases; `Range.reason` is that cell's name."""


@dataclass(frozen=True)
class Range:
    """Consecutive recorded releases that print the same."""

    versions: tuple[str, ...]
    """The releases that were run, oldest first. Releases between them that were not run may behave differently."""
    kind: Kind
    outputs: Outputs = ()
    """The outputs of the newest of them; empty for `Kind.SAME`, where the built version's outputs apply."""
    reason: str = ""
    built: bool = False
    """Whether the built version is one of them."""

    @property
    def first(self) -> str:
        """The oldest release."""
        return self.versions[0]

    @property
    def last(self) -> str:
        """The newest release."""
        return self.versions[-1]


@dataclass(frozen=True)
class Counts:
    """Numbers of cells of one release, for its row in the table. Stale cells are counted only in `stale`."""

    run: int = 0
    """Cells that were run: the sum of `same`, `changed`, `absent` and `varies`."""
    same: int = 0
    changed: int = 0
    """Cells whose output differs, including `errors`."""
    errors: int = 0
    """Changed cells in which an error was added, removed, or has a different message."""
    absent: int = 0
    varies: int = 0
    not_run: int = 0
    stale: int = 0


@dataclass(frozen=True)
class Versions:
    """The built version and all other recorded releases."""

    built: str = ""
    """The release of the built version; empty if there are no records."""
    all: tuple[Version, ...] = ()
    """The other recorded releases, oldest first."""
    pythons: Versions | None = None
    """The other Pythons that the built version was run with; theirs is the one that produced the CPU records."""
    _hashes: dict[tuple[str, str], tuple[Script, Record | None, tuple[str, str]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Every release, the built one included, oldest first."""
        return tuple(sorted({*(one.name for one in self.all), *filter(None, [self.built])}, key=order))

    @functools.cached_property
    def _telling(self) -> frozenset[tuple[str, str]]:
        """``(recipe, cell)`` of the cells of which any release tells something else, up to date or not: few."""
        return frozenset(
            (recipe, name)
            for one in self.all
            for recipe, found in one.cells.items()
            for name, finding in found.items()
            if _tells(finding)
        )

    @functools.cached_property
    def _by_name(self) -> dict[str, Version]:
        return {one.name: one for one in self.all}

    def find(self, name: str) -> Version | None:
        """Return the record of a release, or ``None``."""
        return self._by_name.get(name)

    def finding(self, version: Version, script: Script, cell: Cell, record: Record | None) -> Finding | None:
        """Return the finding for a cell in a release.

        Args:
            version: The release.
            script: The cell's script.
            cell: The cell.
            record: The built version's CPU record of the script.

        Returns:
            The finding; ``None`` if it is stale or does not exist.
        """
        return _current(version, Project.recipe(script.path), cell, self._now(script, cell, record))

    def _now(self, script: Script, cell: Cell, record: Record | None) -> tuple[str, str]:
        """Return the current hashes of a cell's code and approved output. Cached, because they are needed often."""
        key = (script.path, cell.name)
        known = self._hashes.get(key)
        if known is None or known[0] is not script or known[1] is not record:
            known = self._hashes[key] = (script, record, (script.codes[cell.name], built(cell, record)))
        return known[2]

    def ranges(self, script: Script, cell: Cell, record: Record | None) -> tuple[Range, ...]:
        """Group the releases by what they print for a cell.

        Left out are releases in which the cell is stale, or could not be run because of the machine and not because of
        PyTorch.

        Args:
            script: The cell's script.
            cell: The cell.
            record: The built version's CPU record of the script.

        Returns:
            The ranges, oldest first; an empty tuple if all releases print the same.
        """
        recipe = Project.recipe(script.path)
        if (recipe, cell.name) not in self._telling:
            return ()  # most cells
        now = self._now(script, cell, record)
        single = [one for name in self.names if (one := self._one(name, recipe, cell, now))]
        if all(one.kind is Kind.SAME for one in single):
            return ()
        found: list[Range] = []
        for one in single:
            if found and _alike(found[-1], one):
                before = found.pop()
                one = replace(one, versions=(*before.versions, *one.versions), built=before.built or one.built)
            found.append(one)
        return tuple(found)

    def _one(self, name: str, recipe: str, cell: Cell, now: tuple[str, str]) -> Range | None:
        if name == self.built:
            return Range((name,), Kind.SAME, built=True)
        version = self.find(name)
        found = _current(version, recipe, cell, now) if version else None
        if version is None or found is None:
            return None
        match found.status:
            case Status.SAME:
                return Range((name,), Kind.SAME)
            case Status.VARIES:  # nothing is known if it varies in this release only
                return Range((name,), Kind.SAME) if cell.varies else None
            case Status.NOT_RUN:
                kind, _, reason = found.reason.partition(":")
                return Range((name,), Kind.NOT_RUN, reason=reason) if kind == "cell" else None
        outputs = version.outputs(recipe, cell.name)
        return Range((name,), Kind.ABSENT if found.status is Status.ABSENT else Kind.OTHER, outputs)

    def expected(self, script: Script, record: Record, here: str) -> Record:
        """Return a record with what its cells must print in a release: what the release was recorded to print.

        A release that was not recorded, or not with a cell as it is now, must print what the one before it does.

        Args:
            script: The script.
            record: The built version's CPU record of it.
            here: The release, such as ``python-3.14``.

        Returns:
            The record; cells that must print something else are other objects in it.
        """
        names = [name for name in self.names[::-1] if order(name) <= order(here)]
        newest = [self._by_name[name] for name in itertools.takewhile(lambda name: name != self.built, names)]
        if not newest:
            return record
        return replace(record, cells=tuple(self._printed(newest, script, cell, record) for cell in record.cells))

    def _printed(
        self, newest: Sequence[Version], script: Script, recorded: RecordedCell, record: Record
    ) -> RecordedCell:
        """Return a recorded cell with what the first of some releases printed that has a finding for it."""
        recipe, cell = Project.recipe(script.path), script.cell(recorded.name)
        if cell and (recipe, cell.name) in self._telling:
            for one in newest:
                if found := self.finding(one, script, cell, record):
                    differs = found.status is Status.DIFFERS
                    return replace(recorded, outputs=one.outputs(recipe, cell.name)) if differs else recorded
        return recorded

    def covered(self, scripts: Iterable[tuple[Script, Record | None]]) -> tuple[str, ...]:
        """Return the releases with an up-to-date finding for every cell of these scripts, oldest first.

        For these releases, a page that shows the ranges of its cells shows every known difference.

        Args:
            scripts: Scripts, each with the built version's CPU record of it. Without any, no release is returned.
        """
        scripts = list(scripts)
        return tuple(
            one.name
            for one in self.all
            if scripts
            and all(self.finding(one, script, cell, record) for script, record in scripts for cell in script.cells)
        )

    def counts(self, version: Version, scripts: Mapping[str, Script], cpu: Mapping[str, Record]) -> Counts:
        """Count the cells of the book by outcome in one release.

        Args:
            version: The release.
            scripts: Script path → script.
            cpu: Script path → the built version's CPU record.
        """
        counts = dict.fromkeys(Status, 0)
        errors = stale = 0
        for path, script in scripts.items():
            for cell in script.cells:
                record = cpu.get(path)
                found = self.finding(version, script, cell, record)
                if found is None:
                    stale += 1
                    continue
                counts[found.status] += 1
                old = record.cell(cell.name) if record else None
                if found.status is Status.DIFFERS and old:
                    errors += _error(old.outputs) != _error(version.outputs(Project.recipe(script.path), cell.name))
        run = sum(counts.values()) - counts[Status.NOT_RUN]
        of = counts.__getitem__
        return Counts(
            run,
            of(Status.SAME),
            of(Status.DIFFERS),
            errors,
            of(Status.ABSENT),
            of(Status.VARIES),
            of(Status.NOT_RUN),
            stale,
        )

    def stale(self, scripts: Mapping[str, Script], cpu: Mapping[str, Record]) -> list[Problem]:
        """Return the releases, Pythons included, with stale or missing cells, those that lack the same as one problem.

        Args:
            scripts: Script path → script.
            cpu: Script path → the built version's CPU record.
        """
        lacking: dict[tuple[str, ...], list[str]] = {}
        for one in self.all:
            behind = tuple(
                f"{Project.recipe(script.path)}#{cell.name}"
                for path, script in scripts.items()
                for cell in script.cells
                if not self.finding(one, script, cell, cpu.get(path))
            )
            if behind:
                lacking.setdefault(behind, []).append(one.name)
        found = []
        for behind, releases in lacking.items():
            shown = ", ".join(behind[:5]) + (f" and {len(behind) - 5} more" if len(behind) > 5 else "")
            message = f"{len(behind)} cells are not what was run with {said(releases)}: {shown}"
            alone = len(releases) == 1
            place = f"outputs/versions/{releases[0]}/manifest.json" if alone else "outputs/versions"
            found.append(Problem(place, 0, message, again(releases)))
        return found + (self.pythons.stale(scripts, cpu) if self.pythons else [])


def _current(version: Version, recipe: str, cell: Cell, now: tuple[str, str]) -> Finding | None:
    """Return the finding for a cell in a release, unless it is of other code or another output than now."""
    found = version.cells.get(recipe, {}).get(cell.name)
    return found if found and (found.code, found.built) == now else None


def _tells(found: Finding) -> bool:
    """Whether a finding can be of another kind than `Kind.SAME`."""
    if found.status is Status.SAME or found.status is Status.VARIES:
        return False
    return found.status is not Status.NOT_RUN or found.reason.startswith("cell:")


def release(torch: str) -> str:
    """``2.13.0+cpu`` → ``2.13.0``."""
    return torch.partition("+")[0]


def python(version: str) -> str:
    """Return what a Python is called: ``3.13.0`` → ``python-3.13``; nothing for nothing."""
    return PYTHON + ".".join(version.split(".")[:2]) if version else ""


def said(names: Sequence[str]) -> str:
    """Return what messages call releases of one kind: ``torch 2.6.0, 2.8.0``, ``Python 3.13``."""
    kind = "Python" if names[0].startswith(PYTHON) else "torch"
    return f"{kind} {', '.join(name.removeprefix(PYTHON) for name in names)}"


def again(names: Sequence[str]) -> str:
    """Return the command that runs what is stale with releases of one kind."""
    which = " ".join(name.replace(PYTHON, "python") for name in names)
    asked = "PYTHONS" if names[0].startswith(PYTHON) else "TORCH"
    return f'make versions {asked}="{which}"' if len(names) > 1 else f"make versions {asked}={which}"


def order(name: str) -> tuple[int, ...]:
    """Return the sort key of a release: ``2.13.0`` → ``(2, 13, 0)``."""
    return tuple(map(int, re.findall(r"\d+", name)))


def collect(found: Iterable[Version], approved: Mapping[str, str]) -> Versions:
    """Return recorded releases beside the built version.

    Args:
        found: The releases, as `load` returns them; what is recorded of the built version itself is left out.
        approved: The environment that produced the CPU records.
    """
    torch, here = release(approved.get("torch", "")), python(approved.get("python", ""))
    found = list(found)
    pythons = tuple(one for one in found if one.name.startswith(PYTHON) and one.name != here)
    releases = tuple(one for one in found if not one.name.startswith(PYTHON) and one.name != torch)
    return Versions(torch, releases, Versions(here, pythons))


def built(cell: Cell, record: Record | None) -> str:
    """Return the hash of a cell's approved output; empty if there is none or if it varies from run to run."""
    old = record.cell(cell.name) if record else None
    return "" if old is None or old.skipped or cell.varies else old.outputs_sha[:8]


def _error(outputs: Outputs) -> list[Any]:
    return [output["traceback"] for output in outputs if output["output_type"] == "error"]


def _alike(one: Range, other: Range) -> bool:
    """Whether two ranges can be merged: same kind, same reason, equivalent outputs."""
    return (one.kind, one.reason) == (other.kind, other.reason) and alike(one.outputs, other.outputs)


#: Text that differs between releases but is not a change in torch's behaviour: line numbers in torch's source, type
#: names in NumPy's representation of scalars (``np.float32(1.0)``), the name of NumPy's internal module, and Gloo's log
#: of which processes found each other, whose order is chance.
_LINE = re.compile(r"(?P<file>[\w/-]+\.(?:cpp|cu|cuh|h|py))(?::\d+|\(\d+\))")
_FRAME = re.compile(r'(?P<file>File "…/[^"]*"), line \d+')
_GLOO = re.compile(r"^\[Gloo\] Rank \d+ is connected to \d+ peer ranks\..*\n?", re.MULTILINE)
_SCALAR = re.compile(r"\bnp\.(?:float|int|uint|complex|bool|str)\w*\((?P<value>[^()]*)\)")


def alike(one: Outputs, other: Outputs) -> bool:
    """Whether two outputs are equal up to rounding, line numbers of torch's source and NumPy's formatting."""
    return compare(_plain(one), _plain(other)) is not Change.DRIFT


def _plain(outputs: Outputs) -> list[dict[str, Any]]:
    def plain(text: str) -> str:
        text = _FRAME.sub(r"\g<file>", _LINE.sub(r"\g<file>", text))
        return _GLOO.sub("", _SCALAR.sub(r"\g<value>", text.replace("numpy._core.", "numpy.core.")))

    changed = [
        {**output, "text": plain(output["text"])}
        if "text" in output
        else {**output, "evalue": plain(output["evalue"]), "traceback": list(map(plain, output["traceback"]))}
        if "traceback" in output
        else output
        for output in outputs
    ]
    return [output for output in changed if output.get("text") != ""]


# -- files ------------------------------------------------------------------------------------------


def folder(project: Project) -> Path:
    """Return the folder of the other releases; it has one subfolder for each."""
    return project.outputs / "versions"


def load(project: Project, memo: Memo | None = None) -> tuple[tuple[Version, ...], list[Problem]]:
    """Read all recorded releases.

    Args:
        project: The project.
        memo: As in `verbatim.book.records.load`.

    Returns:
        The releases, oldest first, and problems for those that cannot be read or were edited by hand.
    """
    found, problems = [], []
    for path in sorted(folder(project).glob("*/")):
        try:
            found.append(read(project, path.name, memo))
        except Problems as error:
            problems += error.problems
    return tuple(sorted(found, key=lambda one: order(one.name))), problems


def read(project: Project, name: str, memo: Memo | None = None) -> Version:
    """Read one release. `memo`: as in `verbatim.book.records.load`.

    Raises:
        Problems: A file is missing, truncated, or was edited by hand.
    """
    path = folder(project) / name / "manifest.json"
    place, hint = project.relative(path), f"restore it with git, or run it again: {again([name])} FORCE=1"
    try:
        written = path.read_text(encoding="utf-8", errors="replace")
        about, missing, cells = (memo or Memo()).get("release", f"{name}\0{written}", lambda: _manifest(written, name))
    except (OSError, ValueError, RecursionError) as error:
        raise Problems([Problem(place, 0, f"the manifest cannot be read: {error}", hint)]) from error
    own, problems = {}, []
    for recipe in sorted({*_with_outputs(cells), *_notebooks(path.parent)}):
        try:
            own[recipe] = _record(project, name, recipe, cells.get(recipe, {}), memo)
        except Problems as error:
            problems += error.problems
    if problems:
        raise Problems(problems)
    return Version(name, about, cells, own, missing)


def _manifest(written: str, name: str) -> tuple[dict[str, str], tuple[str, ...], dict[str, dict[str, Finding]]]:
    """Return environment, missing names and findings of a release's manifest.

    Raises:
        ValueError: It is not what a run writes.
    """
    document = json.loads(written)
    if fact := _wrong(document, name):
        raise ValueError(fact)
    if written != _sealed(document):
        raise ValueError("it was changed by something other than a run")
    cells = {
        recipe: {name: _finding(said) for name, said in found.items()} for recipe, found in document["recipes"].items()
    }
    return document["environment"], tuple(document["missing"]), cells


def _notebooks(path: Path) -> list[str]:
    return [one.relative_to(path).with_suffix("").as_posix() for one in path.rglob("*.ipynb")]


def _with_outputs(cells: dict[str, dict[str, Finding]]) -> dict[str, list[str]]:
    """Return recipe → the cells that its notebook contains. Recipes without such cells are left out."""
    own = {
        recipe: [name for name, one in found.items() if one.status in (Status.DIFFERS, Status.ABSENT)]
        for recipe, found in cells.items()
    }
    return {recipe: names for recipe, names in own.items() if names}


def _record(project: Project, name: str, recipe: str, cells: dict[str, Finding], memo: Memo | None = None) -> Record:
    """Read a release's notebook of a recipe.

    Raises:
        Problems: It is missing, was edited by hand, or its cells are not those that the manifest lists.
    """
    path = folder(project) / name / f"{recipe}.ipynb"
    hint = f"restore it with git, or run it again: {again([name])} FORCE=1"
    record = records.load_from(project, path, recipe, "cpu", hint, memo)
    wanted = [cell for cell, one in cells.items() if one.status in (Status.DIFFERS, Status.ABSENT)]
    if record is None or [cell.name for cell in record.cells] != wanted:
        message = "the notebook is missing" if record is None else "the cells are not those that the manifest names"
        raise Problems([Problem(project.relative(path), 0, message, hint)])
    return record


def save(project: Project, version: Version) -> bool:
    """Write one release and delete notebooks that are no longer needed. Return whether any file changed."""
    base = folder(project) / version.name
    own = _with_outputs(version.cells)
    changed = False
    for recipe in _notebooks(base):
        if recipe not in own:
            (base / f"{recipe}.ipynb").unlink()
            changed = True
    environment = {key: version.about[key] for key in DECIDES}
    for recipe, names in own.items():
        record = version.records[recipe]
        cells = [cell for name in names if (cell := record.cell(name))]
        shown = tuple(Cell(cell.name, cell.source, 0, 0, **cell.options) for cell in cells)  # type: ignore[arg-type]
        script = Script(f"examples/{recipe}.py", "", record.title, shown)
        notebook = records.notebook(script, cells, recipe=recipe, environment=environment)
        changed |= write_if_changed(base / f"{recipe}.ipynb", notebook)
    document = {
        "format": FORMAT,
        **_named(version.name),
        "environment": version.about,
        "missing": list(version.missing),
        "recipes": {
            recipe: {name: str(one) for name, one in found.items()} for recipe, found in sorted(version.cells.items())
        },
    }
    return write_if_changed(base / "manifest.json", _sealed(document)) or changed


def renamed(text: str, old: str, new: str) -> str:
    """Return a manifest's text in which a recipe has another name."""
    document = json.loads(text)
    found = {new if recipe == old else recipe: cells for recipe, cells in document["recipes"].items()}
    return _sealed({**document, "recipes": dict(sorted(found.items()))})


def _named(name: str) -> dict[str, str]:
    """Return what a manifest says of which release it is."""
    return {"python": name.removeprefix(PYTHON)} if name.startswith(PYTHON) else {"torch": name}


def _sealed(document: dict[str, Any]) -> str:
    """Return a manifest as JSON text with its hash, one line per cell. Equal manifests give equal bytes."""
    body = {key: value for key, value in document.items() if key != "sha"}
    sha = hashlib.sha256(json.dumps(body).encode()).hexdigest()[:16]
    return json.dumps({**body, "sha": sha}, ensure_ascii=False, indent=1) + "\n"


_STATUSES = {str(status): status for status in Status}
_FINDING = re.compile(r"(?P<code>[0-9a-f]{8}) (?P<built>[0-9a-f]{8}|-) (?P<status>\w+)(?: (?P<reason>[\w:.-]+))?")


def _finding(said: str) -> Finding:
    match = _FINDING.fullmatch(said)
    if not match:
        raise ValueError(f"a cell says {said[:60]!r}")
    was = "" if match["built"] == "-" else match["built"]
    status = _STATUSES.get(match["status"])
    if status is None:
        raise ValueError(f"a cell says {said[:60]!r}")
    return Finding(match["code"], was, status, match["reason"] or "")


def _wrong(document: Any, name: str) -> str:
    """Describe the first error in the structure of a release's manifest; empty if it is valid."""
    shape: dict[str, Callable[[Any], bool]] = {
        "format": lambda value: value == FORMAT,
        **{key: functools.partial(operator.eq, which) for key, which in _named(name).items()},
        "environment": lambda value: not sayings(value, ABOUT) and {*DECIDES} <= {*value},
        "missing": texts,
        "recipes": lambda value: isinstance(value, dict) and all(map(_cells, value.values())),
        "sha": text,
    }
    fact = wrong_keys(document, shape)
    return f"it {fact}" if fact else ""


def _cells(value: Any) -> bool:
    return isinstance(value, dict) and all(map(text, (*value, *value.values())))

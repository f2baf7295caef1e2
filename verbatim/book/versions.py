"""What other releases of torch print: read from `outputs/versions`, compared with the built version's records.

`make versions` runs the scripts with another torch and writes `outputs/versions/<release>/`:

- `manifest.json`: what ran (torch, Python, NumPy, Matplotlib, system, date), which public names the release lacks, and
  of every cell a `Finding`: what came of it, with a hash of the code that ran and of the output it was compared with.
- `<recipe>.ipynb`: an executed notebook like the built version's records, of the cells that print something else alone.

A build reads this and needs none of those releases. A cell whose code, or whose approved output, is another by now is
stale: nothing is said of it until it is run again. That is a hint (`stale`), never a problem.

Pages ask `Versions.ranges` for what to show below a cell, `Versions.covered` for the releases that a page holds for,
and `Versions.counts` for the table.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from verbatim.book import records
from verbatim.book.allowed import text, texts, wrong_keys
from verbatim.book.compare import Change, compare
from verbatim.book.form import DECIDES, sayings
from verbatim.book.records import Record
from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.run.script import Cell, Script

FORMAT = 1
#: What a manifest says of the machine that ran the release.
ABOUT = (*DECIDES, "platform", "date")
Outputs = tuple[dict[str, Any], ...]


class Status(StrEnum):
    """What came of one cell under one release."""

    SAME = "same"
    """It printed what the built version prints, but for rounding."""
    DIFFERS = "differs"
    """It printed something else; the release's notebook has it."""
    ABSENT = "absent"
    """It asks for something that the release has not; the notebook has the error."""
    NOT_RUN = "skipped"
    """It could not be run; `Finding.reason` says why."""
    VARIES = "varies"
    """It ran; its output changes from run to run, so there is nothing to compare."""


@dataclass(frozen=True)
class Finding:
    """What came of one cell under one release, and what that holds for."""

    code: str
    """Hash of the code that ran: the script up to and including this cell (`codes`)."""
    built: str
    """Hash of the approved output that it was compared with (`built`)."""
    status: Status
    reason: str = ""
    """Of a cell that was not run. `needs:no-cuda`: a capability that the machine lacked. `cell:setup`: what the cell
    needs of an earlier cell, which failed there. `ended`: the process ended before. `unrecorded`: the built version has
    no output to compare with."""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.code, self.built or "-", self.status, self.reason)))


@dataclass(frozen=True)
class Version:
    """One release, as it was recorded."""

    torch: str
    """The release, such as ``2.6.0``."""
    about: dict[str, str] = field(default_factory=dict)
    """What ran it, the keys of `ABOUT`; ``torch`` here names the build, such as ``2.6.0+cu124``."""
    cells: dict[str, dict[str, Finding]] = field(default_factory=dict)
    """Recipe → cell → what came of it."""
    records: dict[str, Record] = field(default_factory=dict)
    """Recipe → the cells that differ or are absent."""
    missing: tuple[str, ...] = ()
    """Public names that the book uses and this release has not, sorted."""

    def outputs(self, recipe: str, cell: str) -> Outputs:
        """Return what a cell that differs, or is absent, printed; nothing for others."""
        record = self.records.get(recipe)
        found = record.cell(cell) if record else None
        return found.outputs if found else ()


class Kind(StrEnum):
    """What a range of releases has in common."""

    SAME = "same"
    """They print what the built version prints; it is one of them, or they lie beside it."""
    OTHER = "other"
    """They print something else: `Range.outputs`."""
    ABSENT = "absent"
    """They have not what the cell asks for: `Range.outputs` holds the error."""
    NOT_RUN = "not run"
    """The cell needs what an earlier cell, absent there, would have made: `Range.reason` is that cell's name."""


@dataclass(frozen=True)
class Range:
    """Recorded releases, next to each other, that print the same."""

    versions: tuple[str, ...]
    """Each was run. Of releases between them, which were not, nothing is known."""
    kind: Kind
    outputs: Outputs = ()
    """What the newest of them printed; nothing for `Kind.SAME`, whose output is the built version's."""
    reason: str = ""
    built: bool = False
    """Whether the built version is one of them."""

    @property
    def first(self) -> str:
        """The oldest."""
        return self.versions[0]

    @property
    def last(self) -> str:
        """The newest."""
        return self.versions[-1]


@dataclass(frozen=True)
class Counts:
    """The line of a release in the table. Cells that are stale are in `stale` alone."""

    run: int = 0
    """Cells that were run: same, changed, absent or varying."""
    same: int = 0
    changed: int = 0
    """Print something else; `errors` are among them."""
    errors: int = 0
    """Of the changed ones: an error is new, gone, or has another message."""
    absent: int = 0
    varies: int = 0
    not_run: int = 0
    stale: int = 0


@dataclass(frozen=True)
class Versions:
    """All releases that were recorded, beside the built one."""

    built: str = ""
    """The built version's release; nothing where there are no records."""
    all: tuple[Version, ...] = ()
    """The others, oldest first."""
    _hashes: dict[tuple[str, str], tuple[Script, Record | None, tuple[str, str]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def names(self) -> tuple[str, ...]:
        """Every release, the built one included, oldest first."""
        return tuple(sorted({*(one.torch for one in self.all), *filter(None, [self.built])}, key=order))

    def find(self, torch: str) -> Version | None:
        """Return the record of a release, or ``None``."""
        return next((one for one in self.all if one.torch == torch), None)

    def finding(self, version: Version, script: Script, cell: Cell, record: Record | None) -> Finding | None:
        """Return what came of a cell, if it still holds; ``None`` where it is stale or was not there.

        `record`: the built version's CPU record of the script.
        """
        found = version.cells.get(_recipe(script), {}).get(cell.name)
        return found if found and (found.code, found.built) == self._now(script, cell, record) else None

    def _now(self, script: Script, cell: Cell, record: Record | None) -> tuple[str, str]:
        """Return the hashes of a cell's code and approved output. Pages and lists ask for them often."""
        key = (script.path, cell.name)
        known = self._hashes.get(key)
        if known is None or known[0] is not script or known[1] is not record:
            known = self._hashes[key] = (script, record, (codes(script)[cell.name], built(cell, record)))
        return known[2]

    def ranges(self, script: Script, cell: Cell, record: Record | None) -> tuple[Range, ...]:
        """Return what a cell prints in which releases, oldest first; nothing where all print the same.

        Releases in which a cell is stale, or could not be run for a reason that is the machine's and not PyTorch's, are
        left out. `record`: the built version's CPU record of the script.
        """
        found: list[Range] = []
        for name in self.names:
            one = self._one(name, script, cell, record)
            if one is None:
                continue
            if found and _alike(found[-1], one):
                before = found.pop()
                one = replace(one, versions=(*before.versions, name), built=before.built or one.built)
            found.append(one)
        return () if all(one.kind is Kind.SAME for one in found) else tuple(found)

    def _one(self, name: str, script: Script, cell: Cell, record: Record | None) -> Range | None:
        if name == self.built:
            return Range((name,), Kind.SAME, built=True)
        version = self.find(name)
        found = self.finding(version, script, cell, record) if version else None
        if version is None or found is None:
            return None
        match found.status:
            case Status.SAME:
                return Range((name,), Kind.SAME)
            case Status.VARIES:  # where the cell says so, it ran; where it varies in this release alone, nothing holds
                return Range((name,), Kind.SAME) if cell.varies else None
            case Status.NOT_RUN:
                kind, _, reason = found.reason.partition(":")
                return Range((name,), Kind.NOT_RUN, reason=reason) if kind == "cell" else None
        outputs = version.outputs(_recipe(script), cell.name)
        return Range((name,), Kind.ABSENT if found.status is Status.ABSENT else Kind.OTHER, outputs)

    def covered(self, scripts: Iterable[tuple[Script, Record | None]]) -> tuple[str, ...]:
        """Return the releases, oldest first, that ran every cell of these scripts of which they could: none is stale.

        So a page that shows the ranges of its cells has said all that these releases print differently.
        """
        scripts = list(scripts)
        return tuple(
            one.torch
            for one in self.all
            if scripts
            and all(self.finding(one, script, cell, record) for script, record in scripts for cell in script.cells)
        )

    def counts(self, version: Version, scripts: Mapping[str, Script], cpu: Mapping[str, Record]) -> Counts:
        """Count what came of all cells of the book. Keys of `scripts` and `cpu` are script paths."""
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
                    errors += _error(old.outputs) != _error(version.outputs(_recipe(script), cell.name))
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
        """Return one hint for each release that has cells to run again. Keys are script paths."""
        found = []
        for one in self.all:
            behind = [
                f"{_recipe(script)}#{cell.name}"
                for path, script in scripts.items()
                for cell in script.cells
                if not self.finding(one, script, cell, cpu.get(path))
            ]
            if behind:
                shown = ", ".join(behind[:5]) + (f" and {len(behind) - 5} more" if len(behind) > 5 else "")
                message = f"{len(behind)} cells are not what was run with torch {one.torch}: {shown}"
                found.append(
                    Problem(
                        f"outputs/versions/{one.torch}/manifest.json", 0, message, f"make versions TORCH={one.torch}"
                    )
                )
        return found


def release(torch: str) -> str:
    """``2.13.0+cpu`` → ``2.13.0``."""
    return torch.partition("+")[0]


def order(torch: str) -> tuple[int, ...]:
    """Key by which releases are sorted."""
    return tuple(map(int, re.findall(r"\d+", torch)))


@functools.lru_cache(maxsize=4096)
def codes(script: Script) -> dict[str, str]:
    """Return cell → hash of the code that runs up to its end: what cells before it do can change what it prints."""
    digest, found = hashlib.sha256(), {}
    for cell in script.cells:
        digest.update(repr((cell.source, cell.needs)).encode())
        found[cell.name] = digest.hexdigest()[:8]
    return found


def built(cell: Cell, record: Record | None) -> str:
    """Return the hash of a cell's approved output; nothing where there is none, or where it varies anyway."""
    old = record.cell(cell.name) if record else None
    return "" if old is None or old.skipped or cell.varies else records.outputs_sha(old.outputs)[:8]


def _recipe(script: Script) -> str:
    return script.path.removeprefix("examples/").removesuffix(".py")


def _error(outputs: Outputs) -> list[Any]:
    return [output["traceback"] for output in outputs if output["output_type"] == "error"]


def _alike(one: Range, other: Range) -> bool:
    """Whether two ranges say the same."""
    return (one.kind, one.reason) == (other.kind, other.reason) and alike(one.outputs, other.outputs)


#: What is another in each release, or with each NumPy, and says nothing of torch: lines of torch's own source, whether
#: NumPy names the type of a number that it prints, the name of its own inner module, and that processes found each
#: other (some releases log it, in an order that is chance).
_LINE = re.compile(r"(?P<file>[\w/-]+\.(?:cpp|cu|cuh|h|py))(?::\d+|\(\d+\))")
_FRAME = re.compile(r'(?P<file>File "…/[^"]*"), line \d+')
_GLOO = re.compile(r"^\[Gloo\] Rank \d+ is connected to \d+ peer ranks\..*\n?", re.MULTILINE)
_SCALAR = re.compile(r"\bnp\.(?:float|int|uint|complex|bool|str)\w*\((?P<value>[^()]*)\)")


def alike(one: Outputs, other: Outputs) -> bool:
    """Whether two releases print the same, but for rounding and for what is not PyTorch's doing."""
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
    """Where the records of other releases lie, a folder each."""
    return project.outputs / "versions"


def load(project: Project) -> tuple[tuple[Version, ...], list[Problem]]:
    """Read every release, oldest first. What cannot be read, or was changed by hand, becomes problems."""
    found, problems = [], []
    for path in sorted(folder(project).glob("*/")):
        try:
            found.append(read(project, path.name))
        except Problems as error:
            problems += error.problems
    return tuple(sorted(found, key=lambda one: order(one.torch))), problems


def read(project: Project, torch: str) -> Version:
    """Read one release.

    Raises:
        Problems: a file is missing, cut off, or was not written by a run.
    """
    path = folder(project) / torch / "manifest.json"
    place, hint = project.relative(path), f"restore it with git, or run it again: make versions TORCH={torch} FORCE=1"
    try:
        written = path.read_text(encoding="utf-8", errors="replace")
        document = json.loads(written)
        if fact := _wrong(document, torch):
            raise ValueError(fact)
        if written != _sealed(document):
            raise ValueError("it was changed by something other than a run")
        cells = {
            recipe: {name: _finding(said) for name, said in found.items()}
            for recipe, found in document["recipes"].items()
        }
    except (OSError, ValueError, RecursionError) as error:
        raise Problems([Problem(place, 0, f"the manifest cannot be read: {error}", hint)]) from error
    own, problems = {}, []
    for recipe in sorted({*_with_outputs(cells), *_notebooks(path.parent)}):
        try:
            own[recipe] = _record(project, torch, recipe, cells.get(recipe, {}))
        except Problems as error:
            problems += error.problems
    if problems:
        raise Problems(problems)
    return Version(torch, document["environment"], cells, own, tuple(document["missing"]))


def _notebooks(path: Path) -> list[str]:
    return [one.relative_to(path).with_suffix("").as_posix() for one in path.rglob("*.ipynb")]


def _with_outputs(cells: dict[str, dict[str, Finding]]) -> dict[str, list[str]]:
    """Return recipe → the cells of which its notebook holds outputs."""
    own = {
        recipe: [name for name, one in found.items() if one.status in (Status.DIFFERS, Status.ABSENT)]
        for recipe, found in cells.items()
    }
    return {recipe: names for recipe, names in own.items() if names}


def _record(project: Project, torch: str, recipe: str, cells: dict[str, Finding]) -> Record:
    """Read a release's notebook of a recipe.

    Raises:
        Problems: it is missing, was not written by a run, or holds other cells than the manifest names.
    """
    path = folder(project) / torch / f"{recipe}.ipynb"
    hint = f"restore it with git, or run it again: make versions TORCH={torch} FORCE=1"
    record = records.load_from(project, path, recipe, "cpu", hint)
    wanted = [name for name, one in cells.items() if one.status in (Status.DIFFERS, Status.ABSENT)]
    if record is None or [cell.name for cell in record.cells] != wanted:
        message = "the notebook is missing" if record is None else "the cells are not those that the manifest names"
        raise Problems([Problem(project.relative(path), 0, message, hint)])
    return record


def save(project: Project, version: Version) -> bool:
    """Write one release, and remove notebooks that say nothing any more. Return whether a file changed."""
    base = folder(project) / version.torch
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
        "torch": version.torch,
        "environment": version.about,
        "missing": list(version.missing),
        "recipes": {
            recipe: {name: str(one) for name, one in found.items()} for recipe, found in sorted(version.cells.items())
        },
    }
    return write_if_changed(base / "manifest.json", _sealed(document)) or changed


def _sealed(document: dict[str, Any]) -> str:
    """Return a manifest as text, with its hash: the same bytes for the same manifest, a line for each cell."""
    body = {key: value for key, value in document.items() if key != "sha"}
    sha = hashlib.sha256(json.dumps(body).encode()).hexdigest()[:16]
    return json.dumps({**body, "sha": sha}, ensure_ascii=False, indent=1) + "\n"


_FINDING = re.compile(r"(?P<code>[0-9a-f]{8}) (?P<built>[0-9a-f]{8}|-) (?P<status>\w+)(?: (?P<reason>[\w:.-]+))?")


def _finding(said: str) -> Finding:
    match = _FINDING.fullmatch(said)
    if not match:
        raise ValueError(f"a cell says {said[:60]!r}")
    was = "" if match["built"] == "-" else match["built"]
    return Finding(match["code"], was, Status(match["status"]), match["reason"] or "")


def _wrong(document: Any, torch: str) -> str:
    """Say what no run writes into a release's manifest, or nothing."""
    shape: dict[str, Callable[[Any], bool]] = {
        "format": lambda value: value == FORMAT,
        "torch": lambda value: value == torch,
        "environment": lambda value: not sayings(value, ABOUT) and {*DECIDES} <= {*value},
        "missing": texts,
        "recipes": lambda value: isinstance(value, dict) and all(map(_cells, value.values())),
        "sha": text,
    }
    fact = wrong_keys(document, shape)
    return f"it {fact}" if fact else ""


def _cells(value: Any) -> bool:
    return isinstance(value, dict) and all(map(text, (*value, *value.values())))

"""Every way of building the same scripts and pages, in one run: `make bench`.

    python -m scripts.benchmarks.run [--quick] [--sizes 40,200,1000] [--rounds 3] [--only this,plain,…]

In each round each way builds four times: cold (nothing cached), warm (nothing changed), with one script changed, and with
another version of torch installed. A time counts once every page shows the outputs that bare `exec` prints. Rounds of the
ways are interleaved, and ratios are taken within a round. The results go to `scripts/benchmarks/results.json`; tables and the plot
in both READMEs and on the site are made from that file, by `python -m scripts.benchmarks.report` alone, too.

The larger the corpus, the fewer the rounds: the table says how many. Nothing is extrapolated.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import importlib.metadata
import json
import os
import platform
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from scripts.benchmarks import environments, report
from scripts.benchmarks.corpus import Page, changed, corpus, stamp
from scripts.benchmarks.measure import timed
from scripts.benchmarks.shown import difference, lines
from scripts.benchmarks.ways import Floor, Way, ways
from verbatim.project import find_root, write_if_changed

SCENARIOS = ("cold", "warm", "edit", "torch")


class Bench:
    """One run over all ways. `folder` holds environments and builds; what is already there is used again."""

    def __init__(self, root: Path, folder: Path, *, only: list[str] | None = None, say: Any = None):
        self.root = root
        self.folder = folder
        self.say = say or (lambda text: print(text, file=sys.stderr, flush=True))
        self.version = importlib.metadata.version("torch")
        self.ways = {key: way for key, way in ways(root).items() if not only or key in only or key == "exec"}
        self.pythons: dict[str, str] = {}
        self.missing: dict[str, str] = {}
        """Way → why its environment could not be made."""
        self.wrong: list[str] = []
        """What built, and did not show what it should have shown."""
        self.runs: list[dict[str, Any]] = []

    def prepare(self) -> None:
        """Make the environments; a tool that cannot be installed is left out, by name."""
        for key, way in self.ways.items():
            try:
                made = environments.python(way.environment, self.folder / "environments") if way.environment else None
                self.pythons[key] = str(made or sys.executable)
            except OSError as error:
                self.missing[key] = str(error)
                self.say(f"{way.title}: cannot be installed: {error}")

    def measure(self, step: Step) -> None:
        """Build in each of the ways, which take turns."""
        size, pages = step.size, corpus(self.root, step.size)
        printed = self._reference(pages)
        for number in range(step.rounds):
            for key, way in self.ways.items():
                if key not in self.pythons or size > way.most:
                    continue
                self.say(f"{size} scripts, round {number + 1} of {step.rounds}: {way.title}")
                try:
                    self._round(way, pages, printed, number, step.scenarios if way.pages else step.scenarios[:1])
                except RuntimeError as error:
                    self.wrong.append(f"{way.title}, {size} scripts: {error}".replace(f"{self.root}{os.sep}", ""))
                    self.say(self.wrong[-1])
                    del self.pythons[key]  # it would fail again
                shutil.rmtree(self._place(way, size), ignore_errors=True)

    def _place(self, way: Way, size: int) -> Path:
        return self.folder / "work" / f"{way.key}-{size}"

    def _reference(self, pages: list[Page]) -> dict[str, list[str]]:
        """Return what each cell prints under bare `exec`, which the others must show, too."""
        floor = self.ways["exec"]
        assert isinstance(floor, Floor)
        place = self._place(floor, len(pages))
        place.mkdir(parents=True, exist_ok=True)
        floor.start(place, pages)
        timed(floor.command(sys.executable, place), place, self._environment())
        printed = floor.printed(place)
        silent = [page.name for page in pages if len(lines("".join(printed[page.name][:-1]))) == 0]
        if silent:
            raise RuntimeError(f"{', '.join(silent)} print nothing: there would be nothing to compare")
        return printed

    def _round(
        self, way: Way, pages: list[Page], printed: dict[str, list[str]], number: int, scenarios: tuple[str, ...]
    ) -> None:
        place = self._place(way, len(pages))
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        way.start(place, pages)
        for page in pages:
            way.write(place, page, printed[page.name])
        if way.key == "this":  # a real tree has its records, and a build compares with them
            timed([sys.executable, "-m", "verbatim", "record"], place, self._environment())
        pages = list(pages)
        for scenario in scenarios:
            version, environment = self.version, self._environment()
            if scenario == "cold":
                way.clear(place)
            if scenario == "edit":
                middle = len(pages) // 2
                pages[middle] = changed(pages[middle])
                way.write(place, pages[middle], self._pasted(pages[middle], printed, version))
            if scenario == "torch":
                version, environment = self._another_torch(environment)
                if not way.runs:  # pasted outputs are those of the new version, too
                    for page in pages:
                        way.write(place, page, self._pasted(page, printed, version))
            usage = timed(way.command(self.pythons[way.key], place), place, environment)
            stale = self._check(way, place, pages, printed, version, may_be_stale=scenario == "torch")
            run = {"way": way.key, "size": len(pages), "round": number, "scenario": scenario, "stale": stale}
            self.runs.append({**run, **_rounded(dataclasses.asdict(usage))})
            self.say(f"    {scenario}: {usage.seconds:.1f} s" + (f", {stale} pages show old outputs" if stale else ""))

    @staticmethod
    def _pasted(page: Page, printed: dict[str, list[str]], version: str) -> list[str]:
        return [*printed[page.name][:-1], stamp(page, version) + "\n"]

    def _check(
        self,
        way: Way,
        place: Path,
        pages: list[Page],
        printed: dict[str, list[str]],
        version: str,
        *,
        may_be_stale: bool,
    ) -> int:
        """Compare what all pages show with what they should. Return how many show outputs of the old torch.

        Raises:
            RuntimeError: A page or an output is missing, or is not equal.
        """
        stale = 0
        for page in pages:
            before = lines("".join(printed[page.name][:-1]))
            try:
                shown = way.shows(place, page)
            except (OSError, KeyError) as error:
                raise RuntimeError(f"{page.name}: there is no page ({error})") from error
            if may_be_stale and shown == [*before, stamp(page, self.version)]:
                stale += 1
            elif told := difference([*before, stamp(page, version)], shown):
                raise RuntimeError(f"{page.name}: {told}")
        return stale

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(self.root),
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "CUDA_VISIBLE_DEVICES": "",
            "NO_MKDOCS_2_WARNING": "1",
            "LC_ALL": "C.UTF-8",
        }

    def _another_torch(self, environment: dict[str, str]) -> tuple[str, dict[str, str]]:
        """Let the same torch say another version of itself to whoever asks what is installed, as caches do."""
        version = f"{self.version.partition('+')[0]}.post1"
        place = self.folder / "another-torch"
        folder = place / f"torch-{version}.dist-info"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
        return version, {**environment, "PYTHONPATH": f"{place}{os.pathsep}{environment['PYTHONPATH']}"}

    def results(self) -> dict[str, Any]:
        """Return everything that was measured, and on what."""
        described = {}
        for key, way in self.ways.items():
            if way.environment:
                version = environments.versions(way.environment)[way.package]
            else:
                version = importlib.metadata.version(way.package) if way.package else ""
            described[key] = {"version": version, "pages": way.pages}
        return {
            "date": datetime.date.today().isoformat(),
            "machine": machine(),
            "torch": self.version,
            "ways": described,
            "missing": self.missing,
            "wrong": self.wrong,
            "runs": self.runs,
        }


def _rounded(values: dict[str, float | None]) -> dict[str, float | None]:
    return {key: value and round(value, 3 if key == "seconds" else 1) for key, value in values.items()}


def join(part: str, runs: list[dict[str, Any]]) -> None:
    """Publish what a module of its own has measured. `part`: where it stands among the results."""
    root = find_root()
    path = root / report.RESULTS
    results = json.loads(path.read_text(encoding="utf-8"))
    torch = importlib.metadata.version("torch")
    results[part] = {"date": f"{datetime.date.today()}", "machine": machine(), "torch": torch, "runs": runs}
    write_if_changed(path, json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    report.publish(root, results)


def machine() -> dict[str, Any]:
    """Say on what this runs."""
    try:
        models = [line.split(":")[1] for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
    except OSError:
        models = []
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cpu": models[0].strip() if models else platform.processor() or platform.machine(),
        "cores": cores,
        "system": platform.system(),
        "python": platform.python_version(),
    }


@dataclasses.dataclass(frozen=True)
class Step:
    """So many scripts, so many rounds."""

    size: int
    rounds: int
    scenarios: tuple[str, ...] = SCENARIOS


def plan(sizes: list[int], rounds: int, *, quick: bool = False) -> list[Step]:
    """Return what is measured. The more scripts, the fewer rounds."""
    few, some = (3, 1) if quick else (6, 2)
    steps = [Step(few, some)]
    for size in sizes:
        turns = 1 if quick and size >= 40 else rounds if size <= 40 else rounds - 1 if size <= 200 else 1
        kinds = SCENARIOS if size <= 200 else SCENARIOS[:2]
        steps.append(Step(size, max(1, turns), kinds))
    return steps


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[40, 200, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--only", type=lambda text: text.split(","), help="keys of ways, as in scripts/benchmarks/ways.py"
    )
    parser.add_argument(
        "--quick", action="store_true", help="some minutes: 3 and 40 scripts, one round; 12 scripts, two"
    )
    parser.add_argument("--out", type=Path, help="write the results here, and no tables")
    options = parser.parse_args()
    if options.quick:
        options.sizes, options.rounds = [12, 40], 2
    root = find_root()
    started = time.perf_counter()
    bench = Bench(root, root / "build" / "benchmarks", only=options.only)
    bench.prepare()
    for step in plan(options.sizes, options.rounds, quick=options.quick):
        bench.measure(step)
    results = bench.results()
    path = options.out or root / report.RESULTS
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    results |= {
        part: kept[part] for part in ("edits", "processes") if part in kept
    }  # modules of these names measure them
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(report.text(results))
    if not options.out:
        report.publish(root, results)
    print(f"{(time.perf_counter() - started) / 60:.0f} minutes", file=sys.stderr)
    for told in bench.wrong:
        print(f"wrong: {told}", file=sys.stderr)
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Every way of building the same scripts and pages, in one run: `make bench`.

    python -m scripts.benchmarks.run [--sizes 6,40,200,1000] [--rounds 3] [--only this,plain,…] [--out FILE]

In each round each way builds four times: cold (nothing cached), warm (nothing changed), with one script changed, and with
another version of torch installed; ways without pages run the scripts once. What a way took counts once every page shows
the outputs that bare `exec` prints. Rounds of the ways are interleaved, and ratios are taken within a round. Results go
to `scripts/benchmarks/results.json`, of which `python -m scripts.benchmarks.report` makes tables and plots.

The larger the corpus, the fewer the rounds: the table says how many. Nothing is extrapolated.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import difflib
import importlib.metadata
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.benchmarks import report
from scripts.benchmarks.corpus import Page, changed, corpus, stamp
from scripts.benchmarks.measure import environment, measured
from scripts.benchmarks.ways import Way, lines, ways
from verbatim.project import find_root, write_if_changed

SCENARIOS = ("cold", "warm", "edit", "torch")
TORCH_VERSION = importlib.metadata.version("torch")
#: What another torch says its version is.
OTHER_VERSION = f"{TORCH_VERSION.partition('+')[0]}.post1"
FIXED_VARIABLES = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "LC_ALL": "C.UTF-8",
}


def measure(root: Path, size: int, rounds: int, only: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield what each way took with so many scripts.

    Raises:
        RuntimeError: A way failed, or a page does not show what it should.
    """
    home, pages, known = root / "build/benchmarks", corpus(root, size), ways(root)
    floor = known["exec"]
    place = _fresh(home / "work")
    floor.write(place, pages, {})
    measured(floor.command(sys.executable), place, environment(**FIXED_VARIABLES))
    printed = floor.printed(place)  # type: ignore[attr-defined]
    scenarios = SCENARIOS[: 4 if size <= 200 else 2]
    # Not below the project, whose folders an engine takes for its own: nobody installs packages there.
    with tempfile.TemporaryDirectory(prefix="another-torch-") as other:
        _write_another_torch(Path(other))
        for number in range(rounds):
            for way in known.values():
                if size <= way.most and (not only or way.key in only):
                    packages = str(home / way.package) if way.installed else ""
                    for run in _round(way, _fresh(place), pages, printed, packages, other, scenarios):
                        yield {**run, "size": size, "round": number}
    shutil.rmtree(place)


def _fresh(place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    return place


def _round(
    way: Way,
    place: Path,
    pages: list[Page],
    printed: dict[str, list[str]],
    packages: str,
    other_torch: str,
    scenarios: tuple[str, ...],
) -> Iterator[dict[str, Any]]:
    way.write(place, pages, printed)
    if way.key == "this":  # a real tree has its records, and a build compares with them
        measured([sys.executable, "-m", "verbatim", "record"], place, environment(**FIXED_VARIABLES))
        shutil.rmtree(place / ".cache")
    for scenario in scenarios if way.pages else scenarios[:1]:
        version, variables = TORCH_VERSION, environment(packages, **FIXED_VARIABLES)
        if scenario == "edit":
            middle = len(pages) // 2
            pages = [*pages[:middle], changed(pages[middle]), *pages[middle + 1 :]]
        if scenario == "torch":
            version = OTHER_VERSION
            variables["PYTHONPATH"] = os.pathsep.join((other_torch, variables["PYTHONPATH"]))
        if scenario == "edit" or (scenario == "torch" and not way.runs):
            way.write(place, pages, {page.name: [*printed[page.name][:-1], stamp(page, version)] for page in pages})
        usage = measured(way.command(sys.executable), place, variables)
        stale = check(way, place, pages, printed, version)
        took = {key: round(value, 3) for key, value in dataclasses.asdict(usage).items()}
        print(f"{len(pages)} scripts, {way.key}, {scenario}: {usage.seconds:.1f} s", file=sys.stderr, flush=True)
        yield {"way": way.key, "scenario": scenario, "stale": stale, **took}


def _write_another_torch(folder: Path) -> None:
    """Have the same torch, in this folder, another version for whoever asks what is installed, as caches do."""
    about = f"Metadata-Version: 2.1\nName: torch\nVersion: {OTHER_VERSION}\n"
    write_if_changed(folder / f"torch-{OTHER_VERSION}.dist-info/METADATA", about)


def check(way: Way, place: Path, pages: list[Page], printed: dict[str, list[str]], version: str) -> int:
    """Compare what all pages show with what they should. Return how many show outputs of the torch that is not there now.

    Raises:
        RuntimeError: A page is missing, or shows something else.
    """
    stale = 0
    for page in pages:
        before = lines("".join(printed[page.name][:-1]))
        try:
            shown = way.shows(place, page)
        except (OSError, KeyError) as error:
            raise RuntimeError(f"{way.key}, {page.name}: there is no page ({error})") from error
        if version != TORCH_VERSION and shown == [*before, stamp(page, TORCH_VERSION)]:
            stale += 1
        elif shown is not None and shown != [*before, stamp(page, version)]:
            difference = difflib.unified_diff([*before, stamp(page, version)], shown, "wanted", "shown", lineterm="")
            raise RuntimeError(f"{way.key}, {page.name}:\n" + "\n".join(difference))
    return stale


def results(root: Path, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what was measured, and on what."""
    described = {}
    for way in ways(root).values():
        path = [str(root / "build/benchmarks" / way.package), *sys.path]
        found = next(iter(importlib.metadata.distributions(name=way.package, path=path)), None) if way.package else None
        described[way.key] = {"version": found.version if found else "", "pages": way.pages}
    alone = [{**run, "seconds": run["processor"]} for run in runs if not described[run["way"]]["pages"]]
    return {**about(), "ways": described, "runs": runs, "processes": {**about(), "runs": alone}}


def about() -> dict[str, Any]:
    """Say when, on what and with which torch this runs."""
    models = [line.split(":")[1] for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
    machine = {
        "cpu": models[0].strip() if models else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.system(),
        "python": platform.python_version(),
    }
    return {"date": f"{datetime.date.today()}", "machine": machine, "torch": TORCH_VERSION}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="6,40,200,1000", help="numbers of scripts (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="with up to 40 scripts; with more, fewer (%(default)s)")
    parser.add_argument("--only", help="keys of ways, as in scripts/benchmarks/ways.py")
    parser.add_argument("--out", type=Path, help="write the results here, and no tables")
    options = parser.parse_args()
    root, runs = find_root(), []
    only = options.only.split(",") if options.only else None
    for size in sorted(map(int, options.sizes.split(",")), reverse=True):  # what fails only with many fails at once
        rounds = options.rounds if size <= 40 else max(1, options.rounds - 1) if size <= 200 else 1
        runs += measure(root, size, rounds, only)
    if options.out:
        options.out.write_text(json.dumps(results(root, runs), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    else:
        report.publish(root, results(root, runs))


if __name__ == "__main__":
    main()

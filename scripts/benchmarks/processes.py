"""What a process for each script costs, and how much of that no engine can spare: processor time of cold runs.

    python -m scripts.benchmarks.processes [--sizes 200,1000] [--rounds 2]

Four ways take turns with the scripts of `make bench`: bare `exec` in one process; processes that are forked with PyTorch
imported and end at once; such processes that run the script with bare `exec` and do nothing else; this project.
Processor time is of all processes, so that other work on the machine matters little. A time counts if each script printed
what it prints under `exec`. The results join those of `make bench` in `scripts/benchmarks/results.json`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.benchmarks.corpus import Page, corpus
from scripts.benchmarks.measure import processor
from scripts.benchmarks.run import join
from scripts.benchmarks.ways import Floor, Run
from verbatim.project import find_root


def measure(pages: list[Page], folder: Path, rounds: int) -> Iterator[dict[str, Any]]:
    """Yield the processor seconds of each way in each round.

    Raises:
        RuntimeError: A way failed, or a script printed something else than under `exec`.
    """
    floor, ours = Floor(), Run()
    places = {way: folder / way.key for way in (floor, ours)}
    for way, place in places.items():
        way.start(place, pages)
        for page in pages:
            way.write(place, page, [])
    for number in range(rounds):
        printed: dict[str, list[str]] = {}
        for key in ("exec", "ended", "forked", "run"):
            way = ours if key == "run" else floor
            way.clear(places[way])
            command = way.command(sys.executable, places[way]) + ([] if key == "run" else [key])
            seconds = processor(*command, folder=places[way])
            if key != "ended":
                shown = {page.name: way.shows(places[way], page) for page in pages}
                printed = printed or shown
                if wrong := [name for name in shown if shown[name] != printed[name]]:
                    raise RuntimeError(f"{key} printed something else: {', '.join(wrong)}")
            yield {"way": key, "size": len(pages), "round": number, "seconds": round(seconds, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="200,1000", help="numbers of scripts (%(default)s)")
    parser.add_argument("--rounds", type=int, default=2, help="with up to 200 scripts; with more, one (%(default)s)")
    options = parser.parse_args()
    os.environ |= {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
    runs = []
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as name:
            for run in measure(corpus(find_root(), size), Path(name), options.rounds if size <= 200 else 1):
                runs.append(run)
                print(run["way"], size, f"scripts: {run['seconds']:.1f} s", flush=True)
    join("processes", runs)


if __name__ == "__main__":
    main()

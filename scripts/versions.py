"""Record what other releases of torch, or the built one with other Pythons, print, for all recipes or for some.

    python scripts/versions.py                            # those of RELEASES that have something stale
    python scripts/versions.py 2.6.0 2.8.0 --recipes autograd/detach
    python scripts/versions.py 2.6.0 --force              # also what is not stale
    python scripts/versions.py --python python3.13        # what the built version prints with this Python

One release after another is installed in an environment of its own below the cache folder, runs the scripts on the CPU,
writes `outputs/versions/<release>/`, and is removed. On Linux each is the ordinary package, built with CUDA: 3 to 6 GB
of disk and some minutes; no GPU is used. A release that was recorded and has nothing stale is not installed, so that a
run that was interrupted goes on where it was. One that cannot be had is told and left out; then the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import scratch

from verbatim import progress
from verbatim.book.gather import Options, gather
from verbatim.book.releases import run
from verbatim.book.releases.model import python_release, sort_key
from verbatim.project import Project
from verbatim.run.script import Script

#: The releases that the site shows beside the built one: the last patch of each line, every second line or so.
RELEASES = ("1.13.1", "2.0.1", "2.2.2", "2.4.1", "2.6.0", "2.8.0", "2.10.0", "2.12.1", "2.14.1", "2.15.0")

#: Pythons of the releases that do not support the project's own: 1.13 came before 3.11, and 2.0 compiles nothing there.
PYTHONS = {"1.13.1": "python3.10", "2.0.1": "python3.10"}
#: What such a Python gets instead of pinned packages that need a newer one.
FOR_PYTHON_3_10 = ("matplotlib==3.10.9", "numpy==2.2.6", "pillow==12.3.0", "scikit-learn==1.7.2")

#: Releases below this one were built with NumPy 1 and print warnings, or fail, with NumPy 2.
NUMPY_2_SINCE = "2.3"
NUMPY_1 = "numpy==1.26.4"
#: Where such a release finds the project's own NumPy, below its environment: `setup/numpy-2` shows what it says of it.
BESIDE = "numpy-2"
#: What old releases import and do not ask pip for: `torch.utils.tensorboard` of 1.13.
UNDECLARED_PACKAGES = ("six==1.17.0",)


@dataclass(frozen=True)
class Asked:
    """A release that is to be recorded, and what it is installed with."""

    name: str
    """As it is recorded: ``2.6.0``, ``python-3.13``."""
    torch: str
    python: str = sys.executable


def with_torch(release: str) -> Asked:
    """Return a release of torch with a Python that it supports."""
    return Asked(release, release, PYTHONS.get(release, sys.executable))


def with_python(python: str, torch: str) -> Asked:
    """Return the built release of torch with another interpreter.

    Raises:
        CannotInstall: this Python is not here.
    """
    command = [python, "-c", "import platform; print(platform.python_version())"]
    try:
        version = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise scratch.CannotInstall(str(error)) from error
    return Asked(python_release(version), torch, python)


def wanted(release: str, text: str) -> list[str]:
    """Return what pip installs for a release: the pins of requirements.txt but for torch, and for NumPy where it must.

    Which setuptools a release takes differs (2.12.1: below 82), so pip chooses that.

    Args:
        release: such as ``2.6.0``.
        text: requirements.txt.
    """
    pins = pinned(release, text, [name for name in scratch.NEEDED_PACKAGES if name != "torch"])
    if sort_key(release) < sort_key(NUMPY_2_SINCE):
        pins = [NUMPY_1 if pin.startswith("numpy==") else pin for pin in pins]
    return [f"torch=={release}", *pins, "setuptools", *UNDECLARED_PACKAGES]


def pinned(release: str, text: str, names: Sequence[str]) -> list[str]:
    """Return the pins of these packages for the Python of a release."""
    older = FOR_PYTHON_3_10 if PYTHONS.get(release) == "python3.10" else ()
    instead = {pin.partition("==")[0]: pin for pin in older}
    return [instead.get(pin.partition("==")[0], pin) for pin in scratch.pins(text, names)]


def record(asked: Asked, recipes: list[str], names: Path, *, force: bool) -> int:
    """Install a release, run what is stale, remove it. Return the exit code of the run."""
    with scratch.environment(f"release-{asked.name}", asked.python, ordinary=True) as made:
        text = scratch.requirements()
        made.install("--no-compile", *wanted(asked.torch, text))
        if sort_key(asked.torch) < sort_key(NUMPY_2_SINCE):
            made.install("--no-compile", "--target", str(made.folder / BESIDE), *pinned(asked.torch, text, ["numpy"]))
        made.run("scripts/warm.py")
        options = ["--seconds", "120", "--names", str(names), *(["--all"] if force else [])]
        return made.run("-m", "verbatim", "versions", *options, *recipes)


def main(releases: list[str], recipes: list[str], pythons: Sequence[str] = (), *, force: bool) -> int:
    """Record these releases and Pythons. Return 1 if one could not be had, or its scripts could not be run."""
    project = Project(scratch.ROOT)
    if wrong := [name for name in releases if not re.fullmatch(r"\d+\.\d+\.\d+", name)]:
        print(f"{', '.join(wrong)}: no releases of torch\n  hint: write them as 2.6.0", file=sys.stderr)
        return 1
    only = {project.relative(path) for path in project.select(recipes)}
    book = gather(project, options=Options(run=only, progress=progress.Bar()))
    records = {project.relative(project.record(project.recipe(path), "cpu")) for path in only}
    if problems := [problem for problem in book.problems if not recipes or problem.path in only | records]:
        print(*problems, "a recipe must be whole before it is run with others", sep="\n", file=sys.stderr)
        return 1
    scripts: dict[str, Script] = {path: script for path, script in book.scripts.items() if path in only}
    used = {name for result in book.fresh_results.values() for cell in result.cells for name in cell.names}
    built, built_with = book.releases.built, book.releases.pythons.built if book.releases.pythons else ""
    failed = []
    with scratch.folder("names") as folder:
        names = folder / "names.json"
        for release in (*releases, *pythons):
            said = release if release in pythons else f"torch {release}"
            try:
                asked = with_python(release, built) if release in pythons else with_torch(release)
                stale = run.waiting(project, asked.name, scripts)
                known = book.releases.find(asked.name)  # what other recipes use is not known unless they are run
                names.write_text(json.dumps(sorted(used.union(known.missing if known else ()))), encoding="utf-8")
                if asked.name in (built, built_with):
                    print(f"{said}: the built version, recorded in outputs/cpu", flush=True)
                    continue
                if not stale and not force:
                    print(f"{said}: nothing is stale", flush=True)
                    continue
                print(f"{said}: {len(scripts) if force else len(stale)} scripts to run; installing", flush=True)
                if record(asked, recipes, names, force=force):
                    failed.append(release)
            except scratch.CannotInstall as error:
                failed.append(release)
                print(f"{said}: cannot be had here and is left out: {error}", file=sys.stderr, flush=True)
    if failed:
        print(f"not recorded: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", metavar="RELEASE")
    parser.add_argument("--python", action="append", default=[], help="an interpreter: python3.13")
    parser.add_argument("--recipes", nargs="+", default=[], metavar="RECIPE")
    parser.add_argument("--force", action="store_true", help="run everything, not only what is stale")
    given = parser.parse_args()
    releases = given.releases or ([] if given.python else list(RELEASES))
    sys.exit(main(releases, given.recipes, given.python, force=given.force))

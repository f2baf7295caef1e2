"""Run the whole book as other machines would, and print what differs from the records as a Markdown table.

    python scripts/portable.py [--only WORD] [--python PYTHON]... [--cuda] [--no-site] [--no-tests]

One machine can stand for several: libraries choose another processor's kernels when a variable says so, a core is taken
away, another Python or another build of torch is installed beside (below `.cache/scratch`, and removed afterwards). The
tests run, too, as on a machine that has nothing but what `make test` installs. The exit code is 1 if any cell prints
something else than what was approved, if two builds of the site differ, or if a test fails.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import scratch
from browser import present
from scratch import ROOT

#: What a machine that differs in all that must not matter has.
OTHER_MACHINE = {"TZ": "Asia/Shanghai", "LANG": "zh_CN.GBK", "LC_ALL": "C", "PYTHONHASHSEED": "7", "COLUMNS": "40"}
#: A checkout there.
FOLDER = "a checkout, é"
#: fontconfig's settings where there is no font.
NO_FONTS = "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'urn:fontconfig:fonts.dtd'><fontconfig/>"
#: What git knows where nobody has told it anything: nobody's name, and it guesses none.
NOBODY_SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true"},
}
#: Part of the name of a site's rows, for `--only`.
SITE = "site: two builds"


@dataclass(frozen=True)
class Profile:
    """A machine, and how this one stands for it."""

    name: str
    variables: dict[str, str] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()
    jobs: int = 0
    python: Path = Path(sys.executable)
    root: Path = ROOT
    umask: int = -1
    missing: str = ""
    """Why it cannot be tried here."""


def processors() -> list[Profile]:
    """Return profiles of processors, made of variables that the libraries read."""
    features = _numpy_features()
    wide = [name for name in features if "AVX512" in name or name == "X86_V4"]
    has = _flags()
    x86 = "" if has else "not on this processor"
    avx512 = "" if "avx512f" in has else "not on this processor"
    avx2 = {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "NPY_DISABLE_CPU_FEATURES": " ".join(wide),
    }
    least = {
        "ATEN_CPU_CAPABILITY": "default",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_CBWR": "COMPATIBLE",
        "NPY_DISABLE_CPU_FEATURES": " ".join(features),
    }
    wider = {"ATEN_CPU_CAPABILITY": "avx512", "ONEDNN_MAX_CPU_ISA": "AVX512_CORE", "MKL_ENABLE_INSTRUCTIONS": "AVX512"}
    return [
        Profile("as it is"),
        Profile("AVX2 only", avx2, missing=x86),
        Profile("AVX-512", wider, missing=avx512),
        Profile("MKL compatible with all processors", {"MKL_CBWR": "COMPATIBLE"}, missing=x86),
        Profile("torch without vector instructions", {"ATEN_CPU_CAPABILITY": "default"}),
        Profile("no vector instructions in any library", least, missing=x86),
    ]


def surroundings(beside: Path) -> list[Profile]:
    """Return profiles of what must not matter: cores, jobs, language, time zone, home folder, umask, path."""
    home = beside / "home"
    home.mkdir()
    return [
        Profile("one core", prefix=("taskset", "-c", "0"), missing="" if shutil.which("taskset") else "no taskset"),
        Profile("one job", jobs=1),
        Profile("many jobs", jobs=4 * (os.cpu_count() or 1)),
        Profile("elsewhere", OTHER_MACHINE | {"HOME": str(home)}, umask=0o077, root=_copy(beside / FOLDER)),
    ]


def bare(beside: Path) -> list[Profile]:
    """Return profiles of a machine that has nothing: no fonts, no git identity, no language, an empty home."""
    beside.mkdir()
    fonts, home = beside / "no-fonts.conf", beside / "home"
    fonts.write_text(NO_FONTS, encoding="utf-8")
    home.mkdir()
    passed = {name: os.environ[name] for name in ("PATH", "TMPDIR", "PYTEST_ADDOPTS") if name in os.environ}
    variables = passed | NOBODY_SETTINGS | {"LANG": "C", "HOME": str(home), "FONTCONFIG_FILE": str(fonts)}
    zones = {"UTC": "UTC", "half an hour off": "IST-5:30"}  # without a name, for which there may be no list of zones
    root = beside / "checkout"
    return [
        Profile(f"bare machine: tests, {name}", variables | {"TZ": zone}, root=root) for name, zone in zones.items()
    ]


@contextmanager
def installed(name: str, python: str, *, ordinary: bool = False) -> Iterator[Profile]:
    """Install what scripts need beside, unless this Python has it; the profile holds while the block runs.

    Args:
        name: the profile's.
        python: the interpreter.
        ordinary: torch as pip takes it where nobody has configured it.
    """
    asked = [python, "-c", "import torch, numpy, matplotlib"]
    if (
        shutil.which(python)
        and not ordinary
        and subprocess.run(asked, capture_output=True, check=False).returncode == 0
    ):
        yield Profile(name, python=Path(python))
        return
    with ExitStack() as stack:
        try:
            made = stack.enter_context(scratch.environment("portable", python, ordinary=ordinary))
            made.install(*scratch.pins(scratch.requirements(), scratch.NEEDED_PACKAGES))
        except scratch.CannotInstall as error:
            yield Profile(name, missing=f"cannot be installed: {error}")
            return
        yield Profile(name, python=made.python)


def look(profile: Profile) -> dict[str, object]:
    """Run the book as a profile says. Return what `_run_here` found, or what went wrong."""
    environment = {**os.environ, "PYTHONPATH": str(profile.root), **profile.variables}
    command = [*profile.prefix, str(profile.python), str(ROOT / "scripts/portable.py"), "--one", str(profile.jobs)]
    done = subprocess.run(
        command, cwd=profile.root, env=environment, capture_output=True, text=True, umask=profile.umask, check=False
    )
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return {"torch": "?", "cpu": "?", "cells": 0, "noise": 0, "skipped": 0, "drift": [last], "failed": []}


def tests(profile: Profile) -> dict[str, object]:
    """Run the tests as a profile says, with its variables alone. Return how many ran, and the names of the failed.

    The browser is the one that `make test` found or installed.
    """
    if not profile.root.exists():
        _copy(profile.root, history=True)
    report = profile.root.with_name("tests.xml")
    report.unlink(missing_ok=True)
    command = [profile.python, "-m", "pytest", "--quiet", "--junitxml", report]
    environment = profile.variables | {"PYTHONPATH": str(profile.root), "VERBATIM_BROWSER": present()}
    done = subprocess.run(
        command,
        cwd=profile.root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return counted(report, done.returncode, done.stdout)


def counted(report: Path, code: int, said: str) -> dict[str, object]:
    """Return what pytest's report says: tests that ran, tests that were skipped, those that failed and why.

    Args:
        report: JUnit's XML; there is none where pytest could not begin.
        code: its exit code.
        said: what it printed.
    """
    cases = list(ElementTree.parse(report).iter("testcase")) if report.is_file() else []
    skipped = [case for case in cases if case.find("skipped") is not None]
    failed = []
    for case in cases:
        for element in (*case.findall("failure"), *case.findall("error")):
            why = (element.get("message") or "").strip().partition("\n")[0]
            failed.append(f"{case.get('classname')}::{case.get('name')}: {why}")
    if code and not failed:
        failed = [(said.strip().splitlines() or [f"exit code {code}"])[-1]]
    return {"tests": len(cases) - len(skipped), "skipped": len(skipped), "failed": failed}


def _run_here(jobs: int) -> dict[str, object]:
    """Run the book in this process's environment and compare every cell with its record."""
    from verbatim.book.gather import Options, drift, gather
    from verbatim.project import Project, find_root

    book = gather(Project(find_root()), options=Options(jobs=jobs or None, fresh=True))
    cells = [(name, cell) for name, result in book.fresh_results.items() for cell in result.cells]
    noise = 0
    for name, cell in cells:
        record, script = book.expected(name), book.scripts[name].cell(cell.name)
        old = record.cell(cell.name) if record else None
        if old and script and not cell.skipped and not script.varies and old.outputs != cell.outputs:
            noise += 1
    drifted = drift(book)
    return {
        "torch": book.ran.get("torch", "?"),
        "python": book.ran.get("python", "?"),
        "cpu": book.ran.get("cpu", "?"),
        "cells": len(cells),
        "skipped": sum(bool(cell.skipped) for _, cell in cells),
        "noise": noise - sum(bool(change.diff) for change in drifted),
        "drift": [str(change.problem(book)) for change in drifted],
        "failed": [str(problem) for problem in book.problems],
    }


def table(rows: list[tuple[Profile, dict[str, object]]]) -> Iterator[str]:
    """Yield lines of Markdown: a row a profile, and below what differs."""
    yield "| machine | torch | Python | kernels | cells | not run | within rounding | drift | failed |"
    yield "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for profile, result in rows:
        if profile.missing:
            yield f"| {profile.name} | {profile.missing} | | | | | | | |"
            continue
        numbers = (result["cells"], result["skipped"], result["noise"], len(result["drift"]), len(result["failed"]))
        about = (result["torch"], result.get("python", "?"), result["cpu"])
        yield f"| {' | '.join(map(str, (profile.name, *about, *numbers)))} |"
    for profile, result in rows:
        if told := [*result.get("failed", ()), *result.get("drift", ())]:
            yield from ("", f"## {profile.name}", "", "```text", *told, "```")


def of_tests(rows: list[tuple[Profile, dict[str, object]]]) -> Iterator[str]:
    """Yield lines of Markdown: a row a machine on which the tests ran, and below which failed."""
    yield "| machine | tests that ran | skipped | failed |"
    yield "| --- | ---: | ---: | ---: |"
    for profile, result in rows:
        yield f"| {profile.name} | {result['tests']} | {result['skipped']} | {len(result['failed'])} |"
    for profile, result in rows:
        if result["failed"]:
            yield from ("", f"## {profile.name}", "", "```text", *result["failed"], "```")


def sites(beside: Path) -> list[str]:
    """Build the site twice, in two checkouts of two people, and return the files that differ."""
    built = []
    for number, (folder, variables, umask) in enumerate((("one", {}, 0o022), (f"two, {FOLDER}", OTHER_MACHINE, 0o077))):
        root = _copy(beside / folder, history=True)
        environment = {**os.environ, "PYTHONPATH": str(root), "NO_MKDOCS_2_WARNING": "1", **variables}
        one_core = ["taskset", "-c", "0"] if number and shutil.which("taskset") else []
        command = [*one_core, sys.executable, "-m", "mkdocs", "build"]
        subprocess.run(command, cwd=root, env=environment, umask=umask, check=True, stdout=subprocess.DEVNULL)
        built.append(root / "site")
    files = [{path.relative_to(site) for path in site.rglob("*") if path.is_file()} for site in built]
    differ = files[0] ^ files[1]
    differ |= {name for name in files[0] & files[1] if not filecmp.cmp(built[0] / name, built[1] / name, shallow=False)}
    return sorted(map(str, differ))


def _copy(folder: Path, *, history: bool = False) -> Path:
    """Copy the checkout as it is, without what git ignores; with `history`, dates come out the same."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    if history:
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)], check=True)
    for name in filter(None, listing.stdout.decode().split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return folder


def _flags() -> set[str]:
    """Return what an x86-64 processor can do, by Linux; nothing on others."""
    try:
        return set(re.findall(r"\w+", re.search(r"^flags.*$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[0]))
    except (OSError, TypeError):
        return set()


def _numpy_features() -> list[str]:
    """Return the instruction sets that NumPy chooses among while it runs."""
    code = "import numpy._core._multiarray_umath as m; print(*m.__cpu_dispatch__)"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def main() -> int:
    """Print the table. Return 0 if nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="only rows with this in their name: bare, site …")
    parser.add_argument("--python", action="append", default=[], help="another Python to try: python3.13")
    parser.add_argument(
        "--cuda", action="store_true", help="try the torch that pip takes by itself, with CUDA on Linux (5 GB)"
    )
    parser.add_argument("--no-site", action="store_true", help="do not build the site twice")
    parser.add_argument("--no-tests", action="store_true", help="do not run the tests")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        sys.path.insert(0, os.getcwd())
        print(json.dumps(_run_here(options.one)))
        return 0
    rows: list[tuple[Profile, dict[str, object]]] = []
    tested: list[tuple[Profile, dict[str, object]]] = []
    twice = not options.no_site and options.only in SITE

    def attempt(profile: Profile) -> None:
        rows.append((profile, {} if profile.missing else look(profile)))
        done(profile)

    def done(profile: Profile) -> None:
        print(f"{profile.name}: {profile.missing or 'done'}", file=sys.stderr, flush=True)

    with scratch.folder("portable") as beside:
        for profile in (*processors(), *surroundings(beside)):
            if options.only in profile.name:
                attempt(profile)
        for python in options.python:
            with installed(f"Python: {Path(python).name}", python) as profile:
                attempt(profile)
        if options.cuda:
            with installed("torch with CUDA", sys.executable, ordinary=True) as profile:
                attempt(profile)
        differ = sites(beside) if twice else []
        for profile in bare(beside / "bare"):
            if options.only in profile.name and not options.no_tests:
                tested.append((profile, tests(profile)))
                done(profile)
    if rows:
        print(*table(rows), "", sep="\n")
    if tested:
        print(*of_tests(tested), "", sep="\n")
    if twice:
        print(f"Files of the site that differ between two builds: {len(differ)}", *differ, sep="\n")
    return int(bool(differ) or any(result.get("drift") or result.get("failed") for _, result in [*rows, *tested]))


if __name__ == "__main__":
    sys.exit(main())

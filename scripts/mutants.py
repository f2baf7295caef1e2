"""Makes one mistake after the other in a copy of the engine, and tells which ones no test notices.

    python scripts/mutants.py [--only NUMBER …] [--tests PATH …] [--list]

The mistakes stand in `mutants.toml` beside this file, each with the tests that should notice it. They were made by
hand, by somebody who did not write those tests, to see that what makes the tests faster loses none of them: run it
before and after. A mistake is noticed (killed) when a test fails; one that survives is a hole in the tests. The exit
code is 1 if one survives, or if a mistake can no longer be made because its text is gone.

Nothing in the checkout is changed: the copy, with what is not committed yet, lies in a temporary folder. The tests must
pass there without any mistake first.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verbatim.problems import Problem, Problems

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts/mutants.toml"
#: Seconds after which tests that hang have noticed the mistake: a changed comparison can make a loop endless.
TEST_SECONDS = 600
#: pytest's exit codes: all passed; some failed, or could not be collected.
PASSED, FAILED = 0, (1, 2)


@dataclass(frozen=True)
class Mutant:
    """A mistake in the engine."""

    number: int
    file: str
    old: str
    """Text of the file that is there once."""
    new: str
    """What stands in its place."""
    breaks: str
    """What no longer holds."""
    tests: tuple[str, ...]
    """The tests that should notice it."""


def read() -> list[Mutant]:
    """Return the mutants of the list.

    Raises:
        Problems: Texts that a file does not have exactly once, and tests that are gone.
    """
    written = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    mutants = [
        Mutant(number, **{**fields, "tests": tuple(fields["tests"])}) for number, fields in enumerate(written, 1)
    ]
    problems = []
    for mutant in mutants:
        name = f"mutant {mutant.number}"
        path = ROOT / mutant.file
        count = path.read_text(encoding="utf-8").count(mutant.old) if path.is_file() else 0
        if count != 1:
            fact = f"{name}: its old text is there {count} times, not once"
            problems.append(Problem(mutant.file, 0, fact, f"write it anew in {LIST.relative_to(ROOT)}: same mistake"))
        for test in mutant.tests:
            if not (ROOT / test.partition("::")[0]).exists():
                problems.append(Problem(test, 0, f"{name}: this test is gone", "name the one that took its place"))
    if problems:
        raise Problems(problems)
    return mutants


def copy(folder: Path) -> None:
    """Copy the checkout's files, those that git ignores left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() or (ROOT / name).is_symlink():  # a link may lead to a folder
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    modules = ROOT / "tests/javascript/node_modules"
    if modules.is_dir():
        (folder / modules.relative_to(ROOT)).symlink_to(modules)


def run(folder: Path, tests: Sequence[str]) -> tuple[int | None, str]:
    """Run tests in the copy until one fails. Return pytest's exit code, ``None`` if it hangs, and what it printed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", *tests]
    paths = os.pathsep.join([str(folder), str(folder / "explain/src")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=TEST_SECONDS
        )
    except subprocess.TimeoutExpired:
        return None, f"no answer in {TEST_SECONDS} s"
    return done.returncode, done.stdout + done.stderr


def imported(folder: Path) -> str:
    """Return where Python finds the engine when it runs in the copy."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", "import verbatim; print(verbatim.__file__)"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout.strip()


def judge(folder: Path, mutant: Mutant, tests: Sequence[str]) -> tuple[bool, str]:
    """Make a mistake, run tests, and take it back. Return whether they noticed it, and which one did."""
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        code, printed = run(folder, tests)
    finally:
        path.write_text(text, encoding="utf-8")
    if code is None:
        return True, printed
    if code not in (PASSED, *FAILED):
        raise RuntimeError(f"mutant {mutant.number}: pytest ended with {code}\n{printed}")
    first = re.search(r"^(?:FAILED|ERROR) (.+?)(?= - |$)", printed, re.MULTILINE)
    return code in FAILED, first[1] if first else ""


def main() -> int:
    """Judge the chosen mutants, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", type=int, metavar="NUMBER", help="these mutants alone")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="these tests instead of those of the list")
    parser.add_argument("--list", action="store_true", help="show the mutants, and run nothing")
    options = parser.parse_args()
    try:
        mutants = read()
    except Problems as error:
        print(error, file=sys.stderr)
        return 1
    chosen = [mutant for mutant in mutants if not options.only or mutant.number in options.only]
    if missing := sorted({*(options.only or ())} - {mutant.number for mutant in mutants}):
        parser.error(f"there are mutants 1 to {len(mutants)}, none {missing[0]}")
    if options.list:
        for mutant in chosen:
            print(f"{mutant.number:2}  {mutant.file}: {mutant.breaks}")
        return 0
    survived = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name).resolve()
        copy(folder)
        if not Path(imported(folder)).is_relative_to(folder):
            print(f"the tests would import {imported(folder)}, not the copy", file=sys.stderr)
            return 1
        wanted = options.tests or sorted({test for mutant in chosen for test in mutant.tests})
        code, printed = run(folder, wanted)
        if code != PASSED:
            print(f"{printed}\nthese tests do not pass without a mutant", file=sys.stderr)
            return 1
        for mutant in chosen:
            killed, by = judge(folder, mutant, options.tests or mutant.tests)
            survived += [] if killed else [mutant]
            said = f"killed by {by}" if killed else "SURVIVED"
            print(f"{mutant.number:2}  {mutant.file}: {mutant.breaks}: {said}", flush=True)
    print(f"{len(chosen) - len(survived)} of {len(chosen)} mutants killed")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())

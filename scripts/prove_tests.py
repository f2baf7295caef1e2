"""Run the tests in each way in which one that depends on something else would fail, and print a Markdown table.

    python scripts/prove_tests.py [ROUND[=TIMES]]... [--seed NUMBER] [--tests PATH]...

The rounds: `quiet`, as `make test` runs them; `busy`, beside four programs that want all of a core; `shuffled`, the
files in another order; `one` and `eight`, with as many workers. All, once each, where none is named. The exit code is 1
if a test failed in any. A round takes as long as `make test`, `busy` and `one` several times that.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from portable import counted
from scratch import ROOT

#: Round → pytest's options; `{seed}` is the seed of the order.
ROUND_OPTIONS = {
    "quiet": (),
    "busy": (),
    "shuffled": ("--shuffle={seed}",),
    "one": ("--numprocesses=1",),
    "eight": ("--numprocesses=8",),
}
#: Programs that `busy` runs beside the tests.
BUSY_PROGRAMS = 4
#: It ends with the process that has started it, however that ends.
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"


@contextlib.contextmanager
def loops(number: int) -> Iterator[None]:
    """Keep programs running that want all of a core."""
    with contextlib.ExitStack() as stack:
        for _ in range(number):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-ISc", LOOP]))
            stack.callback(process.kill)
        yield


def attempt(name: str, seed: int, tests: list[str]) -> dict[str, object]:
    """Run the tests once. Return how many ran, how many were skipped, and which failed."""
    with tempfile.TemporaryDirectory() as folder, loops(BUSY_PROGRAMS if name == "busy" else 0):
        report = Path(folder) / "tests.xml"
        options = [option.format(seed=seed) for option in ROUND_OPTIONS[name]]
        command = [sys.executable, "-m", "pytest", "--quiet", "--junitxml", report, *options, *tests]
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return counted(report, done.returncode, done.stdout)


def rows(asked: list[str]) -> list[str]:
    """Return the names of the rounds in order, each as often as it is asked for: ``quiet=3`` → three times.

    Raises:
        SystemExit: there is no such round.
    """
    names = []
    for request in asked or ROUND_OPTIONS:
        match = re.fullmatch(r"(\w+)(?:=(\d+))?", request)
        if not match or match[1] not in ROUND_OPTIONS:
            hint = f"the rounds are {', '.join(ROUND_OPTIONS)}; three times: quiet=3"
            sys.exit(f"there is no round `{request}`\n  hint: {hint}")
        names += [match[1]] * int(match[2] or 1)
    return names


def main() -> int:
    """Print a row a round as soon as it has ended, and at the end what failed. Return 0 if nothing did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rounds", nargs="*", metavar="ROUND[=TIMES]")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000), help="of the order of `shuffled`")
    parser.add_argument("--tests", action="append", default=[], metavar="PATH", help="these alone")
    options = parser.parse_args()
    failed: list[str] = []
    print("| round | tests that ran | skipped | failed |\n| --- | ---: | ---: | ---: |")
    for name in rows(options.rounds):
        shown = f"{name}, seed {options.seed}" if name == "shuffled" else name
        result = attempt(name, options.seed, options.tests)
        print(f"| {shown} | {result['tests']} | {result['skipped']} | {len(result['failed'])} |", flush=True)
        failed += [f"{shown}: {test}" for test in result["failed"]]
    if failed:
        print("\n".join(("", "```text", *failed, "```")))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

"""A test that leaves a process is told of, and the process is ended."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.leftovers import linux
from tests.waiting import alive, until

ROOT = Path(__file__).parents[1]

BEGIN = """
import subprocess, sys
import pytest
from tests import leftovers

leftovers.SECONDS = 0


@pytest.fixture
def program():
"""

LEFT = {
    "by a set-up that fails": "    print('left', subprocess.Popen(['sleep', '601']).pid)\n    raise RuntimeError\n",
    "by a program that has ended": "    subprocess.run(['sh', '-c', 'sleep 601 & echo left $!'])\n",
}
ENDED = """
    with subprocess.Popen(["sleep", "601"]) as process:
        yield
        process.kill()
"""


def run(folder: Path, fixture: str) -> subprocess.CompletedProcess[str]:
    """Run one test with a fixture of this text."""
    file = folder / "test_of_programs.py"
    file.write_text(f"{BEGIN}{fixture}\n\ndef test_it(program):\n    pass\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        "/dev/null",
        "-p",
        "tests.leftovers",
        "-p",
        "no:cacheprovider",
        "-s",
    ]
    return subprocess.run([*command, file], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not linux, reason="Linux only")
@pytest.mark.parametrize("how", LEFT)
def test_what_is_left_is_told_and_ended(tmp_path, how):
    done = run(tmp_path, LEFT[how])
    assert done.returncode == 1 and "sleep 601 (since test_of_programs.py)" in done.stdout, done.stdout
    number = int(re.search(r"left (\d+)", done.stdout)[1])
    until(lambda: not alive(number))


def test_what_ends_with_its_fixture_is_fine(tmp_path):
    done = run(tmp_path, ENDED)
    assert done.returncode == 0, done.stdout

"""The tests of `tests/javascript`, by the Node that Playwright brings along."""

from __future__ import annotations

import subprocess
from pathlib import Path

import playwright

HERE = Path(__file__).parents[1]


def test_scripts_of_the_site():
    node = Path(playwright.__file__).parent / "driver/node"
    files = sorted((HERE / "javascript").glob("*.test.mjs"))
    assert files
    done = subprocess.run([node, "--test", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

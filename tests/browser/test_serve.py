"""The edit loop in a browser: a page loads itself again when something was saved."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the miniature, to be edited; what it shares with the project stays where it is."""
    for name in ("mkdocs.yml", "overrides", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    built = shutil.ignore_patterns(".cache")
    return Path(
        shutil.copytree(ROOT / "tests" / "miniature", tmp_path / "tests" / "miniature", symlinks=True, ignore=built)
    )


@pytest.fixture
def address(copy: Path) -> Iterator[str]:
    """Serve the copy; yield its address."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, "-m", "verbatim", "serve", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=copy, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(9000):
            try:
                urllib.request.urlopen(f"http://localhost:{port}/", timeout=60)
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://localhost:{port}/"
    finally:
        process.terminate()
        process.wait(900)


def test_a_page_loads_itself_again_when_its_script_was_saved(copy: Path, address: str, browser: Browser):
    script = copy / "examples/autograd/leaf.py"
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.goto(f"{address}en/autograd/leaf/")
    before = script.read_text()
    script.write_text(before.replace("print(", 'print("saved just now")\nprint(', 1))
    assert before != script.read_text()
    expect(page.locator("article").get_by_text("saved just now").last).to_be_visible(timeout=900_000)
    assert complaints == []
    page.close()

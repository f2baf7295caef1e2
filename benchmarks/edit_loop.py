"""From saving a script to the browser showing its new output: one recipe, the whole site, and plain MkDocs.

    python -m benchmarks.edit_loop [--edits 20]

Each server runs on a copy of this repository. The plain one serves what `python -m verbatim render` writes, with the
same theme and plugins but without this project's; there a page is saved, since it has no scripts.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.repository import plain
from scripts.browser import present
from verbatim.project import find_root

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
RECIPE = "autograd/leaf"


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def serve(command: list[str], folder: Path, port: int) -> subprocess.Popen:
    """Start a server and wait until it answers."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(folder)}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://localhost:{port}/{RECIPE}/", timeout=1)
            return process
        except OSError:
            time.sleep(0.2)
    process.kill()
    sys.exit(f"{' '.join(command)} does not answer")


def measure(page: Page, url: str, file: Path, old: str, new: str, edits: int) -> list[float]:
    """Save `file` again and again, `new` with a number in the place of `old`; return the seconds until it is seen."""
    sound = file.read_text()
    assert old in sound, f"{file} has no {old!r}"
    page.goto(url)
    seconds = []
    for number in range(edits + 1):
        mark = f"{7_000_000 + number}"
        started = time.perf_counter()
        file.write_text(sound.replace(old, new.format(mark=mark), 1))
        page.wait_for_function("mark => document.body.innerText.includes(mark)", arg=mark, timeout=120_000)
        seconds.append(time.perf_counter() - started)
        time.sleep(0.7)  # a person does not save again before the page has settled
    return seconds[1:]  # the first save finds the server cold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=20)
    edits = parser.parse_args().edits
    root = find_root()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        copy = Path(name) / "copy"
        ignored = shutil.ignore_patterns(".venv", "site", ".git", ".site-*")
        shutil.copytree(root, copy, ignore=ignored)
        plain(root, Path(name) / "plain")
        script, page_file = copy / f"examples/{RECIPE}.py", Path(name) / f"plain/docs/zh/{RECIPE}.md"
        first = re.search(r"^print\(", script.read_text(), re.MULTILINE)
        assert first
        python, folder = sys.executable, page_file.parents[3]
        ways = {
            "one recipe": ([python, "-m", "verbatim", "serve", RECIPE, "--port"], copy, script),
            "whole site": ([python, "-m", "verbatim", "serve", "--port"], copy, script),
            "plain MkDocs": ([python, "-m", "mkdocs", "serve", "-q", "-f", "mkdocs.yml", "-a"], folder, page_file),
        }  # fmt: skip
        browser = playwright.chromium.launch(executable_path=present() or None, args=ARGUMENTS)
        medians = {}
        for way, (command, where, file) in ways.items():
            port = free_port()
            last = f"localhost:{port}" if way == "plain MkDocs" else str(port)
            server = serve([*command, last], where, port)
            try:
                page = browser.new_page()
                marks = ("# ", "# {mark} ") if file.suffix == ".md" else ("print(", "print({mark})\nprint(")
                values = measure(page, f"http://localhost:{port}/{RECIPE}/", file, *marks, edits)
                page.close()
            finally:
                server.terminate()
                server.wait()
            medians[way] = statistics.median(values)
            print(
                f"{way:14} median {medians[way]:5.2f} s of {edits} ({min(values):.2f} to {max(values):.2f})", flush=True
            )
        browser.close()
    print(f"whole site: {medians['whole site'] / medians['plain MkDocs']:.2f} × plain MkDocs")


if __name__ == "__main__":
    main()

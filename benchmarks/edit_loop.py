"""From saving a page or a script to the browser showing it: one recipe, the whole site, and plain MkDocs.

    python -m benchmarks.edit_loop [--edits 20] [--without-plain]

Each server runs on a copy of this repository. The plain one serves what `python -m verbatim render` writes, with the
same theme and plugins but without this project's; it has no scripts.
"""

from __future__ import annotations

import argparse
import os
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
    parser.add_argument("--without-plain", action="store_true", help="measure this project alone")
    options = parser.parse_args()
    root = find_root()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        copy = Path(name) / "copy"
        ignored = shutil.ignore_patterns(".venv", "site", ".git", ".site-*", "build")
        shutil.copytree(root, copy, ignore=ignored)
        files = {"script": copy / f"examples/{RECIPE}.py", "page": copy / f"docs/zh/{RECIPE}.md"}
        here = [sys.executable, "-m", "verbatim", "serve"]
        ways = {"one recipe": ([*here, RECIPE, "--port"], copy, files), "whole site": ([*here, "--port"], copy, files)}
        if not options.without_plain:
            other = plain(root, Path(name) / "plain").parent
            command = [sys.executable, "-m", "mkdocs", "serve", "-q", "-f", "mkdocs.yml", "-a"]
            ways["plain MkDocs"] = (command, other, {"page": other / f"docs/zh/{RECIPE}.md"})
        browser = playwright.chromium.launch(executable_path=present() or None, args=ARGUMENTS)
        medians = {}
        for way, (command, where, saved) in ways.items():
            port = free_port()
            last = f"localhost:{port}" if way == "plain MkDocs" else str(port)
            server = serve([*command, last], where, port)
            try:
                for kind, file in saved.items():
                    page = browser.new_page()
                    marks = ("# ", "# {mark} ") if kind == "page" else ("print(", "print({mark})\nprint(")
                    values = measure(page, f"http://localhost:{port}/{RECIPE}/", file, *marks, options.edits)
                    page.close()
                    medians[way, kind] = statistics.median(values)
                    spread = f"{min(values):.2f} to {max(values):.2f}"
                    print(
                        f"{way:14} {kind:7} median {medians[way, kind]:5.2f} s of {len(values)} ({spread})", flush=True
                    )
            finally:
                server.terminate()
                server.wait()
        browser.close()
    if not options.without_plain:
        ratio = medians["whole site", "page"] / medians["plain MkDocs", "page"]
        print(f"whole site, a page: {ratio:.2f} × plain MkDocs")


if __name__ == "__main__":
    main()

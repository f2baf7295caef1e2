"""A build in which nothing changed, against plain MkDocs on the same pages with the outputs pasted in.

    python -m benchmarks.warm_build [--rounds 5]

The plain build is the floor of rendering: the same theme, plugins and extensions without this project's plugin,
over the tree that `python -m verbatim render` writes. Rounds are interleaved; ratios are of medians.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from verbatim.project import find_root


def plain(root: Path, folder: Path) -> Path:
    """Write the expanded pages and a mkdocs.yml without the plugin; return its path."""
    docs = folder / "docs"
    subprocess.run(
        [sys.executable, "-m", "verbatim", "render", "--out", str(docs)],
        cwd=root,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copytree(root / "docs" / "assets", docs / "assets")
    text = (root / "mkdocs.yml").read_text()
    # Material's own frame and search in the place of this project's.
    text = re.sub(r"^  - verbatim(:\n(?:      .*\n)*|\n)", "  - search\n", text, flags=re.MULTILINE)
    text = re.sub(r"^  custom_dir:.*\n|^extra_javascript:\n(?:  .*\n)*", "", text, flags=re.MULTILINE)
    (folder / "mkdocs.yml").write_text(text)
    return folder / "mkdocs.yml"


def build(config: Path, site: Path) -> float:
    """Return the wall seconds of one build in a process of its own."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(find_root())}
    started = time.perf_counter()
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(config), "-d", str(site)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    root = find_root()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ways = {"plain MkDocs": plain(root, folder), "this project": root / "mkdocs.yml"}
        build(ways["this project"], folder / "first")  # fills the cache
        seconds: dict[str, list[float]] = {way: [] for way in ways}
        for number in range(rounds):
            for way, config in ways.items():
                seconds[way].append(build(config, folder / f"site-{number}-{len(way)}"))
        floor = statistics.median(seconds["plain MkDocs"])
        pages = len(list((folder / "docs").rglob("*.md")))
        print(f"{pages} pages, {os.cpu_count()} cores, nothing changed, median of {rounds} rounds")
        for way, values in seconds.items():
            low, high = min(values) / floor, max(values) / floor
            middle = statistics.median(values)
            print(f"{way:14} {middle:6.2f} s   {middle / floor:5.2f} × plain   ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()

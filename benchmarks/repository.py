"""This repository's own site, nothing changed, against plain MkDocs on the same pages with the outputs pasted in.

    python -m benchmarks.repository [--rounds 5]

The plain build has Material's own frame and search over the tree that `python -m verbatim render` writes; what this
project adds (notebook views, downloads, lists, formulas, its search) it does not have. Rounds are interleaved.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from verbatim.pages import chapters
from verbatim.pages.page import load_pages
from verbatim.project import LANGUAGES, Project, find_root
from verbatim.site import sections


def plain(root: Path, folder: Path) -> Path:
    """Write the expanded pages and a mkdocs.yml without the plugin; return its path."""
    docs = folder / "docs"
    subprocess.run(
        [sys.executable, "-m", "verbatim", "render", "--out", str(docs)],
        cwd=root,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copytree(root / "docs" / "assets", docs / "assets", dirs_exist_ok=True)
    text = (root / "mkdocs.yml").read_text()
    # Material's own frame and search in the place of this project's.
    text = re.sub(r"^  - verbatim(:\n(?:      .*\n)*|\n)", "  - search\n", text, flags=re.MULTILINE)
    text = re.sub(r"^  custom_dir:.*\n|^extra_javascript:\n(?:  .*\n)*", "", text, flags=re.MULTILINE)
    project = Project(root)
    nav = sections.nav(chapters.read(project), load_pages(project)[0], LANGUAGES[0])
    (folder / "mkdocs.yml").write_text(f"{text}\n{yaml.safe_dump({'nav': nav}, allow_unicode=True, sort_keys=False)}")
    return folder / "mkdocs.yml"


def build(config: Path, site: Path, packages: str = "") -> float:
    """Return the wall seconds of one build in a process of its own. `packages`: a folder to import from, too."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(find_root()), packages)))
    started = time.perf_counter()
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(config), "-d", str(site)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.perf_counter() - started


def warm(root: Path, rounds: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Build both in turns; return the seconds of each round, and how many pages there are."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ways = {"plain": plain(root, folder), "this": root / "mkdocs.yml"}
        build(ways["this"], folder / "site")  # fills the cache
        seconds: dict[str, Any] = {way: [] for way in ways}
        for number in range(rounds):
            for way, config in ways.items():
                say(f"this repository's site, round {number + 1} of {rounds}: {way}")
                seconds[way].append(round(build(config, folder / "site"), 3))
        return {**seconds, "pages": sum(len(Project(root).pages(language)) for language in LANGUAGES)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    found = warm(find_root(), rounds, lambda text: print(text, file=sys.stderr))
    ratios = [ours / plain for ours, plain in zip(found["this"], found["plain"], strict=True)]
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    print(f"{found['pages']} pages, nothing changed: {statistics.median(ratios):.2f} × plain MkDocs ({spread})")


if __name__ == "__main__":
    main()

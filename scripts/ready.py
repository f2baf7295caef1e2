"""`make ready`: whether a change is ready for a pull request, and what its reviewer will see.

Form of the code, `check`, what the change does to the outputs, and the subjects of its commits. Of pages and scripts
that is all, because `check` reads them, and CI runs the tests: well under a minute, once the scripts have run. Of
other files, the tests that can tell of the change, too: those of the modules that it touches and those that name its
files. `make test` runs all.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scripts import commits
from verbatim import git

ROOT = Path(__file__).resolve().parent.parent
#: Trees whose files belong to a recipe.
RECIPE_FILE = re.compile(r"(?:docs/(?:zh|en)|examples|outputs/cpu)/(?P<recipe>[\w-]+/[\w-]+)\.(?:md|py|ipynb)")
#: What `check` reads: pages, scripts, records, lists. No test needs to.
CONTENT_FILE = re.compile(r"(?:book/|docs/(?!assets/)|examples/|outputs/).*")
#: What every page is made with: tests that open a browser tell of it.
FRAME_FILES = ("overrides/", "docs/assets/", "mkdocs.yml")
#: What the tests of `tests/javascript` tell of, and the test file that runs them.
JAVASCRIPT, OF_JAVASCRIPT = (".js", ".mjs"), "tests/tools/test_javascript.py"
#: Files that many tests write for themselves, which says nothing of the project's own; `check` reads these.
SETTINGS_FILES = {"mkdocs.yml", "book/topics.yml"}


@dataclass(frozen=True)
class Step:
    """One thing to do: a name, and the command that does it."""

    name: str
    command: list[str]


def changed(root: Path, base: str) -> list[str]:
    """Return the files that differ from where the branch left `base`, committed or not, new ones included."""
    start = git.run(root, "merge-base", "HEAD", base).strip() or base
    listed = git.run(root, "diff", "--name-only", start, "--") + git.run(
        root, "ls-files", "--others", "--exclude-standard"
    )
    return sorted(set(listed.splitlines()))


def recipes(files: Iterable[str]) -> list[str]:
    """Return the recipes that a change touches, chapters' indexes left out."""
    changed = (match["recipe"] for name in files if (match := RECIPE_FILE.fullmatch(name)))
    return sorted({recipe for recipe in changed if not recipe.endswith("/index")})


def tests(root: Path, files: Iterable[str]) -> list[str]:
    """Return the test files that can tell of a change, those that open a browser left out.

    That is a test that was changed itself, one that imports a module which was changed, and one that names a file, or a
    recipe, which was changed; of JavaScript, the one that runs all tests of `tests/javascript`.
    """
    files = list(files)
    named = {*files, *recipes(files)} - SETTINGS_FILES
    modules = {name.removesuffix(".py").replace("/", ".") for name in files if name.endswith(".py")}
    if any(name.endswith(JAVASCRIPT) for name in files):
        files.append(OF_JAVASCRIPT)
    selected = []
    for path in sorted((root / "tests").rglob("test_*.py")):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        imported = _imports(text)
        if path.parent.name == "browser" or "playwright.sync_api" in imported:
            continue
        if (
            name in files
            or modules & imported
            or any(f'"{reference}' in text or f"{reference}:" in text for reference in named)
        ):
            selected.append(name)
    return selected


def framed(files: Iterable[str]) -> bool:
    """Whether what every page is made with was changed."""
    return any(name.startswith(FRAME_FILES) for name in files)


def _imports(text: str) -> set[str]:
    """Return every module that a Python text may import: `from a.b import c` is `a.b` and `a.b.c`."""
    modules = set(re.findall(r"^\s*import ([\w.]+)", text, re.MULTILINE))
    for module, names in re.findall(r"^\s*from ([\w.]+) import (\([^)]*\)|[^\n]*)", text, re.MULTILINE):
        modules.add(module)
        modules |= {f"{module}.{name}" for name in re.findall(r"(\w+)(?: as \w+)?", names)}
    return modules


def steps(root: Path, files: list[str], base: str) -> list[Step]:
    """Return what is to be done for a change."""
    python = [name for name in files if name.endswith(".py") and (root / name).is_file()]
    beside = Path(sys.executable).parent
    plan = []
    if python:
        plan.append(Step("form", [str(beside / "ruff"), "check", *python]))
        plan.append(Step("format", [str(beside / "ruff"), "format", "--check", *python]))
    plan.append(Step("check", [sys.executable, "-m", "verbatim", "check"]))
    touched = [recipe for recipe in recipes(files) if (root / "examples" / f"{recipe}.py").is_file()]
    if touched:
        start = git.run(root, "merge-base", "HEAD", base).strip() or base
        plan.append(Step("outputs", [sys.executable, "-m", "verbatim", "drift", "--against", start, *touched]))
    if any(name.startswith("verbatim/") for name in files):
        plan.append(Step("types", [sys.executable, "-m", "mypy"]))
        plan.append(Step("folders", [str(beside / "lint-imports"), "--no-logo", "--no-cache"]))
    if selected := tests(root, [name for name in files if not CONTENT_FILE.fullmatch(name)]):
        plan.append(Step("tests", [sys.executable, "-m", "pytest", "-q", *selected]))
    if {"types", "tests"} & {step.name for step in plan} and not importlib.util.find_spec("pytest"):
        plan.insert(0, Step("install", ["make", "--no-print-directory", ".venv/.tests"]))
    return plan


def main() -> int:
    """Do all of it, whatever fails, and say at the end what did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", default="main", help="the branch that the pull request is for (%(default)s)")
    options = parser.parse_args()
    base = next((name for name in (f"origin/{options.against}", options.against) if git.knows(ROOT, name)), "HEAD")
    files = changed(ROOT, base)
    print(f"{len(files)} files differ from {base}", flush=True)
    failed = []
    for step in steps(ROOT, files, base):
        print(f"\n== {step.name}", flush=True)
        started = time.monotonic()
        if subprocess.run(step.command, cwd=ROOT, check=False).returncode:
            failed.append(step.name)
        print(f"-- {step.name}: {time.monotonic() - started:.0f} s", flush=True)
    if subjects := commits.of_branch(ROOT, base):
        print("\n== commits", *subjects, sep="\n", flush=True)
        failed.append("commits")
    if framed(files):
        print("\nthe frame of pages was changed: make test opens them in a browser, too")
    ready = "ready: commit, push your branch, and open a pull request, where all tests run"
    print("\nnot ready: " + ", ".join(failed) if failed else f"\n{ready}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

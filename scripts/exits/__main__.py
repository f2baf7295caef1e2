"""Build the site with ProperDocs and with Zensical, and check both: ``make exits``.

ProperDocs must make the very site that MkDocs makes; Zensical, a readable one of what `verbatim render` writes.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.exits.facts import Built, check
from verbatim.pages.page import Page, load_pages
from verbatim.problems import Problem, report
from verbatim.project import Project, find_root

URL = "https://example.org/"

#: The only difference that is none.
GENERATOR_TAG = re.compile(rb'<meta name="generator" content="[^"]*">')


def main() -> int:
    """Return 0 where both exits are open, else 1."""
    project = Project(find_root())
    pages, problems = load_pages(project)
    problems += through_properdocs(project, pages)
    problems += through_zensical(project, pages)
    if problems:
        print(report(problems), file=sys.stderr)
    return 1 if problems else 0


def through_properdocs(project: Project, pages: list[Page]) -> list[Problem]:
    """Build with MkDocs and with ProperDocs, and compare."""
    mkdocs, properdocs = (project.root / "build/exits" / name for name in ("mkdocs", "properdocs"))
    for folder in (mkdocs, properdocs):
        shutil.rmtree(folder, ignore_errors=True)
    return (
        _run(project.root, "mkdocs", "build", "--strict", "--site-dir", mkdocs)
        or _run(project.root, "properdocs", "build", "--strict", "-f", "mkdocs.yml", "--site-dir", properdocs)
        or differences(mkdocs, properdocs) + _checked("ProperDocs", project, pages, properdocs)
    )


def through_zensical(project: Project, pages: list[Page]) -> list[Problem]:
    """Write plain Markdown and build that with Zensical."""
    folder = project.root / "build/zensical"
    shutil.rmtree(folder, ignore_errors=True)
    stage(project.root, folder)
    return (
        _run(project.root, "verbatim", "render", "--out", folder / "docs")
        or _run(project.root, "zensical_i18n", "build", "--strict", "--config-file", folder / "mkdocs.yml")
        or _checked("Zensical", project, pages, folder / "site")
    )


def differences(old: Path, new: Path) -> list[Problem]:
    """Return every file that is not the same in both folders."""
    names = {path.relative_to(folder) for folder in (old, new) for path in folder.rglob("*") if path.is_file()}
    problems = []
    for name in sorted(names):
        if not (old / name).is_file() or not (new / name).is_file():
            there = "MkDocs" if (old / name).is_file() else "ProperDocs"
            problems.append(Problem(name.as_posix(), 0, f"only {there} makes this file"))
        elif not filecmp.cmp(old / name, new / name, shallow=False):
            a, b = (GENERATOR_TAG.sub(b"", (folder / name).read_bytes()) for folder in (old, new))
            if a != b:
                problems.append(Problem(name.as_posix(), 0, "MkDocs and ProperDocs make it differently"))
    print(f"ProperDocs: {len(names)} files, {len(problems)} other than MkDocs’")
    return problems


def stage(root: Path, folder: Path) -> None:
    """Put what Zensical needs besides the pages into a folder."""
    shutil.copytree(root / "scripts/exits/zensical", folder)
    assets = folder / "docs/assets"
    shutil.copyfile(root / "docs/assets/favicon.svg", assets / "favicon.svg")
    shutil.copytree(root / "verbatim/site/vendor/katex", assets / "katex", ignore=shutil.ignore_patterns("*.md"))


def _checked(name: str, project: Project, pages: list[Page], folder: Path) -> list[Problem]:
    problems, count = check(project, pages, Built(folder, URL))
    print(f"{name}: {count}; {len(problems)} problems", flush=True)
    return problems


def _run(root: Path, module: str, *arguments: str | Path) -> list[Problem]:
    """Run a module of this environment; return what there is to tell where it fails."""
    environment = {**os.environ, "SITE_URL": URL, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", module, *map(str, arguments)]
    print("$", *command[1:], flush=True)
    code = subprocess.run(command, cwd=root, env=environment).returncode
    return [Problem(module, 0, f"it ended with exit code {code}")] if code else []


if __name__ == "__main__":
    sys.exit(main())

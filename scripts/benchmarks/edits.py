"""What a build costs when little has changed: processor time against the number of pages that did.

    python -m scripts.benchmarks.edits [--copies 1] [--rounds 3]

Each size is this repository with every chapter so many times, once unless asked for more (of six copies the scripts alone
run for an hour). Beside this project stands plain MkDocs, which gets the same pages with the outputs pasted in, as
`python -m verbatim render` writes them. In each round this project builds with nothing changed, then with 1, 10 and 100
pages changed, then with one script changed, which is recorded before the next round; plain MkDocs, which makes every page
anew, once. Processor time is of all processes that a build starts, so that other work on the machine matters little;
ratios are taken within a round.

The results join those of `make bench` in `scripts/benchmarks/results.json`.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from scripts.benchmarks import report
from scripts.benchmarks.measure import environment, measured
from scripts.benchmarks.run import about
from verbatim.book import records
from verbatim.book.gather import gather
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.lists import approved
from verbatim.lists.remedies import proving_cell
from verbatim.pages import chapters
from verbatim.pages.page import load_pages
from verbatim.project import Project, find_root
from verbatim.site import navigation

SCRIPT = "script"
#: How many pages change between two builds; in the last, a script.
CHANGED_PAGES: tuple[int | str, ...] = (0, 1, 10, 100, SCRIPT)


@dataclass(frozen=True)
class Way:
    """One way of building pages."""

    key: str
    command: list[str]
    """What builds, in `folder`."""
    folder: Path
    docs: Path
    changes: tuple[int | str, ...] = (0,)
    """What it is built after."""
    script: Path | None = None
    """A script that the pages show; none where outputs are pasted in."""

    def build(self) -> float:
        """Return the processor seconds of a build."""
        return measured(self.command, self.folder, environment()).processor

    def change(self, count: int, mark: str) -> None:
        """Add a word to so many pages, spread over the site; in both languages, which share one skeleton.

        It stands above a page's second heading, where the search finds it, too.
        """
        names = sorted(path.relative_to(self.docs / "zh") for path in (self.docs / "zh").rglob("*.md"))
        recipes = [name for name in names if name.name != "index.md" and name.parts[0] not in ("ways", "home")]
        for name in recipes[:: max(1, 2 * len(recipes) // count)][: (count + 1) // 2]:
            for language in DEFAULT_LANGUAGES.all[:count]:
                page = self.docs / language / name
                page.write_text(page.read_text().replace("\n## ", f"\n`{mark}`\n\n## ", 1))

    def change_script(self, mark: str) -> None:
        """Have one script print something else."""
        assert self.script
        text = self.script.read_text()
        self.script.write_text(re.sub(r"^print\(", f'print("{mark}")\nprint(', text, count=1, flags=re.MULTILINE))


def ways(folder: Path) -> Iterator[Way]:
    """Yield the ways to build a project that lies in a folder."""
    here = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    yield Way(
        "this",
        [sys.executable, "-m", "verbatim", "build"],
        folder,
        folder / "docs",
        changes=CHANGED_PAGES,
        script=script_to_edit(folder),
    )
    other = Path(tempfile.mkdtemp(dir=folder.parent))
    plain(folder, other)
    yield Way("plain", here, other, other / "docs")


def script_to_edit(folder: Path) -> Path:
    """Return a script that prints something and proves no remedy: a build refuses a proof that nobody has read again."""
    chapters, _ = approved.read(Project(folder))
    places = chain.from_iterable(chain.from_iterable(templates.values()) for templates in chapters.values())
    proving = {folder / proving_cell(place["proof"])[0] for place in places if "proof" in place}
    scripts = sorted((folder / "examples").glob("*/*.py"))
    return next(path for path in scripts if path not in proving and "\nprint(" in path.read_text())


def copies(root: Path, folder: Path, count: int) -> int:
    """Write a project with every chapter so many times; return how many pages it has.

    The map's topics are left out, and so are the copies' records: a record names its recipe.
    """
    for tree in ("examples", "docs", "outputs", "overrides"):
        shutil.copytree(root / tree, folder / tree)
    shutil.copyfile(root / "mkdocs.yml", folder / "mkdocs.yml")
    lines = ["index:"]
    for name, entries in chapters.read(Project(root)).chapters.items():
        for copy in range(count if (root / "examples" / name).is_dir() else 1):
            own = f"{name}-{copy}" if copy else name
            lines += [
                f"{own}:",
                *(f"  {posixpath.relpath(entry.name.removesuffix('.md'), name)}:" for entry in entries),
            ]
            for tree in ("examples", "docs/zh", "docs/en") if copy else ():
                shutil.copytree(folder / tree / name, folder / tree / own)
            for page in folder.glob(f"docs/*/{own}/*.md") if copy else ():
                page.write_text(_copied(page.read_text(), copy))
    (folder / chapters.MAP).parent.mkdir(parents=True, exist_ok=True)
    (folder / chapters.MAP).write_text("\n".join([*lines, ""]))
    return sum(len(Project(folder).pages(language)) for language in DEFAULT_LANGUAGES.all)


#: What no two pages of a language may share: the title, in the front matter and as the first heading, and the description.
_OWN_LINE = re.compile(r'^((?:title|description): "?|# )', re.MULTILINE)


def _copied(text: str, copy: int) -> str:
    """Return a page's text as its copy has it: scripts of the copied chapter, a title and a description of its own."""
    head, first, rest = text.partition(next(re.finditer(r"^# .*$", text, re.MULTILINE))[0])
    named = _OWN_LINE.sub(rf"\1c{copy} · ", head + first)
    return re.sub(r"\bexamples/([a-z]+)/", rf"examples/\1-{copy}/", named + rest)


def plain(root: Path, folder: Path) -> None:
    """Write a project's expanded pages, and settings without its plugin: Material's own frame and search."""
    docs, project = folder / "docs", Project(root)
    command = [sys.executable, "-m", "verbatim", "render", "--out", str(docs)]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(root / "docs" / "assets", docs / "assets", dirs_exist_ok=True)
    text = (root / "mkdocs.yml").read_text()
    text = re.sub(r"^  - verbatim(:\n(?:      .*\n)*|\n)", "  - search\n", text, flags=re.MULTILINE)
    text = re.sub(r"^  custom_dir:.*\n|^extra_javascript:\n(?:  .*\n)*", "", text, flags=re.MULTILINE)
    nav = {"nav": navigation.nav(chapters.read(project), load_pages(project)[0], DEFAULT_LANGUAGES.default)}
    (folder / "mkdocs.yml").write_text(f"{text}\n{yaml.safe_dump(nav, allow_unicode=True, sort_keys=False)}")


def measure(count: int, rounds: int) -> Iterator[dict[str, Any]]:
    """Yield the runs of one size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        folder.mkdir()
        pages = copies(find_root(), folder, count)
        subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
        made = list(ways(folder))
        approve(Project(folder))
        for way in made:
            if len(way.changes) > 1:
                way.build()  # fills what it keeps
        for number in range(rounds):
            for changed in CHANGED_PAGES:
                for way in (way for way in made if changed in way.changes):
                    mark = f"round{number}x{changed}"
                    if changed == SCRIPT:
                        way.change_script(mark)
                    elif changed:
                        way.change(int(changed), mark)
                    seconds = way.build()
                    yield {"way": way.key, "pages": pages, "changed": changed, "round": number, "seconds": seconds}
                    if changed == SCRIPT:
                        approve(Project(folder))
                        way.build()  # the next round begins with nothing changed


def approve(project: Project) -> None:
    """Give copies of recipes, and a script that was changed, a record of what they print now."""
    book = gather(project)
    for name, script in book.scripts.items():
        records.write(project, script, book.fresh_results[name])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", default="1", help="how often each chapter is there: 1,3 … (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    runs: list[dict[str, Any]] = []
    for count in map(int, options.copies.split(",")):
        for run in measure(count, options.rounds):
            runs.append({**run, "seconds": round(run["seconds"], 2)})
            print(run["way"], run["pages"], "pages,", run["changed"], f"changed: {run['seconds']:.1f} s", flush=True)
        # the largest size takes longest: if it is cut off, the others are there
        report.publish(find_root(), {"edits": {**about(), "runs": runs}})


if __name__ == "__main__":
    main()

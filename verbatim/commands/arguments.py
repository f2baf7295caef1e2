"""The commands and their options, as they are typed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from verbatim.run.job import Limits

#: Adds a command: given its name and what it does, returns its parser.
Add = Callable[[str, str], argparse.ArgumentParser]
#: Command → its other names.
ALIASES = {"move": ("rename",)}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line. It stores the name of the command's module as ``command``."""
    made = argparse.ArgumentParser(
        prog="python -m verbatim", description="Makes a cookbook whose every output was printed by its scripts."
    )
    commands = made.add_subparsers(required=True, metavar="command")

    def add(name: str, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, aliases=ALIASES.get(name, ()), help=help, description=help)
        sub.set_defaults(command=name.replace("-", "_"))
        return sub

    _recipes(add)
    _site(add)
    _outputs(add)
    _exports(add)
    return made


def _recipes(add: Add) -> None:
    """Add the commands that make, move and remove recipes."""
    sub = add("new", "start a recipe: script, pages, its line in the map, record")
    sub.add_argument("recipe", metavar="CHAPTER/NAME")
    for language, example in (("en", "How do I join tensors?"), ("zh", "怎样拼接张量？")):
        help = f"the question that the page answers, such as “{example}”; asked for on a terminal"
        sub.add_argument(f"--{language}", metavar="QUESTION", help=help)
    sub = add("remove", "take a recipe out: script, pages, records, its line in the map")
    sub.add_argument("recipe", metavar="CHAPTER/NAME")
    sub = add("move", "give a recipe another name or chapter; its old address leads there")
    sub.add_argument("old", metavar="CHAPTER/OLD")
    sub.add_argument("new", metavar="CHAPTER/NEW")


def _site(add: Add) -> None:
    """Add the commands that show the site."""
    sub = add("serve", "serve the site, or just these recipes, and follow what is saved")
    sub.add_argument("paths", nargs="*", metavar="RECIPE")
    sub.add_argument("--port", type=int, default=8000, help="where to listen; 0: at any port that is free")
    sub = add("build", "build the site, or leave it as it is where nothing changed")
    sub.add_argument("--strict", action="store_true", help="fail if anything warns, or is not what was recorded")
    sub.add_argument("--clean", action="store_true", help="make every page anew")
    help = "make a zip of each language that is read without a network"
    sub.add_argument("--offline", action="store_true", help=help)
    sub.add_argument("--site-dir", metavar="DIR", help="the folder of the site, if not that of mkdocs.yml")


def _outputs(add: Add) -> None:
    """Add the commands that run scripts and compare what they print."""
    sub = add("run", "run scripts and print what each cell prints")
    sub.add_argument("paths", nargs="*", metavar="PATH")
    _run_options(sub, anywhere=True)
    sub.add_argument("--figures", type=Path, metavar="DIR", help="write figures into this folder as SVG")
    sub = add("check", "list every problem of scripts, pages and outputs")
    sub.add_argument("paths", nargs="*", metavar="PATH")
    _run_options(sub)
    sub.add_argument("--fix", action="store_true", help="mend what a machine can first")
    help = "write down that the pages say the same in all languages: what changed is the wording of one alone"
    sub.add_argument("--same", action="store_true", help=help)
    sub = add("record", "approve what the scripts print now: write outputs/")
    sub.add_argument("paths", nargs="*", metavar="RECIPE")
    _run_options(sub, anywhere=True)
    help = "approve what another torch, Python, NumPy or Matplotlib prints than the records were made with"
    sub.add_argument("--new-environment", action="store_true", help=help)
    help = "approve what was printed already, by what is installed here, and run only the others"
    sub.add_argument("--cached", action="store_true", help=help)
    sub = add("remedies", "approve what readers are told to do about each message: write outputs/remedies")
    sub.add_argument("paths", nargs="*", metavar="RECIPE")
    sub = add("drift", "show what the outputs change, against the records of a commit")
    sub.add_argument("paths", nargs="*", metavar="PATH")
    _run_options(sub)
    sub.add_argument("--against", metavar="REF", default="HEAD", help="a branch, tag or commit (%(default)s)")
    sub.add_argument("--report", type=Path, metavar="FILE", help="write Markdown here instead of printing it")
    help = "write the pages to read again, and what fails, as JSON"
    sub.add_argument("--about", type=Path, metavar="FILE", help=help)
    sub = add("versions", "run what is stale with the torch and the Python that are here: write outputs/versions")
    sub.add_argument("paths", nargs="*", metavar="RECIPE")
    _run_options(sub)
    sub.add_argument("--all", action="store_true", help="run everything, not only what is stale")
    help = "a list, in JSON, of names of which to record the missing"
    sub.add_argument("--names", type=Path, metavar="FILE", help=help)


def _exports(add: Add) -> None:
    """Add the commands that write the pages in other forms."""
    sub = add("render", "write the pages as plain Markdown, code and outputs in place")
    _run_options(sub)
    sub.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    sub = add("book", "make the whole book one EPUB and one PDF a language, and the path for those who begin a PDF")
    sub.add_argument("--out", type=Path, default="build/book", metavar="DIR", help="folder to write to (%(default)s)")
    sub.add_argument("--language", action="append", help="all by default")
    sub.add_argument("--format", action="append", choices=("epub", "pdf"), help="of the book both, of a volume the PDF")
    volumes = sub.add_mutually_exclusive_group()
    help = "a volume with this chapter alone, in the place of the book; its scripts alone are run"
    volumes.add_argument("--chapter", action="append", default=[], help=help)
    volumes.add_argument("--volumes", action="store_true", help="a volume for each chapter, in the place of the book")
    _run_options(sub)
    help = "write what the packages in explain/ know: messages with their remedies, and the pages of the built site"
    sub = add("explain-data", help)
    _run_options(sub)


def _run_options(sub: argparse.ArgumentParser, *, anywhere: bool = False) -> None:
    """Add what the commands that run scripts share. `anywhere`: they can be run on a GPU, or on a cluster, too."""
    sub.add_argument("--jobs", type=int, help="scripts at once; as many as there are cores unless given")
    help = "processor time that a script may use, with its processes (%(default)g); it may sleep twice as long"
    sub.add_argument("--seconds", type=float, default=Limits.seconds, help=help)
    if anywhere:
        help = "cuda: only what uses a GPU, on one"
        sub.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help=help)
        help = "run on this Dask cluster, such as tcp://host:8786"
        sub.add_argument("--scheduler", metavar="ADDRESS", help=help)

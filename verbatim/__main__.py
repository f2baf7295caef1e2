"""The command line: ``python -m verbatim new | serve | build | run | check | record | drift | render | move …``."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

# What only some commands need they import themselves: `run` and `record` do with torch, NumPy and Matplotlib alone, so
# that a bare machine with a GPU can record.
from verbatim import progress
from verbatim.book import records, stability
from verbatim.book.compare import text_of
from verbatim.book.gather import Book, Options, gather
from verbatim.book.releases import upgrade
from verbatim.book.releases.model import torch_release
from verbatim.memo import Memo
from verbatim.pages.page import Page, scripts_of
from verbatim.problems import Problem, Problems, as_typed, report
from verbatim.project import CONFIG, Project, find_root, write_if_changed
from verbatim.run.gpus import ask, today
from verbatim.run.job import Limits
from verbatim.words import SCAFFOLD


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Return the exit code: 0, or 1 if anything is wrong."""
    options = _parser().parse_args(arguments)
    try:
        _need_torch(options)
        return int(options.command(options))
    except Problems as error:
        print(report(error.problems), file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader (`head`, say) has seen enough
        sys.stdout = None
        return 1
    except OSError as error:
        print(f"{error.filename or 'verbatim'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _need_torch(options: argparse.Namespace) -> None:
    """Say at once what every script would say in its own way.

    Raises:
        Problems: this Python has no PyTorch, and no other machine is asked to run the scripts.
    """
    if importlib.util.find_spec("torch") is None and not getattr(options, "scheduler", None):
        hint = "use the project's own: .venv/bin/python, which `make check` makes"
        raise Problems([Problem(sys.executable, 0, "this Python has no PyTorch", hint)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m verbatim", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(name: str, command: Callable[[argparse.Namespace], int], help: str, paths: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help)
        sub.add_argument("paths", nargs="*", metavar=paths)
        sub.add_argument("--jobs", type=int, help="scripts at once; as many as there are cores unless given")
        seconds = "processor time that a script may use, with its processes (%(default)g); waiting for a core is none"
        sub.add_argument("--seconds", type=float, default=Limits.seconds, help=seconds)
        sub.set_defaults(command=command)
        return sub

    def where(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: only what uses a GPU, on one")
        sub.add_argument("--scheduler", metavar="ADDRESS", help="run on this Dask cluster, such as tcp://host:8786")

    sub = add("run", run, "run scripts and print what each cell prints", "PATH")
    sub.add_argument("--figures", type=Path, metavar="DIR", help="write figures into this folder as SVG")
    where(sub)
    sub = add("serve", serve, "serve the site, or just these recipes, and follow what is saved", "RECIPE")
    sub.add_argument("--port", type=int, default=8000)
    help = "build the site, or leave it as it is where nothing changed"
    sub = commands.add_parser("build", help=help, description=help)
    sub.add_argument("--strict", action="store_true", help="fail if anything warns, or is not what was recorded")
    sub.add_argument("--clean", action="store_true", help="make every page anew")
    sub.add_argument(
        "--offline", action="store_true", help="make a zip of each language that is read without a network"
    )
    sub.add_argument("--site-dir", metavar="DIR", help="the folder of the site, if not that of mkdocs.yml")
    sub.set_defaults(command=build, jobs=None, seconds=Limits.seconds, device="cpu", scheduler=None)
    sub = commands.add_parser("new", help="start a recipe: script, pages, index entries, record")
    sub.add_argument("recipe", metavar="CHAPTER/NAME")
    for language, example in (("en", "How do I join tensors?"), ("zh", "怎样拼接张量？")):
        help = f"the question that the page answers, such as “{example}”; asked for on a terminal"
        sub.add_argument(f"--{language}", metavar="QUESTION", help=help)
    sub.set_defaults(
        command=new, jobs=None, seconds=Limits.seconds, device="cpu", scheduler=None, new_environment=False
    )
    sub = commands.add_parser("remove", help="take a recipe out: script, pages, records, its line in the map")
    sub.add_argument("recipe", metavar="CHAPTER/NAME")
    sub.set_defaults(command=remove)
    help = "give a recipe another name or chapter; its old address leads there"
    sub = commands.add_parser("move", aliases=["rename"], help=help)
    sub.add_argument("old", metavar="CHAPTER/OLD")
    sub.add_argument("new", metavar="CHAPTER/NEW")
    sub.set_defaults(command=move)
    sub = add("check", check, "list every problem of scripts, pages and outputs", "PATH")
    sub.add_argument("--fix", action="store_true", help="mend what a machine can first")
    sub = add("drift", drift, "show what the outputs change, against the records of a commit", "PATH")
    sub.add_argument("--against", metavar="REF", default="HEAD", help="a branch, tag or commit (%(default)s)")
    sub.add_argument("--report", type=Path, metavar="FILE", help="write Markdown here instead of printing it")
    sub.add_argument(
        "--about", type=Path, metavar="FILE", help="write the pages to read again, and what fails, as JSON"
    )
    sub = add("record", record, "approve what the scripts print now: write outputs/", "RECIPE")
    help = "approve what another torch, Python, NumPy or Matplotlib prints than the records were made with"
    sub.add_argument("--new-environment", action="store_true", help=help)
    where(sub)
    sub = add(
        "versions",
        other_versions,
        "run what is stale with the torch and the Python that are here: write outputs/versions",
        "RECIPE",
    )
    sub.add_argument("--all", action="store_true", help="run everything, not only what is stale")
    sub.add_argument(
        "--names", type=Path, metavar="FILE", help="a list, in JSON, of names of which to record the missing"
    )
    sub = add("render", render, "write the pages as plain Markdown, code and outputs in place", "PATH")
    sub.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    sub = commands.add_parser("book", help="make the whole book one EPUB and one PDF a language")
    sub.add_argument("--out", type=Path, default="build/book", metavar="DIR", help="folder to write to (%(default)s)")
    sub.add_argument("--language", action="append", help="all by default")
    sub.add_argument("--format", action="append", choices=("epub", "pdf"), help="both by default")
    sub.set_defaults(command=book, jobs=None, seconds=Limits.seconds)
    help = "write the messages that the package in explain/ recognises, with their remedies"
    sub = commands.add_parser("explain-data", help=help, description=help)
    sub.set_defaults(command=explain_data, jobs=None, seconds=Limits.seconds)
    return parser


def run(options: argparse.Namespace) -> int:
    """Run scripts, afresh, and print their outputs."""
    project = _project(options.paths)
    book, _ = _gather_on(project, options, any_script=True)
    print(*book.notes, sep="\n", end="\n" if book.notes else "", file=sys.stderr)
    for name, result in book.printed.items():
        print(f"== {name}  ({result.seconds:.2f} s)")
        for cell in result.cells:
            note = f"  [not run: needs {cell.skipped}]" if cell.skipped else ""
            print(f"-- {cell.name}{note}")
            for number, output in enumerate(cell.outputs, 1):
                if output["output_type"] == "display_data":
                    print(_save_figure(options.figures, project.recipe(name), cell.name, number, text_of(output)))
                else:
                    print(text_of(output).rstrip("\n"))
    return _tell(book.problems)


def _save_figure(folder: Path | None, recipe: str, cell: str, number: int, svg: str) -> str:
    if folder is None:
        return f"[figure, {len(svg) / 1024:.0f} KiB of SVG]"
    path = folder / f"{recipe.replace('/', '-')}-{cell}-{number}.svg"
    write_if_changed(path, svg)
    return f"[figure: {path}]"


def new(options: argparse.Namespace) -> int:
    """Start a recipe that passes as it stands."""
    from verbatim import scaffold

    project = Project(find_root())
    questions = {language: getattr(options, language, None) or "" for language in project.languages.whole}
    if sys.stdin.isatty():
        for language in sorted(questions):
            questions[language] = questions[language] or input(SCAFFOLD[language]["question"]).strip()
    alike = {
        f"{section.page}{'#' if section.id else ''}{section.id}": section.title
        for language, question in questions.items()
        for section in scaffold.answering(project, question or options.recipe.partition("/")[2], language)
    }
    for path in scaffold.new(project, options.recipe, questions):
        print(project.relative(path))
    if alike:
        print(
            "\nThese sections may answer it already; a better sentence there is worth more than another page:",
            *(f"  {where}  {title}" for where, title in alike.items()),
            as_typed(f"If one does: python -m verbatim remove {options.recipe}\n"),
            sep="\n",
        )
    options.paths = [options.recipe]
    code = record(options)
    steps = (
        f"\nnext: python -m verbatim serve {options.recipe}   (shows both pages and follows what you save)\n"
        f"then: python -m verbatim check {options.recipe}   (tells what is left to do)\n"
        f"      python -m verbatim record {options.recipe}  (approves what the script prints)\n"
        "      make ready   (says whether all is ready for a pull request)"
    )
    print(as_typed(steps))
    return code


def build(options: argparse.Namespace) -> int:
    """Build the site."""
    from verbatim.site import command

    return command.build(
        Project(find_root()),
        strict=options.strict,
        clean=options.clean,
        offline=options.offline,
        site_dir=options.site_dir,
    )


def serve(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from verbatim.site import command  # the other commands do without MkDocs

    project = Project(find_root())
    recipes = [project.recipe(project.relative(p)) for p in project.select(options.paths)] if options.paths else []
    command.serve(project, recipes, options.port)
    return 0


def check(options: argparse.Namespace) -> int:
    """Check everything, or only what concerns the given paths."""
    from verbatim import build as stages
    from verbatim.book import capabilities
    from verbatim.checks import mend, prose
    from verbatim.checks.files import EDITED
    from verbatim.pages import freshness
    from verbatim.site import formulas, settings

    project = Project(find_root())
    if options.fix:
        for mended in mend.mend(project):
            print(mended)

    memo = Memo(project.cache)

    def typeset(pages: list[Page]) -> list[Problem]:
        return formulas.problems(pages, formulas.Typesetter(memo))

    named = {project.recipe(project.relative(p)) for p in _scripts_or_pages(project, options.paths)}
    run = {*map(project.relative, map(project.script, named)), *scripts_of(project, named)} if options.paths else None
    how = replace(_how(options), memo=memo, run=run)
    made = stages.prepare(gather(project, options=how), more=typeset, memo=memo)
    problems = [*made.problems, *made.drifted, *prose.formatting(project), *prose.spelling(project)]
    problems += [] if any(p.path == CONFIG for p in problems) else settings.problems(project)
    problems += capabilities.check(made.book, limits=Limits(seconds=options.seconds), jobs=options.jobs, only=run)
    scripts = made.book.scripts
    behind = [*freshness.problems(made.behind), *freshness.unanswered(project, made.pages)]
    memo.close()
    if options.paths:
        problems = [p for p in problems if p.path in EDITED or _recipe_of(p.path) in named]
        behind = [p for p in behind if _recipe_of(p.path) in named]
        scripts = {path: script for path, script in scripts.items() if project.recipe(path) in named}
    stale = made.book.releases.stale(scripts, made.book.cpu)
    for note in [*made.book.notes, *stale, *behind]:
        print(f"note: {note}", file=sys.stderr)
    if not problems and options.paths:
        print(f"{', '.join(sorted(named))}: nothing wrong; the rest of the book was not looked at")
    elif not problems:
        print(f"{len(made.book.scripts)} scripts and {len(made.pages)} pages, nothing wrong")
    return _tell(problems)


def _scripts_or_pages(project: Project, paths: list[str]) -> list[Path]:
    """Pages without a script of their own (a chapter's index) may be named, too."""
    found = []
    for path in paths:
        page = Path(path).absolute()
        if page.suffix == ".md" and page.is_file():
            found.append(project.script(_recipe_of(project.relative(page))))
        else:
            found += project.select([path])
    return found


def _recipe_of(path: str) -> str:
    path = re.sub(r"^(?:examples|docs/[^/]+|outputs/(?:cpu|cuda|versions/[^/]+))/", "", path)
    return path.rpartition(".")[0] if "." in path else path


def record(options: argparse.Namespace) -> int:
    """Write the records of the given recipes, or of all; where a run went wrong, the old record stays."""
    project = Project(find_root())
    book, provenance = _gather_on(project, options)
    problems = [p for p in book.problems if not p.path.startswith("outputs/")]
    wrong = {p.path for p in problems} | {name for name, result in book.printed.items() if result.problems}
    if not provenance and not options.new_environment:
        wrong |= _of_another_environment(book, problems)
    if not provenance and not options.scheduler:
        unsteady = list(stability.check(book, _anew(book, wrong), limits=Limits(options.seconds), jobs=options.jobs))
        problems += unsteady
        wrong |= {problem.path for problem in unsteady}
    all_anew = not wrong and (not options.paths or not book.approved)
    before, was = dict(book.cpu), dict(book.approved)
    written = 0
    remarks: list[Problem] = []
    for name, script in book.scripts.items():
        if name not in wrong and records.write(project, script, book.printed[name], provenance, all_anew=all_anew):
            written += 1
            _show(book, name, book.cuda if provenance else book.cpu)
            remarks += stability.remarks(script, book.printed[name]) if options.paths else ()
    if not options.paths:
        written += _remove_orphans(project, options.device)
    if book.ran and not provenance and all_anew:
        records.write_environment(project, book.ran)
    if written and not provenance:
        written_for = {name: script for name, script in book.scripts.items() if name not in wrong}
        upgrade.keep(project, written_for, {name: before[name] for name in written_for if name in before}, was)
    print(f"{len(book.printed)} recipes run, {written} records changed")
    for remark in remarks:
        print(f"note: {remark}", file=sys.stderr)
    return _tell(problems)


def _anew(book: Book, wrong: set[str]) -> list[str]:
    """Return the scripts that print something else than their record holds."""
    return [
        name
        for name, script in book.scripts.items()
        if name not in wrong
        and not ((old := book.cpu.get(name)) and records.agrees_whole(script, old, book.printed[name]))
    ]


def _show(book: Book, name: str, recorded: dict[str, records.Record]) -> None:
    """Print what was approved of a script, as a diff."""
    from verbatim.book import drift as drifts

    one = replace(book, scripts={name: book.scripts[name]})
    old = {name: recorded[name]} if name in recorded else {}
    for change in drifts.against_records(one, old):
        if change.kind not in drifts.QUIET and change.diff:
            print(change.diff)


def _of_another_environment(book: Book, problems: list[Problem]) -> set[str]:
    """Return the scripts whose record something else printed than what runs here, and tell of it."""
    other = records.differs(book.approved, book.ran)
    found = {name for name in book.scripts if other and book.project.record(book.project.recipe(name), "cpu").exists()}
    if found:
        place = book.project.relative(records.environment_path(book.project))
        message = (
            f"the records were printed by something else: here is {other}; {len(found)} records are left as they are"
        )
        problems.append(Problem(place, 0, message, "use .venv, which make installs, or approve it: --new-environment"))
    return found


def _remove_orphans(project: Project, device: str) -> int:
    """Remove the records of scripts that are gone."""
    orphans = [path for path in records.orphans(project) if path.is_relative_to(project.outputs / device)]
    for path in orphans:
        path.unlink()
    return len(orphans)


def drift(options: argparse.Namespace) -> int:
    """Show what changed; exit code 1 only where a script fails."""
    from verbatim import lists
    from verbatim.book import drift as drifts
    from verbatim.book import gather as recorded
    from verbatim.lists import drifted
    from verbatim.pages.page import load_pages
    from verbatim.site import settings

    project = Project(find_root())
    book = gather(project, project.select(options.paths), replace(_how(options), fresh=True))
    old = drifts.records_at(project, options.against)
    if options.paths:
        old = {path: record for path, record in old.items() if path in book.scripts}
    printed = {name: book.as_recorded(name) for name in book.printed}
    changes = drifts.against_records(replace(book, printed=printed), old)
    was, now = (one.get("torch", "unknown") for one in (book.approved, book.ran))
    title = f"torch {was} → {now}" if was != now else f"Outputs against {options.against}, torch {now}"
    failed = [p for p in book.problems if not p.path.startswith("outputs/")]
    sources = lists.gather(book, load_pages(project)[0], [])
    differ = {one.recipe for one in changes if one.kind not in drifts.QUIET}
    unrecorded = {_recipe_of(one.script) for one in recorded.drift(book)}  # the others are approved already
    right = sorted(differ & unrecorded - {_recipe_of(p.path) for p in failed})
    command = book.approve(right) if right else ""
    if torch_release(was) != torch_release(now):
        command = f"make upgrade TORCH={torch_release(now)} APPLY=1"
    text = drifted.render(changes, sources, failed, title=title, address=settings.address(project), command=command)
    if options.about:
        about = {"pages": drifted.pages(changes, sources), "failed": sorted({p.path for p in failed})}
        write_if_changed(options.about, json.dumps(about))
    if options.report:
        write_if_changed(options.report, text)
        print(f"{options.report} written")
    else:
        print(text, end="")
    return 1 if failed else 0


def other_versions(options: argparse.Namespace) -> int:
    """Record what the torch and the Python that are here print, where they are not those of the CPU records."""
    from verbatim.book.gather import parse_all
    from verbatim.book.releases import run

    project = Project(find_root())
    scripts, problems = parse_all(project, project.scripts())
    if problems:
        return _tell(problems)
    release, problems = run.rerun(
        project,
        scripts,
        only=map(project.relative, project.select(options.paths)),
        names=json.loads(options.names.read_text(encoding="utf-8")) if options.names else (),
        everything=options.all,
        jobs=options.jobs,
        limits=Limits(seconds=options.seconds),
        progress=progress.Bar(),
    )
    print(*problems, run.summary(project, release, scripts), sep="\n")
    return 0


def render(options: argparse.Namespace) -> int:
    """Write every page, expanded, below DIR/zh and DIR/en, figures beside them."""
    from verbatim import build as stages
    from verbatim import export

    made = stages.prepare(gather(Project(find_root()), options=_how(options)))
    if made.problems:
        return _tell(made.problems)
    export.write(made, options.out)
    print(f"{len(made.pages)} pages written to {options.out}")
    return 0


def book(options: argparse.Namespace) -> int:
    """Make the book's files; nothing where anything is wrong or outputs are not those that were approved."""
    from verbatim import build as stages
    from verbatim.editions import make
    from verbatim.site import settings

    project = Project(find_root())
    languages = project.languages.whole
    wanted = options.language or languages
    if unknown := [language for language in wanted if language not in languages]:
        hint = f"it has {' and '.join(languages)}"
        return _tell([Problem(CONFIG, 0, f"the book has no edition in `{language}`", hint) for language in unknown])
    memo = Memo(project.cache)
    made = stages.prepare(gather(project, options=replace(_how(options), memo=memo)), memo=memo)
    memo.close()
    if made.problems or made.drifted:
        return _tell([*made.problems, *made.drifted])
    formats = tuple(options.format or make.FORMATS)
    for language in wanted:
        edition = make.edition(made, language, settings.address(project))
        if boxes := make.uncovered(edition.html):
            print(f"no font has {' '.join(sorted(boxes))}: readers will see boxes", file=sys.stderr)
        try:
            files = make.make(edition, options.out, formats)
        except make.CannotMakeError as error:
            print(f"{error}\n  hint: `make book` installs what is needed", file=sys.stderr)
            return 1
        for file in files:
            print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    return 0


def remove(options: argparse.Namespace) -> int:
    """Take a recipe out, unless pages link to it."""
    from verbatim.move import remove as remove_recipe

    print(*remove_recipe(Project(find_root()), options.recipe), sep="\n")
    return 0


def explain_data(options: argparse.Namespace) -> int:
    """Write the data of the package that readers install; nothing where outputs are not those that were approved."""
    from verbatim import build as stages
    from verbatim.site import settings
    from verbatim.site.downloads import explain

    project = Project(find_root())
    memo = Memo(project.cache)
    made = stages.prepare(gather(project, options=replace(_how(options), memo=memo)), memo=memo)
    memo.close()
    if made.problems or made.drifted:
        return _tell([*made.problems, *made.drifted])
    path = project.root / explain.FILE
    explain.write(made.sources, settings.address(project), path)
    print(f"{project.relative(path)} written: {path.stat().st_size / 1024:.0f} KiB")
    return 0


def move(options: argparse.Namespace) -> int:
    """Give a recipe another name or chapter: its files and records, all links to it; the old address leads to it."""
    from verbatim.move import move as move_recipe

    left = move_recipe(Project(find_root()), options.old, options.new)
    print(f"{options.old} is now {options.new}", *left, sep="\n")
    return 0


def _project(paths: list[str]) -> Project:
    """The project of the working folder; where there is none, the folder of the first script."""
    try:
        return Project(find_root())
    except Problems:
        if not paths:
            raise
        return Project(Path(paths[0]).absolute().parent)


def _gather_on(
    project: Project, options: argparse.Namespace, *, any_script: bool = False
) -> tuple[Book, dict[str, str] | None]:
    """Gather afresh on the device, and on the cluster, that the options name. Return GPU outputs' provenance, too."""
    paths = project.select(options.paths)
    how = replace(_how(options), fresh=True, any_script=any_script)
    with contextlib.ExitStack() as stack:
        provenance = None
        if options.scheduler:
            from verbatim.run.cluster import Cluster

            cluster = stack.enter_context(Cluster(project, options.scheduler, device=options.device, limits=how.limits))
            how = replace(how, cluster=cluster)
            for note in cluster.notes:
                print(note, file=sys.stderr)
        if options.device == "cuda":
            gpus = how.cluster.gpus if how.cluster else ask()
            how = replace(how, gpus=gpus.count)
            provenance = {**gpus.provenance, "date": today()}
            print(" · ".join(provenance.values()))
        return gather(project, paths, how), provenance


def _how(options: argparse.Namespace) -> Options:
    """Return how scripts are run, by the options that all commands share."""
    return Options(limits=Limits(seconds=options.seconds), jobs=options.jobs, progress=progress.Bar())


def _tell(problems: list[Problem]) -> int:
    if not problems:
        return 0
    print(report(problems), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

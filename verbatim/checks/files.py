"""Files have names that every system can hold, stand in the folder of their kind, and are no links elsewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from verbatim.book import allowed_svg
from verbatim.pages import moved
from verbatim.pages.chapters import MAP
from verbatim.paths import HINT, UNPORTABLE_NAME
from verbatim.problems import Problem, printable
from verbatim.project import CONFIG, QUESTIONS, Project

#: Files besides scripts and pages that people edit, and that may have merge conflicts.
EDITED_FILES = (CONFIG, MAP, moved.LIST, "book/GLOSSARY.md", "book/THESAURUS.md", "book/STYLE.md", "requirements.txt")
#: The marks of a merge conflict.
CONFLICT_MARK = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)")

BOM = b"\xef\xbb\xbf"
FIX = "python -m verbatim check --fix mends it"
#: The file types in each tree, except in docs/assets.
FILE_TYPES = {
    "docs": (".md",),
    "examples": (".py",),
    "outputs": (".ipynb", ".json", ".sha256", ".yml"),
    QUESTIONS: (".txt",),
}
ASSETS = "assets"
#: What docs/assets may hold, by its name's end: what a browser shows, or reads as text, and never runs.
ASSET_TYPES = (".avif", ".gif", ".jpeg", ".jpg", ".json", ".png", ".svg", ".txt", ".webp", ".woff2")
#: What pages run, and how they look, from docs/assets: a browser has each of these work on every page. A project names
#: further ones in its settings, `extra_javascript` and `extra_css`.
CODE_ASSETS = frozenset(
    f"{ASSETS}/{name}"
    for name in (
        *(f"{name}.css" for name in ("hover", "notebook", "site")),
        *(f"{name}.js" for name in ("hover", "lists", "missing", "page", "wrap")),
        *(f"search/{name}.css" for name in ("dialog", "view")),
        *(f"search/{name}.js" for name in ("dialog", "engine", "highlight", "messages", "minisearch", "open", "words")),
        *(f"search/{name}.js" for name in ("results", "traceback", "view")),
        *(f"changes/{name}.js" for name in ("between", "form", "names", "steps")),
        *(f"releases/{name}.js" for name in ("differ", "outputs", "told")),
    )
)
#: The largest file of the book has 146 KiB.
MOST_BYTES = 1 << 20


def check_files(project: Project) -> Iterator[Problem]:
    """Docs, examples and outputs have no symbolic links, misplaced files, or names that some systems cannot hold."""
    strange: set[str] = set()
    for folder in (project.root / tree for tree in FILE_TYPES):
        seen: dict[str, str] = {}
        for path in _below(folder):
            try:
                status = path.lstat()
            except FileNotFoundError:  # an editor's copy, that is gone again
                continue
            place = printable(project.relative(path))
            first = seen.setdefault(place.casefold(), place)
            if first != place:
                message = f"it differs from {first} by upper and lower case alone"
                yield Problem(place, 0, message, "macOS and Windows can hold only one of them: name it otherwise")
            link = stat.S_ISLNK(status.st_mode)
            if link and not _shared(path, project):
                hint = "put the file itself there: what a link leads to may lie outside of the project"
                yield Problem(place, 0, "this is a symbolic link", hint)
            if UNPORTABLE_NAME.match(path.name):
                yield Problem(place, 0, "Windows cannot hold a file of this name", "choose another name")
            if link and path.is_file():
                status = path.stat()
            if stat.S_ISREG(status.st_mode) and not path.name.startswith(".") and not path.name.endswith("~"):
                yield from _check_place(place, status.st_size, project.languages.all, strange)
                if place.startswith(f"docs/{ASSETS}/"):
                    yield from _check_asset(path, place, project)
    yield from _check_recipes(project)
    for path in texts(project):
        data = path.read_bytes()
        if data.startswith(BOM):
            yield Problem(project.relative(path), 1, "the file begins with a byte order mark", FIX)
        if b"\r" in data:
            line = data.count(b"\n", 0, data.index(b"\r")) + 1
            yield Problem(project.relative(path), line, "the lines end as on Windows", FIX)


def check_conflicts(path: str, text: str) -> Iterator[Problem]:
    """A file has no marks of a merge conflict."""
    for number, line in enumerate(text.splitlines(), 1):
        if CONFLICT_MARK.match(line):
            hint = "keep one side and remove the lines of <<<<<<<, ======= and >>>>>>>"
            yield Problem(path, number, "a merge left its marks here", hint)


def check_edited(project: Project) -> Iterator[Problem]:
    """The files of `EDITED_FILES` are UTF-8, and have no marks of a merge conflict."""
    for name in EDITED_FILES:
        text = project.text(name)
        yield from check_conflicts(name, text)
        if "\ufffd" in text:
            line = text.count("\n", 0, text.index("\ufffd")) + 1
            yield Problem(name, line, "the file is not UTF-8", "save it as UTF-8")


def _below(folder: Path) -> list[Path]:
    """Return all below a folder but compiled modules, sorted. Links are not followed: they may lead in a ring.

    Below docs nothing is compiled, and all is published, whatever its folder is called.
    """
    paths = []
    for within, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__" or folder.name == "docs"]
        paths += [f"{within}{os.sep}{name}" for name in (*folders, *names)]
    return [Path(path) for path in sorted(paths)]


def _check_place(place: str, size: int, languages: tuple[str, ...], strange: set[str]) -> Iterator[Problem]:
    """A file stands in a folder of its kind, and is no larger than each reader would load.

    Args:
        place: The file.
        size: Its bytes.
        languages: The folders that pages stand in.
        strange: The folders that are none of these, as far as they were told: of each its first file is.
    """
    tree = next(tree for tree in FILE_TYPES if place.startswith(f"{tree}/"))
    folder = place.removeprefix(f"{tree}/").partition("/")[0]
    if tree == "docs" and folder not in (*languages, ASSETS):
        hint = f"pages stand in docs/{' and docs/'.join(languages)}, what they show in docs/{ASSETS}"
        if folder not in strange:
            yield Problem(place, 0, "this is no place for a file", hint)
        strange.add(folder)
    elif folder != ASSETS and not place.endswith(kinds := FILE_TYPES[tree]):
        hint = f"here stand {' and '.join('*' + kind for kind in kinds)} alone; images belong in docs/{ASSETS}"
        yield Problem(place, 0, "this file belongs elsewhere, or to nobody", hint)
    if size > MOST_BYTES:
        yield Problem(place, 0, f"the file has {size >> 10} KiB", "a site is read on phones: make it smaller")


def _check_asset(path: Path, place: str, project: Project) -> Iterator[Problem]:
    """A file that is published as it is runs nothing: opened at its own address, it has no page's policy around it."""
    name = place.removeprefix("docs/")
    if name.endswith((".js", ".css")):
        if name not in CODE_ASSETS | project.code:
            hint = f"name it in {CONFIG}: extra_javascript or extra_css"
            yield Problem(place, 0, "no page asks for this file, but whoever has its address can run it", hint)
    elif name.endswith(".svg"):
        if path.stat().st_size <= MOST_BYTES and (
            fact := allowed_svg.refused(path.read_text(encoding="utf-8", errors="replace"), "")
        ):
            hint = "draw it as figures are drawn: verbatim/book/allowed_svg.py says what an SVG may hold"
            yield Problem(place, 0, f"the image {fact}", hint)
    elif not name.endswith((*ASSET_TYPES, "/README.md")):
        hint = f"here stand {' '.join(ASSET_TYPES)}, and the scripts and styles that pages have"
        yield Problem(place, 0, "a browser may run a file of this kind on the site's origin", hint)


def texts(project: Project) -> list[Path]:
    """Return every script and page."""
    paths = [*project.scripts(), *(path for language in project.languages.all for path in project.pages(language))]
    return [path for path in paths if path.is_file()]


def portable(data: bytes) -> bytes:
    """Return a text's bytes without a byte order mark, and with the line ends that git keeps."""
    return data.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _shared(link: Path, project: Project) -> bool:
    """Whether a link leads into the pages of a project around this one, as the tests' miniature shares its assets."""
    around = (folder / "docs" for folder in project.root.parents if (folder / "mkdocs.yml").is_file())
    return any(link.resolve().is_relative_to(docs.resolve()) for docs in around)


def _check_recipes(project: Project) -> Iterator[Problem]:
    scripts = [path.relative_to(project.examples) for path in project.scripts()]
    pages = [
        path.relative_to(project.docs(language))
        for language in project.languages.all
        for path in project.pages(language)
    ]
    for folder, paths in ((project.examples, scripts), (project.docs(project.languages.default), pages)):
        for path in dict.fromkeys(paths):
            fact = project.unfit(path.with_suffix("").as_posix())
            if fact:
                yield Problem(project.relative(folder / path), 0, fact, HINT)
    for path in scripts:
        if path.stem.isidentifier() and _importable(path.stem):
            message = f"the script hides the module `{path.stem}`: a script's own folder is searched first"
            yield Problem(project.relative(project.examples / path), 0, message, f"name it {path.stem}-… instead")


def _importable(name: str) -> bool:
    """Whether a module of this name is installed."""
    spec = importlib.util.find_spec(name)
    return spec is not None and (spec.origin is None or Path(spec.origin).parent != Path.cwd())

"""What a script and a page cost, and how that grows with their number: the figures of `design/ten-thousand-recipes.md`.

    python -m benchmarks.scale run build twice plain git search      (or some of them)

Processor time and memory are of all processes that a command starts, so that other work on the machine matters little.
"""

from __future__ import annotations

import ctypes
import gzip
import json
import os
import posixpath
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.repository import plain as plain_site
from verbatim.pages.chapters import MAP, read
from verbatim.project import LANGUAGES, Project, find_root
from verbatim.site.index import files
from verbatim.site.search import FIELDS, Page, Section
from verbatim.site.terms import terms

ROOT = find_root()
SITE = ROOT / "build" / "scale"


def used(*command: str, folder: Path = ROOT, packages: str = "") -> tuple[int, float, int]:
    """Run a command; return its exit code, processor seconds of it and all its descendants, the largest one's KiB.

    `packages`: a folder to import from, too.
    """

    def child() -> None:
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: what a descendant leaves behind comes here
        done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        while True:
            try:
                os.wait()
            except ChildProcessError:
                break
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(writer, json.dumps([done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss]).encode())
        os._exit(0)

    paths = os.pathsep.join(filter(None, (str(ROOT), packages)))
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": paths}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else the engine's own modules are compiled in every run
    reader, writer = os.pipe()
    if os.fork() == 0:
        child()
    os.close(writer)
    with os.fdopen(reader) as pipe:
        code, seconds, kilobytes = json.load(pipe)
    os.wait()
    return code, seconds, kilobytes


def measured(*command: str, folder: Path = ROOT) -> str:
    """Run a command; return its processor time and its memory, to be printed."""
    code, seconds, kilobytes = used(*command, folder=folder)
    return f"{seconds:7.1f} CPU s, {kilobytes / 1024:5.0f} MiB" + (f"  (exit code {code})" if code else "")


def size(folder: Path, pattern: str = "*") -> int:
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file())


def run() -> None:
    scripts = len(list((ROOT / "examples").rglob("*.py")))
    print(f"{scripts} scripts, python -m verbatim run: {measured(sys.executable, '-m', 'verbatim', 'run')}")
    for name in ("examples", "outputs/cpu", "docs/zh", "docs/en"):
        print(f"{name}: {size(ROOT / name)} bytes, {size(ROOT / name) / scripts:.0f} a script")


def build() -> None:
    cache = ROOT / ".cache" / "verbatim"
    shutil.rmtree(cache, ignore_errors=True)
    command = (sys.executable, "-m", "mkdocs", "build", "--quiet", "-d", str(SITE))
    for kind in ("cold", "warm"):
        print(f"{kind} build: {measured(*command)}")
    pages = len(list(SITE.rglob("index.html")))
    print(f"{pages} pages, site {size(SITE)} bytes: HTML {size(SITE, '*.html')}, cache {size(cache)}")
    sidebar = re.compile(
        r'<div class="md-sidebar md-sidebar--primary".*?<div class="md-sidebar md-sidebar--secondary"', re.S
    )
    navs = [sidebar.search(page.read_text()) for page in SITE.rglob("index.html")]
    print(f"of it, the navigation in every page: {sum(len(nav[0].encode()) for nav in navs if nav)} bytes")
    largest = sorted(SITE.rglob("*.html"), key=lambda path: -path.stat().st_size)[:5]
    print("largest:", ", ".join(f"{path.relative_to(SITE)} {path.stat().st_size}" for path in largest))


def plain() -> None:
    """The pages as plain Markdown, their folders copied, with a nav that has them all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = plain_site(ROOT, folder)
        text = config.read_text()
        nav = text.partition("\nnav:\n")[2]
        block = re.match(r"(?:  .*\n)+", nav)[0]
        chapters = [path.name for path in (folder / "docs" / "zh").iterdir() if path.is_dir()]
        more = ""
        for copies in (1, 2, 4):
            for copy in range(copies // 2 if copies > 1 else 1, copies):
                for language in LANGUAGES:
                    for chapter in chapters:
                        at = folder / "docs" / language
                        shutil.copytree(at / chapter, at / f"{chapter}-{copy}")
                        for page in (at / f"{chapter}-{copy}").rglob("*.md"):
                            page.write_text(page.read_text() + f"\nCopy {copy}.\n")
                renamed = re.sub(r"^  - .*\bindex\.md\n", "", block, count=1)
                more += re.sub(r"(- )([a-z]+)/", rf"\1\2-{copy}/", renamed)
            config.write_text(text.replace(block, block + more, 1))
            pages = sum(len(list((folder / "docs" / language).rglob("*.md"))) for language in LANGUAGES)
            command = (sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(config), "-d", str(folder / "s"))
            print(f"plain MkDocs, {pages} pages: {measured(*command, folder=folder)}, {size(folder / 's')} bytes")


def copies(folder: Path, count: int) -> int:
    """Write a project with every chapter so many times; return how many pages it has.

    The map's topics are left out, and so are the copies' records: a record names its recipe.
    """
    for tree in ("examples", "docs", "outputs", "overrides"):
        shutil.copytree(ROOT / tree, folder / tree)
    chapters = [path.name for path in (folder / "docs" / "zh").iterdir() if (folder / "examples" / path.name).is_dir()]
    shutil.copyfile(ROOT / "mkdocs.yml", folder / "mkdocs.yml")
    lines = []
    for name, entries in read(Project(ROOT)).chapters.items():
        for copy in range(count if name in chapters else 1):
            lines.append(f"{name}-{copy}:" if copy else f"{name}:")
            lines += (f"  {posixpath.relpath(entry.name.removesuffix('.md'), name)}:" for entry in entries)
    (folder / MAP).write_text("\n".join(["index:", *lines, ""]))
    for copy in range(1, count):
        for chapter in chapters:
            for tree in ("examples", "docs/zh", "docs/en"):
                shutil.copytree(folder / tree / chapter, folder / tree / f"{chapter}-{copy}")
        for page in folder.glob(f"docs/*/*-{copy}/*.md"):
            if page.parent.name.removesuffix(f"-{copy}") in chapters:
                page.write_text(_copied(page.read_text(), copy))
    return sum(len(list((folder / "docs" / language).rglob("*.md"))) for language in LANGUAGES)


#: What no two pages of a language may share: the title, in the front matter and as the first heading, and the description.
_OWN = re.compile(r'^((?:title|description): "?|# )', re.MULTILINE)


def _copied(text: str, copy: int) -> str:
    """Return a page's text as its copy has it: scripts of the copied chapter, a title and a description of its own."""
    head, first, rest = text.partition(next(re.finditer(r"^# .*$", text, re.MULTILINE))[0])
    named = _OWN.sub(rf"\1c{copy} · ", head + first)
    return re.sub(r"\bexamples/([a-z]+)/", rf"examples/\1-{copy}/", named + rest)


def twice() -> None:
    """This project's own build of twice the recipes: each chapter has a copy."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copies(folder, 2)
        site = folder / "site"
        for kind in ("cold", "warm"):
            said = measured(sys.executable, "-m", "mkdocs", "build", "--quiet", "-d", str(site), folder=folder)
            print(f"twice the recipes, {kind} build: {said}")
        pages = len(list(site.rglob("index.html")))
        print(f"{pages} pages, site {size(site)} bytes: HTML {size(site, '*.html')}, cache {size(folder / '.cache')}")


def git() -> None:
    """How much a packed repository grows where a share of the records has another number in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "outputs" / "cpu", folder / "cpu")
        records = sorted(folder.rglob("*.ipynb"))
        quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        as_nobody = ("git", "-c", "user.name=n", "-c", "user.email=n@example.org")
        subprocess.run(["git", "init"], **quiet)
        before = 0
        for number, every in enumerate((1, 20, 1)):
            for record in records[::every] if number else ():
                changed = re.sub(r'("text": \[\s*")', rf"\g<1>{number} ", record.read_text(), count=1)
                record.write_text(changed)
            subprocess.run([*as_nobody, "add", "-A"], **quiet)
            subprocess.run([*as_nobody, "commit", "-m", str(number)], **quiet)
            subprocess.run(["git", "repack", "-adf", "--window=50"], **quiet)
            now = size(folder / ".git" / "objects" / "pack")
            what = "first commit" if not number else f"every {every}. record changed" if every > 1 else "all changed"
            print(f"git, {len(records)} records, {what}: + {now - before} bytes")
            before = now


def search() -> None:
    """The index of one language for copies of the site's sections; a copy's words are those of the first."""
    for language in LANGUAGES:
        pages = list(_pages(SITE / "assets" / "search" / language))
        for share in (0.25, 0.5, 1):
            part = pages[:: int(1 / share)]
            words = set().union(*terms(["\n".join(_texts(s)) for page in part for s in page.sections]))
            print(f"{language}: {len(part)} pages have {len(words)} different terms")
        for copies in (1, 4, 16, 57):
            made = files(
                [Page(f"{page.url}{n}/", page.sections, page.overview) for n in range(copies) for page in pages]
            )
            parts = [len(text.encode()) for name, text in made.items() if name.startswith("terms-")]
            index = made["index.js"].encode()
            print(
                f"{language} × {copies}: {copies * len(pages)} pages, {sum(len(text.encode()) for text in made.values())} bytes in "
                f"{len(made)} files; index.js {len(index)} bytes, {len(gzip.compress(index))} with gzip; "
                f"{len(parts)} parts of terms, the largest {max(parts)} bytes"
            )


def _texts(section: Section) -> tuple[str, ...]:
    return tuple(getattr(section, name) for name in FIELDS)


def _pages(folder: Path) -> Iterator[Page]:
    """The pages that a built search has."""

    def data(path: Path):
        return json.loads(re.search(r'^verbatimSearch\.part\("\w+","[\w-]+",(.*)\)\n$', path.read_text(), re.S)[1])

    overviews = set(data(folder / "index.js")["overviews"])
    for path in folder.glob("page-*.js"):
        url, sections = data(path)
        yield Page(url, [Section(*s) for s in sections], int(path.stem[5:]) in overviews)


if __name__ == "__main__":
    for step in sys.argv[1:] or ("run", "build", "twice", "plain", "git", "search"):
        print(f"== {step}", flush=True)
        globals()[step]()

"""Chinese and English are written well: typography, glossary, spelling; scripts are formatted."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from verbatim.languages import IDEOGRAPHS
from verbatim.lists.glossary import FILE, terms
from verbatim.markdown import prose
from verbatim.memo import Memo
from verbatim.problems import Problem
from verbatim.project import Project

if TYPE_CHECKING:
    from verbatim.pages.page import Page

#: What readers say for the pages' words (`site.search.thesaurus`).
THESAURUS = "book/THESAURUS.md"
HAN = f"[{IDEOGRAPHS}]"
LATIN = "[a-z0-9_]+"
#: Half-width punctuation after a Chinese character.
HALF_WIDTH = re.compile(rf"{HAN}[,;:?!](?=\s|$|{HAN})|{HAN} ?\([^)]*{HAN}[^)]*\)")
MARKED_SPAN = re.compile(r"(`+)(?:.+?)\1|\\\(.+?\\\)|\]\([^)]*\)|\{[^}]*\}|<[^>]+>")
_PARENTHESES = re.compile(rf"{MARKED_SPAN.pattern}|(?<={HAN})\((?P<inside>[^()`\n]*)\)")
#: The line of keywords, which are written as readers type them.
KEYWORDS_LINE = re.compile("keywords:")
FIX = "python -m verbatim check --fix mends most of it"


def typography(pages: list[Page]) -> Iterator[Problem]:
    """Chinese pages: spaces between Chinese and Latin, full-width punctuation."""
    try:
        import autocorrect_py
    except ImportError:
        yield Problem("requirements.txt", 0, "autocorrect_py is not installed", "run `make check`, which installs it")
        return
    for page in pages:
        if page.language != "zh":
            continue
        text = _full_width_parentheses(page.text)  # autocorrect would put a space before half-width ones
        for number, (old, new) in enumerate(zip(page.text.split("\n"), text.split("\n"), strict=True), 1):
            if old != new:
                message = f"half-width parentheses in Chinese: `{_around(old, new)}`"
                yield Problem(page.path, number, message, f"use （）; {FIX}")
        for line in autocorrect_py.lint_for(text, "page.md").lines:
            if line.old != line.new and not KEYWORDS_LINE.match(page.text.splitlines()[line.line - 1]):
                message = f"write `{line.new.strip()}` instead of `{line.old.strip()}`"
                yield Problem(page.path, line.line, message, FIX)
        for number, text in prose(page.text):
            for at in _inline_code_gaps(text):
                message = f"a space is missing beside inline code: `{text[max(at - 8, 0) : at + 8].strip()}`"
                yield Problem(page.path, number, message, FIX)
            if match := HALF_WIDTH.search(MARKED_SPAN.sub("", text)):
                message = f"half-width punctuation in Chinese: `{match[0]}`"
                yield Problem(page.path, number, message, "use ，；：？！（）")


def _full_width_parentheses(text: str) -> str:
    """Return a page with full-width parentheses where half-width ones follow a Chinese character."""
    numbers = {number for number, _ in prose(text)}
    return "\n".join(
        _PARENTHESES.sub(lambda m: m[0] if m["inside"] is None else f"（{m['inside']}）", line)
        if i in numbers
        else line
        for i, line in enumerate(text.split("\n"), 1)
    )


def _around(old: str, new: str) -> str:
    """Return the part of a line that differs, and a few characters before it."""
    at = next(i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    return old[max(at - 4, 0) : at + 12]


def _inline_code_gaps(text: str) -> list[int]:
    """Return the positions where a space is missing between a Chinese character and inline code or a formula."""
    gaps = []
    for match in re.finditer(r"(`+)(?:[^`]|(?!\1)`)+?\1|\\\(.+?\\\)", text):
        if re.search(HAN + "$", text[: match.start()]):
            gaps.append(match.start())
        if re.match(HAN, text[match.end() :]):
            gaps.append(match.end())
    return gaps


def fix_typography(text: str) -> str:
    """Return a Chinese page with correct spaces and punctuation."""
    import autocorrect_py

    before = text.split("\n")
    text = _full_width_parentheses(text)
    lines = autocorrect_py.format_for(text, "page.md").split("\n")
    lines = [old if KEYWORDS_LINE.match(old) else new for old, new in zip(before, lines, strict=True)]
    numbers = {number for number, _ in prose("\n".join(lines))}
    for i, line in enumerate(lines):
        if i + 1 in numbers:
            for at in sorted(_inline_code_gaps(line), reverse=True):
                lines[i] = lines[i][:at] + " " + lines[i][at:]
    return "\n".join(lines)


def avoided(project: Project) -> list[tuple[str, str, str]]:
    """Return `(English, Chinese, word to avoid)` of each word to avoid in GLOSSARY.md."""
    listed = terms(project.text(FILE))
    words = ((term, word) for term in listed for word in term.avoided.split("、"))
    return [(term.english, term.chinese, word) for term, word in words if re.search(HAN, word)]


def glossary(project: Project, pages: list[Page], memo: Memo | None = None) -> Iterator[Problem]:
    """Chinese pages use the glossary's words.

    Args:
        project: The project.
        pages: The pages.
        memo: Caches the problems of pages.
    """
    rows, memo = avoided(project), memo or Memo()
    for page in pages:
        if page.language == "zh":
            yield from memo.check("glossary", f"{rows}\0{page.path}\0{page.text}", partial(_avoided, page, rows))


def _avoided(page: Page, rows: list[tuple[str, str, str]]) -> Iterator[Problem]:
    for number, text in prose(page.text):
        bare = MARKED_SPAN.sub("", text)
        for english, chinese, word in rows:
            if word in bare:
                yield Problem(page.path, number, f"`{word}` for “{english}”", f"the glossary says {chinese}")


def check_tables(project: Project) -> Iterator[Problem]:
    """Each row of the glossary and of the thesaurus has as many cells as the table has columns."""
    for name in (FILE, THESAURUS):
        rows = _rows(project, name)
        counted = Counter(line.count("|") - 1 for _, line in rows).most_common(1)
        wanted = counted[0][0] if counted else 0  # whichever row is wrong, the heading too
        for number, line in rows:
            here = line.count("|") - 1
            if here != wanted:
                hint = "leave a cell empty rather than out: | term | 术语 | | | |"
                yield Problem(name, number, f"this row has {here} cells, the table has {wanted} columns", hint)


def _rows(project: Project, name: str) -> list[tuple[int, str]]:
    """Return the rows of a file's table, heading and hyphens included, with the numbers of their lines."""
    return [(number, line) for number, line in enumerate(project.text(name).splitlines(), 1) if line.startswith("|")]


def check_glossary(project: Project) -> Iterator[Problem]:
    """Each row of GLOSSARY.md's table has a term of its own, does not avoid it, and names no page that there is not."""
    rows = _rows(project, FILE)
    first: dict[str, int] = {}
    for number, line in rows[2:]:
        row_terms = terms("\n".join([rows[0][1], rows[1][1], line]))
        for term in row_terms:
            if (other := first.setdefault(term.english, number)) != number:
                yield Problem(FILE, number, f"the term `{term.english}` stands on line {other}, too", "keep one")
            if term.chinese and term.chinese in term.avoided.split("、"):
                hint = "the third column is for other words, which pages should not use"
                yield Problem(FILE, number, f"`{term.chinese}` is the term, and to be avoided", hint)
        if page := row_terms[0].page if row_terms else "":
            for language in project.languages.whole:
                if not (project.docs(language) / f"{page}.md").is_file():
                    yield Problem(FILE, number, f"no page `{page}` explains this term", "write it as autograd/leaf")


def check_thesaurus(project: Project, pages: list[Page], scripts: Iterable[str]) -> Iterator[Problem]:
    """Each Latin word of the thesaurus's first two columns stands on a page or in a script: it is what pages say.

    Args:
        project: The project.
        pages: All pages.
        scripts: The texts of all scripts.
    """
    rows = _rows(project, THESAURUS)
    text = "\n".join([*(page.text for page in pages), *scripts]).lower() if rows else ""
    known = set(re.findall(LATIN, text))
    for number, line in rows[2:]:
        for word in re.findall(LATIN, " ".join(line.split("|")[1:3]).lower()):
            if word not in known and word not in text:
                hint = "the first two columns are what pages say; what readers say stands in the last two"
                yield Problem(THESAURUS, number, f"no page and no script says `{word}`", hint)


def tool(name: str) -> str | None:
    """Return the path of a command-line tool of this environment."""
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.is_file() else shutil.which(name)


def spelling(project: Project, *, fix: bool = False) -> Iterator[Problem]:
    """English words of pages and scripts are in the dictionary of `typos`; pages are American, but for keywords.

    With `fix`, correct unambiguous ones.
    """
    program = tool("typos")
    if program is None:
        yield Problem("requirements.txt", 0, "typos is not installed", "run `make check`, which installs it")
        return
    targets = [str(p) for p in (project.docs("en"), project.examples) if p.is_dir()]
    if fix:
        subprocess.run([program, "--write-changes", *targets], cwd=project.root, capture_output=True, check=False)
    wrong = _misspelt(project, program, targets)
    for (path, line, word), corrections in wrong.items():
        hint = f"{' or '.join(corrections)}? A word that is right goes into [tool.typos] of pyproject.toml"
        yield Problem(path, line, f"`{word}` is misspelt", hint)
    for (path, line, word), corrections in _misspelt(project, program, ["--locale", "en-us", *targets[:1]]).items():
        text = _line(project.root / path, line)
        said = (
            not KEYWORDS_LINE.match(text)
            and word in MARKED_SPAN.sub("", text)
            and not text.lstrip().startswith("examples/")
        )
        if said and (path, line, word) not in wrong:
            yield Problem(path, line, f"`{word}` is British, and the book American", f"write {corrections[0]}")


def _line(path: Path, number: int) -> str:
    """Return a line that another program read a moment ago; empty where it is not there any more."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    return lines[number - 1] if number <= len(lines) else ""


def _misspelt(project: Project, program: str, options: list[str]) -> dict[tuple[str, int, str], list[str]]:
    """Return path, line and word → corrections, of all that `typos` finds."""
    done = subprocess.run(
        [program, "--format", "json", *options], cwd=project.root, capture_output=True, text=True, check=False
    )
    entries = (json.loads(line) for line in done.stdout.splitlines())
    return {
        (project.relative(Path(entry["path"])), entry["line_num"], entry["typo"]): entry["corrections"]
        for entry in entries
        if entry.get("type") == "typo"
    }


def formatting(project: Project, *, fix: bool = False) -> Iterator[Problem]:
    """Scripts are formatted, and use what they import, by `ruff`. With `fix`, correct them."""
    program = tool("ruff")
    if program is None:
        yield Problem("requirements.txt", 0, "ruff is not installed", "run `make check`, which installs it")
        return
    if not project.examples.is_dir():
        return
    if fix:
        for command in (["check", "--fix", *PYFLAKES_OPTIONS], ["format"]):
            subprocess.run([program, *command, "--quiet", str(project.examples)], cwd=project.root, check=False)
    for place, line, code, _ in _ruff(project, program, "format", "--check"):
        if code == "unformatted":  # what cannot be parsed has its own problem
            yield Problem(place, line, "the script is not in form", "python -m verbatim check --fix")
    for place, line, code, message in _ruff(project, program, "check", *PYFLAKES_OPTIONS):
        if code in ("F401", "F541"):
            yield Problem(place, line, message, "python -m verbatim check --fix mends it; then record what is printed")
        elif code == "A001":
            yield Problem(place, line, message, "below it, Python's own cannot be called: choose another name")
        elif code in ("E722", "S110", "S112"):
            message = "any error is caught here, and nobody hears of it"
            yield Problem(place, line, message, "name the error: except KeyError:")
        elif code and code.startswith("F"):
            yield Problem(place, line, message, f"see `ruff rule {code}`; where it is meant: # noqa: {code}")


#: The rules of Pyflakes, as in `make lint`, except that a variable may be unused, because a page may show it; those of
#: errors that nobody hears of; and no name of Python's own is taken, except `input`, as PyTorch itself calls it.
PYFLAKES_OPTIONS = (
    *("--select", "F,A001,E722,S110,S112", "--ignore", "F841"),
    *("--config", 'lint.flake8-builtins.ignorelist=["input"]'),
)


def _ruff(project: Project, program: str, *command: str) -> Iterator[tuple[str, int, str | None, str]]:
    """Run ruff on the scripts, and yield `(path, line, code, message)` of each result."""
    done = subprocess.run(
        [program, *command, "--output-format", "json", str(project.examples)],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )
    for entry in json.loads(done.stdout or "[]"):
        path = project.relative(Path(entry["filename"]))
        # A notebook is told as a file that belongs elsewhere; what cannot be read has no place, and is told before.
        if path.endswith(".py") and entry["location"]:
            yield path, entry["location"]["row"], entry["code"], entry["message"]

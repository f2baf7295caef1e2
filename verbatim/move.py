"""Gives a recipe another name, or another chapter: all its files, links to it, its old address. Or takes it out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from verbatim import git, paths
from verbatim.book import records
from verbatim.book.releases import files as releases
from verbatim.lists import approved, glossary
from verbatim.lists.places import relink
from verbatim.pages import chapters, freshness, moved
from verbatim.pages.chapters import MAP
from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.scaffold import refuse


def move(project: Project, old: str, new: str) -> list[str]:
    """Move a recipe: script, pages, records, entry in the map. Links follow it, and the old address leads on.

    Args:
        project: The project.
        old: The recipe's name, such as ``modules/sdpa``.
        new: Its new name, in a chapter that exists. It becomes the last page of the chapter in the map.

    Returns:
        What is left to do by hand: files that still name it, and records that show its path.

    Raises:
        Problems: there is no such recipe, or the new name is taken or is none. Nothing is changed.
    """
    refuse(project, new)
    files = {} if paths.unfit(old) else dict(_files(project, old, new))
    if project.script(old) not in files:
        raise Problems([Problem(old, 0, "there is no such recipe", "give it as chapter/name")])
    if taken := [path for path in files.values() if path.exists()]:
        raise Problems([Problem(project.relative(path), 0, "this exists", "choose another name") for path in taken])
    remedies = _remedies(project)
    texts = {
        **_pages(project, old, new),
        **{
            path: records.renamed(path.read_text(encoding="utf-8"), old, new)
            for path in files
            if path.suffix == ".ipynb"
        },
        **_manifests(project, old, new),
        **_map(project, old, new),
        **_glossary(project, old, new),
        **_in_step(project, old, new),
        project.root / moved.LIST: _redirects(project, old, new),
    }
    for source, target in files.items():
        write_if_changed(target, texts.pop(source, "") or source.read_bytes())
        source.unlink()
    for path, text in texts.items():
        write_if_changed(path, text)
    approved.write(project, approved.renamed(remedies, old, new))
    return [*_records_with_path(project, files.values(), old), *_files_that_name(project, old)]


def remove(project: Project, recipe: str) -> list[str]:
    """Remove a recipe: script, pages, records, entry in the map. Return what was removed, and what still names it.

    Raises:
        Problems: there is no such recipe, a page links to it or shows its cells, or addresses lead to it. Nothing is
            changed. The address of a page that readers know leads nowhere afterwards, so `move` is mostly better.
    """
    files = [] if paths.unfit(recipe) else [source for source, _ in _files(project, recipe, recipe)]
    if project.script(recipe) not in files:
        raise Problems([Problem(recipe, 0, "there is no such recipe", "give it as chapter/name")])
    hint = f"link to what answers instead; then remove {recipe}"
    needing = [path for path in _pages(project, recipe, f"{recipe}-removed") if path not in files]
    problems = [Problem(project.relative(path), 0, f"the page needs {recipe}", hint) for path in needing]
    path = project.root / moved.LIST
    if path.is_file() and re.search(rf"(?m): {re.escape(recipe)}$", path.read_text(encoding="utf-8")):
        hint = "let it lead to another page; delete its line if nobody was given that address yet"
        problems.append(Problem(moved.LIST, 0, f"an old address leads to {recipe}", hint))
    if problems:
        raise Problems(problems)
    remedies = _remedies(project)
    texts = {path: releases.without(path.read_text(encoding="utf-8"), recipe) for path in _manifest_files(project)}
    book, path = chapters.read(project), project.root / MAP
    if entry := next((entry for entry in book.entries if entry.name == f"{recipe}.md"), None):
        lines = path.read_text(encoding="utf-8").splitlines()
        del lines[entry.line - 1 : entry.end]
        texts[path] = "\n".join(lines) + "\n"
    for path, text in texts.items():
        write_if_changed(path, text)
    for path in files:
        path.unlink()
    approved.write(project, approved.without(remedies, recipe))
    return [*(f"{project.relative(path)} removed" for path in files), *_files_that_name(project, recipe)]


def _remedies(project: Project) -> dict[str, approved.Templates]:
    """Return the approved remedies.

    Raises:
        Problems: They cannot be read.
    """
    templates, problems = approved.read(project)
    if problems:
        raise Problems(problems)
    return templates


def _manifest_files(project: Project) -> list[Path]:
    """Return the manifests of the other releases."""
    return sorted(releases.folder(project).glob("*/manifest.json"))


def _files(project: Project, old: str, new: str) -> Iterator[tuple[Path, Path]]:
    """Yield the recipe's files, each with its new place."""
    folders = [
        (project.examples, ".py"),
        *((project.docs(language), ".md") for language in project.languages.all),
        *((project.questions(language), ".txt") for language in project.languages.all),
    ]
    outputs = [project.outputs / "cpu", project.outputs / "cuda", *releases.folder(project).glob("*")]
    for folder, suffix in [*folders, *((folder, ".ipynb") for folder in outputs)]:
        source = folder / f"{old}{suffix}"
        if source.is_file():
            yield source, folder / f"{new}{suffix}"


def _pages(project: Project, old: str, new: str) -> dict[Path, str]:
    """Return the pages that change: the recipe's own, and those that link to it, show its cells or prove by them."""
    texts, renamed = {}, {f"{old}.md": f"{new}.md"}
    script = re.compile(rf"(?<![\w/-])examples/{re.escape(old)}\.py\b")
    proof = re.compile(rf"(\{{ \.remedy\b[^}}]*\bproof=\"?){re.escape(old)}(?=#)")
    for language in project.languages.all:
        for path in project.pages(language):
            name = path.relative_to(project.docs(language)).as_posix()
            text = path.read_text(encoding="utf-8")
            changed = script.sub(f"examples/{new}.py", relink(text, name, renamed.get(name, name), renamed))
            changed = proof.sub(rf"\g<1>{new}", changed)
            if changed != text:
                texts[path] = changed
    return texts


def _manifests(project: Project, old: str, new: str) -> dict[Path, str]:
    """Return the manifests of the other releases, with the recipe's new name."""
    approved = {}
    path = project.record(old, "cpu")
    if path.is_file():
        before = path.read_text(encoding="utf-8")
        texts = {old: before, new: records.renamed(before, old, new)}
        was, now = (records.read(text, str(path), recipe, "cpu").cells for recipe, text in texts.items())
        approved = {a.outputs_sha[:8]: b.outputs_sha[:8] for a, b in zip(was, now, strict=True) if a != b}
    return {
        path: releases.renamed(path.read_text(encoding="utf-8"), old, new, approved)
        for path in _manifest_files(project)
    }


def _map(project: Project, old: str, new: str) -> dict[Path, str]:
    """Return the map with the recipe's entry, its topics as they are, at the end of its new chapter."""
    book, path = chapters.read(project), project.root / MAP
    entry = next((entry for entry in book.entries if entry.name == f"{old}.md"), None)
    if entry is None:
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    own = lines[entry.line - 1 : entry.end]
    own[0] = own[0].replace(posixpath.basename(old), posixpath.basename(new), 1)
    last = book.chapters[posixpath.dirname(new)][-1].end
    lines[last:last] = own
    begin = entry.line - 1 + (len(own) if last < entry.line else 0)
    del lines[begin : begin + len(own)]
    return {path: "\n".join(lines) + "\n"}


def _glossary(project: Project, old: str, new: str) -> dict[Path, str]:
    """Return the glossary, where the recipe explains a term."""
    path = project.root / glossary.FILE
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    changed = re.sub(rf"(?m)\| {re.escape(old)} \|$", f"| {new} |", before)
    return {path: changed} if changed != before else {}


def _in_step(project: Project, old: str, new: str) -> dict[Path, str]:
    """Return the file of what all languages said, where the recipe is in it."""
    before = project.text(freshness.FILE)
    changed = freshness.renamed(before, f"{old}.md", f"{new}.md")
    return {project.root / freshness.FILE: changed} if f"\n{old}.md " in before else {}


def _redirects(project: Project, old: str, new: str) -> str:
    """Return the list of addresses that lead on; those that led to the old one lead to the new one."""
    path = project.root / moved.LIST
    before = path.read_text(encoding="utf-8") if path.is_file() else moved.ABOUT
    led = re.sub(rf"(?m)^(\S+): {re.escape(old)}$", rf"\1: {new}", before)
    return re.sub(rf"(?m)^{re.escape(new)}: .*\n", "", led) + f"{old}: {new}\n"


def _records_with_path(project: Project, files: Iterable[Path], old: str) -> Iterator[str]:
    """Yield which records show the old path, in a traceback for example."""
    for path in files:
        if path.suffix == ".ipynb" and f"examples/{old}.py" in path.read_text(encoding="utf-8"):
            yield f"{project.relative(path)} prints the script's old path: run and record it again"


def _files_that_name(project: Project, old: str) -> Iterator[str]:
    """Yield which other files still name the recipe."""
    listed = git.run(project.root, "grep", "-lIF", old, "--", ":!docs", ":!outputs", f":!{moved.LIST}")
    for path in (listed or "").split():
        yield f"{path} still names {old}"

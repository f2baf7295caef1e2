"""Caches the results of runs: a script is run again only if something that its outputs depend on has changed.

The key is a hash of what the script does and of everything about the machine that any output may depend on: processor,
system, Python, the modules that run scripts. With each result it is stored which files the script read and which
packages it used (`verbatim.run.reads`).
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from verbatim.memo import Memo
from verbatim.problems import Problem
from verbatim.project import Project, write_if_changed
from verbatim.run import isolate, leavings, packages, reads, server, variables
from verbatim.run.result import CellResult, Result
from verbatim.run.script import CAPABILITIES, Script, tree_of

#: The most bytes of a result: a script gives no more than a few MiB of text and figures.
LARGEST = 64 << 20
#: Days after which an unused result is deleted.
DAYS = 30

_PACKAGES = ("torch", "numpy", "matplotlib")


@functools.cache
def machine() -> str:
    """Return everything about the machine that any output may depend on. Imports no large package."""
    about = (sys.version, platform.platform(), instructions(), variables.key())
    return "\n".join([*about, *packages.paths(), *packages.started_with()])


@functools.cache
def versions() -> dict[str, str]:
    """Return name → version of everything that runs a script; the version of the engine is a hash of its source."""
    names = (*_PACKAGES, *filter(None, CAPABILITIES.values()))
    return {
        "python": platform.python_version(),
        **{name: _version(name) for name in names},
        "engine": engine(),
    }


@functools.cache
def engine() -> str:
    """Return a hash of the modules that run a script, without comments and docstrings: they change no output."""
    digest = hashlib.sha256()
    for name, tree in sorted(modules().items()):
        for part in ast.walk(tree):
            match part:
                case ast.Module(body) | ast.FunctionDef(body=body) | ast.ClassDef(body=body):
                    if ast.get_docstring(part, clean=False) is not None:
                        body[:1] = []
        digest.update(f"{name}\0{ast.dump(tree)}\0".encode())
    return digest.hexdigest()[:12]


def modules() -> dict[str, ast.Module]:
    """Return the modules of this folder that drive a script's process or run in it, parsed: what these import here."""
    here, trees = Path(__file__).parent, {}
    waiting = ["runner", *(name.rpartition(".")[2] for name in server.modules(isolate.LATE) if "verbatim" in name)]
    while waiting:
        if (name := waiting.pop()) in trees:
            continue
        trees[name] = tree = tree_of((here / f"{name}.py").read_bytes())
        for part in ast.walk(tree):
            match part:
                case ast.ImportFrom("verbatim.run", names):
                    waiting += [alias.name for alias in names]
                case ast.ImportFrom(str(module)) if module.startswith("verbatim.run."):
                    waiting.append(module.removeprefix("verbatim.run."))
    return trees


def _version(package: str) -> str:
    try:
        return importlib.metadata.version({"sklearn": "scikit-learn"}.get(package, package))
    except importlib.metadata.PackageNotFoundError:
        return "missing"


def instructions() -> str:
    """Return the processor's instruction sets: libraries choose kernels by them, and kernels round differently."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (" ".join(sorted(line.split(":")[1].split())) for line in lines if line.startswith(("flags", "Features"))),
        "",
    )


def _key(script: Script, without: str, *, go_on: bool = False) -> str:
    parts = [machine(), engine(), script.path, script.run_text, without]
    if go_on:  # with the cells that it has: those that a page shows, in its order
        parts += ["go on", *(cell.name for cell in script.cells)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def get(
    project: Project,
    script: Script,
    notes: list[Problem],
    without: str = "",
    memo: Memo | None = None,
    *,
    go_on: bool = False,
) -> Result | None:
    """Return the cached result of a script, or ``None``. A damaged file is removed, and a note is added.

    Args:
        project: The project.
        script: The script.
        notes: The note is appended here.
        without: The capability that the script was run without.
        memo: Caches the parsed result.
        go_on: Whether it went on after errors, with the cells that it has, which may be another choice of those in its
            text.
    """
    path = project.cache / f"{_key(script, without, go_on=go_on)}.json"
    try:
        text = leavings.read(path, LARGEST).decode("utf-8", errors="replace")  # a pipe or a device would never end
    except FileNotFoundError:
        return None
    except OSError as error:
        notes.append(Problem(project.relative(path), 0, f"the cache cannot be read ({error.strerror}); running again"))
        return None
    try:
        result: Result = (memo or Memo()).get("result", text, lambda: _parsed(text))
        return result if reads.unchanged(result.reads) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        notes.append(Problem(project.relative(path), 0, f"the cache file was damaged ({error}); running again"))
        path.unlink(missing_ok=True)
        return None


def _parsed(text: str) -> Result:
    sha, _, body = text.partition("\n")
    if hashlib.sha256(body.encode()).hexdigest() != sha:
        raise ValueError("its hash does not fit")
    data = json.loads(body)
    cells = tuple(
        CellResult(**{**cell, "outputs": tuple(cell["outputs"]), "names": tuple(cell["names"])})
        for cell in data.pop("cells")
    )
    return Result(**{**data, "cells": cells, "problems": (), "left": tuple(data.get("left", ()))})


def _fields(of: Any) -> dict[str, Any]:
    """Return the fields of a data class without its cached properties."""
    return {field.name: getattr(of, field.name) for field in dataclasses.fields(of)}


def put(
    project: Project,
    script: Script,
    result: Result,
    notes: list[Problem],
    without: str = "",
    *,
    go_on: bool = False,
) -> None:
    """Cache a result without problems. If the cache cannot be written, add a note. The arguments are those of `get`."""
    if result.problems:
        return
    body = json.dumps(result, default=_fields)
    path = project.cache / f"{_key(script, without, go_on=go_on)}.json"
    try:
        write_if_changed(path, hashlib.sha256(body.encode()).hexdigest() + "\n" + body)
    except OSError as error:
        notes.append(Problem(project.relative(path.parent), 0, f"the cache cannot be written: {error.strerror}"))


def sweep(folder: Path, now: float | None = None) -> int:
    """Delete the files of a cache that nothing has read or written for `DAYS` days.

    The kernel notes when a file was read, once a day at least. Where it does not, the file's age counts, and a result
    that is still in use is produced again once a month.

    Args:
        folder: The cache; its folders stay.
        now: The time in seconds since 1970, if not now.

    Returns:
        The number of deleted files.
    """
    oldest = (time.time() if now is None else now) - DAYS * 86400
    deleted = 0
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # another build may delete it, too
                about = entry.stat(follow_symlinks=False)
                if max(about.st_atime, about.st_mtime) < oldest and entry.is_file(follow_symlinks=False):
                    os.unlink(entry.path)
                    deleted += 1
    return deleted

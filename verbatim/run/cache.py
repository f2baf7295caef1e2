"""Caches the results of runs: a script is run again only if something that its outputs depend on has changed.

The key is a hash of the script's text and of everything about the machine that an output may depend on: processor,
system, Python, installed packages. With each result the files that the script read are stored (`verbatim.run.reads`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

from verbatim.memo import Memo
from verbatim.problems import Problem
from verbatim.project import Project, write_if_changed
from verbatim.run import reads, variables
from verbatim.run.result import CellResult, Result
from verbatim.run.script import CAPABILITIES, Script

#: Days after which an unused result is deleted.
DAYS = 30

_PACKAGES = ("torch", "numpy", "matplotlib")


@functools.cache
def machine() -> str:
    """Return everything about the machine and its packages that an output may depend on. Imports no large package."""
    named = (f"{name} {version}" for name, version in versions().items())
    return "\n".join([*named, sys.version, platform.platform(), instructions(), variables.key(), *packages()])


def packages() -> list[str]:
    """Return the installed packages with their versions. Modules in other places are among the files of `reads`."""
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    found = {name for folder in filter(os.path.isdir, folders) for name in os.listdir(folder)}
    return sorted(name for name in found if name.endswith((".dist-info", ".egg-info", ".egg-link", ".pth")))


@functools.cache
def versions() -> dict[str, str]:
    """Return name → version of everything that runs a script; the version of the engine is a hash of its source."""
    engine = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        engine.update(path.read_bytes())
    packages = (*_PACKAGES, *filter(None, CAPABILITIES.values()))
    return {
        "python": platform.python_version(),
        **{name: _version(name) for name in packages},
        "engine": engine.hexdigest()[:12],
    }


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


def _key(script: Script, without: str) -> str:
    return hashlib.sha256(f"{machine()}\0{script.path}\0{script.text}\0{without}".encode()).hexdigest()[:32]


def get(
    project: Project, script: Script, notes: list[Problem], without: str = "", memo: Memo | None = None
) -> Result | None:
    """Return the cached result of a script, or ``None``. A damaged file is removed, and a note is added.

    Args:
        project: The project.
        script: The script.
        notes: The note is appended here.
        without: The capability that the script was run without.
        memo: Caches the parsed result.
    """
    path = project.cache / f"{_key(script, without)}.json"
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        notes.append(Problem(project.relative(path), 0, f"the cache cannot be read ({error.strerror}); running again"))
        return None
    try:
        result: Result = (memo or Memo()).get("result", text, lambda: _parsed(text))
        return result if reads.unchanged(result.reads) else None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
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


def put(project: Project, script: Script, result: Result, notes: list[Problem], without: str = "") -> None:
    """Cache a result without problems. If the cache cannot be written, add a note."""
    if result.problems:
        return
    body = json.dumps(result, default=_fields)
    path = project.cache / f"{_key(script, without)}.json"
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
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for one in found:
            with contextlib.suppress(OSError):  # another build may delete it, too
                about = one.stat(follow_symlinks=False)
                if max(about.st_atime, about.st_mtime) < oldest and one.is_file(follow_symlinks=False):
                    os.unlink(one.path)
                    deleted += 1
    return deleted

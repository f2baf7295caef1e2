"""Caches the results of runs. The key holds everything that an output depends on, so an unchanged script is not run."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib.metadata
import json
import platform
import sys
from pathlib import Path
from typing import Any

from verbatim.memo import Memo
from verbatim.problems import Problem
from verbatim.project import Project, write_if_changed
from verbatim.run import variables
from verbatim.run.result import CellResult, Result
from verbatim.run.script import CAPABILITIES, Script

_PACKAGES = ("torch", "numpy", "matplotlib")


@functools.cache
def machine() -> str:
    """Return everything about the machine and its packages that an output may depend on. Imports no large package."""
    named = (f"{name} {version}" for name, version in versions().items())
    return "\n".join([*named, sys.version, platform.platform(), instructions(), variables.key()])


@functools.cache
def versions() -> dict[str, str]:
    """Name → version of all that runs a script. The version of the engine is the hash of its source."""
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
    """The processor's instruction sets: libraries choose kernels by them, and kernels round differently."""
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


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError:
        return "missing"


def get(
    project: Project, script: Script, notes: list[Problem], without: str = "", memo: Memo | None = None
) -> Result | None:
    """Return the cached result of a script, or ``None``. A damaged file is removed, and a note is added.

    Args:
        project: The project.
        script: The script.
        notes: Takes the note.
        without: The capability that the script was run without.
        memo: Has the results that were read before.
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
        result, read = (memo or Memo()).get("result", text, lambda: _parsed(text))
        return None if any(_digest(name) != digest for name, digest in read.items()) else result
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        notes.append(Problem(project.relative(path), 0, f"the cache file was damaged ({error}); running again"))
        path.unlink(missing_ok=True)
        return None


def _parsed(text: str) -> tuple[Result, dict[str, str]]:
    """Return a result, and the hashes of the files that its script read."""
    sha, _, body = text.partition("\n")
    if hashlib.sha256(body.encode()).hexdigest() != sha:
        raise ValueError("its hash does not fit")
    data = json.loads(body)
    cells = tuple(
        CellResult(**{**cell, "outputs": tuple(cell["outputs"]), "names": tuple(cell["names"])})
        for cell in data["result"].pop("cells")
    )
    return Result(**{**data["result"], "cells": cells, "problems": (), "reads": tuple(data["read"])}), data["read"]


def _fields(of: Any) -> dict[str, Any]:
    """Return the fields of a data class, without what it remembers besides them."""
    return {field.name: getattr(of, field.name) for field in dataclasses.fields(of)}


def put(project: Project, script: Script, result: Result, notes: list[Problem], without: str = "") -> None:
    """Cache a result without problems. If the cache cannot be written, add a note."""
    if result.problems:
        return
    data = {
        "result": dataclasses.replace(result, problems=(), reads=()),
        "read": {name: _digest(name) for name in result.reads},
    }
    body = json.dumps(data, default=_fields)
    path = project.cache / f"{_key(script, without)}.json"
    try:
        write_if_changed(path, hashlib.sha256(body.encode()).hexdigest() + "\n" + body)
    except OSError as error:
        notes.append(Problem(project.relative(path.parent), 0, f"the cache cannot be written: {error.strerror}"))

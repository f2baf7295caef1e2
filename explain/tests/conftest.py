"""The package as a wheel installs it, with data made of the book's records. No script is run for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from verbatim import build as stages
from verbatim.book.gather import Options, gather
from verbatim.memo import Memo
from verbatim.project import Project
from verbatim.site.downloads import explain

from pytorch_verbatim import data

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "explain/src/pytorch_verbatim"


@pytest.fixture(scope="session")
def site_packages(tmp_path_factory) -> Path:
    """A folder with the package and its data, to be put on Python's path."""
    folder = tmp_path_factory.mktemp("site-packages")
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__", "*.json"))
    project = Project(ROOT)
    memo = Memo(project.cache)
    made = stages.outline(gather(project, options=Options(memo=memo, run=())), memo=memo)
    memo.close()
    explain.write(made.sources, "https://book.example/", folder / PACKAGE.name / "messages.json")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _data(site_packages) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "FILE", str(site_packages / PACKAGE.name / "messages.json"))
        patch.setenv("PYTORCH_VERBATIM_LANG", "en")
        data.book.cache_clear()
        data.matcher.cache_clear()
        yield
    data.book.cache_clear()
    data.matcher.cache_clear()


@pytest.fixture
def python(site_packages, tmp_path):
    """Run Python with the package in an empty folder; return what it wrote, and its exit code."""

    def python(*arguments: str, given: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[str]:
        paths = os.pathsep.join([str(site_packages), str(ROOT)])
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            input=given.encode() if isinstance(given, str) else given,
            env={
                **os.environ,
                "PYTHONPATH": paths,
                "PYTHONWARNINGS": "ignore",
                "PYTHONIOENCODING": "utf-8",
                **variables,
            },
            capture_output=True,
            check=False,
        )

    def decoded(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
        done = python(*arguments, **more)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done

    return decoded

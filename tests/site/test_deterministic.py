"""Two builds of one commit are the same bytes, wherever and by whomever they are made."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.test_plugin import command
from verbatim.project import Project

ROOT = Path(__file__).parents[2]

CLOCK = """

# %% clock varies=true
import os
import time

print(time.perf_counter_ns(), os.getpid())
"""
EMBED = "\n```example\nexamples/autograd/leaf.py#clock\n```\n"

#: Where, and by whom, the site is built.
BUILDERS = {
    "here": {"TZ": "UTC", "LANG": "C.UTF-8", "PYTHONHASHSEED": "1"},
    "elsewhere with spaces and é": {"TZ": "Asia/Shanghai", "LANG": "zh_CN.GBK", "LC_ALL": "C", "PYTHONHASHSEED": "2"},
}


def build(folder: Path, variables: dict[str, str], umask: int, prefix: list[str]) -> dict[str, tuple[int, bytes]]:
    """Build the miniature in a copy of what it needs; return file → mode and content."""
    environment = os.environ | variables | {"PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1", "HOME": str(folder)}
    arguments = [*prefix, sys.executable, "-m", "mkdocs", "build", "--strict"]
    where = folder / "tests/miniature"
    done = subprocess.run(
        arguments, cwd=where, env=environment, capture_output=True, text=True, umask=umask, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        path.relative_to(where).as_posix(): (
            stat.S_IMODE(path.stat().st_mode),
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted((where / "site").rglob("*"))
    }


@pytest.fixture(scope="module")
def sites(tmp_path_factory) -> list[dict[str, tuple[int, bytes]]]:
    made = tmp_path_factory.mktemp("deterministic")
    first, *others = (made / name for name in BUILDERS)
    for name in ("mkdocs.yml", "overrides", "tests/miniature"):
        (first / name).parent.mkdir(parents=True, exist_ok=True)
        ignored = shutil.ignore_patterns(".cache", "site", "__pycache__")
        copy = shutil.copy if (ROOT / name).is_file() else shutil.copytree
        copy(ROOT / name, first / name, **({} if copy is shutil.copy else {"ignore": ignored}))
    site = first / "tests/miniature"
    with open(site / "examples/autograd/leaf.py", "a") as script:
        script.write(CLOCK)
    for page in site.glob("docs/*/autograd/leaf.md"):
        page.write_text(page.read_text() + EMBED)
    assert command(Project(site), "verbatim", "record", "--new-environment", "autograd/leaf").returncode == 0
    shutil.rmtree(site / ".cache", ignore_errors=True)
    for other in others:
        shutil.copytree(first, other)
    one_core = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    umasks, prefixes = (0o022, 0o077), ([], one_core)
    return [
        build(made / name, variables, umask, prefix)
        for (name, variables), umask, prefix in zip(BUILDERS.items(), umasks, prefixes, strict=True)
    ]


def test_the_bytes_are_the_same(sites):
    first, second = sites
    assert set(first) == set(second) and len(first) > 50
    assert [name for name in first if first[name][1] != second[name][1]] == []


def test_the_modes_are_the_same_whatever_the_umask(sites):
    for site in sites:
        assert {mode for mode, _ in site.values()} == {0o644, 0o755}


def test_what_varies_is_shown_from_the_record(sites):
    record = (ROOT / "tests/miniature/outputs/cpu/autograd/leaf.ipynb").read_text()
    assert "clock" not in record  # it is this test's own
    assert 'leaf#clock" ' in sites[0]["site/autograd/leaf/index.html"][1].decode()

"""The lock files say what their inputs ask for, with hashes, and name no place to get it from. Nothing is fetched."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


@pytest.fixture
def lock(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import lock

    return lock


def pins(text: str) -> dict[str, str]:
    return {
        canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==([^\s;#]+)", text, re.MULTILINE)
    }


def entries(text: str) -> dict[str, str]:
    """Return package → its part of a lock file: the pin, its hashes, and what asks for it."""
    text = text.partition("# The following packages were excluded")[0]
    parts = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    return {canonicalize_name(part.partition("==")[0]): part for part in parts}


def asked_by(part: str) -> set[str]:
    """Return what asks for a package: other packages, and files after `-r`."""
    about = part.partition("# via")[2]
    return {
        canonicalize_name(word) if not word.endswith((".txt", ".lock")) else word
        for word in re.findall(r"[\w./-]+", about)
    }


FILES = [
    ("requirements.txt", "requirements/base.lock"),
    ("requirements/dev.txt", "requirements/dev.lock"),
    ("scripts/exits/requirements.txt", "scripts/exits/requirements.lock"),
    ("explain/requirements.txt", "explain/requirements.lock"),
]


@pytest.mark.parametrize(("source", "target"), FILES[:-1])  # the last one's input pins nothing
def test_it_is_up_to_date_with_its_input(source, target):
    asked = pins((ROOT / source).read_text())
    locked = (ROOT / target).read_text()
    found = pins(locked)
    for name, version in asked.items():
        if name != "torch":
            assert found.get(name) == version, f"{target} has {name} {found.get(name)}: run make lock"
    for name, part in entries(locked).items():
        direct = source in asked_by(part)
        assert direct == (name in asked), (
            f"{target}: {name} is {'not ' * (not direct)}locked as one of {source}: make lock"
        )


@pytest.mark.parametrize(("source", "target"), FILES)
def test_each_package_is_needed_and_has_hashes(source, target):
    locked = entries((ROOT / target).read_text())
    known = {*locked, *entries((ROOT / "requirements/base.lock").read_text()), "torch"}
    for name, part in locked.items():
        assert "--hash=sha256:" in part, name
        askers = {
            one for one in asked_by(part) if not one.endswith((".txt", ".lock")) and one not in ("r", "-r", "c", "-c")
        }
        assert askers <= known, f"{target}: {name} is there for {askers - known}, which is not: run make lock"


def test_both_agree_and_none_names_a_place():
    one, other, *_ = (pins((ROOT / target).read_text()) for _, target in FILES)
    assert {name: other[name] for name in one.keys() & other.keys()} == {
        name: one[name] for name in one.keys() & other.keys()
    }
    for _, target in FILES:
        text = (ROOT / target).read_text()
        assert "://" not in text and "--editable" not in text and not re.search(r"^-e", text, re.MULTILINE)
        assert "--extra" not in text and "--index" not in text and "--find-links" not in text
        assert not re.search(r"^(torch|triton|nvidia|cuda)", text, re.MULTILINE)


def test_torch_and_the_libraries_of_its_cuda_builds_are_left_out(lock, tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text('[project]\nrequires-python = ">=3.11.5"\n')
    (tmp_path / "explain").mkdir()
    (tmp_path / "explain/pyproject.toml").write_text('[project]\nrequires-python = ">=3.9"\n')
    commands = []

    def run(command, **_):
        commands.append(command)
        made = Path(command[command.index("--output-file") + 1])
        made.write_text("nvidia-cublas==1 ; x\nnvidia-ml-py==2\ntriton==3\nnumpy==4\ntorch==5\n")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(lock.subprocess, "run", run)
    monkeypatch.setenv("UPGRADE", "1")
    assert lock.lock(tmp_path) == 0
    first, second, *_, last, extras, exits = commands
    assert (
        extras[extras.index("--python-version") + 1] == "3.9" and "--generate-hashes" in extras and "-c" not in extras
    )
    assert "--no-deps" in exits and "--generate-hashes" in exits and "-c" not in exits
    assert "--generate-hashes" not in first and "--no-emit-package" not in first and "--upgrade" in first
    left_out = [second[n + 1] for n, word in enumerate(second) if word == "--no-emit-package"]
    assert (
        left_out == ["torch", "pytorch-verbatim-engine", "nvidia-cublas", "nvidia-ml-py", "triton"]
        and "--generate-hashes" in second
    )
    assert second[second.index("--python-version") + 1] == "3.11.5" and "--universal" in second
    assert last[last.index("-c") + 1] == "requirements/base.lock" and "-c" not in second


def test_where_uv_refuses_the_files_stay(lock, tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text('[project]\nrequires-python = ">=3.11.5"\n')
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/base.lock").write_text("before\n")
    monkeypatch.setattr(lock.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 2))
    assert lock.lock(tmp_path) == 2
    assert (tmp_path / "requirements/base.lock").read_text() == "before\n"
    assert not (tmp_path / "requirements/dev.lock").exists()

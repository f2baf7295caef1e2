"""Write the lock files: every package that is installed, pinned, with hashes of its files.

    python scripts/lock.py

uv resolves requirements.txt and requirements/dev.txt for Linux, macOS and Windows and every Python that the project
takes. What is pinned already stays as it is, unless an input asks for another version; UPGRADE=1 takes the newest of
all that the inputs leave open.

torch itself is left out, and so is what only its builds with CUDA need. Its version stands in requirements.txt, but
each system, and each index, has its own build of it (`2.13.0` with CUDA, `2.13.0+cpu`, …), so that no list of hashes
fits all, and a list of CUDA's libraries would bring 3 GB to machines that take the build without. `make` installs torch
by itself, after all others, and with it this project, which has no hash either.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: Inputs and what is made of them, in order: a later one may use no other versions than an earlier one.
LOCKED_FILES = (("requirements.txt", "requirements/base.lock"), ("requirements/dev.txt", "requirements/dev.lock"))
#: What `make exits` installs besides: its input is complete, nothing is resolved.
EXITS_FILES = ("scripts/exits/requirements.txt", "scripts/exits/requirements.lock")
#: What the extras of the package that readers install bring, which its workflow tries.
EXTRAS_FILES = ("explain/requirements.txt", "explain/requirements.lock")
#: This project, which requirements.txt installs, too.
NAME = "pytorch-verbatim-engine"
#: What only torch's builds with CUDA need. Their names change with every release.
CUDA_PACKAGE = re.compile(r"^(nvidia-[\w-]+|cuda-[\w-]+|triton)==", re.MULTILINE)


def oldest(root: Path) -> str:
    """Return the oldest Python that the project takes, from pyproject.toml: ``3.11.5``."""
    asked = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    return str(asked).removeprefix(">=")


def lock(root: Path) -> int:
    """Write the lock files of a project. Return uv's exit code; where it is not 0, they are what they were."""
    for source, target in LOCKED_FILES:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / Path(target).name
            if (root / target).is_file():
                made.write_bytes((root / target).read_bytes())  # versions that need not change stay
            first = Path(folder) / "first.lock"
            code = _compile(root, source, first, target)
            if code:
                return code
            left_out = ["torch", NAME, *sorted(set(CUDA_PACKAGE.findall(first.read_text(encoding="utf-8"))))]
            options = [part for name in left_out for part in ("--no-emit-package", name)]
            code = _compile(root, source, made, target, "--generate-hashes", *options)
            if code:
                return code
            (root / target).parent.mkdir(parents=True, exist_ok=True)
            (root / target).write_bytes(made.read_bytes())
    for (source, target), folder_of, options in ((EXTRAS_FILES, "explain", ()), (EXITS_FILES, "", ("--no-deps",))):
        code = _lock_alone(root, source, target, oldest(root / folder_of), *options)
        if code:
            return code
    return 0


def _lock_alone(root: Path, source: str, target: str, python: str, *options: str) -> int:
    """Write the lock file of what is installed by itself."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "lock"
        if (root / target).is_file():
            made.write_bytes((root / target).read_bytes())  # versions that need not change stay
        code = _compile(root, source, made, LOCKED_FILES[0][1], "--generate-hashes", *options, python=python)
        if code == 0:
            (root / target).parent.mkdir(parents=True, exist_ok=True)
            (root / target).write_bytes(made.read_bytes())
    return code


def _compile(root: Path, source: str, made: Path, target: str, *options: str, python: str = "") -> int:
    """Have uv resolve one input. No address of an index or of a folder gets into what it writes."""
    command = [str(Path(sys.executable).with_name("uv")), "pip", "compile", source, "--output-file", str(made)]
    command += ["--quiet", "--universal", "--python-version", python or oldest(root), "--fork-strategy", "fewest"]
    command += ["--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "make lock"]
    command += ["--upgrade"] * bool(os.environ.get("UPGRADE"))
    command += ["-c", LOCKED_FILES[0][1]] if target != LOCKED_FILES[0][1] else []
    # uv prints the result, too
    return subprocess.run([*command, *options], cwd=root, stdout=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(lock(ROOT))

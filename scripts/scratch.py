"""Scratch environments: a virtual environment below the cache folder that is removed when it is no longer needed.

    with scratch.environment("upgrade") as made:
        made.install("torch==2.14.1", *scratch.pins(scratch.requirements(), ("numpy", "matplotlib")))
        made.run("-m", "verbatim", "drift")

It is removed at the end of the block, at an exception, at Ctrl-C and at a polite request to end (SIGTERM). What a
process that was killed outright has left is removed when the next one is made.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
BELOW = ROOT / ".cache" / "scratch"

#: The mark in the text of `requirements`: above it what the project asks for, below it what that needs in turn.
TRANSITIVE = "# Transitive"
#: What running the scripts of the book needs. Their versions are those of the project.
NEEDED_PACKAGES = ("torch", "numpy", "matplotlib", "pillow", "PyYAML", "scikit-learn", "tensorboard", "safetensors")
#: pip's settings that make it choose other builds, or older versions, than it would choose by itself.
CHOOSING_SETTINGS = ("PIP_CONSTRAINT", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_INDEX_URL")


class CannotInstall(Exception):
    """Python or pip refuses; the text is the last thing that it said."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and the variables that its processes get."""

    folder: Path
    variables: dict[str, str]
    ordinary: bool

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def install(self, *requirements: str, index: str = "") -> None:
        """Install what pip would be told on its command line (`torch==2.14.1`, `-r file`), and say what disk it takes.

        Args:
            requirements: pip's arguments.
            index: the only package index to ask; empty: the one that pip asks by itself.

        Raises:
            CannotInstall: pip refuses.
        """
        # Our own pip installs there: that of an old Python may not know what it is asked.
        command = [sys.executable, "-m", "pip", "--python", self.python, "--quiet", "--disable-pip-version-check"]
        command += ["install", "--progress-bar=off"]
        command += ["--no-cache-dir"] * self.ordinary + ["--index-url", index] * bool(index)
        command += requirements
        done = subprocess.run(command, env=self.variables, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise CannotInstall(reason(done.stderr))
        free = shutil.disk_usage(self.folder).free
        print(
            f"{self.folder}: {size(self.folder) / 1e9:.1f} GB, removed afterwards ({free / 1e9:.0f} GB are free)",
            file=sys.stderr,
            flush=True,
        )

    def run(self, *arguments: str | Path, at: Path = ROOT) -> int:
        """Run its interpreter with these arguments in a project's folder, and return the exit code."""
        variables = self.variables | {"PYTHONPATH": str(at)}
        return subprocess.run([self.python, *arguments], cwd=at, env=variables, check=False).returncode


@contextmanager
def environment(name: str, python: str = sys.executable, *, ordinary: bool = False) -> Iterator[Environment]:
    """Make a virtual environment, and remove it at the end of the block, however the block ends.

    It has a pip, as the project's own has: scripts on installing run it.

    Args:
        name: what its folder's name begins with.
        python: the interpreter that it is made from.
        ordinary: packages come as pip takes them where nobody has configured it: settings that name other indexes or
            builds, or that limit versions, do not count. On Linux that torch is built with CUDA, 3 to 6 GB; nothing
            of it is left in pip's cache.

    Raises:
        CannotInstall: this Python is not here, or makes no environments.
    """
    if not shutil.which(python):
        raise CannotInstall(f"{python} is not here")
    variables = {key: value for key, value in os.environ.items() if not ordinary or key not in CHOOSING_SETTINGS}
    variables |= {"PYTHONPATH": str(ROOT)} | ({"PIP_CONFIG_FILE": os.devnull} if ordinary else {})
    with folder(name) as at:
        done = subprocess.run([python, "-m", "venv", at], stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise CannotInstall(reason(done.stderr))
        yield Environment(at, variables, ordinary)


def requirements() -> str:
    """Return every requirement of the project without hashes: what it asks for itself, then, below a mark, the rest."""
    asked = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    direct = re.sub(r"^-.*\n", "", asked, flags=re.MULTILINE)  # the project itself is on the path of whatever runs
    locked = (ROOT / "requirements/base.lock").read_text(encoding="utf-8")
    known = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", direct, re.MULTILINE)}
    rest = re.findall(r"^([\w.-]+)(==[^\\\n]+)", locked, re.MULTILINE)
    return f"{direct}\n{TRANSITIVE}\n" + "".join(
        f"{name}{pin.rstrip()}\n" for name, pin in rest if canonicalize_name(name) not in known
    )


def pins(text: str, names: Sequence[str]) -> list[str]:
    """Return the requirements (`numpy==2.4.6`) of these packages in the order asked, without comments.

    Raises:
        SystemExit: one of them is not pinned there.
    """
    lines = re.finditer(r"^([\w.-]+)==[^\s;#]+", text, re.MULTILINE)
    pinned = {canonicalize_name(line[1]): line[0] for line in lines}
    if missing := [name for name in names if canonicalize_name(name) not in pinned]:
        known = ", ".join(re.findall(r"^([\w.-]+)==", text.partition(TRANSITIVE)[0], re.MULTILINE))
        sys.exit(f"requirements.txt: `{'`, `'.join(missing)}` is not pinned there\n  hint: known: {known}")
    return [pinned[canonicalize_name(name)] for name in names]


def size(folder: Path) -> int:
    """Return the bytes of disk that a folder takes."""
    return sum(os.lstat(os.path.join(at, name)).st_blocks * 512 for at, _, names in os.walk(folder) for name in names)


@contextmanager
def folder(name: str) -> Iterator[Path]:
    """Make a folder below the cache folder, and remove it at the end of the block, however the block ends.

    This process keeps the folder locked while it lives. Those whose process is gone are removed first.
    """
    BELOW.mkdir(parents=True, exist_ok=True)
    with _locked(BELOW):  # so that nobody takes a folder that is not locked yet for one that was left
        for left in BELOW.iterdir():
            try:
                with _locked(left, wait=False):
                    shutil.rmtree(left, ignore_errors=True)
            except BlockingIOError:
                pass  # somebody uses it
        made = Path(tempfile.mkdtemp(dir=BELOW, prefix=f"{name}-"))
        lock = _locked(made)
        lock.__enter__()
    try:
        with _ended_politely():
            yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        lock.__exit__(None, None, None)


@contextmanager
def _locked(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the lock of a folder; the system frees it when this process ends, whatever ends it.

    Raises:
        BlockingIOError: another process holds it, and we do not wait.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _ended_politely() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that what stands in `finally` is done."""

    def end(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what signals do
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def reason(said: str) -> str:
    """Return why versions conflict, or the last line of what a program said that is an error, or its last line.

    Of a version that is not for this Python, pip says in another line which one it asks for.
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if "The conflict is caused by:" in lines:
        start = lines.index("The conflict is caused by:") + 1
        ends = (n for n, line in enumerate(lines[start:], start) if not re.search(r" depends on | requested |==", line))
        return "; ".join(lines[start : next(ends, len(lines))])
    last = next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1] if lines else "no message")
    version = last.rpartition("==")[2]
    asks = re.search(rf"(?<=\s){re.escape(version)} Requires-Python ([^;\s]+)", said) if "==" in last else None
    return f"{last}, which asks for Python {asks[1]}" if asks else last

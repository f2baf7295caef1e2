"""What a script's outputs depend on besides its text and the machine: files and folders, noted while it runs.

Python tells of what it opens, lists and starts (audit events), and of each module that it looks for, whether it is
there or not. What a script asks about a file without opening it is told by `os.stat` and `os.access`, replaced where
its text seems to ask. All of this holds in processes that a script forks. Besides, every file in the script's own
folder counts that is no recipe, whoever reads it: data and helpers stand there.

Nobody tells what other programs read, nor what C++ opens (`torch.from_file`, `torch.jit.load`), outside of that folder:
of a program that is started, files count that its command names. Nor does what comes from the network count.

A fact is a name and its fingerprint. The name is a path: of a file, whose content counts; of a folder, of which only
counts that there is one; with ``/`` at its end, of a folder of which the names within count; with ``/*``, of the
script's own folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from verbatim.run.job import Job

#: Not noted: Python and what is installed with it, which the machine stands for; the engine; what is no file.
APART = (
    *(folder + os.sep for folder in (sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]))),
    *("/proc/", "/dev/", "/sys/"),
)
#: The most bytes of names. A script that reads more is run anew in each build.
MOST = 1 << 20
#: Of a larger file the time of its last change counts instead of its content.
LARGE = 1 << 30
#: A fingerprint that nothing has.
NEVER = ""
_FOLDER = "folder"

_ASKS = re.compile(r"\b(?:l?exists|is_?file|is_?dir|l?stat|access|get[acm]time|getsize|which)\b")
_WORDS = re.compile(r"[\s;|&<>()'\"=:]+")

# -- in the script's process ------------------------------------------------------------------------


def note(job: Job, log: Path) -> None:
    """Note what this process, or a process forked from it, reads from now on. `log`: where."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    apart = (*APART, job.scratch + os.sep, os.path.realpath(job.scratch) + os.sep)
    seen = {job.file}

    def add(path: Any, end: str = "") -> None:
        with contextlib.suppress(Exception):  # no path, or none that there can be
            name = os.path.abspath(os.fsdecode(path)) + end
            if name not in seen and not f"{name}/".startswith(apart):
                seen.add(name)
                os.write(file, os.fsencode(name) + b"\0")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _NOTED:
            for path, end in _NOTED[event](*arguments):
                add(path, end)

    sys.addaudithook(hook)
    sys.meta_path.insert(0, _Finder(add))
    if _ASKS.search(job.script.text):
        _tell(add)


def _opened(path: Any, *_: Any) -> Iterator[tuple[Any, str]]:
    if not isinstance(path, int):
        yield path, ""


def _listed(path: Any, *_: Any) -> Iterator[tuple[Any, str]]:
    # Python lists each folder that it looks into for a module or a package: `_Finder` says what it looks for there.
    if not isinstance(path, int) and sys._getframe(2).f_code.co_filename not in _SEARCHES:
        yield path or ".", "/"


def _started(program: Any, command: Any, *_: Any) -> Iterator[tuple[Any, str]]:
    """Yield the files that a command names."""
    words = [command] if isinstance(command, str | bytes) else [program, *command]
    for text in map(os.fsdecode, filter(None, words)):
        for word in (text, *_WORDS.split(text)):
            if os.path.isdir(word):
                yield word, "/"
            elif os.path.isfile(word):
                yield word, ""


class _Finder:
    """Told by Python of each module that it looks for. It finds none, and notes what would be found."""

    def __init__(self, add: Callable[[Any], None]):
        self._add = add

    def find_spec(self, name: str, path: Iterable[str] | None = None, _: object = None) -> None:
        last = name.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            self._add(os.path.join(folder, last))
            self._add(os.path.join(folder, f"{last}.py"))


_SEARCHES = ("<frozen importlib._bootstrap_external>", importlib.metadata.__file__)
_NOTED: dict[str, Callable[..., Iterator[tuple[Any, str]]]] = {
    "open": _opened,
    "ctypes.dlopen": _opened,
    "sqlite3.connect": _opened,
    "os.listdir": _listed,
    "os.scandir": _listed,
    "glob.glob": _opened,  # a pattern without `*` asks for one file
    "subprocess.Popen": _started,
    "os.posix_spawn": _started,
    "os.exec": _started,
    "os.system": lambda command: _started("", command),
}


def _tell(add: Callable[[Any], None]) -> None:
    """Have the functions that ask about a file tell of it. They lie in no file, so `clean` finds them in tracebacks."""
    for name in ("stat", "lstat", "access"):
        scope = {"add": add, "ask": getattr(os, name)}
        exec(
            compile(f"def {name}(path, *a, **k):\n add(path)\n return ask(path, *a, **k)", "<verbatim>", "exec"), scope
        )
        for known in (os.supports_dir_fd, os.supports_effective_ids, os.supports_fd, os.supports_follow_symlinks):
            if scope["ask"] in known:
                known.add(scope[name])
        setattr(os, name, scope[name])


# -- in the parent ------------------------------------------------------------------------------------


def collect(log: bytes, began: float) -> dict[str, str]:
    """Return the facts that were noted.

    Args:
        log: What `note` wrote.
        began: When the run began, in seconds since 1970. What changed since may have been read as it was before.
    """
    if len(log) >= MOST:
        return {"": NEVER}
    facts = {}
    for name in sorted(set(filter(None, os.fsdecode(log).split("\0")))):
        if name.endswith(".pyc"):  # Python opens this first
            with contextlib.suppress(ValueError, NotImplementedError):
                name = importlib.util.source_from_cache(name)
        facts[name] = fingerprint(name)
        with contextlib.suppress(OSError, ValueError):
            if facts[name] != _FOLDER and os.stat(name).st_ctime > began:
                facts[name] = NEVER
    return facts


def same(facts: dict[str, str]) -> bool:
    """Whether all of them hold still."""
    return all(fingerprint(name) == known != NEVER for name, known in facts.items())


def fingerprint(name: str) -> str:
    """Return what is now so of a name; ``missing`` if there is nothing."""
    try:
        if name.endswith("/*"):
            return _sha(_beside(name[:-1]))
        if name.endswith("/"):
            return _sha(os.listdir(name))
        found = os.stat(name)
        if stat.S_ISDIR(found.st_mode):
            return _FOLDER
        if not stat.S_ISREG(found.st_mode):
            return "other"
        if found.st_size > LARGE:
            return f"{found.st_size} {found.st_mtime_ns}"
        with open(name, "rb", opener=_at_once) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except (OSError, ValueError):
        return "missing"


def _at_once(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_NONBLOCK)  # a pipe that took its place is not waited for


def _beside(folder: str) -> Iterator[str]:
    """Yield a text for each file below a folder that is no recipe."""
    with os.scandir(folder) as found:
        for entry in found:
            own = entry.name.startswith("_")
            if entry.name.startswith((".", "__pycache__")) or (entry.name.endswith(".py") and not own):
                continue
            if entry.is_dir():
                yield from _within(entry.path) if own else _beside(entry.path)
            else:
                yield f"{entry.path} {fingerprint(entry.path)}"


def _within(folder: str) -> Iterator[str]:
    for within, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            path = os.path.join(within, name)
            yield f"{path} {fingerprint(path)}"


def _sha(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(sorted(texts)).encode(errors="surrogateescape")).hexdigest()[:16]

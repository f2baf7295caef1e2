"""Records the files and folders that a script reads while it runs: its outputs depend on them.

Python reports what it opens, lists and starts (audit events), and each module that it looks for, whether it exists or
not. Questions about a file that is not opened are noticed by wrappers around `os.stat` and its like. All of this also
works in processes that a script forks. In addition, every file in the script's own folder that is not a recipe counts,
because data and helpers lie there.

Not noticed, outside of that folder, are files that other programs read or that C++ opens (`torch.from_file`,
`torch.jit.load`), except those that the command of a started program names. Data from the network would be none of
this, so a script that asks for some gets an error: its page would show what a server says.

A dependency is a name and its fingerprint. The name is one of these paths:

- a file: the fingerprint is a hash of its content, and of where it leads if it is a link;
- a folder: the fingerprint says only that it exists;
- a folder with ``/`` at the end: a hash of the names in it;
- the script's own folder with ``/*`` at the end: a hash of all files in it that are not recipes.

What it depends on among the installed packages is one name: ``packages: numpy torch``, as `packages` says.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.metadata
import importlib.util
import linecache
import os
import re
import socket
import stat
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from verbatim.run import leavings, packages
from verbatim.run.job import Job

#: What the kernel makes up as it is read.
SPECIAL = ("/proc/", "/dev/", "/sys/")
#: Ignored: Python, which is part of the cache's key, as is the engine; special files. Of installed packages, `packages`
#: says what is logged.
IGNORED = (*(folder + os.sep for folder in (sys.prefix, sys.base_prefix, str(Path(__file__).parents[1]))), *SPECIAL)
#: The most bytes of names. A script that reads more is run in each build.
MOST = 1 << 20
#: Of a larger file the time of its last change counts instead of its content. A script whose other files have more than
#: this together is run in each build, too.
LARGE = 1 << 30
#: Longer names no system call takes.
_LONGEST = 4096
#: A fingerprint that never matches.
NEVER = ""
_FOLDER = "folder"
#: How the name begins of what a run depends on among the installed packages.
_PACKAGES = "packages: "

_WORDS = re.compile(r"[\s;|&<>()'\"=:]+")

# -- in the script's process ------------------------------------------------------------------------


#: What the fork server looked for when it imported torch and the others.
_before: set[str] = set()


def begin() -> None:
    """Note which packages this process, the fork server, looks for from now on."""
    sys.meta_path.insert(
        0, _Finder(lambda path: _before.add(packages.entry(os.path.abspath(path)) or ""), distributions=False)
    )


def record(job: Job, log: Path) -> None:
    """Log everything that this process, and processes forked from it, read from now on. `log`: the file to write to.

    What the fork server has imported, or would have, is logged, too.
    """
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    ignored = (*IGNORED, job.scratch + os.sep, os.path.realpath(job.scratch) + os.sep)
    seen = {"", job.file}

    def write(name: str) -> None:
        if name not in seen:
            seen.add(name)
            os.write(file, os.fsencode(name) + b"\0")

    def add(path: Any, end: str = "") -> None:
        with contextlib.suppress(Exception):  # not a valid path
            write(_logged(path, end, ignored))

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _EVENTS:
            if arguments[0] == job.file and sys._getframe(1).f_code.co_filename not in _QUOTING:
                seen.discard(job.file)  # the cache's key has what it does, not its whole text
            for path, end in _EVENTS[event](*arguments):
                add(path, end)
        elif event in _ASKED and not _own(host := _ASKED[event](*arguments)):
            raise PermissionError(errno.EPERM, f"{NO_NETWORK}: {host}")

    imported = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
    for name in sorted(_before.union(os.path.join(packages.SITES[0], name) for name in imported)):
        write(name)
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
    sys.addaudithook(hook)
    sys.meta_path.insert(0, _Finder(add))
    _wrap_queries(add)


def _logged(path: Any, end: str, ignored: tuple[str, ...]) -> str:
    """Return the name to log for a path; empty for none."""
    name = os.path.abspath(os.fsdecode(path)) + end
    entry = packages.entry(name)
    return entry if entry is not None else "" if f"{name}/".startswith(ignored) else name


def _own(host: Any) -> bool:
    """Whether a host is this machine, or none is named. Processes of a distributed example find each other by it."""
    name = os.fsdecode(host or "")
    return name in ("", "localhost", "::1", "0.0.0.0", "::", socket.gethostname()) or name.startswith("127.")


#: What a script is told that asks for a server.
NO_NETWORK = "a script has no network"
#: Audit event → the host that is asked for. Sockets with a path connect processes of one machine.
_ASKED: dict[str, Callable[..., Any]] = {
    "socket.getaddrinfo": lambda host, *_: host,
    "socket.gethostbyname": lambda host: host,
    "socket.connect": lambda _, address: address[0] if isinstance(address, tuple) else "",
    "socket.sendto": lambda _, address: address[0] if isinstance(address, tuple) else "",
}


def _opened(path: Any, *_: Any) -> Iterator[tuple[Any, str]]:
    if not isinstance(path, int):
        yield path, ""


def _listed(path: Any, *_: Any) -> Iterator[tuple[Any, str]]:
    # Python lists each folder in which it looks for a module or a package; `_Finder` logs these more precisely.
    if not isinstance(path, int) and sys._getframe(2).f_code.co_filename not in _SEARCHES:
        yield path or ".", "/"


def _started(program: Any, command: Any, *_: Any) -> Iterator[tuple[Any, str]]:
    """Yield the files that a command names, and all packages: it may start a Python."""
    for folder in sys.path[1:]:
        yield folder, f"/{packages.ALL}"
    words = [command] if isinstance(command, str | bytes) else [program, *command]
    for text in map(os.fsdecode, filter(None, words)):
        for word in (text, *_WORDS.split(text)):
            if os.path.isdir(word):
                yield word, "/"
            elif os.path.isfile(word):
                yield word, ""


class _Finder:
    """A finder that Python asks for modules and distributions. It finds none, and logs which files they could be."""

    def __init__(self, add: Callable[..., None], *, distributions: bool = True):
        self._add, self._distributions = add, distributions

    def find_spec(self, name: str, path: Iterable[str] | None = None, _: object = None) -> None:
        last = name.rpartition(".")[2]
        for folder in sys.path if path is None else path:
            self._add(os.path.join(folder, last))
            self._add(os.path.join(folder, f"{last}.py"))

    def find_distributions(self, context: Any = None) -> Iterable[Any]:
        for folder in getattr(context, "path", sys.path) if self._distributions else ():
            name = getattr(context, "name", None)
            self._add(folder, f"/{name}.dist-info" if name else f"/{packages.ALL}")
        return ()


#: Where Python reads a line of source to show it.
_QUOTING = (tokenize.__file__, linecache.__file__)
_SEARCHES = ("<frozen importlib._bootstrap_external>", importlib.metadata.__file__)
_EVENTS: dict[str, Callable[..., Iterator[tuple[Any, str]]]] = {
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


def _wrap_queries(add: Callable[[Any], None]) -> None:
    """Wrap the functions that ask about a file. The file name of the wrappers lets `clean` find them in tracebacks."""
    for name in ("stat", "lstat", "access", "readlink"):
        scope = {"add": add, "ask": getattr(os, name)}
        exec(
            compile(f"def {name}(path, *a, **k):\n add(path)\n return ask(path, *a, **k)", "<verbatim>", "exec"), scope
        )
        for supporting in (os.supports_dir_fd, os.supports_effective_ids, os.supports_fd, os.supports_follow_symlinks):
            if scope["ask"] in supporting:
                supporting.add(scope[name])
        setattr(os, name, scope[name])


# -- in the parent ------------------------------------------------------------------------------------


def collect(log: bytes, began: float, scratch: str = "") -> dict[str, str]:
    """Return the dependencies of a run: name → fingerprint.

    Args:
        log: The content of the file that `record` writes. The script may have written it: names that `record` does not
            write are left out, and what takes long to read is not read.
        began: When the run began, in seconds since 1970. A file that changed later may have been read before.
        scratch: The folder of the run; what lies there is gone when it ends.
    """
    if len(log) >= MOST:
        return {"": NEVER}
    dependencies, size, modules = {}, 0, set()
    apart = (*SPECIAL, *(f"{folder}{os.sep}" for folder in (scratch, os.path.realpath(scratch)) if scratch))
    for name in sorted(set(os.fsdecode(log).split("\0"))):
        if name.endswith(".pyc"):  # Python opens this first
            with contextlib.suppress(ValueError, NotImplementedError):
                name = importlib.util.source_from_cache(name)
        if not _is_logged(name) or any(f"{path}/".startswith(apart) for path in (name, os.path.realpath(name))):
            continue
        folder, _, last = name.rpartition("/")
        if folder in packages.SITES:
            modules.add(last)
            continue
        try:
            about = os.stat(name)
        except (OSError, ValueError):
            dependencies[name] = fingerprint(name)
            continue
        if stat.S_ISREG(about.st_mode) and about.st_size <= LARGE:
            size += about.st_size
            if size > LARGE:
                return {"": NEVER}
        dependencies[name] = fingerprint(name)
        only_there = stat.S_ISDIR(about.st_mode) and not name.endswith("/")
        if not only_there and about.st_ctime > began:
            dependencies[name] = NEVER
    if names := " ".join(sorted(name for name in modules if " " not in name)):
        dependencies[_PACKAGES + names] = fingerprint(_PACKAGES + names)
    return dependencies


def _is_logged(name: str) -> bool:
    """Whether `record` writes such a name: an absolute path in its shortest form, of a folder's names with a ``/``."""
    if name.endswith("/*"):  # the parent alone asks for all below a folder
        return False
    return len(name) < _LONGEST and os.path.isabs(name) and name in (path := os.path.normpath(name), f"{path}/")


def unchanged(dependencies: dict[str, str]) -> bool:
    """Whether all dependencies still have their fingerprints."""
    return all(fingerprint(name) == old != NEVER for name, old in dependencies.items())


def fingerprint(name: str) -> str:
    """Return the current fingerprint of a name; ``missing`` if nothing exists there."""
    if name.startswith(_PACKAGES):
        return packages.fingerprint(name.removeprefix(_PACKAGES))
    folder, _, last = name.rpartition("/")
    if last.endswith(packages.METADATA) and not os.path.lexists(name):
        return packages.distributions(folder, last)
    try:
        if name.endswith("/*"):
            return _sha(_not_recipes(name[:-1]))
        if name.endswith("/"):
            return _sha(os.listdir(name))
        if os.path.islink(name):
            target = os.path.realpath(name)  # the link itself, where links lead in a ring
            return "missing" if target == name else _sha([os.readlink(name), fingerprint(target)])
        status = os.stat(name)
        if stat.S_ISDIR(status.st_mode):
            return _FOLDER
        if not stat.S_ISREG(status.st_mode):
            return "other"
        if status.st_size > LARGE:
            return f"{status.st_size} {status.st_mtime_ns}"
        digest = hashlib.sha256()
        with leavings.opened(name, follow=True) as file:
            for piece in leavings.pieces(file, status.st_size):  # what the kernel makes up as it is read has no size
                digest.update(piece)
        return digest.hexdigest()[:16]
    except (OSError, ValueError):
        return "missing"


def _not_recipes(folder: str) -> Iterator[str]:
    """Yield path and fingerprint of each file below a folder that is not a recipe."""
    with os.scandir(folder) as entries:
        for entry in entries:
            own = entry.name.startswith("_")
            if entry.name.startswith((".", "__pycache__")) or (entry.name.endswith(".py") and not own):
                continue
            if entry.is_dir():
                yield from _within(entry.path) if own else _not_recipes(entry.path)
            else:
                yield f"{entry.path} {fingerprint(entry.path)}"


def _within(folder: str) -> Iterator[str]:
    """Yield path and fingerprint of each file below a folder."""
    for within, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            path = os.path.join(within, name)
            yield f"{path} {fingerprint(path)}"


def _sha(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(sorted(texts)).encode(errors="surrogateescape")).hexdigest()[:16]

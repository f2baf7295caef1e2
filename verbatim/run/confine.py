"""Lets a script's process change only its own scratch folder. On Linux; elsewhere the parent compares files afterwards.

It uses four features of the kernel. All work without administrator rights, and each may be missing:

- Landlock (Linux 5.13; complete for our use since 6.2): a process gives up for good, with all its children, the right
  to write, make, rename or remove files anywhere but below the folders it names, to look into processes outside, and
  since 6.12 to signal them. Reading, the network, and the mode, owner and times of a file are not covered.
- Namespaces of mounts and of shared memory: ``/dev/shm`` is empty, and everything else but the scratch folder is
  mounted read-only, modes, owners and times included. What a script puts into shared memory ends with it. Where the
  kernel gives namespaces to administrators alone, these stay the machine's.
- Capabilities: an administrator's rights are given up, but for that to read and write files whatever their modes.
- A filter of system calls, for what Landlock lets pass: `seccomp`.

A namespace of processes would hide all others, and so do without the filter. But then a script would need two more
forks of PyTorch's memory, or be the namespace's first process, to which signals mean something else; ``/proc`` would
have to be mounted anew, which containers refuse; and where users may make no namespace nothing would hold. Bubblewrap
is made of the same namespaces, and begins a program anew: a fork of the fork server is what it cannot confine.

The environment variable ``VERBATIM_CONFINE=off`` switches all off, for a driver that needs more than this allows.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import glob
import os
import struct
import sys
from pathlib import Path

from verbatim.problems import Problem
from verbatim.run import seccomp

#: From linux/landlock.h: the system calls, the same on every processor that PyTorch runs on, and the rights.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_WRITE, _TRUNCATE, _REFER = 1 << 1, 1 << 14, 1 << 13
#: To remove folders and files, and to make each kind of file.
_CHANGE = sum(1 << bit for bit in range(4, 13))
_SCOPE = 1 << 0 | 1 << 1  # abstract sockets and signals stay within the process and its children
#: From linux/sched.h, linux/mount.h, linux/fcntl.h and linux/prctl.h.
_NEWNS, _NEWIPC, _NEWUSER = 0x20000, 0x8000000, 0x10000000
_BIND, _WITH_MOUNTS_BELOW, _PRIVATE = 1 << 12, 1 << 14, 1 << 14 | 1 << 18
_SET_ATTRIBUTES, _READ_ONLY = 442, 1 << 0
_HERE, _RECURSIVE = -100, 0x8000
_NO_NEW_PRIVS = 38
#: From linux/capability.h: the version of the calls, and the right to pass over the modes of files.
_CAPABILITIES, _ANY_MODE = 0x20080522, 1 << 1
#: The version of Landlock that also prevents files from being truncated.
COMPLETE = 3

#: Files that scripts may write to besides: devices that store nothing, and GPUs.
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/proc/self")
#: CUDA names its threads below ``/proc/self``, also in a process that the script starts: that is another folder.
GPUS = ("/proc", "/dev/nvidia*", "/dev/nvidia-caps/*", "/dev/dri/*", "/dev/kfd", "/dev/dxg")
#: What below ``/proc`` is the machine's, and an administrator's to write.
MACHINE = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs")
#: The most bytes of shared memory of one script.
SHARED = 1 << 30


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> int:
    """Call a function of the C library.

    Raises:
        OSError: it failed.
    """
    result = int(getattr(_library(), name)(*arguments))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


@functools.cache
def version() -> int:
    """Return the version of Landlock in this kernel; 0 if it has none or it is switched off."""
    if sys.platform != "linux" or os.environ.get("VERBATIM_CONFINE") == "off":
        return 0
    with contextlib.suppress(OSError):
        return _call("syscall", ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return 0


@functools.cache
def own_mounts() -> bool:
    """Whether a process can have namespaces of its own. A child process tries it, because trying changes the process.

    The fork server asks once, while it has one thread; the processes that it forks inherit the answer.
    """
    if sys.platform != "linux" or os.environ.get("VERBATIM_CONFINE") == "off":
        return False
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):
            _own_mounts(Path("/dev/shm"))
            os._exit(0)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def prepare() -> None:
    """Find out what this machine supports, once in the fork server: forked processes inherit the answers."""
    version()
    own_mounts()
    seccomp.available()
    _gpus()


def separate(scratch: Path) -> None:
    """Give this process, and all processes it starts, namespaces of their own, in which only `scratch` can be changed.

    Must be called while the process has one thread. What the kernel does not support is left out.
    """
    if own_mounts():
        with contextlib.suppress(OSError):
            _own_mounts(scratch)


def confine(scratch: Path, *, gpu: bool = False) -> None:
    """Forbid this process, and all processes it starts, to change anything except `scratch`.

    Must be called while the process has one thread. What the kernel does not support is left out.

    Args:
        scratch: The folder that stays writable.
        gpu: Also allow what a GPU's driver writes to.
    """
    if sys.platform != "linux" or os.environ.get("VERBATIM_CONFINE") == "off":
        return
    _call("prctl", _NO_NEW_PRIVS, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
    _give_up_rights()
    if version():
        _restrict(scratch, gpu)
    if seccomp.available():
        seccomp.install()


def _own_mounts(scratch: Path) -> None:
    """Mount everything read-only but `scratch`, and an empty file system on ``/dev/shm``; only this process sees it."""
    user, group = os.getuid(), os.getgid()
    try:
        _call("unshare", _NEWNS | _NEWIPC)
    except PermissionError:
        _call("unshare", _NEWNS | _NEWIPC | _NEWUSER)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    folder = os.fsencode(scratch)
    _call("mount", None, b"/", None, ctypes.c_ulong(_PRIVATE), None)
    size = f"mode=1777,size={SHARED}".encode()
    _call("mount", os.path.basename(folder), b"/dev/shm", b"tmpfs", ctypes.c_ulong(0), size)
    _call("mount", folder, folder, None, ctypes.c_ulong(_BIND), None)
    _attributes(b"/", _RECURSIVE, added=_READ_ONLY)
    for writable in (folder, b"/dev/shm", b"/proc"):  # below /proc a process names its threads
        _attributes(writable, 0, removed=_READ_ONLY)
    for name in map(os.fsencode, filter(os.path.exists, MACHINE)):
        with contextlib.suppress(OSError):  # a container may refuse one; the others, and the namespaces, hold
            _call("mount", name, name, None, ctypes.c_ulong(_BIND | _WITH_MOUNTS_BELOW), None)
            _attributes(name, _RECURSIVE, added=_READ_ONLY)


def _attributes(path: bytes, flags: int, *, added: int = 0, removed: int = 0) -> None:
    wanted = struct.pack("=QQQQ", added, removed, 0, 0)
    number, flag = ctypes.c_long(_SET_ATTRIBUTES), ctypes.c_uint(flags)
    _call("syscall", number, ctypes.c_int(_HERE), path, flag, wanted, ctypes.c_size_t(len(wanted)))


def _give_up_rights() -> None:
    """Keep, of an administrator's rights, that to read and write files whatever their modes. Others have none."""
    version = struct.pack("=Ii", _CAPABILITIES, 0)
    held = ctypes.create_string_buffer(24)
    _call("capget", version, held)
    remaining = struct.unpack("=6I", held.raw)[1] & _ANY_MODE
    _call("capset", version, struct.pack("=6I", remaining, remaining, 0, 0, 0, 0))


def _restrict(scratch: Path, gpu: bool) -> None:
    supported = version()
    on_files = _WRITE | (_TRUNCATE if supported >= COMPLETE else 0)
    rights = on_files | _CHANGE | (_REFER if supported >= 2 else 0)
    attributes = struct.pack("=QQQ", rights, 0, _SCOPE if supported >= 6 else 0)
    size = 24 if supported >= 6 else 8
    rules = _call("syscall", ctypes.c_long(_CREATE), attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    for folder in (str(scratch), "/dev/shm"):
        _allow(rules, folder, rights)
    for device in (*DEVICES, *(_gpus() if gpu else ())):
        _allow(rules, device, on_files)
    _call("syscall", ctypes.c_long(_RESTRICT), ctypes.c_int(rules), ctypes.c_uint32(0))
    os.close(rules)


@functools.cache
def _gpus() -> list[str]:
    return [path for pattern in GPUS for path in glob.glob(pattern)]


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # this machine has none
    beneath = struct.pack("=Qi", rights, descriptor)
    try:
        _call("syscall", ctypes.c_long(_ADD), ctypes.c_int(rules), ctypes.c_int(1), beneath, ctypes.c_uint32(0))
    finally:
        os.close(descriptor)


# -- in the parent --------------------------------------------------------------------------------


def notes(place: str) -> list[Problem]:
    """Return notes on what cannot be prevented on this machine. Called in a child of the fork server."""
    problems = []
    if version() < COMPLETE:
        hint = "Linux 6.2 or newer with Landlock holds it; the build compares the files before and after instead"
        problems.append(Problem(place, 0, "a script can change files outside of its scratch folder", hint))
    if sys.platform == "linux" and not own_mounts():
        hint = "the kernel must let users make namespaces; SECURITY.md says what follows"
        problems.append(Problem(place, 0, "scripts share /dev/shm with each other and with other programs", hint))
    if sys.platform == "linux" and not seccomp.available():
        hint = "the kernel must have seccomp filters, on x86-64 or ARM; SECURITY.md says what follows"
        message = "a script can change limits of other processes, and leave its own"
        problems.append(Problem(place, 0, message, hint))
    return problems


Stamps = dict[str, tuple[int, int, int]]


def stamps(root: Path) -> Stamps:
    """Return inode, size and modification time of every file of the checkout; nothing if Landlock protects them.

    This finds accidents and simple attempts. Contents are not read: a script that restores all three values could just
    as well write later, from the background. Hidden folders, ``site`` and caches are left out, because builds write to
    them.
    """
    stamps: Stamps = {}
    if version() >= COMPLETE:
        return stamps
    for within, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("site", "__pycache__")]
        for name in names:
            path = os.path.join(within, name)
            with contextlib.suppress(OSError):
                status = os.lstat(path)
                stamps[path] = status.st_ino, status.st_size, status.st_mtime_ns
    return stamps


def changed(root: Path, before: Stamps) -> list[Problem]:
    """Return a problem for each file of the checkout that changed since `stamps` was called."""
    after = stamps(root)
    hint = "a script may write into its working folder alone; if you saved this yourself, build again"
    return [
        Problem(Path(path).relative_to(root).as_posix(), 0, "the file changed while the scripts ran", hint)
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    ]

"""Blocks system calls that Landlock permits and that reach other processes or change attributes of files (seccomp).

The kernel runs a small program (in BPF) before each call: it sees the call's number and its arguments, but
nothing that an argument points to, so it cannot tell one file from another. It holds for all processes that the script
starts, works without administrator rights, and costs well below a microsecond a call.

A process may change limits, priorities and cores of itself, which most programs name 0, and of the script's first
process by its number. Of its threads and children by number it may not: their numbers cannot be told from others'.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import platform
import struct
from collections.abc import Iterable

#: From linux/audit.h: how the kernel names a processor's calls. Programs for another one are refused all calls.
_PROCESSORS = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
#: Calls of a third kind, with 32-bit pointers, have numbers from here on. Nobody uses them.
_X32 = 0x40000000

#: Call → its number on x86_64 and on aarch64. Those since Linux 5.1 have one number everywhere.
_NUMBERS = {
    "ioctl": (16, 29),
    "shmget": (29, 194),
    "clone": (56, 220),
    "fcntl": (72, 25),
    "setpriority": (141, 140),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "sched_setaffinity": (203, 122),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "unshare": (272, 97),
    "prlimit64": (302, 261),
    "setns": (308, 268),
    "sched_setattr": (314, 274),
    "memfd_create": (319, 279),
    "io_uring_setup": (425, 425),
    "clone3": (435, 435),
    "memfd_secret": (447, 447),
    "mount_setattr": (442, 442),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
#: These make memory that counts as no process's.
_MEMORY = ("memfd_create", "memfd_secret", "shmget")
#: Blocked whatever the arguments are, with the error that a kernel gives that does not have them: programs know it.
_NEVER = {
    errno.ENOTSUP: [name for name in _NUMBERS if "xattr" in name],
    # io_uring does what it does unseen by this; clone3 has its flags where this cannot see them.
    errno.ENOSYS: ["io_uring_setup", "add_key", "request_key", "keyctl", "clone3", *_MEMORY],
    errno.EPERM: ["mount_setattr", "file_setattr", "setns"],
}
#: Calls that make a process, or change its namespaces. With a user namespace of its own a process has in it all rights
#: that `confine` gave up: it could change its root, and so hide from those who count and end the script's processes.
_MAKE = ("clone", "unshare")
_NEW_USER = 0x10000000
#: Call → the argument that names a process. 0 is the process itself.
_OF_PROCESSES = {
    "prlimit64": 0,
    "setpriority": 1,
    "ioprio_set": 1,
    "sched_setparam": 0,
    "sched_setscheduler": 0,
    "sched_setaffinity": 0,
    "sched_setattr": 0,
    "migrate_pages": 0,
    "move_pages": 0,
}
#: Call → an argument, and the values that are refused: all processes of a user; attributes of a file, as `chattr` sets
#: them, its version, that it is sealed or encrypted (linux/fs.h, fsverity.h, fscrypt.h); what a terminal takes for
#: typed; a lease, for which whoever wants to write the file waits (linux/fcntl.h).
_NOT_SO = {
    "setpriority": (0, (2,)),
    "ioprio_set": (0, (3,)),
    "fcntl": (1, (1024,)),
    "ioctl": (
        1,
        (0x40086602, 0x40046602, 0x401C5820, 0x40087602, 0x40047602, 0x40806685, 0x800C6613, 0x5412, 0x541C),
    ),
}

#: From linux/prctl.h and linux/seccomp.h.
_SECCOMP, _FILTER = 22, 2
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
#: From linux/bpf_common.h: load a word, compare, look for bits, jump, return.
_LOAD, _EQUAL, _AT_LEAST, _HAS, _JUMP, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x05, 0x06
#: Where the words lie: the call's number, the processor, the lower half of the first argument.
_CALL, _PROCESSOR, _ARGUMENT = 0, 4, 16

Program = list[tuple[int, int, int, int]]


@functools.cache
def available() -> bool:
    """Whether this kernel has such filters, and this module knows the processor's numbers."""
    if platform.system() != "Linux" or platform.machine() not in _PROCESSORS:
        return False
    library = ctypes.CDLL(None, use_errno=True)
    # Without a program the kernel says whether it would take one.
    failed = library.prctl(_SECCOMP, ctypes.c_ulong(_FILTER), None, ctypes.c_ulong(0), ctypes.c_ulong(0))
    return failed != 0 and ctypes.get_errno() == errno.EFAULT


def install() -> None:
    """Block these calls for this process and all that it starts, for good. It must have given up new privileges.

    Raises:
        OSError: The kernel does not take the program.
    """
    code = b"".join(struct.pack("=HBBI", *step) for step in [*_fixed(), *_of_processes(os.getpid())])
    code += struct.pack("=HBBI", _RETURN, 0, 0, _ALLOW)
    text = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(text))
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_SECCOMP, ctypes.c_ulong(_FILTER), program, ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), "prctl: seccomp")


@functools.cache
def _fixed() -> Program:
    """Return the steps that are the same for each process."""
    name, _ = _PROCESSORS[platform.machine()]
    steps = [(_LOAD, 0, 0, _PROCESSOR), (_EQUAL, 1, 0, name), _error(errno.ENOSYS)]
    steps += [(_LOAD, 0, 0, _CALL), (_AT_LEAST, 0, 1, _X32), _error(errno.ENOSYS)]
    for number, calls in _NEVER.items():
        for call in calls:
            steps += _if(call, [_error(number)])
    for call in _MAKE:
        steps += _if(call, [(_LOAD, 0, 0, _ARGUMENT), (_HAS, 0, 1, _NEW_USER), _error(errno.EPERM)])
    for call, (argument, values) in _NOT_SO.items():
        steps += _if(call, [*_compare(argument, values, 1), (_JUMP, 0, 0, 1), _error(errno.EPERM)])
    return steps


def _of_processes(own: int) -> Program:
    """Return the steps that block calls on another process than `own`."""
    steps: Program = []
    for call, argument in _OF_PROCESSES.items():
        steps += _if(call, [*_compare(argument, (0, own), 1), _error(errno.EPERM)])
    return steps


def _if(call: str, steps: Program) -> Program:
    """Return steps that run only for one call."""
    number = _NUMBERS[call][_PROCESSORS[platform.machine()][1]]
    return [(_LOAD, 0, 0, _CALL), (_EQUAL, 0, len(steps), number), *steps]


def _compare(argument: int, values: Iterable[int], skip: int) -> Program:
    """Return steps that skip the next `skip` ones if an argument has one of the values."""
    values = list(values)
    steps = [(_EQUAL, skip + left, 0, value) for left, value in zip(range(len(values))[::-1], values, strict=True)]
    return [(_LOAD, 0, 0, _ARGUMENT + 8 * argument), *steps]


def _error(number: int) -> tuple[int, int, int, int]:
    return _RETURN, 0, 0, _ERROR | number

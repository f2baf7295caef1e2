"""The table of SECURITY.md, line by line: for each, a script that tries."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import OtherServers, printed_text
from tests.waiting import listening
from verbatim.run import confine, seccomp

TEXT = (Path(__file__).parents[2] / ".github/SECURITY.md").read_text(encoding="utf-8")

linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux only")


def rows(heading: str) -> dict[str, list[str]]:
    """Line → its other columns, of the table below a heading."""
    table = TEXT.partition(heading)[2].partition("\n| --- ")[2].partition("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]
    return {first: others for first, *others in cells}


ROWS = rows("# Security")

#: What a script tries, by the beginning of its line. Each attempt prints `no` where it fails.
TRY = """
import ctypes, ctypes.util, fcntl, os, resource, signal, socket, struct, subprocess, sys, time

libc = ctypes.CDLL(None, use_errno=True)


def attempt(change):
    try:
        change()
        print("yes")
    except (OSError, ValueError, AssertionError, AttributeError, TypeError, LookupError) as error:
        print("no", type(error).__name__)


def call(name, *arguments):
    if (result := getattr(libc, name)(*arguments)) == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def syscall(number, *arguments):
    if libc.syscall(ctypes.c_long(number), *arguments) < 0:
        raise OSError(ctypes.get_errno(), str(number))


def program(*command):
    assert subprocess.run(command, capture_output=True).returncode == 0

"""

SCRIPTS = {
    "write, remove": """
attempt(lambda: open(victim.file, "w"))
attempt(lambda: open(victim.folder + "/new", "w"))
attempt(lambda: os.truncate(victim.file, 0))
attempt(lambda: os.remove(victim.file))
attempt(lambda: os.rename(victim.file, victim.file + "2"))
attempt(lambda: os.rename(victim.file, "here"))
attempt(lambda: os.link("/proc/self/exe", victim.folder + "/link"))
attempt(lambda: os.symlink("/etc/passwd", victim.folder + "/link"))
attempt(lambda: os.mkdir(victim.folder + "/new"))
attempt(lambda: os.mkfifo(victim.folder + "/pipe"))
attempt(lambda: socket.socket(socket.AF_UNIX).bind(victim.folder + "/socket"))
attempt(lambda: open("/proc/self/root" + victim.file, "w"))
attempt(lambda: open(f"/proc/self/fd/{os.open(victim.file, os.O_RDONLY)}", "w"))
attempt(lambda: program("touch", victim.folder + "/new"))
attempt(lambda: program("unshare", "-rm", "sh", "-c", f"mount -o remount,rw / ; touch {victim.folder}/new"))
""",
    "change mode, owner": """
attempt(lambda: os.chmod(victim.file, 0o777))
attempt(lambda: os.chmod(os.open(victim.file, os.O_RDONLY), 0o777))
attempt(lambda: os.chown(victim.file, os.getuid(), os.getgid()))
attempt(lambda: os.utime(victim.file, (1, 1)))
attempt(lambda: os.utime(victim.folder, (1, 1)))
attempt(lambda: program("chmod", "777", victim.file))
attempt(lambda: program("unshare", "-rm", "sh", "-c", f"mount -o remount,rw / ; chmod 777 {victim.file}"))
""",
    "change extended attributes": """
attempt(lambda: os.setxattr(victim.file, "user.verbatim", b"1"))
attempt(lambda: os.setxattr(os.open(victim.file, os.O_RDONLY), "user.verbatim", b"1"))
attempt(lambda: os.removexattr(victim.file, "user.here"))
attempt(lambda: fcntl.ioctl(os.open(victim.file, os.O_RDONLY), 0x40086602, struct.pack("q", 0x40)))
attempt(lambda: fcntl.ioctl(os.open(victim.file, os.O_RDONLY), 0x40806685, bytes(128)))
attempt(lambda: syscall(425, 8, ctypes.create_string_buffer(120)))  # io_uring would do it unseen
""",
    "have a process forked": """
from multiprocessing import forkserver, process, reduction, resource_tracker

def door(number):
    with socket.socket(fileno=os.dup(number)) as found:
        socket.send_fds(found, [b"."], [number] * 3)

def tell():
    os.write(resource_tracker._resource_tracker._fd, f"REGISTER:/{victim.shared}:shared_memory\\n".encode())

class Escape:
    def __reduce__(self):
        return open, (victim.folder + "/escaped", "w")

def start():
    import multiprocessing
    context = multiprocessing.get_context("forkserver")
    child = context.Process(target=len, args=(Escape(),))
    child.start()
    child.join()
    assert os.path.exists(victim.folder + "/escaped")

if __name__ == "__main__":  # the fork server that it starts itself imports it once more
    attempt(lambda: socket.socket(socket.AF_UNIX).connect(forkserver._forkserver._forkserver_address))
    attempt(lambda: os.fstat(forkserver._forkserver._forkserver_alive_fd))
    attempt(tell)
    for number in map(int, os.listdir("/proc/self/fd")):
        attempt(lambda: door(number))
    stderr = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # the traceback of a process that may not write
    attempt(start)
    os.dup2(stderr, 2)
""",
    "see and change other programs' shared memory": """
attempt(lambda: open("/dev/shm/" + victim.shared))
attempt(lambda: os.remove("/dev/shm/" + victim.shared))
attempt(lambda: call("shmctl", victim.segment, 0, None))
attempt(lambda: call("shmget", victim.key, 1, 0))
""",
    "look into other processes": """
attempt(lambda: open(f"/proc/{victim.pid}/environ").read())
attempt(lambda: open(f"/proc/{victim.pid}/mem", "rb"))
attempt(lambda: os.readlink(f"/proc/{victim.pid}/fd/0"))
attempt(lambda: open(f"/proc/{os.getppid()}/fd/2"))
attempt(lambda: call("ptrace", 16, victim.pid, None, None))
attempt(lambda: syscall(438, os.pidfd_open(victim.pid), 1, 0))
""",
    "signal other": """
attempt(lambda: os.kill(victim.pid, 0))
attempt(lambda: os.kill(os.getppid(), 0))
attempt(lambda: signal.pidfd_send_signal(os.pidfd_open(victim.pid), signal.SIGCONT))
attempt(lambda: os.killpg(os.getpgid(victim.pid), signal.SIGCONT))
""",
    "change limits": """
attempt(lambda: resource.prlimit(victim.pid, resource.RLIMIT_CPU, (1000, 1000)))
attempt(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1000, 1000)))
attempt(lambda: os.setpriority(os.PRIO_PROCESS, victim.pid, 19))
attempt(lambda: os.setpriority(os.PRIO_PGRP, os.getpgid(victim.pid), 19))
attempt(lambda: os.setpriority(os.PRIO_USER, 0, 19))
attempt(lambda: os.sched_setaffinity(victim.pid, os.sched_getaffinity(0)))
attempt(lambda: os.sched_setscheduler(victim.pid, os.SCHED_BATCH, os.sched_param(0)))
attempt(lambda: program("renice", "19", "-p", str(victim.pid)))
""",
    "use an administrator's rights": """
attempt(lambda: socket.sethostname("verbatim"))
attempt(lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
attempt(lambda: call("mount", b"none", b"/mnt", b"tmpfs", 0, None))
attempt(lambda: call("umount2", b"/dev/shm", 2))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt(lambda: os.chroot("/"))
attempt(lambda: os.setuid(1 + os.getuid()))
attempt(lambda: open("/dev/mem", "wb"))
attempt(lambda: syscall(304, -100, ctypes.create_string_buffer(136), 0))  # open_by_handle_at
""",
    "make a user namespace": """
attempt(lambda: call("unshare", 0x10000000))
attempt(lambda: call("unshare", 0x10000000 | 0x20000 | 0x20000000))
attempt(lambda: syscall(56, 0x10000000 | 17, 0, 0, 0, 0))  # clone, on x86-64
attempt(lambda: syscall(435, struct.pack("=11Q", 0x10000000, *[0] * 3, 17, *[0] * 6), 88))  # clone3
attempt(lambda: call("setns", os.open("/proc/self/ns/user", os.O_RDONLY), 0))
attempt(lambda: os.chroot("/usr"))
attempt(lambda: program("unshare", "-U", "true"))
""",
    "take more memory": """
import mmap
attempt(lambda: mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
attempt(lambda: os.memfd_create("more"))
attempt(lambda: syscall(447, 0))  # memfd_secret
attempt(lambda: call("shmget", 7, 1 << 20, 0o1600))
attempt(lambda: os.truncate(os.open("large", os.O_CREAT | os.O_WRONLY), 8 << 30))
""",
    "hold a file of yours": "attempt(lambda: fcntl.fcntl(os.open(victim.file, os.O_RDONLY), 1024, fcntl.F_RDLCK))",
    "use up the watches": """
attempt(lambda: call("inotify_add_watch", call("inotify_init"), victim.file.encode(), 2))
""",
    "lock a file of yours": "attempt(lambda: fcntl.flock(os.open(victim.file, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB))",
    "fill the disk": "attempt(lambda: open('file', 'wb').write(bytes(1 << 20)))",
    "read any file": "attempt(lambda: open(victim.file).read())",
    "use the network": "attempt(lambda: socket.create_connection(('localhost', victim.port)))",
    "see your environment": """
def stack():
    line = next(line for line in open("/proc/self/maps") if line.endswith("[stack]\\n"))
    begin, end = (int(number, 16) for number in line.split()[0].split("-"))
    with open("/proc/self/mem", "rb") as memory:
        memory.seek(begin)
        return memory.read(end - begin)

def everybody():
    for path in (f"/proc/{pid}/environ" for pid in os.listdir("/proc") if pid.isdigit()):
        try:
            yield open(path, "rb").read()
        except OSError:
            pass

libc.getenv.restype = ctypes.c_char_p
assert b"VERBATIM_STAND_IN_SAID=" in open("/proc/self/environ", "rb").read() and b"VERBATIM_STAND_IN_SAID=" in stack()  # it looks rightly
attempt(lambda: os.environ["A_TOKEN"])
attempt(lambda: libc.getenv(b"A_TOKEN").decode())
attempt(lambda: open("/proc/self/environ", "rb").read().index(b"A_TOKEN"))
attempt(lambda: stack().index(b"A_TOKEN"))
attempt(lambda: b"".join(everybody()).index(b"A_TOKEN"))
""",
}

#: Lines that other tests try.
ELSEWHERE = {
    "use a GPU": ("test_cuda.py", "test_"),
    "use more processor time": ("test_limits.py", "test_what_burns_the_processor_is_ended_and_told_once"),
    "leave a process behind": ("test_confine.py", "test_what_leaves_group_session_and_folder_is_counted_and_ended"),
}


@dataclass
class Victim:
    """What a script would change: somebody else's file, process, shared memory."""

    folder: str
    file: str
    pid: int
    shared: str
    segment: int
    key: int
    port: int

    def __post_init__(self) -> None:
        self.before = self.state()

    def state(self) -> object:
        """Return all that must stay as it is."""
        status = [os.stat(path) for path in (self.file, self.folder, f"/dev/shm/{self.shared}")]
        kept = [(one.st_mode, one.st_uid, one.st_mtime_ns, one.st_size) for one in status]
        return kept, os.listdir(self.folder), os.listxattr(self.file), os.getpriority(os.PRIO_PROCESS, self.pid)


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    folder = tmp_path / "somebody else's"
    folder.mkdir()
    (folder / "file").write_text("as it was")
    shared = Path("/dev/shm") / f"verbatim-victim-{os.getpid()}"
    shared.write_text("as it was")
    libc = ctypes.CDLL(None)
    key = os.getpid()
    segment = libc.shmget(key, 4096, 0o1600)
    with (
        listening("localhost") as port,
        subprocess.Popen(["sleep", "600"], start_new_session=True) as process,
    ):
        yield Victim(str(folder), str(folder / "file"), process.pid, shared.name, segment, key, port)
        process.kill()
    shared.unlink(missing_ok=True)
    libc.shmctl(segment, 0, None)


#: Whether this machine has what holds a line.
HELD: dict[str, Callable[[], bool]] = {
    "not held": lambda: True,
    "L": lambda: confine.version() >= confine.COMPLETE,
    "N": confine.own_mounts,
    "F": seccomp.available,
}


def _holds(by: str) -> bool:
    """Whether this machine has what holds a line; a module of the engine it always has."""
    return by.startswith("`") or HELD[by]()


@contextlib.contextmanager
def with_a_token() -> Iterator[None]:
    """Have scripts forked from a server that was started with a secret among the variables."""
    other = OtherServers(A_TOKEN="secret", VERBATIM_STAND_IN_SAID="so")
    with other():
        yield
    other.stop()


@linux
@pytest.mark.parametrize("line", SCRIPTS)
def test_a_line_of_the_table_is_so(run_script, victim, line):
    (row,) = (others for first, others in ROWS.items() if first.startswith(line))
    said, by, *_ = row
    if not any(all(_holds(one) for one in both.split(" and ")) for both in by.split(" or ")) or (
        "6.12" in said and confine.version() < 6
    ):
        pytest.skip(f"this machine does without {by}")
    text = f"from types import SimpleNamespace\nvictim = SimpleNamespace(**{vars(victim)!r})\n{TRY}{SCRIPTS[line]}"
    with with_a_token() if line == "see your environment" else contextlib.nullcontext():
        result = run_script(text)
    assert result.problems == ()
    told = [answer.partition(" ")[0] for answer in printed_text(result).splitlines()]
    assert len(told) >= SCRIPTS[line].count("attempt(")
    assert set(told) == {"yes" if "yes" in said else "no"}, printed_text(result)
    assert victim.state() == victim.before


def test_each_line_is_tried_and_both_languages_have_the_same():
    assert len(ROWS) > 10
    for line in ROWS:
        assert sum(map(line.startswith, [*SCRIPTS, *ELSEWHERE])) == 1, line
    for name, test in ELSEWHERE.values():
        assert f"def {test}" in (Path(__file__).parent / name).read_text()
    for line, (_, by, tried, _) in ROWS.items():
        where = next((name for first, (name, _) in ELSEWHERE.items() if line.startswith(first)), Path(__file__).name)
        assert tried == f"`{where}`", line
        for one in re.split(" or | and ", by):
            assert one in HELD or (Path(seccomp.__file__).parent / one.strip("`")).is_file(), line
    chinese = {"或": "or", "和": "and", "无": "not held"}
    held = [
        [re.sub("[或和无]", lambda found: chinese[found[0]], by) for _, by, *_ in rows(heading).values()]
        for heading in ("# Security", "## 安全")
    ]
    assert held[0] == held[1]


@linux
def test_what_a_script_may_do_to_itself_it_may(run_script):
    result = run_script(
        f"""{TRY}
import shutil, threading
open("file", "w").write("x")
attempt(lambda: os.chmod("file", 0o600))
attempt(lambda: os.utime("file", (1, 1)))
attempt(lambda: shutil.copy2("file", "copy"))
attempt(lambda: program("cp", "-a", "file", "other"))
attempt(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)))
attempt(lambda: resource.prlimit(os.getpid(), resource.RLIMIT_CPU, (1000, 1000)))
attempt(lambda: os.nice(1))
attempt(lambda: os.setpriority(os.PRIO_PROCESS, os.getpid(), os.nice(0) + 1))
attempt(lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
attempt(lambda: os.sched_setaffinity(os.getpid(), os.sched_getaffinity(0)))
attempt(lambda: open("/proc/self/comm", "w").write("name"))
child = subprocess.Popen(["sleep", "60"])
attempt(child.kill)
child.wait()
attempt(lambda: open("/dev/shm/mine", "w"))
attempt(lambda: os.remove("/dev/shm/mine"))
child = call("fork")
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
"""
    )
    assert (set(printed_text(result).splitlines()), result.problems) == ({"yes"}, ())


@linux
def test_where_a_gpu_is_lent_a_child_names_its_threads_too(run_script):
    """CUDA cannot start where a process may not write to its own `/proc/self/task/*/comm`: error 304."""
    script = f"""{TRY}
own = 'open("/proc/self/comm", "w").write("name")'
attempt(lambda: subprocess.run([sys.executable, "-c", own], check=True, stderr=subprocess.DEVNULL))
for machine in ("/proc/sys/kernel/hostname", "/proc/sysrq-trigger"):
    attempt(lambda: open(machine, "w"))
"""
    script = script.replace("LookupError)", "LookupError, subprocess.SubprocessError)")
    denied = printed_text(run_script(script)).splitlines()
    assert [line.split()[0] for line in denied] == ["no" if confine.version() else "yes", "no", "no"]
    with_gpu = printed_text(run_script(script, gpus="0")).splitlines()
    assert [line.split()[0] for line in with_gpu] == ["yes", "no", "no"]


@linux
def test_programs_for_another_processor_are_refused_all_calls():
    """Such a program could name a refused call by another number."""
    if not seccomp.available():
        pytest.skip("needs seccomp")
    first = seccomp._fixed()[:3]
    assert [code for code, *_ in first] == [0x20, 0x15, 0x06] and first[2][3] & 0xFFFF == 38

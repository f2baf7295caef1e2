"""How long a script may take: by what it uses of the processor, so that no other program can make it fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.conftest import printed_text
from tests.run.test_confine import run_in_server
from verbatim.run import processes, watch
from verbatim.run.job import Limits
from verbatim.run.processes import Clock, Process, find, listed

SLEPT = "did not end: the script slept 0.5 s and used "


@pytest.fixture
def busy() -> Iterator[None]:
    """Four programs on each core that want all of it."""
    code = (
        "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"  # none stays if this process is killed
    )
    loops = [subprocess.Popen([sys.executable, "-ISc", code]) for _ in range(4 * processes._cores())]
    yield
    for loop in loops:
        loop.kill()
    for loop in loops:
        loop.wait()


@pytest.fixture
def runs(monkeypatch) -> list[watch.End]:
    """How each run of a script ended, in order."""
    ends, follow = [], watch.follow
    monkeypatch.setattr(watch, "follow", lambda *arguments: ends.append(follow(*arguments)) or ends[-1])
    return ends


# -- scripts ------------------------------------------------------------------------------------------

COMPUTE = "import time\nuntil = time.process_time() + 0.6\nwhile time.process_time() < until:\n    pass\n"


@pytest.mark.parametrize("where", ["itself", "a child"])
def test_a_right_script_passes_on_a_busy_machine(run_script, runs, busy, where):
    """It gets less than a fifth of a core, so by the clock it would be late, and what waits for it would sleep."""
    code = (
        COMPUTE if where == "itself" else f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {COMPUTE!r}])"
    )
    result = run_script(f"{code}\nprint('done')", seconds=2, asleep=1)
    assert (printed_text(result), result.problems, len(runs)) == ("done\n", (), 1)


BURN = {
    "itself": "while True:\n    pass",
    "threads": """
        import hashlib, threading
        data = bytes(1 << 20)

        def burn():
            while True:
                hashlib.sha256(data)

        threads = [threading.Thread(target=burn) for _ in range(3)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    """,
    "a child": """
        import subprocess, sys
        subprocess.run([sys.executable, "-c", "while True: pass"])
    """,
    "children that end": """
        import os, time
        while True:
            if os.fork() == 0:
                while time.process_time() < 0.05:
                    pass
                os._exit(0)
            os.wait()
    """,
    "children that nobody waits for": """
        import os, signal, time
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            if os.fork() == 0:
                while time.process_time() < 0.4:
                    pass
                os._exit(0)
            try:
                os.wait()
            except ChildProcessError:
                pass
    """,
    "a process that left": """
        import os
        if os.fork() == 0:
            os.setsid()
            os.chdir("/")
            if os.fork() == 0:
                while True:
                    pass
            os._exit(0)
        os.wait()
        os.read(os.pipe()[0], 1)
    """,
    "itself, deaf": """
        import signal
        signal.signal(signal.SIGABRT, signal.SIG_IGN)
        while True:
            pass
    """,
}


@pytest.mark.parametrize("what", BURN)
def test_what_burns_the_processor_is_ended_and_told_once(run_script, runs, what):
    if what == "a process that left" and not run_in_server():
        pytest.skip("needs a kernel that lets this user make namespaces")
    burn = "\n".join(line.removeprefix("        ") for line in BURN[what].strip("\n").splitlines())
    result = run_script(f"# %% first\nprint('kept')\n# %% second\n{burn}", seconds=0.7, asleep=60)
    (problem,) = result.problems
    assert "cell `second` did not end within 0.7 s of processor time" in problem.message
    assert 6 <= problem.line <= 6 + burn.count("\n")
    assert printed_text(result, "first") == "kept\n"
    assert len(runs) == 2


def test_what_sleeps_is_ended_and_told_once(run_script, runs, busy):
    result = run_script("# %% first\nimport time\n# %% second\n\ntime.sleep(600)", seconds=30, asleep=0.5)
    (problem,) = result.problems
    assert (problem.line, len(runs)) == (7, 2)
    assert f"cell `second` {SLEPT}" in problem.message
    assert "what it waits for" in problem.hint


def test_who_gives_less_time_gives_less_sleep(run_script):
    assert Limits.of(Limits.seconds) == Limits()
    assert (Limits.of(6).asleep, Limits.of(600).asleep) == (12, 1200)
    result = run_script("import time\ntime.sleep(600)", seconds=0.25, asleep=Limits.of(0.25).asleep)
    assert SLEPT in result.problems[0].message and "--seconds" in result.problems[0].hint


def test_what_only_looks_again_and_again_sleeps(run_script):
    result = run_script("import time\nwhile True:\n    time.sleep(0.1)", seconds=30, asleep=0.5)
    assert SLEPT in result.problems[0].message


def test_a_script_that_is_late_once_is_not_told(run_script, monkeypatch):
    tries, follow = [], watch.follow

    def once(job, limits):
        tries.append(follow(job, limits if tries else replace(limits, asleep=0)))
        return tries[-1]

    monkeypatch.setattr(watch, "follow", once)
    result = run_script("import time\ntime.sleep(0.7)\nprint('done')")
    assert [bool(end.late) for end in tries] == [True, False]
    assert (printed_text(result), result.problems) == ("done\n", ())


@pytest.mark.parametrize(("load", "hint"), [(99.0, "a busy machine (a load of 99 on "), (0.1, "within a second")])
def test_the_author_is_not_blamed_for_a_busy_machine(run_script, monkeypatch, load, hint):
    monkeypatch.setattr(os, "getloadavg", lambda: (load, load, load))
    monkeypatch.setattr(processes, "_cores", lambda: 2)
    (problem,) = run_script("while True:\n    pass", seconds=0.2).problems
    assert hint in problem.hint


def test_a_script_that_calls_a_compiler_has_more_time(run_script, monkeypatch):
    script = f'# %% only needs="compiler"\n{COMPUTE}print("done")'
    monkeypatch.setenv("CXX", "true")
    monkeypatch.setattr(watch, "COMPILING", 20.0)
    assert run_script(script, seconds=0.1).problems == ()
    monkeypatch.setattr(watch, "COMPILING", 0.0)
    assert "did not end within 0.1 s" in run_script(script, seconds=0.1).problems[0].message


# -- the clock ----------------------------------------------------------------------------------------


def process(pid: int, used: float, waited: float = 0.0, awake: int = 1, began: str = "1") -> Process:
    return Process(pid, began, 0, used, waited, awake)


def clocked(*looks: list[Process], cores: int = 2) -> tuple[float, float]:
    """What a clock counts that looks at these processes, a second after the other."""
    clock = Clock()
    for look in looks:
        clock.look(look, 1)
    return round(clock.used, 6), round(clock.asleep, 6)


def test_waiting_for_a_core_is_neither_use_nor_sleep():
    assert clocked([process(1, 0)], [process(1, 0)], [process(1, 0.1)]) == (0.1, 0)


def test_threads_that_run_at_once_count_once(monkeypatch):
    monkeypatch.setattr(processes, "_cores", lambda: 4)
    idle = clocked([process(1, 4, awake=4)], [process(1, 8, awake=4)])
    loaded = clocked(*[[process(1, n, awake=4)] for n in range(1, 9)])
    assert idle == loaded == (2, 0)
    assert clocked([process(1, 4, awake=64)]) == (1, 0)  # no more than there are cores for


def test_a_process_that_ended_counts_once():
    waited_for = [process(1, 0), process(2, 5, awake=0)], [process(1, 0, waited=5)]
    seen_last = [process(1, 0), process(2, 4, awake=0)], [process(1, 0, waited=5)]
    nobodys = [process(1, 0), process(2, 5, awake=0)], [process(1, 0)]
    never_seen = [process(1, 0)], [process(1, 0, waited=5)]
    for looks in (waited_for, seen_last, nobodys, never_seen):
        assert clocked(*looks)[0] == 5


def test_another_process_with_the_number_of_one_that_ended_counts_besides():
    assert clocked([process(2, 5)], [process(2, 3, began="2")])[0] == 8


def test_sleep_is_what_is_left_of_a_second_in_which_nothing_wants_a_core():
    assert clocked([process(1, 0.25, awake=0), process(2, 0, awake=0)]) == (0.25, 0.75)
    assert clocked([process(1, 0, awake=0), process(2, 0, awake=1)]) == (0, 0)


# -- what the system tells -----------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="Linux only")
def test_a_process_is_seen_with_its_threads_and_children(tmp_path):
    code = (
        "import subprocess, sys, threading\n"
        "subprocess.run([sys.executable, '-ISc', 'sum(range(10_000_000))'])\n"
        "[threading.Thread(target=threading.Event().wait, daemon=True).start() for _ in range(2)]\n"
        "print(flush=True)\n"
        "sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-ISc", code], start_new_session=True, **pipes) as started:
        started.stdout.readline()
        (seen,) = find(started.pid, str(tmp_path))
        assert (seen.pid, seen.began.isdigit()) == (started.pid, True)
        assert seen.waited > 0 and seen.resident > 1 << 20


MACOS = """\
  501   501   2048 S     0:01.25 Mon Nov 23 12:50:18 2026
  502   501   1024 R    61:00.50 Mon Nov 23 12:50:19 2026
  503   503   1024 R     0:00.00 Mon Nov 23 12:50:19 2026
"""


def test_ps_is_read_as_macos_and_linux_write_it():
    seen = listed(MACOS, 501)
    assert [(one.pid, one.resident, one.used, one.awake) for one in seen] == [
        (501, 2 << 20, 1.25, 0),
        (502, 1 << 20, 3660.5, 1),
    ]
    assert listed("7 7 1 D 1-02:03:04 Mon Nov 23 12:50:18 2026", 7)[0].used == 93784


@pytest.mark.skipif(not shutil.which("ps"), reason="needs ps")
def test_ps_is_called_rightly(monkeypatch, tmp_path):
    exists = os.path.isdir
    monkeypatch.setattr(os.path, "isdir", lambda path: path != "/proc/self" and exists(path))
    assert os.getpid() in [one.pid for one in find(os.getpgrp(), str(tmp_path))]

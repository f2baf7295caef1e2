"""While scripts run, they may change their own scratch folder and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import printed_text
from tests.waiting import until
from verbatim.run import confine

landlock = pytest.mark.skipif(confine.version() < confine.COMPLETE, reason="needs Linux 6.2 or newer with Landlock")
TRY = """
import os

def attempt(change):
    try:
        change()
        print("done")
    except OSError as error:
        print(type(error).__name__)
"""


@landlock
def test_the_checkout_other_folders_and_home_are_read_only(run_script, project, write, tmp_path):
    page = write("docs/en/page.md", "as it was")
    other = tmp_path / "verbatim-of-another-script"
    other.mkdir()
    home = Path.home()
    result = run_script(
        f"{TRY}\nroot, other, home = {str(project.root)!r}, {str(other)!r}, {str(home)!r}\n"
        """
attempt(lambda: open(f"{root}/docs/evil.js", "w"))
attempt(lambda: open(f"{root}/docs/en/page.md", "a"))
attempt(lambda: os.truncate(f"{root}/docs/en/page.md", 0))
attempt(lambda: os.remove(f"{root}/docs/en/page.md"))
attempt(lambda: os.rename(f"{root}/docs/en/page.md", f"{root}/docs/en/other.md"))
attempt(lambda: os.mkdir(f"{root}/docs/fr"))
attempt(lambda: os.symlink("/etc/passwd", f"{root}/docs/en/link.md"))
attempt(lambda: open(f"{other}/output", "w"))
attempt(lambda: open(f"{home}/.verbatim-was-here", "w"))
print(open(f"{root}/docs/en/page.md").read())
"""
    )
    assert result.problems == ()
    *refused, read = printed_text(result).splitlines()
    assert (len(refused), read) == (9, "as it was") and {*refused} <= {"PermissionError", "OSError"}
    assert page.read_text() == "as it was" and not list(other.iterdir())


@landlock
def test_what_a_script_starts_is_held_as_well(run_script, project):
    result = run_script(
        f"import subprocess\nprint(subprocess.run(['touch', {str(project.root / 'evil')!r}], capture_output=True)"
        ".returncode)"
    )
    assert printed_text(result) == "1\n" and not (project.root / "evil").exists()


@pytest.mark.skipif(confine.version() < 6, reason="needs Linux 6.12 or newer with Landlock")
def test_a_script_cannot_signal_other_processes(run_script):
    result = run_script(f"{TRY}\nattempt(lambda: os.kill(os.getppid(), 0))\nattempt(lambda: os.kill({os.getpid()}, 0))")
    assert printed_text(result) == "PermissionError\n" * 2


def test_its_own_folders_are_a_scripts_to_write(run_script):
    result = run_script(
        f"{TRY}\nimport subprocess, tempfile\n"
        """
attempt(lambda: open("here", "w"))
attempt(lambda: os.rename("here", "there"))
attempt(lambda: open(os.path.expanduser("~/here"), "w"))
attempt(lambda: tempfile.mkdtemp())
attempt(lambda: open(os.devnull, "w"))
attempt(lambda: subprocess.run("echo > /dev/null; mkdir -p a/b; mv there a/b", shell=True, check=True))
import multiprocessing, torch
attempt(lambda: multiprocessing.get_context("spawn").Queue())
attempt(lambda: torch.ones(3).share_memory_())
print(os.getuid() == os.stat(".").st_uid)
"""
    )
    assert printed_text(result).splitlines() == ["done"] * 8 + ["True"]


def test_compiled_code_lies_in_the_scripts_own_folder(run_script):
    """The fork server imports the compiler, which settles on a folder of the machine's then."""
    result = run_script(
        "import os\nimport torch\nfrom torch._inductor.runtime.cache_dir_utils import cache_dir\n"
        # else it first compiles six programs, to learn which vector instructions the compiler knows
        "torch._inductor.config.cpp.vec_isa_ok = False\n"
        "print(os.path.dirname(cache_dir()) == os.environ['TMPDIR'])\n"
        "print(torch.compile(lambda x: x * 2 + 1)(torch.ones(2)))",
        seconds=200,
    )
    assert result.problems == ()
    assert printed_text(result) == "True\ntensor([3., 3.])\n"


def test_shared_memory_is_a_scripts_own(run_script):
    if not run_in_server():
        pytest.skip("needs a kernel that lets this user make namespaces")
    name = f"/dev/shm/verbatim-{os.getpid()}"
    kept = Path(f"{name}-of-another")
    kept.write_text("kept")
    try:
        result = run_script(
            f"import os\nopen({name!r}, 'w')\nprint(os.listdir('/dev/shm') == [{os.path.basename(name)!r}])"
        )
        assert printed_text(result) == "True\n"
        assert not os.path.exists(name) and kept.read_text() == "kept"
    finally:
        kept.unlink()


def run_in_server() -> bool:
    from verbatim.run.server import ask

    return not any("/dev/shm" in note.message for note in ask(confine.notes, ""))


WRITES = """
\"\"\"T.\"\"\"

# %% a
import pathlib

root = pathlib.Path(__file__).parents[2]
(root / "docs" / "evil.js").write_text("alert(1)")
(root / "docs" / "en" / "page.md").write_text("changed")
print("on")
"""


def test_without_landlock_the_build_fails_and_names_what_changed(project, write):
    write("docs/en/page.md", "as it was")
    write("examples/topic/a.py", WRITES)
    environment = {**os.environ, "VERBATIM_CONFINE": "off"}
    done = subprocess.run(
        [sys.executable, "-m", "verbatim", "run", "topic/a"],
        cwd=project.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "docs/en/page.md: the file changed while the scripts ran" in said
    assert "docs/evil.js: the file changed while the scripts ran" in said
    assert said.count("a script can change files outside of its scratch folder") == 1


@landlock
def test_with_it_nothing_is_looked_at_and_nothing_said(project, write):
    assert confine.stamps(project.root) == {}
    assert not any("scratch folder" in note.message for note in confine.notes(""))


def test_a_file_that_a_script_touches_is_seen_by_its_stamp(project, write, monkeypatch):
    monkeypatch.setattr(confine, "version", lambda: 0)
    for name in ("docs/en/a.md", "docs/en/b.md", "docs/en/c.md", ".cache/x", "site/index.html"):
        write(name, "text")
    before = confine.stamps(project.root)
    assert confine.changed(project.root, before) == []
    write("docs/en/a.md", "longer text")
    (project.root / "docs/en/b.md").unlink()
    write("docs/en/new.md", "text")
    os.utime(project.root / "docs/en/c.md", (1, 1))
    write(".cache/x", "other text")
    write("site/index.html", "other text")
    found = [problem.path for problem in confine.changed(project.root, before)]
    assert found == ["docs/en/a.md", "docs/en/b.md", "docs/en/c.md", "docs/en/new.md"]


namespaces = pytest.mark.skipif(not confine.own_mounts(), reason="the kernel gives namespaces to administrators alone")


@namespaces
def test_a_mount_that_is_refused_costs_no_other():
    code = """
import os
from pathlib import Path
from verbatim.run import confine

call = confine._call

def refuse(name, *arguments):
    if name == "mount" and arguments[0] == b"/proc/sys":
        raise PermissionError
    return call(name, *arguments)

confine._call = refuse
confine._own_mounts(Path("/dev/shm"))
print([bool(os.statvfs(path).f_flag & os.ST_RDONLY) for path in ("/proc/sys", "/proc/irq", "/usr", "/dev/shm")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[False, True, True, False]\n"


@namespaces
def test_what_leaves_group_session_and_folder_is_counted_and_ended(run_script, tmp_path):
    code = """
        import ctypes, os, time
        for _ in range({count}):
            if os.fork() == 0:
                os.setsid()
                os.chdir("/")
                if ctypes.CDLL(None).unshare(0x10000000) == 0:  # a user namespace, in which it may change its root
                    os.chroot("/usr")
                if os.fork() == 0:
                    for descriptor in range(3):
                        os.close(descriptor)
                    os.execvp("sleep", ["{name}", "600"])
                os._exit(0)
            os.wait()
        {then}
    """
    name = f"sleep-{os.getpid()}"

    def left() -> list[str]:
        lines = (path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline"))
        return [line.decode() for line in lines if line.startswith(name.encode())]

    result = run_script(code.format(count=1, name=name, then="print(1)"))
    assert (printed_text(result), result.problems) == ("1\n", ())
    until(lambda: not left())  # they are killed, and the kernel takes its time
    result = run_script(code.format(count=9, name=name, then="time.sleep(60)"), processes=5)
    assert "started more than 5 processes" in str(result.problems[0])
    until(lambda: not left())

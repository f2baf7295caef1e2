"""What comes from a script's process is neither run, nor waited for, nor believed; and it costs that script alone."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import printed_text
from verbatim.lists import filtering, names
from verbatim.pages.page import Page
from verbatim.run import channel, reads, server
from verbatim.run.job import Limits
from verbatim.run.runner import Runner, run
from verbatim.run.script import parse

#: Finds the descriptor on which the process tells its parent what happens: the one that can be written and is a pipe.
FIND = """
import gc, os, multiprocessing.connection as mc
pipe = next(o for o in gc.get_objects() if type(o) is mc.Connection and o.writable and not o.closed).fileno()
"""

#: What a cell might have done, to be changed and sent.
FORGE = """
import json
ran = dict(name='a', start=0, end=0, seconds=0.1, events=[], warned=[], error=None, skipped='', touched=False)
""".replace("{", "{{").replace("}", "}}")

FORGED = {
    "garbage": "os.write(pipe, b'\\xff\\x00garbage\\n')",
    "a pickle": "import pickle\nclass Run:\n    def __reduce__(self):\n        return os.system, ('touch {mark}',)\n"
    "data = pickle.dumps(Run())\nos.write(pipe, len(data).to_bytes(4, 'big') + data + b'\\n')",
    "a promise": "os.write(pipe, b'[\"cell\", ' )\nimport time\ntime.sleep(60)",
    "a flood": "while True:\n    os.write(pipe, b'x' * 65536)",
    "deep": "os.write(pipe, b'[' * 100000 + b'\\n')",
    "another cell": 'os.write(pipe, b\'["start", "nope"]\\n\')',
    "wrong shape": 'os.write(pipe, b\'["cell", {{"name": "a"}}]\\n\')',
    "done early": 'os.write(pipe, b\'["done", {{"torch": "9"}}]\\n\')\nos._exit(0)',
    "not a number": FORGE
    + "ran['seconds'] = float('nan')\nos.write(pipe, json.dumps(['cell', ran]).encode() + b'\\n')",
    "a huge number": FORGE + "ran['seconds'] = 10 ** 4000\nos.write(pipe, json.dumps(['cell', ran]).encode() + b'\\n')",
    "a line beyond": FORGE
    + "ran['error'] = ['E', '', 10 ** 400]\nos.write(pipe, json.dumps(['cell', ran]).encode() + b'\\n')",
    "a name with markup": FORGE + "names = [{{'a': ['torch.evil\"><script>alert(1)</script>']}}, {{}}]\n"
    "os.write(pipe, json.dumps(['names', names]).encode() + b'\\n')",
    "a summary of another name": FORGE
    + "os.write(pipe, json.dumps(['names', [{{}}, {{'<script>': 'x'}}]]).encode() + b'\\n')",
    "a version with markup": FORGE + "os.write(pipe, json.dumps(['cell', ran]).encode() + b'\\n["
    "\"start\", \"b\"]\\n' + json.dumps(['cell', ran | dict(name='b')]).encode() + b'\\n["
    '"done", {{"torch": "<script>"}}]\\n\')',
    "an error that says nothing": FORGE
    + "ran['events'] = [[0, dict(output_type='error', ename='', evalue='', traceback=[])]]\n"
    "os.write(pipe, json.dumps(['cell', ran]).encode() + b'\\n')",
    "not run, it says": FORGE
    + "ran['skipped'] = '<script>'\nos.write(pipe, json.dumps(['cell', ran]).encode() + b'\\n')",
    "html": "import json\nran = dict(name='a', start=0, end=0, seconds=0.1, events=[[0, dict(output_type='display_data',"
    " data={{'text/html': '<script>'}}, metadata={{'axes': []}})]], warned=[], error=None, skipped='', touched=False)\n"
    "os.write(pipe, json.dumps(['cell', ran]).encode() + b'\\n')\nos._exit(0)",
}


def run_between(project, write, code: str, **limits):
    """Run a script between two innocent ones; return its result and theirs."""
    texts = {
        "a-before": '"""T."""\n# %% a\nprint(1)\n',
        "b-odd": '"""T."""\n# %% a\n' + code + "\n# %% b\nprint('end')\n",
        "c-after": '"""T."""\n# %% a\nprint(3)\n',
    }
    paths = [write(f"examples/topic/{name}.py", text) for name, text in texts.items()]
    scripts = [parse(path.read_text(), project.relative(path)) for path in paths]
    with Runner(project, jobs=2, limits=Limits(**{"seconds": 20, "asleep": 5, **limits})) as runner:
        before, odd, after = [future.result() for future in [runner.submit(script) for script in scripts]]
    assert (printed_text(before), printed_text(after), before.problems, after.problems) == ("1\n", "3\n", (), ())
    return odd


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_message_costs_its_script_alone(project, write, tmp_path, what):
    mark = tmp_path / "mark"
    odd = run_between(project, write, FIND + FORGED[what].format(mark=mark), seconds=5)
    assert odd.problems and all(problem.path.endswith("b-odd.py") for problem in odd.problems)
    assert odd.problems[0].line > 0
    assert not mark.exists()
    assert "script>" not in f"{odd.cells} {odd.summaries} {odd.environment} {odd.problems}"


#: What a script may put in the place of a file that the build reads when it has ended.
INSTEAD = {
    "nothing": "pass",
    "a folder": "os.mkdir(path)",
    "a folder that is closed": "os.mkdir(path)\nopen(path + '/file', 'w').close()\nos.chmod(path, 0)",
    "a pipe": "os.mkfifo(path)",
    "a socket": "import socket\nsocket.socket(socket.AF_UNIX).bind(path)",
    "a link to a secret": "os.symlink(secret, path)",
    "a link to a device": "os.symlink('/dev/zero', path)",
    "a link to itself": "os.symlink(path, path)",
    "a file that is closed": "os.close(os.open(path, os.O_CREAT, 0))",
    "a large file": "with open(path, 'wb') as file:\n    file.truncate(1 << 31)",
    "noise": "open(path, 'wb').write(b'\\xff\\0\\x80\\n' * 1000)",
}
#: What it may name as files that it read.
FORGED_READS = {
    "the kernel's messages": "['/proc/kmsg']",
    "special files": "['/dev/zero', '/proc/self/mem', '/sys/kernel/notes', '/dev/tty']",
    "everything": "['/*', '//*', '/', '//']",
    "a link": "[os.symlink('/proc/kmsg', 'link') or os.path.abspath('link'), os.path.abspath('link') + '/']",
    "a pipe": "[os.mkfifo('pipe') or os.path.abspath('pipe')]",
    "no paths": "['a', '.', '..', '', '\\udc80', '/' + 'a' * 9999, '\\n']",
    "many": "[f'/{number}' for number in range(1 << 17)]",
}
#: What else it may leave.
LEFT = {
    "3000 folders in one another": "for _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')",
    "a thousand files": "for number in range(1000):\n    open(str(number), 'w').close()",
    "folders that are closed": "os.makedirs('a/b/c')\nos.chmod('a/b', 0)\nos.chmod('a', 0)",
    "odd names": "for name in ('\\n', '\\udc80', '-rf', '*', 'a' * 255):\n    os.mkdir(name)",
    "nothing": "import shutil\nshutil.rmtree(os.path.abspath('..'), ignore_errors=True)",
    "a link in the place of its folder": "os.rename('../cwd', '../moved')\nos.symlink(os.path.dirname(secret), '../cwd')",
    "links to files of others": "os.symlink(secret, 'a')\nos.symlink(os.path.dirname(secret), 'b')",
    "what the engine would leave": "for number in range(9):\n    os.makedirs(f'{number}.verbatim-removes/a/b')",
}


def _leavings() -> dict[str, str]:
    codes = {
        f"{what} in place of {name}": f"path = '../{name}'\nos.unlink(path)\n{make}"
        for name in ("output", "reads", "trace")
        for what, make in INSTEAD.items()
    }
    for what, said in FORGED_READS.items():
        codes[f"{what} as read"] = (
            f"names = {said}\nopen('../reads', 'ab').write('\\0'.join(names).encode(errors='surrogateescape') + b'\\0')"
        )
    return codes | LEFT


def test_whatever_a_script_leaves_costs_that_script_alone(project, write, tmp_path, monkeypatch):
    codes = _leavings()
    assert len(codes) >= 40
    (secret := tmp_path / "precious" / "secret").parent.mkdir()
    secret.write_text("secret")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    opened, open_ = [], os.open
    monkeypatch.setattr(os, "open", lambda path, *a, **k: opened.append(os.fspath(path)) or open_(path, *a, **k))
    scripts = []
    for number, code in enumerate([*codes.values(), ""]):
        innocent = f'"""T."""\n# %% a\nprint({number})\n'
        odd = f'"""T."""\n# %% a\nimport os\n\nsecret = {str(secret)!r}\n{code}\n'
        for name, text in ((f"{number:02}-a", innocent), (f"{number:02}-b", odd)):
            path = write(f"examples/topic/{name}.py", text)
            scripts.append(parse(path.read_text(), project.relative(path)))
    server.prepare()
    gc.collect()  # what earlier tests left open is closed now, and not while the scripts run
    descriptors = len(os.listdir("/dev/fd"))
    with Runner(project, jobs=2, limits=Limits(seconds=30, asleep=30)) as runner:
        results = [future.result() for future in [runner.submit(script) for script in scripts]]
    assert [printed_text(one) for one in results[::2]] == [f"{number}\n" for number in range(len(codes) + 1)]
    assert not any(one.problems for one in results[::2])
    for what, script, result in zip(codes, scripts[1::2], results[1::2], strict=False):
        assert {problem.path for problem in result.problems} <= {script.path}, what
        assert not any("engine" in problem.message for problem in result.problems), (what, result.problems)
        assert "secret" not in printed_text(result), what
        assert not any(name.startswith(reads.SPECIAL) for name in result.reads), what
    assert not [path for path in opened if str(path).endswith(("kmsg", "/link", "/pipe"))]
    assert (list(scratch.iterdir()), secret.read_text()) == ([], "secret")
    gc.collect()
    assert len(os.listdir("/dev/fd")) == descriptors


def test_an_exception_about_what_a_script_left_is_that_scripts_problem(project, write, monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("no\nsuch luck")

    monkeypatch.setattr(reads, "collect", fail)
    path = write("examples/topic/a.py", '"""T."""\n# %% a\nprint(1)\n')
    (problem,) = run(parse(path.read_text(), project.relative(path)), project).problems
    assert str(problem).startswith(
        "examples/topic/a.py:1: the engine failed on what the script left: RuntimeError: no\n"
    )


def test_who_ends_the_fork_server_ends_no_other_script(project, write):
    odd = run_between(
        project, write, "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nimport time\ntime.sleep(3)"
    )
    assert not any("a-before" in str(p) or "c-after" in str(p) for p in odd.problems)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise ValueError('x' * 90_000)", "of warnings and errors"),
        ("import warnings\nwarnings.warn('x' * 90_000)", "of warnings and errors"),
    ],
)
def test_there_is_a_limit_on_all_that_a_script_gives(run_script, code, told):
    result = run_script(code, output=10_000, seconds=60)
    assert any(told in str(problem) for problem in result.problems)
    assert max(len(json.dumps(cell.outputs)) for cell in result.cells) < 30_000


def test_there_is_a_limit_on_figures(run_script):
    result = run_script("import matplotlib.pyplot as plt\nplt.plot(range(2000), 'o')", figures=50_000)
    assert "drew more than 48.8281 KiB of figures" in str(result.problems[0]) and not result.cells[0].outputs


def test_half_a_character_is_shown_as_its_number(run_script):
    result = run_script("# %% only raises=\"ValueError\"\nraise ValueError('\\udc80')")
    assert printed_text(result) == "ValueError: \\udc80"


def test_a_figure_that_cannot_be_drawn_is_an_error_with_its_message_and_line(run_script):
    result = run_script("import matplotlib.pyplot as plt\nplt.plot([1])\nplt.title(r'$\\notacommand{$')\nplt.plot([1])")
    assert str(result.problems[0]).startswith(
        "examples/topic/script.py:6: cell `only` raised ValueError: \\notacommand{"
    )


def test_pages_that_processes_share_are_counted_once(run_script):
    code = """
        import os, time
        children = []
        for _ in range(12):
            pid = os.fork()
            if pid == 0:
                time.sleep(2)
                os._exit(0)
            children.append(pid)
        [os.waitpid(pid, 0) for pid in children]
        print("shared")
    """
    result = run_script(textwrap.dedent(code), memory=1 << 28, seconds=60)
    if os.path.exists("/proc/self/smaps_rollup"):
        assert (printed_text(result), result.problems) == ("shared\n", ())


def test_what_a_script_calls_an_exception_is_text(run_script):
    name = "<img src=x>\x1b[31m"
    result = run_script(f"raise type({name!r}, (ValueError,), {{}})('no')")
    assert "\x1b" not in str(result.problems) and "\x1b" not in str(result.cells)
    assert filtering.heading("<img src=x>", "x", 1)[1].startswith("## &lt;img src=x&gt; <span")


def test_half_a_character_in_a_docstring_is_shown_as_its_number(run_script):
    result = run_script("import torch\ntorch.nn.Linear.__doc__ = 'half \\ud800 a pair.'\nprint(torch.nn.Linear)")
    assert (result.problems, result.summaries) == ((), {"torch.nn.Linear": "half \\ud800 a pair."})


def test_a_name_is_escaped_where_it_becomes_html():
    """Whoever wrote it: results come from the cache, too."""
    entry = names.Name('torch.evil"><script>')
    (line, *_) = names._item(SimpleNamespace(address=lambda name: ""), Page("docs/en/ways/names.md", "# A\n"), entry)
    assert line == '- <span id="torch.evil&quot;&gt;&lt;script&gt;"></span>`torch.evil"><script>`'


# -- the engine's own failures ----------------------------------------------------------------------------

REPLACED = {
    "os.fstat": ("import os\nos.fstat = None", "TypeError: 'NoneType' object is not callable (line "),
    "time.perf_counter": ("import time\ntime.perf_counter = lambda: 1 / 0", "ZeroDivisionError"),
    "an audit hook": (
        "import sys\ndef hook(event, arguments):\n    raise RuntimeError(f'no {event}')\nsys.addaudithook(hook)",
        "RuntimeError: no ",
    ),
}


@pytest.mark.parametrize("what", REPLACED)
def test_an_exception_of_the_engines_own_is_told_as_that(run_script, what):
    code, told = REPLACED[what]
    result = run_script(f"# %% first\nprint(1)\n# %% second\n{code}\n# %% third\nprint(3)")
    (problem,) = result.problems
    assert "the engine itself failed: " in problem.message and told in problem.message
    assert "/issues" in problem.hint and problem.line >= 5


FORKS = {
    "goes on": "import os\nif os.fork() == 0:\n    print('child')\nelse:\n    os.wait()",
    "raises": "import os\nif os.fork() == 0:\n    1 / 0\nos.wait()",
    "goes on late": "import os, time\nif os.fork() == 0:\n    time.sleep(0.5)",
}


@pytest.mark.parametrize("how", FORKS)
def test_a_process_that_goes_on_behind_the_cell_that_forked_it_is_told(run_script, how):
    second = "import contextlib\nwith contextlib.suppress(ChildProcessError):\n    os.wait()"
    result = run_script(f"# %% first\n{FORKS[how]}\n# %% second\n{second}")
    assert "script.py:4: cell `first` forked, and the new process went on with the script" in str(result.problems[0])
    assert "os._exit(0)" in result.problems[0].hint


def test_a_process_that_exits_ends_as_python_ends_it(run_script):
    code = "import os, sys\nif os.fork() == 0:\n    print('child')\n    sys.exit(3)\n"
    result = run_script(code + "print(os.waitstatus_to_exitcode(os.wait()[1]))")
    assert (printed_text(result), result.problems) == ("child\n3\n", ())


def test_what_hostile_scripts_send_leaves_no_traceback_of_the_engines(project, write):
    for number, what in enumerate(("garbage", "a pickle", "a promise", "done early")):
        write(
            f"examples/topic/a{number}.py",
            f'"""T."""\n# %% a\n{FIND}{FORGED[what].format(mark="/dev/null").replace("60", "1")}',
        )
    done = subprocess.run(
        [sys.executable, "-m", "verbatim", "run", "--seconds", "3", "topic"],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr + done.stdout


# -- the end -------------------------------------------------------------------------------------------

ENDS = {
    "an idle pool of threads": (
        "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(2)\nprint(pool.submit(pow, 2, 3).result())",
        "8\n",
    ),
    "an idle pool of processes": (
        "from concurrent.futures import ProcessPoolExecutor\npool = ProcessPoolExecutor(1)\nprint(pool.submit(pow, 2, 3).result())",
        "8\n",
    ),
    "a process that is not joined": (
        "import multiprocessing, time\ndef late():\n    time.sleep(0.5)\n    print('late')\n\nmultiprocessing.Process(target=late).start()",
        "late\n",
    ),
    "what asks to be called": ("import atexit\natexit.register(print, 'bye')", "bye\n"),
    "a start method": (
        "import multiprocessing\nmultiprocessing.set_start_method('spawn')\nprint(multiprocessing.get_start_method())",
        "spawn\n",
    ),
}


@pytest.mark.parametrize("what", ENDS)
def test_a_script_ends_as_python_ends_it(run_script, what):
    code, printed = ENDS[what]
    result = run_script(code, seconds=20)
    assert (printed_text(result), result.problems) == (printed, ())


def test_a_thread_that_ends_after_a_cell_that_is_not_run(run_script):
    late = "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.5), print('late'))).start()"
    result = run_script(f'# %% first\n{late}\n# %% gpu needs="cuda"\nprint("gpu")')
    assert (printed_text(result), result.problems) == ("late\n", ())


def test_an_error_that_is_declared_waits_for_no_thread(run_script):
    code = """
        # %% first
        import threading
        stop = threading.Event()
        threading.Thread(target=stop.wait).start()
        # %% fails raises="ValueError"
        raise ValueError("no")
        # %% ends
        stop.set()
        print("stopped")
    """
    assert printed_text(run_script(code, seconds=20), "ends") == "stopped\n"


@pytest.mark.parametrize(
    ("first", "second", "printed"),
    [
        ("from __future__ import annotations", "def f(x: Undefined): pass\nprint('fine')", "fine\n"),
        (
            "import warnings\nwarnings.showwarning = lambda *a: print('mine')",
            "warnings.warn('x')",
            "mine\n",
        ),
        (
            "import sys\ncalls = []\nsys.setprofile(lambda f, e, a: calls.append(e))",
            "sorted([1])\nsys.setprofile(None)\nprint(bool(calls))",
            "True\n",
        ),
    ],
    ids=["future", "showwarning", "profile"],
)
def test_what_one_cell_sets_holds_in_the_next(run_script, first, second, printed):
    result = run_script(f"# %% first\n{first}\n# %% second\n{second}")
    assert (printed_text(result), result.problems) == (printed, ())


# -- the form of messages --------------------------------------------------------------------------------


def test_what_a_run_sends_comes_as_it_was():
    ran = channel.Ran(
        "a", 0, 5, 0.5, [(3, {"output_type": "stream", "name": "stderr", "text": "W\udc80"})], [("W", "w", 1)]
    )
    import multiprocessing

    receiving, sending = multiprocessing.Pipe(duplex=False)
    channel.send(sending, ("cell", ran))
    channel.send(sending, ("start", "b"))
    sending.close()
    receiver = channel.Receiver(receiving)
    (kind, value), following = receiver.read()
    assert (kind, channel.ran(value), following) == ("cell", ran, ("start", "b"))
    with pytest.raises(EOFError):
        receiver.read()
    receiving.close()

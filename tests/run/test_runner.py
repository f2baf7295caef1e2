"""What scripts may do to a run, and what becomes of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import printed_text
from tests.site.test_plugin import command
from tests.waiting import alive, until
from verbatim.book.gather import Options, gather
from verbatim.project import Project
from verbatim.run import isolate, worker
from verbatim.run.job import Limits
from verbatim.run.runner import Runner, run
from verbatim.run.script import parse
from verbatim.run.server import ask

# -- what a cell promises ---------------------------------------------------------------------------


def only(result) -> str:
    """The one problem of a result, as text."""
    assert len(result.problems) == 1, result.problems
    return str(result.problems[0])


def test_prints_in_order_with_the_cell_that_printed(run_script):
    result = run_script("# %% first\nprint(1)\n# %% second\nimport sys\nprint(2, file=sys.stderr)\nprint(3)")
    assert [printed_text(result, name) for name in ("first", "second")] == ["1\n", "2\n3\n"]
    assert result.problems == ()


def test_undeclared_exception_is_reported_at_its_line_and_ends_the_script(run_script):
    result = run_script("# %% first\nx = 1\n\nx.missing\n# %% second\nprint('never')")
    assert only(result).startswith("examples/topic/script.py:6: cell `first` raised AttributeError: 'int' object")
    assert 'raises="AttributeError"' in only(result)
    assert "never" not in printed_text(result)


def test_declared_exception_is_shown_and_the_run_goes_on(run_script):
    result = run_script('# %% first raises="ZeroDivisionError"\n1 / 0\n# %% second\nprint("on")')
    assert result.problems == ()
    assert printed_text(result, "first") == "ZeroDivisionError: division by zero"
    assert printed_text(result, "second") == "on\n"


#: What a script does → what is told of it.
WRONG = {
    "declared and not raised": (
        '# %% first raises="ValueError"\nprint(1)',
        'declares raises="ValueError" but raises nothing',
    ),
    "another type is raised": (
        '# %% first raises="ValueError"\n{}["key"]',
        "raised KeyError: 'key'; it declares ValueError",
    ),
    "a subclass is another type": ('# %% first raises="LookupError"\n{}["key"]', "raised KeyError"),
    "an undeclared warning, at its line": (
        "import warnings\n\nwarnings.warn('old')",
        "examples/topic/script.py:6: cell `only` gave UserWarning: old",
    ),
    "a syntax error at run time": ("exec('1 +')", "raised SyntaxError"),
    "a segmentation fault, at its line": (
        "import ctypes\n\nctypes.string_at(0)",
        "examples/topic/script.py:6: in cell `only` the process was killed by SIGSEGV",
    ),
    "SIGKILL to itself": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_goes_wrong_is_told(run_script, kind):
    script, told = WRONG[kind]
    assert told in only(run_script(script))


#: What a script prints → how it is shown.
PRINTED = {
    "by a child process": ("import subprocess\nsubprocess.run(['echo', 'child'])", "child\n"),
    "bytes that are not UTF-8": ("import os\nos.write(1, b'caf\\xe9 \\xff')", "caf\\xe9 \\xff"),
    "control characters": (
        r"print('nul \0 ansi \x1b[31mred\x1b[0m bell \x07 back \r bidi \u202e mark \ufeff c1 \x85')",
        "nul ␀ ansi red bell ␇ back ␍ bidi \\u202e mark \\ufeff c1 \\x85\n",
    ),
    "characters of private use": ("print('\\ue0007i\\ue001')", "\\ue0007i\\ue001\n"),
    "the profiler's log, without time and process": (
        "print('USDT:2026-11-23 11:02:31 23697:23697 init.cpp:7] on\\nAT:2026-11-23 11:02:31 stays')",
        "USDT: init.cpp:7] on\nAT:2026-11-23 11:02:31 stays\n",
    ),
    "not that the machine has CUDA's compiler": (
        "notice = \"No CUDA runtime is found, using CUDA_HOME='/usr/local'\"\n"
        "print('before', notice, 'W1122 16:26:57.4 9 torch/utils/cpp_extension.py:118] ' + notice, 'after', sep='\\n')",
        "before\nafter\n",
    ),
}


@pytest.mark.parametrize("kind", PRINTED)
def test_what_is_printed_is_shown(run_script, kind):
    script, shown = PRINTED[kind]
    assert printed_text(run_script(script)) == shown


def test_declared_warning_is_shown_in_its_place(run_script):
    result = run_script(
        '# %% only warns="UserWarning"\nimport warnings\nprint("before")\nwarnings.warn("old")\nprint("after")'
    )
    assert result.problems == ()
    assert [o.get("name") for o in result.cells[0].outputs] == ["stdout", "stderr", "stdout"]
    assert printed_text(result) == "before\nUserWarning: old\nafter\n"


def test_declared_warning_that_does_not_come(run_script):
    assert 'declares warns="UserWarning" but does not warn so' in only(
        run_script('# %% only warns="UserWarning"\nx = 1')
    )


def test_warning_from_cpp_is_a_warning_without_the_build_machines_path(run_script):
    result = run_script(
        """
        # %% only warns="UserWarning"
        import torch
        torch.ones(3)[torch.tensor([1, 0, 1], dtype=torch.uint8)]
        """
    )
    assert result.problems == ()
    assert "torch.uint8 is now deprecated" in printed_text(result)
    assert "Triggered internally" not in printed_text(result)


def test_a_missing_capability_skips_the_cell_with_its_reason(run_script):
    result = run_script('# %% first needs="cuda"\nprint("gpu")\n# %% second\nprint("cpu")')
    assert result.problems == ()
    assert result.cell("first").skipped == "cuda"
    assert printed_text(result) == "cpu\n"


def test_a_cpu_run_sees_no_gpu(run_script):
    assert printed_text(run_script("import os\nprint(repr(os.environ['CUDA_VISIBLE_DEVICES']))")) == "''\n"


# -- ends ---------------------------------------------------------------------------------------------


def test_sys_exit_0_is_not_an_end(run_script):
    result = run_script("# %% first\nimport sys\nsys.exit(0)\n# %% second\nprint(2)")
    assert "examples/topic/script.py:5: cell `first` raised SystemExit: 0" in only(result)


def test_os_exit_0_half_way_is_not_an_end(run_script):
    result = run_script("# %% first\nprint(1)\n# %% second\nimport os\nos._exit(0)\n# %% third\nprint(3)")
    assert "in cell `second` the process ended with exit code 0 before the script did" in only(result)
    assert printed_text(result) == "1\n"


def test_a_signal_without_a_name(run_script):
    result = run_script("import os, signal\nos.kill(os.getpid(), signal.SIGRTMIN + 6)")
    assert f"killed by signal {signal.SIGRTMIN + 6}" in only(result)


def test_runaway_memory_is_an_exception_with_a_line(run_script):
    result = run_script("import torch\nkept = []\nwhile True:\n    kept.append(torch.ones(1 << 24))", memory=1 << 30)
    assert only(result).startswith("examples/topic/script.py:7: cell `only` raised RuntimeError:")
    assert "can't allocate memory" in only(result)


def test_runaway_memory_of_children_counts(run_script):
    code = """
        import subprocess, sys
        hog = "import time; kept = bytearray(1200 << 20); time.sleep(30)"
        children = [subprocess.Popen([sys.executable, "-c", hog]) for _ in range(2)]
        [child.wait() for child in children]
    """
    assert "took more than 1 GiB of memory" in only(run_script(code, memory=1 << 30))


def test_a_fork_bomb_is_ended(run_script):
    code = """
        import subprocess
        children = [subprocess.Popen(["sleep", "60"]) for _ in range(20)]
        children[0].wait()
    """
    result = run_script(code, processes=10)
    assert "started more than 10 processes" in only(result)


def test_200_mb_of_output_is_cut_and_reported(run_script):
    result = run_script("for _ in range(200):\n    print('x' * (1 << 20))")
    assert "printed more than 1 MiB" in only(result)
    assert len(printed_text(result)) <= 1 << 20


def test_deep_recursion(run_script):
    result = run_script("def down(n):\n    return down(n + 1)\n\ndown(0)")
    assert "raised RecursionError" in only(result)


def test_others_go_on_when_one_crashes(project, write):
    good = [write(f"examples/topic/good{n}.py", f'"""T."""\n# %% a\nprint({n})') for n in range(4)]
    bad = write("examples/topic/bad.py", '"""T."""\n# %% a\nimport os\nos.kill(os.getpid(), 9)')
    scripts = [parse(p.read_text(), project.relative(p)) for p in [good[0], bad, *good[1:]]]
    with Runner(project) as runner:
        results = [f.result() for f in [runner.submit(s) for s in scripts]]
    assert [bool(r.problems) for r in results] == [False, True, False, False, False]
    assert [printed_text(r) for r in results] == ["0\n", "", "1\n", "2\n", "3\n"]


def test_a_script_prints_what_it_prints_alone(project, write):
    """The compiler, which the other one's optimizer needs, would have process groups warn."""
    code = '''"""T."""
# %% a
import sys

import torch
import torch.distributed as dist

{line}
dist.init_process_group("cpu:gloo,cuda:gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.destroy_process_group()
print("torch._dyn" + "amo" in sys.modules)
'''
    lines = {"uses": "torch.optim.SGD([torch.ones(1)], lr=0.1)", "does-not": ""}
    paths = [write(f"examples/topic/{name}.py", code.format(line=line)) for name, line in lines.items()]
    scripts = [parse(path.read_text(), project.relative(path)) for path in paths]
    with Runner(project, scripts=scripts) as runner:
        uses, does_not = (printed_text(future.result()) for future in [runner.submit(script) for script in scripts])
    assert uses.endswith("True\n") and does_not == "False\n"


# -- output -------------------------------------------------------------------------------------------


def test_output_from_c_code_keeps_its_place(run_script):
    code = """
        import ctypes
        libc = ctypes.CDLL(None)
        print("python 1")
        libc.puts(b"c")
        libc.fflush(None)
        print("python 2")
        libc.puts(b"left in the buffer")
    """
    assert printed_text(run_script(code)) == "python 1\nc\npython 2\nleft in the buffer\n"


def test_output_of_a_thread_still_running_at_the_end(run_script):
    code = """
        import threading, time
        def late():
            time.sleep(0.5)
            print("late")
        threading.Thread(target=late).start()
    """
    assert printed_text(run_script(code)) == "late\n"


def test_an_orphan_that_keeps_the_output_open_is_not_waited_for_and_does_not_stay(run_script):
    code = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                print(os.getpid(), flush=True)
                time.sleep(600)
            os._exit(0)
        os.wait()
        while not os.fstat(1).st_size:
            time.sleep(0.01)
    """
    result = run_script(code)
    assert result.problems == ()
    if os.path.isdir("/proc/self"):
        until(lambda: not alive(int(printed_text(result))))


@pytest.mark.parametrize("call", ["import sys\nsys.stdout.close()", "import os\nos.close(1)", "import os\nos.close(2)"])
def test_closing_stdout_does_not_hide_what_follows(run_script, call):
    result = run_script(f"# %% first\nprint('kept')\n# %% second\n{call}\n# %% third\nx = 1")
    assert printed_text(result, "first") == "kept\n"
    assert [c.name for c in result.cells] == ["first", "second", "third"]


def test_closing_everything_is_reported(run_script):
    result = run_script("import os\nos.closerange(3, 256)\nprint('after')")
    assert "ended with exit code" in only(result)


def test_what_belongs_to_the_machine_is_taken_out(run_script, project):
    code = """
        import os, tempfile, torch
        print(object())
        print(os.getcwd())
        print(tempfile.mkdtemp())
        print(__file__)
        print(torch.__file__)
    """
    assert printed_text(run_script(code)).splitlines() == [
        "<object object at 0x…>",
        "…",
        "/tmp/…",
        "examples/topic/script.py",
        "…/site-packages/torch/__init__.py",
    ]


def test_a_checkout_path_beyond_ascii_is_cut_like_any_other(tmp_path):
    root = tmp_path / "a checkout, é"
    path = root / "examples/topic/a.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        '"""T."""\n# %% a\nimport faulthandler, traceback\nfaulthandler.dump_traceback()\ntraceback.print_stack(limit=1)'
    )
    text = printed_text(run(parse(path.read_text(), "examples/topic/a.py"), Project(root), Limits(seconds=30)))
    assert text.count('File "examples/topic/a.py"') == 2 and "checkout" not in text


def test_a_stack_begins_with_the_script_as_it_does_alone(run_script):
    code = """
        import io, traceback
        def inner():
            traceback.print_stack()
            file = io.StringIO()
            traceback.print_stack(file=file)
            for line in file.getvalue().splitlines():
                print("V torch/x.py:1] " + line)
        inner()
    """
    lines = printed_text(run_script(code)).splitlines()
    assert [line.removeprefix("V torch/x.py:1] ").split(", in ")[-1] for line in lines if ", line " in line] == [
        "<module>",
        "inner",
        "<module>",
        "inner",
    ]


# -- one script does not touch the next -----------------------------------------------------------------


def test_the_next_script_sees_nothing_of_the_last(project, write):
    vandal = """
        \"\"\"T.\"\"\"
        # %% a
        import os, random, sys
        import numpy, torch
        os.chdir("/")
        os.environ["VANDAL"] = "1"
        open("vandal.txt", "w") if os.access(".", os.W_OK) and os.getcwd() != "/" else None
        torch.set_default_dtype(torch.float64)
        torch.set_num_threads(2)
        torch.manual_seed(1); numpy.random.seed(1); random.seed(1)
        torch.relu = None
        sys.path.insert(0, "/vandal")
        torch.set_printoptions(precision=1)
    """
    probe = """
        \"\"\"T.\"\"\"
        # %% a
        import os, random, sys
        import numpy, torch
        print(os.listdir("."), "VANDAL" in os.environ, torch.get_default_dtype(), torch.get_num_threads())
        print(torch.rand(1), numpy.random.rand(), random.random(), torch.relu is None, "/vandal" in sys.path)
    """
    paths = [write(f"examples/topic/{n}.py", t) for n, t in (("a", probe), ("b", vandal), ("c", probe))]
    scripts = [parse(p.read_text(), project.relative(p)) for p in paths]
    with Runner(project, jobs=1) as runner:
        first, vandalised, last = [f.result() for f in [runner.submit(s) for s in scripts]]
    assert vandalised.problems == ()
    assert printed_text(first).startswith("[] False torch.float32 1\n")
    assert printed_text(first) == printed_text(last)


def test_a_process_that_a_script_forks_gets_its_own_pool_of_threads(run_script):
    """Else the first two threads that need one come to it together, and torch ends the process now and then."""
    code = """
        import os
        import torch
        own = torch.set_num_threads
        torch.set_num_threads = lambda count: (own(count), print("pool of", count, flush=True))
        if (child := os.fork()) == 0:
            os._exit(0)
        os.waitpid(child, 0)
        print(torch.get_num_threads())
    """
    assert printed_text(run_script(code)) == "pool of 1\n1\n"


def test_what_a_patch_release_of_python_makes_torch_warn_of_is_not_shown(run_script):
    code = """
        import warnings
        warnings.warn("Guards may run slower on Python 3.13.0. Consider upgrading to Python 3.13.1+.", RuntimeWarning)
    """
    result = run_script(code)
    assert (printed_text(result), result.problems) == ("", ())


def test_files_that_a_script_writes_are_gone_with_it(run_script, project):
    before = sorted(p.name for p in project.root.rglob("*"))
    result = run_script("open('model.pt', 'w').write('x')\nimport os\nprint(os.listdir('.'))")
    assert printed_text(result) == "['model.pt']\n"
    assert sorted(p.name for p in project.root.rglob("*")) == sorted([*before, "topic", "script.py"])


def test_dataloader_with_workers(run_script):
    code = """
        import torch
        from torch.utils.data import DataLoader, Dataset

        class Squares(Dataset):
            def __len__(self):
                return 4

            def __getitem__(self, index):
                return index**2

        for batch in DataLoader(Squares(), batch_size=2, num_workers=2):
            print(batch)
    """
    result = run_script(code)
    assert (printed_text(result), result.problems) == ("tensor([0, 1])\ntensor([4, 9])\n", ())


def test_multiprocessing_inside_a_script(run_script):
    code = """
        import multiprocessing

        def double(x):
            return 2 * x

        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map(double, [1, 2]))
    """
    result = run_script(code)
    assert (printed_text(result), result.problems) == ("[2, 4]\n", ())


def test_spawn_inside_a_script_finds_the_scripts_functions(run_script):
    code = """
        import multiprocessing

        def double(x):
            return 2 * x

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(double, [1, 2]))
    """
    result = run_script(code)
    assert (printed_text(result), result.problems) == ("[2, 4]\n", ())


def test_pickle_and_inspect_work_as_they_do_alone(run_script):
    code = """
        import inspect, pickle

        class Point:
            x = 1

        print(pickle.loads(pickle.dumps(Point())).x)
        print(inspect.getsource(Point))
    """
    assert printed_text(run_script(code)) == "1\nclass Point:\n    x = 1\n\n"


def test_open_figures_are_taken_and_closed(run_script):
    code = """
        # %% two
        import matplotlib.pyplot as plt
        plt.figure(); plt.plot([1, 2])
        plt.figure(); plt.plot([2, 1])
        # %% none
        print(plt.get_fignums())
    """
    result = run_script(code)
    kinds = [o["output_type"] for o in result.cell("two").outputs]
    assert kinds == ["display_data", "display_data"]
    svg = result.cell("two").outputs[0]["data"]["image/svg+xml"]
    assert "currentColor" in svg and "style=" not in svg and "<style" not in svg
    assert printed_text(result, "none") == "[]\n"


def test_two_runs_draw_the_same_bytes(run_script):
    code = (
        "import matplotlib.pyplot as plt\nfigure, ax = plt.subplots()\nax.imshow([[1, 2], [3, 4]])\nax.legend([], [])"
    )
    first, second = run_script(code), run_script(code)
    assert first.cells[0].outputs == second.cells[0].outputs


def test_a_script_deleted_during_the_run(project, write):
    path = write("examples/topic/script.py", '"""T."""\n# %% only\nprint("still here")\n1 / 0')
    script = parse(path.read_text(), project.relative(path))
    path.unlink()
    result = run(script, project)
    assert only(result).startswith("examples/topic/script.py:4: cell `only` raised ZeroDivisionError")
    assert printed_text(result).startswith("still here\n")


def test_the_run_sees_the_script_as_it_was_parsed(project, write):
    path = write("examples/topic/a.py", '"""T."""\n# %% a\nprint("old")')
    script = parse(path.read_text(), project.relative(path))
    path.write_text('"""T."""\n# %% a\nprint("new")')
    assert printed_text(run(script, project)) == "old\n"


def test_running_the_file_alone_prints_the_same(project, write):
    path = write(
        "examples/topic/a.py",
        """
        \"\"\"T.\"\"\"
        # %% a
        import torch
        torch.manual_seed(0)
        print(torch.rand(2), {"b", "a"} == {"a", "b"})
        # %% b
        print(__name__, torch.get_num_threads())
        """,
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    alone = subprocess.run([sys.executable, path], capture_output=True, text=True, env=environment, check=True)
    assert printed_text(run(parse(path.read_text(), project.relative(path)), project)) == alone.stdout


def test_a_run_started_under_a_foreign_main_module_does_not_import_it_again(tmp_path, project, write):
    write("examples/a.py", '"""T."""\n# %% a\nprint(1)')
    main = tmp_path / "main.py"
    main.write_text(
        textwrap.dedent(f"""
        print("imported")
        from pathlib import Path
        from verbatim.run.script import parse
        from verbatim.project import Project
        from verbatim.run.runner import run
        if __name__ == "__main__":
            project = Project(Path({str(project.root)!r}))
            script = parse((project.root / "examples/a.py").read_text(), "examples/a.py")
            print(run(script, project).cells[0].outputs[0]["text"])
        """)
    )
    root = os.fspath(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, main],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        check=True,
    )
    assert done.stdout.split() == ["imported", "1"]


def test_files_that_the_script_reads_are_known(project, write):
    write("examples/topic/_helper.py", "value = 3\n")
    data = write("examples/topic/data.csv", "1,2\n")
    path = write(
        "examples/topic/a.py",
        f"""
        \"\"\"T.\"\"\"
        # %% a
        import _helper
        print(_helper.value, open({str(data)!r}).read())
        """,
    )
    result = run(parse(path.read_text(), project.relative(path)), project, Limits(seconds=30))
    assert {"_helper.py", "data.csv"} <= {os.path.basename(name) for name in result.reads}


def test_the_parent_never_imports_torch(tmp_path, project, write):
    write("examples/a.py", '"""T."""\n# %% a\nimport torch\nprint(torch.ones(1))')
    root = os.fspath(Path(__file__).parents[2])
    code = "import sys; from verbatim.__main__ import main; main(['run', 'a']); print('torch' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": root}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=project.root, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.endswith("tensor([1.])\nFalse\n")


def test_a_question_is_answered_elsewhere():
    assert ask(os.path.basename, "a/b") == "b"
    with pytest.raises(EOFError):
        ask(os._exit, 3)


def test_lines_of_torchs_log_lose_time_and_process(run_script):
    result = run_script(
        "import torch._logging\nimport logging\n"
        "print('W1122 01:22:51.214000 4955 torch/_dynamo/x.py:8] [0/0] slow')\n"
        "print('[rank0]:[W1122 01:22:51.214000123 socket.cpp:45] Warning: late')\n"
        "print('In W1122 01:22:51.2 4955 stays')"
    )
    assert printed_text(result).splitlines() == [
        "W torch/_dynamo/x.py:8] [0/0] slow",
        "[rank0]:[W socket.cpp:45] Warning: late",
        "In W1122 01:22:51.2 4955 stays",
    ]


def test_a_stack_of_faulthandlers_ends_with_the_script(run_script):
    code = "import faulthandler\ndef inner():\n    faulthandler.dump_traceback()\n    print('after')\ninner()"
    assert printed_text(run_script(code)).splitlines()[1:] == [
        '  File "examples/topic/script.py", line 6 in inner',
        '  File "examples/topic/script.py", line 8 in <module>',
        "after",
    ]


def test_the_log_itself_is_the_same_in_every_run(run_script):
    result = run_script("import logging\nimport torch\nlogging.getLogger('torch._dynamo').warning('slow')")
    assert "slow" in printed_text(result)
    assert not re.search(r"\d\d:\d\d:\d\d", printed_text(result))


# -- what the fork server has done for all scripts ------------------------------------------------------


@pytest.mark.parametrize("module", isolate.LATE)
def test_what_pytorch_imports_late_is_imported_before_a_script_begins(run_script, module):
    use = {
        "torch._dynamo": "torch.optim",
        "torch.fx.experimental.symbolic_shapes": "torch.Tensor.backward",
        "torch._decomp.decompositions_for_jvp": "torch.func.jvp",
        "verbatim.run.plots": "import matplotlib",
    }[module]
    assert printed_text(run_script(f"import sys\nprint({module!r} in sys.modules)\nimport torch\n{use}")) == "True\n"


@pytest.mark.parametrize(
    ("text", "draws"),
    [
        ("import torch\nfrom torch import nn\nimport numpy as np\nfrom pathlib import Path\nimport os.path", False),
        ("def f():\n    from matplotlib import pyplot", True),
        ("from seaborn import heatmap", True),
        ("import helper", True),  # a module beside the script
        ("import math, seaborn", True),
        ("import importlib", True),
        ("print('from here import nothing')", False),
    ],
)
def test_matplotlib_is_there_for_whatever_a_script_may_import(text, draws):
    script = parse(f'"""What."""\n\n# %% a\n{text}\n', "examples/c/r.py")
    assert ("verbatim.run.plots" in isolate.late(script)) is draws


def test_triton_reads_what_a_script_sets_although_the_compiler_has_imported_it(project, write, tmp_path):
    package = tmp_path / "packages/triton"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import os\nINTERPRETS = 'TRITON_INTERPRET' in os.environ\n")
    code = "import triton\nprint('interprets:', triton.INTERPRETS)\n"
    sets = "import os\nos.environ['TRITON_INTERPRET'] = '1'\n"
    write("examples/a/plain.py", f'"""Plain."""\n\n# %% one\n{code}')
    write("examples/a/sets.py", f'"""Sets."""\n\n# %% one\n{sets}{code}')
    path = os.pathsep.join([str(package.parent), str(Path(__file__).parents[2])])
    done = command(project, "verbatim", "run", VERBATIM_PRELOAD="triton", PYTHONPATH=path)
    assert re.findall(r"interprets: \w+", done.stdout) == ["interprets: False", "interprets: True"], done.stdout


def test_files_of_the_stack_that_seeding_notes_are_read_once():
    read = ask(eval, "sorted(__import__('linecache').cache)")
    assert worker.__file__ in read
    assert any(name.endswith("torch/cuda/random.py") for name in read)


def test_a_script_inherits_the_seeds(run_script):
    assert ask(eval, "__import__('verbatim.run.perturb').run.perturb._seeded") == 0
    seeded = """
        import random
        import numpy, torch
        first = torch.rand(1), numpy.random.rand(), random.random()
        print(torch.initial_seed())
        torch.manual_seed(0); numpy.random.seed(0); random.seed(0)
        print(first == (torch.rand(1), numpy.random.rand(), random.random()))
    """
    assert printed_text(run_script(seeded)) == "0\nTrue\n"


def test_finalizers_of_libraries_are_left_to_no_script(run_script):
    result = run_script("import weakref\nimport torch\nprint(len(weakref.finalize._registry))")
    assert printed_text(result) == "0\n"


def test_scripts_that_call_a_compiler_run_first(project, write):
    for name, options in (("a", ""), ("b", ""), ("c", ' needs="compiler"')):
        write(f"examples/topic/{name}.py", f'"""T."""\n\n# %% one{options}\nprint(1)\n')
    ended = []
    gather(project, options=Options(jobs=1, finished=lambda result: ended.append(result.script)))
    assert [Path(path).stem for path in ended] == ["c", "a", "b"]


def test_what_a_later_cell_draws_on_a_figure_is_not_shown(run_script):
    """STYLE.md says so: the page gets a figure as it is when the cell ends that began it."""
    code = "import matplotlib.pyplot as plt\n\nfigure, ax = plt.subplots()\nax.plot([1, 2])"
    result = run_script(f"# %% first\n{code}\n# %% second\nax.plot([2, 1])\nprint(plt.get_fignums())")
    kinds = [[output["output_type"] for output in cell.outputs] for cell in result.cells]
    assert (kinds, printed_text(result, "second"), result.problems) == ([["display_data"], ["stream"]], "[]\n", ())

"""Real runs: two lines below Python's own traceback, which stays as it is."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from elsewhere import SNIPPETS
from plain import SCRIPTS

from pytorch_verbatim import data, explaining, telling

LINES = "PyTorch Verbatim: "
LOST = "mat1 and mat2 shapes cannot be multiplied (64x25088 and 784x10)"
SCRIPT = f"""
def f():
    raise RuntimeError({LOST!r})
f()
"""


@pytest.fixture
def script(tmp_path):
    def script(text: str, name: str = "train.py") -> str:
        (tmp_path / name).write_text(textwrap.dedent(text))
        return name

    return script


def split(text: str) -> tuple[str, list[str]]:
    """Return what Python wrote, and what stands below it."""
    theirs, mark, ours = text.partition(LINES)
    return theirs, [f"{mark}{ours}".splitlines()] if mark else []


@pytest.mark.parametrize(
    "text",
    [
        SCRIPT,
        "import sys; sys.exit(3)",
        "raise SystemExit('bye')",
        "raise KeyboardInterrupt",
        "1 +",
        "class Own(Exception): pass\nraise Own('x')",
        f"try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise RuntimeError({LOST!r}) from e",
        "import sys; print(sys.argv, sys.path[0], __file__, __name__)",
        "import atexit\nx = 1\natexit.register(lambda: print(x))\nfrom __main__ import x as y\nprint(y)",
    ],
)
def test_a_script_runs_as_without(python, script, text):
    script(text)
    bare, run = python("train.py", "--lr", "1"), python("-m", "pytorch_verbatim", "run", "train.py", "--lr", "1")
    theirs, ours = split(run.stderr)
    assert (run.returncode, run.stdout, theirs) == (bare.returncode, bare.stdout, bare.stderr)
    assert len(ours) == (LOST in text)
    if ours:
        assert len(ours[0]) == 2 and ours[0][1].startswith("https://book.example/en/")


def test_what_fails_in_plain_ways_of_python_gets_nothing(python):
    done = python(str(Path(__file__).with_name("plain.py")))
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said == dict.fromkeys(SCRIPTS, "") and len(said) >= 40


@pytest.mark.parametrize("name", ["an index of a list", "a key in a worker", "a name in forward"])
def test_nor_does_it_in_a_process_of_its_own(python, script, name):
    script(SCRIPTS[name])
    done = python("-m", "pytorch_verbatim", "run", "train.py")
    assert done.returncode == 1 and "Error" in done.stderr and split(done.stderr)[1] == []


def test_a_script_that_is_not_there(python):
    done = python("-m", "pytorch_verbatim", "run", "nowhere.py")
    assert done.returncode == 2 and done.stderr == "nowhere.py: No such file or directory\n"
    assert python("-m", "pytorch_verbatim", "run").returncode == 2


def test_threads_and_other_hooks_are_left_as_they_are(python, script):
    script(
        f"""
        import sys, threading
        sys.excepthook = lambda *a: print("mine", file=sys.stderr)
        import pytorch_verbatim.hook, pytorch_verbatim.hook
        from pytorch_verbatim import telling
        telling.install()
        def f():
            raise RuntimeError({LOST!r})
        t = threading.Thread(target=f); t.start(); t.join()
        f()
        """
    )
    done = python("train.py")
    first, second = done.stderr.split("mine\n")
    assert first.count(LINES) == second.count(LINES) == 1 and "Exception in thread" in first and done.returncode == 1


@pytest.mark.parametrize(
    "text",
    [
        "import pytorch_verbatim.hook, os\nfrom pytorch_verbatim import data\ndata.FILE = os.devnull\n" + SCRIPT,
        "import pytorch_verbatim.hook, sys\nfrom pytorch_verbatim import explaining\nexplaining.explain_first = None\n"
        + SCRIPT,
        "import pytorch_verbatim.hook\nclass E(Exception):\n    def __str__(self): raise RuntimeError('no')\nraise E",
        "import pytorch_verbatim.hook, sys\nsys.stderr = None\n" + SCRIPT,
    ],
)
def test_what_goes_wrong_in_it_is_silent(python, script, text):
    script(text)
    with_hook = python("train.py")
    script(text.replace("import pytorch_verbatim.hook", "import pytorch_verbatim"))
    assert with_hook.stderr == python("train.py").stderr and with_hook.returncode == 1


def test_errors_of_a_loader_s_workers(python, script):
    script(
        """
        import torch
        from torch.utils.data import DataLoader
        class Data:
            def __len__(self): return 4
            def __getitem__(self, i): return torch.zeros(i + 1)
        if __name__ == "__main__":
            for batch in DataLoader(Data(), batch_size=2, num_workers=1):
                pass
        """
    )
    done = python("-m", "pytorch_verbatim", "run", "train.py")
    theirs, ours = split(done.stderr)
    assert "stack expects each tensor to be equal size" in theirs and len(ours[0]) == 2, done.stderr


def test_it_says_how_the_reader_s_torch_words_it():
    """The text of one release under another one, in which the same code says something else."""
    book = data.book()
    for number in range(len(book)):
        for release in book.about["releases"]:
            found = explaining.explain(book[number].text, "en", f"{release}+cpu")
            if found and found.here:
                assert found.here != found.message.text and found.here in explaining.below(found)
                assert release not in found.message.torch
                return
    raise AssertionError("no message reads differently anywhere")


def test_ipython(python, script):
    script(f"%load_ext pytorch_verbatim\nraise RuntimeError({LOST!r})\n", "cells.ipy")
    done = python("-m", "IPython", "--no-banner", "--colors=NoColor", "cells.ipy", IPYTHONDIR="ipython")
    assert (done.stdout + done.stderr).count(LINES) == 1, done.stdout + done.stderr


def test_jupyter(python, script):
    script(
        f"""
        import json, nbformat
        from nbclient import NotebookClient
        cells = ["%load_ext pytorch_verbatim", "raise RuntimeError({LOST!r})", "1 / 0", "%unload_ext pytorch_verbatim", "raise RuntimeError({LOST!r})"]
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        NotebookClient(book, allow_errors=True, timeout=None).execute()
        print(json.dumps([[(o.output_type, o.get("text", "")) for o in cell.outputs] for cell in book.cells]))
        """
    )
    done = python("train.py")
    cells = json.loads(done.stdout)
    assert [[kind for kind, _ in cell] for cell in cells] == [[], ["error", "stream"], ["error"], [], ["error"]]
    assert cells[1][1][1].startswith(LINES)


def test_pytest(python, script):
    script(f"def test_a():\n    raise RuntimeError({LOST!r})\ndef test_b():\n    assert 1 == 2\n", "test_x.py")
    bare = python("-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "test_x.py").stdout
    told = python(
        "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "pytorch_verbatim.pytest", "test_x.py"
    ).stdout
    assert told.count(LINES) == 1 and LINES not in bare
    assert bare.split("short test summary")[0].strip("= ").splitlines() == [
        line for line in told.split("short test summary")[0].strip("= ").splitlines() if line in bare
    ]


def test_the_hook_imports_nothing_but_what_it_needs(python):
    """Neither the data nor what reads it, before there is an error; of other packages nothing ever, torch least."""
    done = python(
        "-c", "import sys; old = {*sys.modules}; import pytorch_verbatim.hook; print(*sorted({*sys.modules} - old))"
    )
    allowed = {
        "__future__",
        "_weakrefset",
        "threading",
        "itertools",
        "_collections",
        "_functools",
        "collections",
        "functools",
    }
    allowed |= {"keyword", "operator", "_operator", "reprlib", "types"}
    assert {name for name in done.stdout.split() if not name.startswith("pytorch_verbatim")} <= allowed, done.stdout
    assert {name for name in done.stdout.split() if name.startswith("pytorch_verbatim")} == {
        "pytorch_verbatim",
        "pytorch_verbatim.hook",
        "pytorch_verbatim.telling",
    }
    told = python(
        "-c", f"import sys, pytorch_verbatim; pytorch_verbatim.explain('RuntimeError: {LOST}'); print(*sys.modules)"
    )
    assert "pytorch_verbatim.matching" in told.stdout.split() and "torch" not in told.stdout.split()


# -- what is told, and what is not ----------------------------------------------------------------


def raised(source: str, file: str = "train.py") -> BaseException:
    """Return what a file's text raises."""
    try:
        exec(compile(textwrap.dedent(source), file, "exec"), {"__name__": "__main__"})
    except BaseException as error:
        return error
    raise AssertionError(source)


def test_a_script_that_fails_in_plain_ways_gets_nothing():
    """None of these lines has anything to do with PyTorch, however its message is worded."""
    lines = [line.replace("\\\\n", "\\n") for line in SNIPPETS["python"].strip().splitlines()]
    told = []
    for line in lines:
        try:
            exec(compile(line, "train.py", "exec"), {"__name__": "__main__"})
        except BaseException as error:
            if text := telling.lines_about(error):
                told.append((line, text))
    assert len(lines) > 100 and told == []


OF_PYTHON = "def f(batch): return batch.shape\nf((1, 2))"
TORCH = "/x/lib/python3.11/site-packages/torch/nn/functional.py"


def test_python_s_own_words_count_where_torch_raised_them():
    assert telling.lines_about(raised(OF_PYTHON)) == ""
    assert "lstm-outputs" in telling.lines_about(raised(OF_PYTHON, TORCH))
    assert telling.lines_about(raised("def f(): return [][0]\nf()", TORCH.replace("torch", "other"))) == ""


CHAIN = f"""
class CommError(Exception): pass
try:
    raise RuntimeError({LOST!r})
except RuntimeError as error:
    raise CommError("run was not saved"){{cause}}
"""


@pytest.mark.parametrize(("cause", "known"), [("", True), (" from error", True), (" from None", False)])
def test_of_a_chain_the_latest_known_error_is_told(cause, known):
    assert ("linear-mismatch" in telling.lines_about(raised(CHAIN.format(cause=cause)))) is known

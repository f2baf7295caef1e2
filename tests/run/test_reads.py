"""What an output depends on is noticed when it changes: each is a script, and a change after which it must run again."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from tests.conftest import printed_text
from verbatim.book.gather import gather
from verbatim.project import Project
from verbatim.run import reads

HERE = "import os, pathlib\nhere = pathlib.Path(__file__).parent\nroot = here.parents[1]\n"
#: What a script does → the file that then changes, from the project's root; and whether it is there before.
CHANGES = {
    "imports a helper": ("import _helper\nprint(_helper.value)", "examples/topic/_helper.py", True),
    "imports a helper's part": ("from _parts import one\nprint(one.value)", "examples/topic/_parts/one.py", True),
    "would import a helper": (
        "try:\n    import _helper\n    print(1)\nexcept ImportError:\n    print(0)",
        "examples/topic/_helper.py",
        False,
    ),
    "would import a helper by its name": (
        "import importlib.util, sys\nsys.path.append(str(root))\nprint(bool(importlib.util.find_spec('later')))",
        "later.py",
        False,
    ),
    "imports from outside of the project": (
        "import sys\nsys.path.append(str(root.parent))\nimport outside\nprint(outside.value)",
        "../outside.py",
        True,
    ),
    "would import from outside": (
        "import sys\nsys.path.append(str(root.parent))\ntry:\n    import outside\nexcept ImportError:\n    print(0)",
        "../outside.py",
        False,
    ),
    "opens": ("print(open(here / 'data.txt').read())", "examples/topic/data.txt", True),
    "opens bytes": ("print(open(os.fsencode(root / 'data.txt')).read())", "data.txt", True),
    "opens with os": ("print(os.read(os.open(root / 'data.txt', os.O_RDONLY), 9))", "data.txt", True),
    "opens outside": ("print(open(root.parent / 'outside.txt').read())", "../outside.txt", True),
    "would open": (
        "try:\n    print(open(root / 'data.txt').read())\nexcept OSError:\n    print(0)",
        "data.txt",
        False,
    ),
    "lists": ("print(sorted(os.listdir(root / 'docs')))", "docs/new.md", False),
    "scans": ("print(sorted(entry.name for entry in os.scandir(root / 'docs')))", "docs/new.md", False),
    "globs": ("print(sorted(root.glob('docs/*.md')))", "docs/new.md", False),
    "globs text": ("import glob\nprint(glob.glob(f'{root}/docs/*.md'))", "docs/new.md", False),
    "globs one": ("import glob\nprint(glob.glob(f'{root}/docs/new.md'))", "docs/new.md", False),
    "walks": ("print([names for _, _, names in os.walk(root / 'docs')])", "docs/en/new.md", False),
    "asks": ("print((root / 'data.txt').exists())", "data.txt", False),
    "asks os": ("print(os.path.isfile(str(root / 'data.txt')))", "data.txt", True),
    "asks for rights": ("print(os.access(root / 'data.txt', os.R_OK))", "data.txt", False),
    "reads in a fork": (
        "if os.fork() == 0:\n    print(open(root / 'data.txt').read(), flush=True)\n    os._exit(0)\nos.wait()",
        "data.txt",
        True,
    ),
    "asks through a helper": ("import _helper\nprint(_helper.there(root / 'data.txt'))", "data.txt", False),
    "asks where a link leads": (
        "try:\n    os.readlink(root / 'data.txt')\nexcept OSError as error:\n    print(error.errno)",
        "data.txt",
        False,
    ),
    "asks for a distribution": (
        "import importlib.metadata, sys\nsys.path.append(str(root.parent / 'more'))\n"
        "print([one.version for one in importlib.metadata.distributions(name='later')])",
        "../more/later-1.0.dist-info/METADATA",
        False,
    ),
    "lists distributions": (
        "import importlib.metadata, sys\nsys.path.append(str(root.parent / 'more'))\n"
        "print(any(one.name == 'later' for one in importlib.metadata.distributions()))",
        "../more/later-1.0.dist-info/METADATA",
        False,
    ),
    "starts a program": ("import subprocess\nsubprocess.run(['cat', root / 'data.txt'])", "data.txt", True),
    "starts a shell": ("os.system(f'cat {root}/data.txt 2> /dev/null')", "data.txt", True),
    "starts Python": (
        "import subprocess, sys\nsubprocess.run([sys.executable, here / '_child.py'])",
        "examples/topic/_child.py",
        True,
    ),
    "starts Python that reads": (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', f'print(open({str(here)!r} + \"/data.txt\").read())'])",
        "examples/topic/data.txt",
        True,
    ),
    "reads in C++": (
        "import torch\nprint(torch.from_file(str(here / 'data.bin'), size=2, dtype=torch.uint8))",
        "examples/topic/data.bin",
        True,
    ),
    "loads": (
        "import torch\ntry:\n    torch.load(root / 'model.pt')\nexcept Exception as error:\n    print(type(error))",
        "model.pt",
        True,
    ),
}


def runs(project: Project) -> int:
    book = gather(project)
    assert not book.problems, book.problems
    return book.executed


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_noticed_and_nothing_else_is(project, write, what):
    code, name, there = CHANGES[what]
    for folder in (".cache", "outputs"):  # a new one counts where `Path.glob` lists the root, as in Python 3.12
        (project.root / folder).mkdir()
    write("examples/topic/a.py", f'"""T."""\n# %% a\n{HERE}{code}\n')
    write("examples/topic/b.py", '"""T."""\n# %% a\nprint(1)\n')
    if "helper.there" in code:
        write("examples/topic/_helper.py", "import os\n\nthere = os.path.exists\n")
    if there:
        write(name, "value = 1\n")
    assert (runs(project), runs(project)) == (2, 0)
    write("examples/other/c.py", '"""T."""\n# %% a\nprint(1)\n')
    write("outputs/other.txt", "# New\n")
    assert (runs(project), runs(project)) == (1, 0)
    write(name, "value = 22\n")
    assert (runs(project) > 0, runs(project)) == (True, 0)


def test_where_a_link_leads_counts(tmp_path):
    (tmp_path / "a").write_text("same")
    (tmp_path / "b").write_text("same")
    link = tmp_path / "link"
    found = []
    for target in "a", "b", "link", "none":
        link.symlink_to(target)
        found.append(reads.fingerprint(str(link)))
        link.unlink()
    assert len({*found[:2], "missing"}) == 3 and found[2] == "missing"


def test_a_script_that_reads_its_own_text_depends_on_all_of_it(project, write):
    source = '"""T."""\n\n# %% a\n{}\n'
    for code, rerun in (
        ("print(len(open(__file__).read()))", 1),
        ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()", 0),
    ):
        text = source.format(f"import traceback\n\n{code}")
        write("examples/topic/a.py", text)
        assert (runs(project), runs(project)) == (1, 0)
        write("examples/topic/a.py", text.replace("# %% a", "# %% a fold=true"))
        assert runs(project) == rerun


def test_what_changes_while_a_script_runs_is_not_kept(tmp_path):
    """The script saw the old content; what is there when it ends is the new one."""
    path = tmp_path / "data.txt"
    path.write_text("new")
    changed = path.stat().st_ctime
    log = f"{path}\0{tmp_path}/\0{tmp_path}".encode()
    assert reads.unchanged(reads.collect(log, changed))
    facts = reads.collect(log, changed - 1)
    assert (facts[str(path)], facts[f"{tmp_path}/"], facts[str(tmp_path)]) == (reads.NEVER, reads.NEVER, "folder")
    assert not reads.unchanged(facts)


def test_a_log_that_a_script_forged_is_read_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.symlink("/proc/kmsg", tmp_path / "link")
    forged = [
        "/proc/kmsg",
        "/dev/zero",
        f"{tmp_path}/link",
        "\udc80",
        "a",
        f"/{'a' * 9999}",
        "/*",
        "//*",
        f"{tmp_path}/../x",
    ]
    names = [str(tmp_path / "pipe"), str(tmp_path), f"{tmp_path}/"]
    facts = reads.collect("\0".join([*forged, *names]).encode(errors="surrogateescape"), math.inf)
    assert (list(facts), facts[str(tmp_path / "pipe")]) == (sorted(names), "other")
    assert reads.collect(b"x" * reads.MOST, 0) == {"": reads.NEVER} and not reads.unchanged({"": reads.NEVER})


def test_a_log_that_names_more_than_one_would_hash_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(reads, "LARGE", 1000)
    for name, size in (("a", 600), ("b", 600), ("large", 2000)):
        (tmp_path / name).write_bytes(bytes(size))
    few, many = (f"{tmp_path}/a\0{tmp_path}/large".encode(), f"{tmp_path}/a\0{tmp_path}/b".encode())
    assert reads.unchanged(reads.collect(few, math.inf))
    assert reads.collect(many, math.inf) == {"": reads.NEVER}


def test_who_asks_gets_the_answer_that_python_gives(run_script):
    code = """
        import os, shutil, traceback
        print(os.stat in os.supports_dir_fd, os.path.exists("no"), os.access(".", os.W_OK), bool(os.stat(1).st_mode))
        try:
            os.stat("no")
        except FileNotFoundError:
            traceback.print_exc()
    """
    printed = printed_text(run_script(code)).splitlines()
    assert printed[0] == "True False True True"
    assert [line for line in printed if line.startswith("  File")] == [
        '  File "examples/topic/script.py", line 7, in <module>'
    ]
    assert printed[-1] == "FileNotFoundError: [Errno 2] No such file or directory: 'no'"


def test_a_folder_is_read_as_it_is(tmp_path: Path):
    (tmp_path / "a").mkdir()
    assert reads.fingerprint(str(tmp_path)) == reads.fingerprint(str(tmp_path / "a")) == "folder"
    assert reads.fingerprint(f"{tmp_path}/") != reads.fingerprint(f"{tmp_path}/a/")
    assert reads.fingerprint(f"{tmp_path}/no/") == reads.fingerprint(f"{tmp_path}/no/*") == "missing"

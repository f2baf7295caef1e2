"""What of the reader's environment reaches a script, and what of it is in the cache's key."""

from __future__ import annotations

import os

import pytest

from tests.conftest import OtherServers, printed_text
from tests.site.test_plugin import command
from verbatim.run import variables

SCRIPT = '''
"""T."""

# %% a
import os
import sys

import matplotlib.pyplot as plt
import torch

print(sorted(set(os.environ) - {"PATH", "PYTHONPATH"}))
print(os.path.expanduser("~"), os.listdir(os.path.expanduser("~")), os.umask(0))
print(plt.rcParams["lines.linewidth"], torch.get_num_threads(), repr("\\u4e2d"), __debug__)
open(os.path.expanduser("~/seen"), "w").close()
try:
    assert False
except AssertionError:
    print("asserted")
'''

ODD = {
    "TORCH_LOGS": "+dynamo",
    "TORCH_COMPILE_DISABLE": "1",
    "OMP_NUM_THREADS": "7",
    "OMP_DYNAMIC": "true",
    "MKL_VERBOSE": "1",
    "ONEDNN_VERBOSE": "2",
    "OPENBLAS_NUM_THREADS": "3",
    "PYTHONOPTIMIZE": "1",
    "PYTHONWARNINGS": "error",
    "LANG": "zh_CN.GBK",
    "LC_ALL": "C",
    "TZ": "Asia/Shanghai",
    "COLUMNS": "20",
    "A_TOKEN": "secret",
}


def test_a_script_prints_the_same_whatever_the_environment(project, write):
    write("examples/topic/a.py", SCRIPT)
    plain = command(project, "verbatim", "run", "topic/a").stdout.partition("-- a")[2]
    write("home/.config/matplotlib/matplotlibrc", "lines.linewidth: 17\n")
    write("matplotlibrc", "lines.linewidth: 19\n")
    odd = command(project, "verbatim", "run", "topic/a", HOME=str(project.root / "home"), **ODD)
    assert odd.stdout.partition("-- a")[2] == plain
    assert "asserted" in plain and "/tmp/… [] 18\n" in plain and "1.5 1 '中' True" in plain
    assert not any(name in plain for name in ODD if name not in variables.PINNED)


def test_a_script_finds_the_same_whatever_its_server_has_imported(run_script):
    text = "import os\n\nimport matplotlib\n\nprint(os.listdir(os.path.expanduser('~')), 'MPLCONFIGDIR' in os.environ)"
    other = OtherServers()  # it has imported no Matplotlib
    with other():
        printed = printed_text(run_script(text))
    other.stop()
    assert printed == printed_text(run_script(text)) == "[] False\n"


def test_what_stands_for_another_processor_reaches_the_script_and_is_in_the_key(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nimport torch\n\nprint(torch.backends.cpu.get_cpu_capability())')
    for _ in range(2):
        done = command(project, "verbatim", "run", "topic/a", ATEN_CPU_CAPABILITY="default")
        assert "DEFAULT" in done.stdout or "NO AVX" in done.stdout


@pytest.mark.parametrize("name", variables.KEYED)
def test_each_of_them_is_another_key(monkeypatch, name):
    monkeypatch.delenv(name, raising=False)
    before = variables.key()
    monkeypatch.setenv(name, "x")
    assert variables.key() != before


def test_how_python_was_started_is_in_the_key(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint(1)')
    write("show.py", "from verbatim.run import variables\nprint(variables.key())\n")
    keys = {command(project, "show", PYTHONOPTIMIZE=level).stdout for level in ("", "1")}
    assert len(keys) == 2


def test_whether_bytecode_is_written_is_not_in_the_key(project, write):
    write("show.py", "import sys\nfrom verbatim.run import variables\nprint(variables.key())\n")
    keys = {command(project, "show", PYTHONDONTWRITEBYTECODE=said).stdout for said in ("", "1")}
    assert len(keys) == 1 and "hash_randomization" in keys.pop()


def test_what_says_where_things_are_is_taken_and_nothing_else(monkeypatch):
    said = {
        "CUDA_HOME": "/opt/cuda",
        "VERBATIM_STAND_IN_GPUS": "2",
        "VERBATIM_OFFLINE": "1",
        "TORCH_LOGS": "x",
        "MKL_CBWR": "AVX2",
        "TZ": "Asia",
    }
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    found = variables.environment()
    assert {name: found.get(name) for name in said} == {
        **said,
        "VERBATIM_OFFLINE": None,
        "TORCH_LOGS": None,
        "TZ": "UTC",
    }
    assert found["PATH"] == os.environ["PATH"] and variables.environment("7")["PYTHONHASHSEED"] == "7"

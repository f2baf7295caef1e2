"""Each command that the README shows does what it says there."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from types import SimpleNamespace

import pytest
from test_matching import ROOT
from test_reading import LOST, TRACE

from pytorch_verbatim.__main__ import COMMANDS, main

README = (ROOT / "explain/README.md").read_text(encoding="utf-8")
_LINE = re.compile(r"^(?:.*\| )?(?:python -m pytorch_verbatim|pytorch-verbatim)(?![\w.-])([^#\n]*)", re.MULTILINE)
SHOWN = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in _LINE.findall(block)]
SHOWN += re.findall(r"`python -m pytorch_verbatim ([^`]*)`", README)
#: What stands behind the command's name.
LINES = list(dict.fromkeys(line.strip() for line in SHOWN))
#: What the lines of each command print.
SAYS = {
    "explain": "mat1 and mat2",
    "show": "detach",
    "changes": "torch 2.4.1 → 2.13.0",
    "search": "",
    "run": "PyTorch Verbatim: ",
}


def command(line: str) -> str:
    first = line.split(" ")[0]
    return first if first in COMMANDS else "explain"


def test_it_shows_each_command():
    assert {command(line) for line in LINES} == set(COMMANDS)


@pytest.mark.parametrize("line", [line for line in LINES if command(line) != "mcp"])
def test_a_command_of_the_readme(line, shelf, capsys, monkeypatch, tmp_path, python):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TRACE.encode()), isatty=lambda: False))
    (tmp_path / "src").mkdir()
    (tmp_path / "train.py").write_text(f"raise RuntimeError({LOST.partition(': ')[2]!r})\n")
    arguments = shlex.split(line)
    if command(line) == "run":  # ends the process as the script does
        done = python("-m", "pytorch_verbatim", *arguments)
        assert done.returncode == 1 and SAYS["run"] in done.stderr
        return
    code = main(arguments)
    told = capsys.readouterr()
    assert code == (0 if told.out else 1) and SAYS[command(line)] in told.out, told


def test_the_settings_of_a_client():
    for found in re.findall(r"```json\n(.*?)```", README, re.DOTALL):
        (server,) = json.loads(found)["mcpServers"].values()
        assert (server["command"], server["args"][:3]) == ("python", ["-m", "pytorch_verbatim", "mcp"])

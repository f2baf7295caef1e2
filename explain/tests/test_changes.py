"""What an upgrade changes for code: the names are those that the book finds in cells, only what is fresh speaks."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import playwright
import pytest
from verbatim import build as stages
from verbatim.book.gather import Options, gather
from verbatim.lists import names as listed
from verbatim.memo import Memo
from verbatim.project import Project
from verbatim.run import names as engine
from verbatim.site.downloads import upgrades
from verbatim.site.downloads.differences import BREAKING_KINDS, DIFFERENCE_KINDS, MESSAGE_KINDS, MOST_LINES
from verbatim.words import UPGRADE

from pytorch_verbatim import changes, names

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def book():
    project = Project(ROOT)
    memo = Memo(project.cache)
    made = gather(project, options=Options(memo=memo, run=()))
    memo.close()
    return made


def prints(
    releases: str, text: str, *, absent: bool = False, deprecates: tuple[str, ...] = (), removes: tuple[str, ...] = ()
) -> dict:
    messages = [line for line in text.splitlines() if "Error: " in line or "Warning: " in line]
    return {
        "releases": releases.split(),
        "absent": absent,
        "text": text,
        "messages": messages,
        "raises": "Error: " in text,
        "deprecates": list(deprecates),
        "removes": list(removes),
    }


@pytest.fixture
def small(tmp_path, site_packages, monkeypatch):
    """Data of three releases, for the command as for this process."""

    def cell(name: str, *printed: dict, settles: tuple[str, ...] = ()) -> dict:
        places = {"zh": [f"a/{name}/#s", "题\n节"], "en": [f"en/a/{name}/#s", "Title\nSection"]}
        told = upgrades.steps([*printed], releases)
        return {"names": [f"torch.{name}"], "places": places, "settles": list(settles), **told}

    all_names = ("svd", "load", "qr", "chunk", "sum", "vmap", "gone", "eig", "ger")
    releases = ["1.13.1", "2.4.1", "2.13.0"]
    made = {
        "releases": releases,
        "kinds": DIFFERENCE_KINDS,
        "breaks": BREAKING_KINDS,
        "told": MESSAGE_KINDS,
        "most": MOST_LINES,
        "words": {language: UPGRADE[language] for language in ("zh", "en")},
        "moved": {},
        "names": {f"torch.{name}": [] for name in all_names} | {"torch.vmap": ["1.13.1"], "torch.gone": ["2.13.0"]},
        "cells": [
            cell("svd", prints("1.13.1", "1"), prints("2.4.1 2.13.0", "SomeWarning: old", deprecates=("torch.svd",))),
            cell(
                "load",
                prints("1.13.1 2.4.1", "loaded\nsame"),
                prints("2.13.0", "UnpicklingError: no\nsame"),
                settles=("weights_only",),
            ),
            cell("qr", prints("1.13.1", "1"), prints("2.13.0", "2")),  # stale with 2.4.1
            cell("qr", prints("1.13.1", "3"), prints("2.13.0", "4")),
            cell("chunk", prints("1.13.1", "tensor(1)"), prints("2.13.0", "AError: lacks", absent=True)),
            cell("eig", prints("2.13.0", "AError: use another", removes=("torch.eig",))),  # stale in all others
            cell("ger", prints("2.13.0", "SomeWarning: ger", deprecates=("torch.ger",))),
        ],
    }
    path = tmp_path / "changes.json"
    path.write_text(json.dumps(made))
    monkeypatch.setattr(changes, "FILE", str(path))
    changes.recorded.cache_clear()
    yield made
    changes.recorded.cache_clear()


def told(capsys, *arguments: str) -> tuple[int, str, str]:
    from pytorch_verbatim.__main__ import main

    try:
        code = main(["changes", *arguments])
    except SystemExit as error:
        code = error.code
    done = capsys.readouterr()
    return code, done.out, done.err


def test_names_are_those_that_the_book_finds(book):
    for script in book.scripts.values():
        written = engine.read(script)
        mine = names.read("\n".join(cell.source for cell in script.cells))
        assert mine.imported == written.imported, script.path
        assert set(mine.paths) == {path for cell in written.cells.values() for path in cell.paths}, script.path


def test_local_names_are_not_imported_ones():
    source = "import torch.nn as nn\nfrom torch import *\ndef f(nn):\n    nn.Linear\nx.sum()\nnn.Module.apply\n"
    known = {"torch.nn.Linear", "torch.nn.Module", "torch.nn.Module.apply"}
    assert names.used(source, known) == (
        {"torch.nn.Module": [names.Use(6)], "torch.nn.Module.apply": [names.Use(6)]},
        set(),
    )


def test_what_is_given_where_a_name_is_used():
    source = """import torch
torch.load("a", weights_only=True, **more)
class Own(torch.Tensor):
    def size(self, dim=torch.load):
        return torch.load("b")
isinstance(x, (int, torch.Tensor))
"""
    assert names.used(source, {"torch.load", "torch.Tensor"})[0] == {
        "torch.load": [names.Use(2, frozenset({"weights_only"})), names.Use(4), names.Use(5)],
        "torch.Tensor": [names.Use(3, frozenset({"size"})), names.Use(6, None)],
    }


@pytest.mark.parametrize(("asked", "before", "after"), [("2.4", "2.4.1", "2.4.1"), ("2.5.1", "2.4.1", "2.13.0")])
def test_the_nearest_recorded_release(small, asked, before, after):
    assert (changes.nearest(asked), changes.nearest(asked, after=True)) == (before, after)
    assert changes.nearest("1.12") is None and changes.nearest("3", after=True) is None


def test_what_breaks_comes_first_with_both_outputs(small, capsys, tmp_path):
    code = tmp_path / "src/model.py"
    code.parent.mkdir()
    code.write_text("import torch\ntorch.svd\ntorch.load\ntorch.qr\ntorch.chunk\ntorch.vmap\ntorch.gone\n")
    (tmp_path / "src/broken.py").write_text("print 1\n")
    status, out, err = told(capsys, "--from", "1.13", "--to", "2.13", str(code.parent))
    assert status == 1 and "broken.py: not read" in err
    heads = [line.rpartition(" ")[2] for line in out.splitlines() if line.startswith(tuple("mnad")) and ": " in line]
    assert heads[:4] == ["torch.gone", "torch.chunk", "torch.load", "torch.svd"]
    assert "    -loaded\n    +UnpicklingError: no\n" in out and "model.py:3" in out and "/en/a/load/#s" in out
    assert out.splitlines()[-1].endswith("6 differ, 3 may break")
    assert "    -1\n    +2\n    -3\n    +4\n" in out and out.count("another output") == 1  # two cells of one section


def test_a_call_that_passes_what_the_message_asks_for_is_not_told(small, capsys, tmp_path):
    code = tmp_path / "model.py"
    code.write_text("import torch, inspect\ntorch.load(a, weights_only=True); inspect.signature(torch.load)\n")
    assert "0 differ" in told(capsys, "--from", "2.4", "--to", "2.13", str(code))[1]
    code.write_text(code.read_text() + "torch.load(a); torch.load(b, weights_only=True)\n")
    status, out, _ = told(capsys, "--from", "2.4", "--to", "2.13", str(code))
    assert status == 1 and "model.py:3\n" in out and "model.py:2" not in out


def test_only_what_is_fresh_in_both_releases_speaks(small, capsys, tmp_path):
    code = tmp_path / "model.py"
    code.write_text("import torch\ntorch.qr\ntorch.svd\n")
    status, out, _ = told(capsys, "--from", "2.4", "--to", "2.13", str(code))
    assert status == 0 and "torch.qr" not in out and "1 differ, 0 may break" in out
    assert out.startswith("deprecated: torch.svd\n") and "     SomeWarning: old\n" in out  # as it was before


def test_what_is_gone_or_deprecated_is_told_although_the_older_release_is_not_recorded(small, capsys, tmp_path):
    code = tmp_path / "model.py"
    code.write_text("import torch\ntorch.eig\ntorch.ger\n")
    status, out, _ = told(capsys, "--from", "1.13", "--to", "2.13", str(code))
    assert status == 1 and "no longer there: torch.eig\n" in out and "     AError: use another\n" in out
    assert "deprecated: torch.ger\n" in out and "2 differ, 1 may break" in out
    assert "0 differ" in told(capsys, "--from", "1.13", "--to", "2.4", str(code))[1]  # nothing is known of that


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--from", "2.13", "--to", "2.4", "."], "not older"),
        (["--from", "x", "--to", "2.4", "."], "recorded are 1.13.1, 2.4.1, 2.13.0"),
        (["--from", "0.4", "--to", "2.4", "."], "nothing is known of torch 0.4"),
        (["--from", "1.13", "--to", "2.4", "nowhere"], "there is no nowhere"),
    ],
)
def test_wrong_arguments(small, capsys, arguments, says):
    status, _, err = told(capsys, *arguments)
    assert status == 2 and says in err


def test_a_cell_speaks_for_the_names_that_differ():
    place = SimpleNamespace(heading="A heading", page=SimpleNamespace(headings=[], name="a.md"))
    printed = [{"text": "same tensor\nsvd is old", "messages": []}, {"text": "same tensor", "messages": []}]
    assert upgrades.speaks_for(("torch.svd", "torch.tensor"), printed, place, Counter()) == ["torch.svd"]
    used = Counter({"torch.svd": upgrades.RARE_CELLS, "torch.tensor": upgrades.RARE_CELLS + 1})
    other = [{"text": "1", "messages": []}, {"text": "2", "messages": []}]
    assert upgrades.speaks_for(("torch.svd", "torch.tensor"), other, place, used) == ["torch.svd"]


def test_a_cell_speaks_for_what_a_message_quotes_however_common_it_is():
    place = SimpleNamespace(heading="A heading", page=SimpleNamespace(headings=[], name="a.md"))
    printed = [
        {"text": text, "messages": [text]} for text in ("W: You are using `torch.load` with that", "W: torch.tensor(x)")
    ]
    used = Counter({"torch.load": upgrades.COMMON_CELLS + 1, "torch.tensor": upgrades.COMMON_CELLS + 1})
    assert upgrades.speaks_for(("torch.load", "torch.tensor"), printed, place, used) == ["torch.load"]


def test_names_that_a_release_lacks_are_read_from_its_messages():
    texts = ("E: No module named 'torch._six'", "E: module 'torch.nn' has no attribute 'relu'")
    assert upgrades.lacks([*texts, "E: cannot import name 'a' from 'torch.b' (c)", "E: No module named 'x'"]) == [
        "torch._six",
        "torch.nn.relu",
        "torch.b.a",
    ]


def test_what_a_message_asks_for_settles_it_unless_the_cell_gives_it():
    printed = [{"text": "1\nold_name", "messages": []}]
    assert upgrades.settled(printed, "") == []
    printed.append(
        {
            "text": "E: in `torch.load`, set `weights_only=True`, define __iter__, no add_safe_globals()",
            "messages": ["E"],
        }
    )
    assert upgrades.settled(printed, "torch.load(a)") == ["__iter__", "weights_only"]
    assert upgrades.settled(printed, "torch.load(a, weights_only=True)") == ["__iter__"]


def test_what_a_function_says_that_is_gone():
    said = (
        "RuntimeError: This function was deprecated since version 1.9 and is now removed.\nL = torch.linalg.eigvalsh(A)"
    )
    assert not upgrades.removes(said, "torch.symeig")
    assert upgrades.removes(f"{said}\nL, _ = torch.symeig(A) should be replaced with", "torch.symeig")
    assert upgrades.removes(f"{said}\n`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`", "torch.lstsq")
    assert not upgrades.removes(
        f"{said}\n`torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`", "torch.linalg.lstsq"
    )


def test_deprecation_is_of_the_name_itself():
    output = {"output_type": "stream", "name": "stderr", "text": "FutureWarning: `torch.svd` is deprecated.\n"}
    assert upgrades.printed((output,), ("torch.svd", "torch.ones"))["deprecates"] == ["torch.svd"]
    assert listed.deprecates("FutureWarning: `torch.svd` is deprecated.", "torch.svd")


# -- what everybody meets, with the book's own data -----------------------------------------------

#: The scripts that show it.
SHOWN = (
    "setup/no-attribute", "setup/old-code", "setup/old-functions", "tensors/save", "tensors/ranges", "arithmetic/stft", "training/resume-errors",
    "compile/export-or-script", "deployment/quantize-now", "deployment/onnx-errors",
)  # fmt: skip


@pytest.fixture(scope="module")
def everywhere(site_packages):
    """Data of the book as far as these scripts make it."""
    project = Project(ROOT)
    memo = Memo(project.cache)
    run = [f"examples/{name}.py" for name in SHOWN]
    made = stages.outline(gather(project, options=Options(memo=memo, run=run)), memo=memo)
    memo.close()
    with pytest.MonkeyPatch.context() as patch:
        path = site_packages / "everywhere.json"
        path.write_text(json.dumps(upgrades.data(made.sources)))
        patch.setattr(changes, "FILE", str(path))
        changes.recorded.cache_clear()
        yield changes.recorded()
    changes.recorded.cache_clear()


#: Code, the older and the newer release, what is told of it; empty where nothing changed between these.
FAMOUS = {
    "load": ("torch.load('a.pt')", "2.4.1", "2.6.0", "new error: torch.load"),
    "load that says it": ("torch.load('a.pt', weights_only=True)", "2.4.1", "2.6.0", ""),
    "stft": ("torch.stft(x, 4)", "1.13.1", "2.13.0", "new error: torch.stft"),
    "_six": ("from torch._six import string_classes", "1.13.1", "2.0.1", "missing: torch._six"),
    "range": ("torch.range(0, 3)", "2.4.1", "2.13.0", "deprecated: torch.range"),
    "cuda.amp": ("torch.cuda.amp.autocast()", "2.2.2", "2.4.1", "new warning: torch.cuda.amp.autocast"),
    "verbose": (
        "torch.optim.lr_scheduler.ReduceLROnPlateau(o, verbose=True)",
        "2.6.0",
        "2.13.0",
        "new error: torch.optim.lr_scheduler.ReduceLROnPlateau",
    ),
    "jit.script": ("torch.jit.script(f)", "2.8.0", "2.13.0", "deprecated: torch.jit.script"),
    "quantize_dynamic": (
        "torch.quantization.quantize_dynamic(f)",
        "2.6.0",
        "2.13.0",
        "new warning: torch.ao.quantization.quantize_dynamic",
    ),
    "onnx.export": ("torch.onnx.export(m, x, 'a')", "2.4.1", "2.13.0", "torch.onnx.export"),
    "symeig": ("torch.symeig(a)", "1.13.1", "2.13.0", "gone: torch.symeig"),
    "lstsq": ("torch.lstsq(a, b)", "1.13.1", "2.13.0", "gone: torch.lstsq"),
    "default type": (
        "torch.set_default_tensor_type(t)",
        "2.0.1",
        "2.13.0",
        "deprecated: torch.set_default_tensor_type",
    ),
    "tanh": ("torch.nn.functional.tanh(x)", "2.0.1", "2.13.0", ""),
    "Variable": ("torch.autograd.Variable(x)", "2.0.1", "2.13.0", ""),
    "get_lr": ("torch.optim.lr_scheduler.StepLR(o, 1).get_lr()", "2.0.1", "2.13.0", ""),
}


@pytest.mark.parametrize("case", FAMOUS)
def test_famous_breaks_are_told(everywhere, case):
    code, old, new, expected = FAMOUS[case]
    known = {**everywhere["names"], "torch.autograd.Variable": []}  # used in scripts that did not run here
    uses, unknown = names.used(f"import torch\n{code}\n", known, everywhere["moved"])
    used = {name: {f"a.py:{one.line}": one.given for one in some} for name, some in uses.items()}
    told = [f"{one.kind}: {', '.join(one.names)}" for one in changes.between(old, new, used, "en")]
    told += [f"unknown: {name}" for name in unknown]
    if expected:
        assert [one for one in told if one.endswith(expected)], told
    else:
        assert not [one for one in told if one.startswith((*BREAKING_KINDS, "unknown"))], told


def test_one_block_a_cause(everywhere):
    uses, _ = names.used("import torch\ntorch.load('a.pt')\n", everywhere["names"])
    used = {name: {"a.py:2": frozenset()} for name in uses}
    found = changes.between("2.4.1", "2.6.0", used, "en")
    gone = [one for one in found if one.kind == "message gone"]
    assert len(gone) == 1 and gone[0].places > 1
    assert len(found) <= 6


def test_names_that_the_book_does_not_know_are_counted(small, capsys, tmp_path):
    code = tmp_path / "model.py"
    code.write_text("import torch\nimport torch.nn as nn\ntorch.symeig(a)\nnn.Odd()\ntorch.qr\n")
    out = told(capsys, "--from", "2.4", "--to", "2.13", str(code))[1]
    assert out.splitlines()[-1].endswith("2 more names of torch in this code: torch.nn.Odd, torch.symeig")


# -- the site's form ------------------------------------------------------------------------------

#: Code whose names are not easily read without a parser.
TRICKY = """
import torch, torch.nn as nn
from torch.nn import (
    functional as F,  # a remark
    Linear,
)
from torch.utils import data as d; import torch.optim
from . import torch_helpers
text = "torch.load('x') is in a string"; also = f"{torch.load('x', weights_only=True)!r:>{torch.get_num_threads()}} {{torch.no}}"
long = f\'\'\'
{torch.save(x, "it's")}\'\'\'
def f(nn: torch.Tensor, *torch_args, size=torch.get_num_threads(), **F) -> torch.Tensor:
    F.relu; nn.ReLU
    g = lambda Linear, q=torch.ones: Linear(q)
    return torch.zeros(1, dtype=torch.float32) if x else [Linear(y) for y in nn]
class Own(d.Dataset, torch.Tensor, metaclass=torch.Odd):
    async def size(self): return torch.size
    def other(self):
        def inner(): pass
        torch = 1
        return torch.load
    class Nested:
        def deep(self): pass
isinstance(x, (int, torch.Tensor)); isinstance(x, torch.Tensor | None); issubclass(torch.Tensor, torch.nn.Module)
inspect.signature(torch.load); torch.load(torch=1, file=torch.save)
x[torch.tensor(1)] = torch.tensor \\
    (2, requires_grad=True)
@torch.no_grad()
def h(): return {k: torch.cat for k, torch.cat_ in torch.stack(k)}
try: pass
except torch.cuda.OutOfMemoryError as torch: pass
with torch.device("cpu") as nn, open(torch.load): print(1.0, 1., .5, torch.ones)
while (n := torch.arange(3)): n += torch.sum; global_ = F.relu
"""


def by_site(site_given: dict) -> list:
    node = Path(playwright.__file__).parent / "driver/node"
    command = [node, Path(__file__).with_name("upgrade.mjs"), ROOT / "docs/assets/changes"]
    done = subprocess.run(command, input=json.dumps(site_given).encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def plain(source: str, known: set[str]) -> dict:
    """What the package reads in code, as the site's script tells it."""
    uses, unknown = names.used(source, known, upgrades.MOVED_MODULES)
    found: dict[str, list] = {}
    for name, places in merged(uses).items():
        found[name] = [[line, given if given is None else sorted(given)] for line, given in places.items()]
    return {"used": found, "unknown": sorted(unknown)}


def merged(uses: dict[str, list[names.Use]]) -> dict[str, dict[int, frozenset[str] | None]]:
    """Name → line → what all uses in it give."""
    found: dict[str, dict[int, frozenset[str] | None]] = {}
    for name, some in uses.items():
        lines = found.setdefault(name, {})
        for use in some:
            before = lines.get(use.line)
            lines[use.line] = use.given if before is None else before if use.given is None else before & use.given
    return found


def test_the_site_reads_the_same_names(book):
    texts = ["\n".join(cell.source for cell in script.cells) for script in book.scripts.values()]
    texts += [
        TRICKY,
        *TRICKY.splitlines(keepends=True)[-6:-3],
        "",
        "import torch",
        "import torch\n\ttorch.load\n  torch.save",
    ]
    sources = []
    for text in texts:
        with contextlib.suppress(SyntaxError):
            names.read(text)
            sources.append(text)
    written = [names.read(text) for text in sources]
    paths = {".".join([one.imported[p[0]], *p[1:]]) for one in written for p in one.paths if p[0] in one.imported}
    known = {name for number, name in enumerate(sorted(paths)) if number % 7 and name.startswith("torch.")}
    theirs = by_site({"known": sorted(known), "moved": upgrades.MOVED_MODULES, "sources": sources})
    for source, found in zip(sources, theirs, strict=True):
        assert found == plain(source, known), source[:300]


def test_the_site_reads_on_where_python_does_not():
    broken = [
        "def f(:\n  torch",
        "import torch\n)))torch.load(",
        "'" * 1001,
        'f"{' * 500,
        "(" * 3000,
        "lambda " * 300,
        "class (torch",
    ]
    assert len(by_site({"known": [], "moved": {}, "sources": broken})) == len(broken)


def test_the_site_tells_the_same(everywhere):
    cases, expected = [], []
    for code, old, new, _ in FAMOUS.values():
        source = f"import torch\n{code}\n"
        uses, _ = names.used(source, everywhere["names"], everywhere["moved"])
        cases.append([old, new, source])
        expected.append([list(one) for one in changes.between(old, new, merged(uses), "en")])
    data = upgrades.of_language(everywhere, "en")
    theirs = by_site({"data": data, "cases": cases})
    assert json.loads(json.dumps(expected)) == [[[*one.values()] for one in found] for found in theirs]
    assert sum(map(len, expected)) > 10

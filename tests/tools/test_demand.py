"""Counting the names that code uses (`scripts.benchmarks.demand`)."""

from __future__ import annotations

from types import ModuleType

import pytest

CODE = """
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader as Loader
from torch import optim

layer = nn.Linear(2, 3)
loss = torch.sum(layer(x)) + x.mean() + np.median(x) + "a,b".split(",") + other.sort(x)
loss.backward()
optim.SGD(layer.parameters(), lr=0.1).step()
torch.ops.nobody.registered(Loader)
torch._private(torch.nn)
"""


@pytest.fixture(scope="module")
def count() -> ModuleType:
    """What is tested. It imports PyTorch, so whoever only collects these tests does not import it."""
    from scripts.benchmarks.demand import count

    return count


def test_functions_and_methods_count_by_their_last_part(count):
    found = count.names([CODE])
    assert found == {"Linear", "sum", "mean", "backward", "SGD", "parameters", "step", "DataLoader"}


def test_what_only_looks_like_it_does_not_count(count):
    assert count.names(["import numpy as torch\ntorch.sum(x)", "def broken(", "x.split(',')"]) == set()


def test_a_later_piece_knows_the_imports_above_it(count):
    assert count.names(["from torch import nn as layers", "layers.Linear(1, 1)"]) == {"Linear"}


def test_python_in_fences_is_read(count, tmp_path):
    (tmp_path / "a.py").write_text("import torch\ntorch.zeros(2)\n")
    (tmp_path / "b.md").write_text(
        "Text\n\n```{.python .input}\n%%tab pytorch\ntorch.ones(2).cumsum(0)\n```\n\n```sh\nls\n```\n"
    )
    (tmp_path / "c.py").write_text("print(1)\n")
    assert count.uses(tmp_path) == [{"zeros"}, {"ones", "cumsum"}]


def test_each_code_base_weighs_the_same(count):
    ranked = count.rank({"large": [{"a"}] * 10 + [{"b"}] * 10, "small": [{"b"}]})
    assert [(item.name, item.share) for item in ranked] == [("b", 0.75), ("a", 0.25)]
    assert ranked[0].files == {"large": 10, "small": 1}

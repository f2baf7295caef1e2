"""The names that a script's own lines use, seen in the run."""

from __future__ import annotations

import re

import pytest

from tests.conftest import printed_text
from verbatim.run import names
from verbatim.run.script import parse


def used(result, cell="only") -> set[str]:
    assert not result.problems, result.problems
    return set(result.cell(cell).names)


def test_paths_are_looked_up_among_the_scripts_objects(run_script):
    result = run_script("""
        import torch
        import torch.nn.functional as F
        from torch import nn
        from torch.utils.data import DataLoader

        layer = nn.Linear(2, 1)
        print(F.relu(torch.cat([torch.zeros(1)])), DataLoader, torch.float64, layer.weight.grad)
    """)
    assert used(result) == {
        "torch.Tensor.grad",
        "torch.cat",
        "torch.float64",
        "torch.nn.Linear",
        "torch.nn.functional.relu",
        "torch.utils.data.DataLoader",
        "torch.zeros",
    }


def test_methods_of_passing_values_and_inside_functions_are_seen(run_script):
    result = run_script("""
        import torch

        def centred(values):
            return values.sub(values.mean())

        (centred(torch.arange(3.0)) * 2).square().sum().item()
    """)
    assert used(result) >= {f"torch.Tensor.{name}" for name in ("sub", "mean", "square", "sum", "item")}


@pytest.mark.parametrize(
    ("code", "watched"),
    [
        ("x = torch.ones(2)\nx.sum()", True),
        ("', '.join(['a'])\nf'{1}'.strip()", False),
        ("for x in torch.ones(2):\n    x.sum()", True),
        ("x = torch.ones(2)\nx.mean().item()", True),
        ("x = torch.ones(2)\ndef twice(x):\n    return x.mul(2)\ntwice(x)", True),
        ("x = torch.ones(2)\ndef total():\n    return x.sum()\ntotal()", True),
    ],
)
def test_calls_are_watched_only_where_the_text_calls_a_method(run_script, code, watched):
    result = run_script(f"import sys\nimport torch\nprint(sys.getprofile() is not None)\n{code}")
    assert printed_text(result) == f"{watched}\n"
    methods = {"sum", "item", "mean"} & set(re.findall(r"\w+", code))
    functions = {"torch.ones"} if "ones" in code else set()
    assert used(result) >= functions | {f"torch.Tensor.{name}" for name in methods}


def test_a_variable_of_an_earlier_cell_that_is_bound_again(run_script):
    result = run_script("""
        # %% above
        import torch

        x = torch.ones(2)
        # %% below
        print(x.sum())
        x = "text"
        # %% last
        print(x.upper())
    """)
    assert used(result, "below") == {"torch.Tensor.sum"}
    assert used(result, "last") == set()


def test_a_class_is_watched(run_script):
    result = run_script("""
        # %% above
        import torch

        Buffer = torch.nn.Buffer if hasattr(torch.nn, "Buffer") else torch.nn.Parameter
        Square = type("Square", (torch.autograd.Function,), {
            "forward": staticmethod(lambda ctx, x: x * x), "backward": staticmethod(lambda ctx, g: g),
        })
        # %% below
        print(Square.apply(torch.ones(1)))
    """)
    assert used(result, "below") == {"torch.autograd.Function.apply", "torch.ones"}


def test_an_expression_that_is_nested_too_deeply_lists_no_path():
    script = parse(f'"""T."""\n\n# %% a\nx = {" + ".join(["1"] * 1500)}\n', "examples/a.py")
    assert names.read(script).cells["a"].paths == ()


def test_names_used_only_inside_pytorch_are_not_listed(run_script):
    # Printing a tensor calls isfinite, abs, max, ceil and more; the optimizer's step calls no_grad, add_ and zeros_like.
    result = run_script("""
        import torch

        weight = torch.ones(2, requires_grad=True)
        optimizer = torch.optim.Adam([weight], lr=0.1)
        weight.sum().backward()
        optimizer.step()
        print(weight)
    """)
    assert used(result) == {
        "torch.Tensor.backward",
        "torch.Tensor.sum",
        "torch.ones",
        "torch.optim.Adam",
        "torch.optim.Adam.step",
    }


def test_what_an_import_calls_does_not_use_up_the_patience(run_script, write):
    # The module's body makes more calls than a cell may before its methods are no longer looked for.
    write("examples/topic/busy.py", "def idle(): pass\nfor _ in range(5000): idle()\n")
    result = run_script("""
        import busy
        import torch

        torch.ones(2).sum()
    """)
    assert "torch.Tensor.sum" in used(result)


def test_methods_of_modules_are_named_by_the_class_that_has_them(run_script):
    result = run_script("""
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(2, 1))

            def own(self):
                return 1

        net = Net()
        net.own()
        list(net.parameters())
        net.layers[0].state_dict()
    """)
    names = used(result)
    assert {"torch.nn.Module", "torch.nn.Module.parameters", "torch.nn.Module.state_dict"} <= names
    assert not any("own" in name for name in names)


def test_what_is_not_pytorchs_is_not_listed(run_script):
    result = run_script("""
        import numpy as np

        class Box:
            def sum(self):
                return 1

        items = []
        items.append(Box().sum())
        "a".join(["b"])
        np.zeros(2).sum()
    """)
    assert used(result) == set()


def test_a_local_name_does_not_stand_for_a_global_one(run_script):
    result = run_script("""
        import torch

        x = torch.ones(1)

        def f(x):
            return x.shape

        f([1]) if False else None
    """)
    assert used(result) == {"torch.ones"}


def test_a_call_counts_for_the_cell_in_which_it_stands(run_script):
    result = run_script("""
        # %% define
        import torch

        def f(x):
            return x.exp()

        # %% call
        y = f(torch.ones(1))
    """)
    assert used(result, "define") == {"torch.Tensor.exp"}
    assert used(result, "call") == {"torch.ones"}


def test_looking_runs_no_code_of_the_script(run_script):
    result = run_script("""
        import torch

        class Loud:
            @property
            def value(self):
                print("read")
                return torch.ones(1)

        loud = Loud()
        lazy = lambda: loud.value.sum()
        leaf = torch.ones(1, requires_grad=True) * 1
        later = lambda: leaf.grad.sum()
    """)
    assert printed_text(result) == ""


def test_a_cell_that_raises_names_what_it_used(run_script):
    result = run_script("""
        # %% only raises="RuntimeError"
        import torch

        torch.ones(2).view(3)
    """)
    assert used(result) == {"torch.Tensor.view", "torch.ones"}


def test_attention_keeps_its_fast_path(run_script):
    # With a TorchFunctionMode active the encoder leaves its fast path, which fills padded places with zeros.
    result = run_script("""
        # %% only warns="UserWarning"
        import torch
        from torch import nn

        torch.manual_seed(0)
        layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
        encoder = nn.TransformerEncoder(layer, 1).eval()
        mask = torch.tensor([[False, False, True], [False, False, False]])
        with torch.no_grad():
            print(encoder(torch.ones(2, 3, 4), src_key_padding_mask=mask)[0, 2])
    """)
    assert "tensor([0., 0., 0., 0.])" in printed_text(result)
    assert "torch.nn.TransformerEncoder" in used(result)


@pytest.mark.parametrize(
    "code, said",
    [
        ("f = torch.compile(lambda x: x.sin().cos(), backend='eager', fullgraph=True)\nprint(f(x).shape)", "[2]"),
        ("print(torch.func.vmap(torch.func.grad(lambda x: x.sin().sum()))(x).shape)", "[2]"),
        (
            "class M(torch.nn.Module):\n    def forward(self, x):\n        return x.sin()\n"
            "print(torch.export.export(M(), (x,)).module()(x).shape)",
            "[2]",
        ),
        (
            "loader = torch.utils.data.DataLoader([1, 2, 3, 4], num_workers=2)\nprint(len(list(loader)))",
            "4",
        ),
        ("torch.set_default_device('meta')\nprint(torch.ones(2).device.type)", "meta"),
    ],
    ids=["compile", "func", "export", "workers", "default-device"],
)
def test_what_traces_or_starts_processes_works(run_script, code, said):
    result = run_script(f"import torch\nx = torch.ones(2)\n{code}\n")
    assert not result.problems, result.problems
    assert said in printed_text(result)


def test_a_warning_is_given_as_often_as_without_a_look(run_script):
    result = run_script("""
        # %% first warns="UserWarning"
        import torch

        y = torch.ones(1, requires_grad=True) * 1
        y.grad

        # %% second warns="UserWarning"
        y.grad
    """)
    assert not result.problems, result.problems


def test_summaries_are_the_docstrings_first_sentences(run_script):
    result = run_script("""
        import torch

        layer = torch.nn.Linear(1, 1)
        torch.cat([torch.ones(1)]).sum()
    """)
    assert result.summaries["torch.cat"].startswith("Concatenates the given sequence of tensors")
    assert result.summaries["torch.nn.Linear"].startswith("Applies an affine linear transformation")
    assert result.summaries["torch.Tensor.sum"] == "Returns the sum of all elements in the input tensor."
    assert not any(":math:" in text or "`" in text for text in result.summaries.values())

"""Functions that pages offer to copy are called again, with other inputs."""

from __future__ import annotations

import pytest

from scripts import try_functions

SCRIPT = '''"""T."""

# %% functions
import torch
from torch import nn

scale = torch.ones(3)


def sound(x):
    return (x * 2).sum(dim=1)


def squeezed(x):
    return x.squeeze().relu()


def ones_on_cpu(x):
    return x @ torch.ones(3, 2)


def halves(x):
    return x.exp().log() if x.max() < 20 else x


def divides(x):
    return x.sum() / (1 // len(x) + len(x) // 1) * (1 / len(x))


def views(x):
    return x.view(-1)


def scaled(x):
    return (x * scale).to(scale.dtype)


def average(x):
    return x.mean()


def zeros(count):
    return torch.zeros(count, device="cpu")


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.shift = torch.zeros(3)

    def forward(self, x):
        return x @ self.weight[:, None] + self.shift[:1]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.detach().float() ** 2

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.saved_tensors[0] * grad


def fails(x):
    raise ValueError(x)


def never(x):
    return x


def draws(x):
    return x + torch.rand_like(x)


def on_meta(x):
    return x.to("meta")


def draws_figure(x):
    import matplotlib.pyplot as plt

    plt.figure().gca().plot(x.flatten().tolist())
    return x


x = torch.arange(6.0).view(2, 3) * 3
for function in (sound, squeezed, ones_on_cpu, halves, divides, views, scaled, average, draws, draws_figure, on_meta):
    function(x)
zeros(3)
Layer()(x)
Square.apply(x.clone().requires_grad_())

# %% fails raises="ValueError"
fails(x)

# %% not-shown hidden=true
def hidden(x):
    return x @ torch.ones(3, 2)


hidden(x)
'''


@pytest.fixture
def book(project, write, monkeypatch):
    write("examples/topic/a.py", SCRIPT)
    monkeypatch.chdir(project.root)
    return project


def test_each_is_called_under_every_condition_that_applies(book, capsys):
    assert try_functions.main(["topic/a", "--all"]) == 0
    *lines, counts = capsys.readouterr().out.splitlines()
    told = {}
    for line in lines:
        place, _, happened = line.partition(": ")
        name, _, condition = place.partition(" ")[2].partition(" ")
        told.setdefault(name, {})[condition] = happened

    def of(name, kind="same"):
        return {condition for condition, happened in told[name].items() if happened.partition(":")[0] == kind}

    dtypes = {"float64", "float16", "bfloat16"}
    tensor = {*dtypes, "autocast", "meta", "npu", "batch of 0", "batch of 1", "non-contiguous"}
    assert of("sound") == tensor == of("draws")
    assert told["squeezed"]["batch of 1"] == "wrong: shape [3], was [2, 3]"
    assert of("squeezed") == tensor - {"batch of 1"}
    assert of("ones_on_cpu", "misfit") == {*dtypes, "npu"}
    assert told["halves"]["float16"].startswith("wrong: inf in") and of("halves", "untried") == {"meta", "npu"}
    assert told["divides"]["batch of 0"].startswith("wrong: ZeroDivisionError")
    assert told["views"]["non-contiguous"].startswith("wrong: RuntimeError: view size is not compatible")
    assert of("scaled") | of("scaled", "error") == tensor and "misfit" not in str(told["scaled"])
    assert of("average", "empty mean") == {"batch of 0"}
    assert told["zeros"]["default meta"] == "wrong: a tensor is on cpu"
    assert of("Layer.__init__") == {"default float64", "default bfloat16", "default meta"}
    assert of("Layer.forward", "misfit") == {"meta", "npu"}
    assert of("Layer.forward") >= {"train", "eval", "frozen", "batch of 0", "batch of 1"}
    assert told["Square.forward"]["float16"] == "dtype: float32, not float16"
    assert told["never"] == told["fails"] == {"": "never called with what can be copied"}
    assert of("on_meta") == tensor - {"npu"} and of("draws_figure") == tensor - {"meta", "npu"}
    assert "hidden" not in told
    assert counts.startswith("16 definitions, ") and "14 called again" in counts


def test_only_what_is_suspicious_is_printed(book, capsys):
    assert try_functions.main(["topic/a"]) == 0
    out = capsys.readouterr().out
    assert (
        "squeezed batch of 1: wrong" in out
        and ": same" not in out
        and "never called with what can be copied\n" not in out
    )


def test_a_script_that_ends_is_left_out(book, write, capsys):
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nimport os\n\n\ndef one():\n    return 1\n\n\nos._exit(3)\n')
    assert try_functions.main(["topic/a"]) == 0
    out = capsys.readouterr().out
    assert "examples/topic/a.py: left out: " in out and "1 definitions, 1 left out with their script" in out


def test_problems_of_a_script_are_told(book, write, capsys):
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nprint(\n')
    assert try_functions.main(["topic/a"]) == 1
    assert "examples/topic/a.py:4: syntax error" in capsys.readouterr().err

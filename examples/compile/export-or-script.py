"""torch.export, TorchScript, ONNX: what each makes of a branch, and what is deprecated."""

# %% trace warns="TracerWarning"
import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x * 10


x = torch.ones(2)
traced = torch.jit.trace(Gate(), x)

# %% wrong
print("traced", traced(-x))
print("right ", Gate()(-x))


# %% traced-attribute
class Head(nn.Module):
    decode = True

    def forward(self, x):
        return x.sigmoid() if self.decode else x


head = Head()
traced_head = torch.jit.trace(head, x)
head.decode = traced_head.decode = False
print("Python", head(x), "traced", traced_head(x))

# %% script warns="DeprecationWarning"
import warnings

# Python hides those that come from a library
warnings.simplefilter("default", DeprecationWarning)
scripted = torch.jit.script(Gate())
print(scripted(-x))

# %% quiet hidden=true
import logging

warnings.simplefilter("ignore", DeprecationWarning)
warnings.simplefilter("ignore", FutureWarning)  # from within the ONNX exporter
torch._logging.set_logs(dynamic=logging.CRITICAL)
logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # torchvision is missing, which is not used

# %% export-refuses
from contextlib import redirect_stderr
from io import StringIO

try:
    with redirect_stderr(StringIO()):  # PyTorch also prints the graph so far
        torch.export.export(Gate(), (x,))
except Exception as error:
    print(type(error).__name__)


# %% cond
class CondGate(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x * 10, (x,))


program = torch.export.export(CondGate(), (x,))
print(program.module()(-x))

# %% script-file
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())
scripted.save(folder / "gate.pt")
print(torch.jit.load(folder / "gate.pt")(-x))

# %% onnx needs="onnx"
import onnx
from onnx.reference import ReferenceEvaluator

layer = nn.Sequential(nn.Linear(2, 3), nn.ReLU()).eval()
path = folder / "layer.onnx"
torch.onnx.export(layer, (x[None],), path, dynamo=True, verbose=False)
model = onnx.load(folder / "layer.onnx")
print([node.op_type for node in model.graph.node])
feed = {model.graph.input[0].name: x[None].numpy()}
(out,) = ReferenceEvaluator(model).run(None, feed)
same = torch.allclose(torch.from_numpy(out), layer(x[None]), atol=1e-6)
print("same output:", same)


# %% python-values hidden=true
class Counts(nn.Module):
    calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


counts = torch.export.export(Counts(), (x,)).module()
assert torch.equal(counts(x), x) and torch.equal(counts(x), x)  # without export: x, then 2 * x


class Mode(nn.Module):
    def forward(self, x):
        if self.training:
            return x * 2
        return x * 10


with warnings.catch_warnings():
    warnings.simplefilter("error", torch.jit.TracerWarning)
    mode = torch.jit.trace(Mode(), x)  # no warning for a branch on what is no tensor
assert torch.equal(mode.eval()(x), x * 2)


# %% script-parts
class Counted(nn.Module):
    scale: torch.jit.Final[float]

    def __init__(self):
        super().__init__()
        self.scale = 2.0

    @torch.jit.ignore
    def report(self, x: torch.Tensor) -> None:
        print("in Python:", x.numpy().tolist())  # TorchScript knows no NumPy

    def forward(self, x):
        if torch.jit.is_scripting():
            self.report(x)
        return x * self.scale


print(torch.jit.script(Counted())(x))


# %% trace-number warns="TracerWarning"
def first(x, count):
    return x[: int(count)]


numbers = torch.arange(5)
traced_first = torch.jit.trace(first, (numbers, torch.tensor(2)))
print(traced_first(numbers, torch.tensor(4)))  # still two


# %% trace-mask
def first_by_mask(x, count):
    return x[torch.arange(x.size(0), device=x.device) < count]


traced_first = torch.jit.trace(first_by_mask, (numbers, torch.tensor(2)))
print(traced_first(numbers, torch.tensor(4)))

# %% trace-mask-everywhere hidden=true
for count in range(6):
    for longer in (numbers, torch.arange(8), torch.rand(6, 2)):
        assert torch.equal(traced_first(longer, torch.tensor(count)), longer[:count])


def by_range(x, count):
    for _ in range(count):
        x = x + 1
    return x


ways = {
    by_range: "",
    lambda x, count: [x, x + 1, x + 2][count]: "",
    lambda x, count: x[: count.item()]: "Converting a tensor to a Python number",
    lambda x, count: x * float(count): "Converting a tensor to a Python float",
}
for way, warned in ways.items():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        fixed = torch.jit.trace(way, (numbers, torch.tensor(2)))
    found = [str(one.message) for one in said if "Converting a tensor to a Python" in str(one.message)]
    assert bool(found) is bool(warned) and all(one.startswith(warned) for one in found), found
    assert torch.equal(fixed(numbers, torch.tensor(0)), way(numbers, torch.tensor(2)))


# %% equal-without-warning hidden=true
def equals(x):
    return x * 2 if torch.equal(x, torch.ones(2)) else x * 10


with warnings.catch_warnings():
    warnings.simplefilter("error", torch.jit.TracerWarning)
    fixed = torch.jit.trace(equals, x)  # no warning, although a tensor decides
assert torch.equal(fixed(-x), -2 * x) and torch.equal(equals(-x), -10 * x)

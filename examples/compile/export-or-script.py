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

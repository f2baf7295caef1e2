"""What torch.onnx.export says when it cannot export a model."""

# %% quiet fold=true
import logging
import warnings

import torch

warnings.simplefilter("ignore", FutureWarning)  # from within the ONNX exporter
torch._logging.set_logs(dynamic=logging.CRITICAL)
for name in ("torch.onnx", "onnxscript"):
    logging.getLogger(name).setLevel(logging.CRITICAL)

# %% missing raises="ModuleNotFoundError"
from unittest.mock import patch

from torch import nn

net = nn.Sequential(nn.Linear(4, 3), nn.ReLU()).eval()
example = torch.randn(2, 4)
with patch("sys.path", []):  # as if nothing but torch were installed
    torch.onnx.export(net, (example,), "net.onnx")

# %% branch needs="onnxruntime" raises="torch.onnx._internal.exporter._errors.TorchExportError"
import tempfile
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "net.onnx"


class Gate(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x * 10


with redirect_stderr(StringIO()):  # PyTorch prints the graph so far besides
    torch.onnx.export(Gate().eval(), (example,), path, verbose=False)


# %% cond needs="onnxruntime"
class Gate(nn.Module):
    def forward(self, x):
        twice, tenfold = (lambda x: x * 2), (lambda x: x * 10)
        return torch.cond(x.sum() > 0, twice, tenfold, (x,))


import onnxruntime


def run(path, x):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options)
    (out,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    return torch.from_numpy(out)


torch.onnx.export(Gate().eval(), (example,), path, verbose=False)
for x in (torch.ones(2, 4), -torch.ones(2, 4)):
    print(run(path, x)[0])


# %% unsupported needs="onnxruntime" raises="torch.onnx._internal.exporter._errors.ConversionError"
@torch.library.custom_op("shop::sevenfold", mutates_args=())
def sevenfold(x: torch.Tensor) -> torch.Tensor:
    return 7 * x


sevenfold.register_fake(torch.empty_like)


class Scaled(nn.Module):
    def forward(self, x):
        return sevenfold(x)


torch.onnx.export(Scaled().eval(), (example,), path, verbose=False)

# %% translated needs="onnxruntime"
from onnxscript import opset18 as op


def translated(x):
    return op.Mul(x, op.Constant(value_float=7.0))


table = {torch.ops.shop.sevenfold.default: translated}
names = {"custom_translation_table": table, "verbose": False}
torch.onnx.export(Scaled().eval(), (example,), path, **names)
difference = (run(path, example) - Scaled()(example)).abs().max()
print("difference < 1e-5:", (difference < 1e-5).item())

# %% opset needs="onnxruntime"
import onnx

for wanted in (11, 17, 20):
    torch.onnx.export(net, (example,), path, opset_version=wanted, verbose=False)
    print("wanted", wanted, "written", onnx.load(path).opset_import[0].version)

# %% opset-logged needs="onnxruntime" hidden=true
from unittest import TestCase

with TestCase().assertLogs("onnxscript", "WARNING") as logged:
    torch.onnx.export(net, (example,), path, opset_version=11, verbose=False)
assert any("Failed to convert the model" in line for line in logged.output)

# %% axes needs="onnxruntime" warns="UserWarning"
torch.onnx.export(
    net,
    (example,),
    path,
    input_names=["x"],
    dynamic_axes={"x": {0: "batch"}},
    verbose=False,
)

# %% shapes needs="onnxruntime"
batch = ({0: "batch"},)
torch.onnx.export(net, (example,), path, dynamic_shapes=batch, verbose=False)
print(run(path, torch.randn(7, 4)).shape)

# %% training needs="onnxruntime" warns="UserWarning"
torch.onnx.export(nn.Sequential(nn.Dropout(0.5)), (example,), path, verbose=False)
torch.onnx.export(net, (example,), path, verbose=False)  # in eval mode: no warning


# %% old-exporter raises="torch.onnx.errors.UnsupportedOperatorError" warns="DeprecationWarning"
from io import BytesIO


class Attention(nn.Module):
    def forward(self, x):
        return nn.functional.scaled_dot_product_attention(x, x, x)


words = torch.randn(1, 2, 3, 4)  # (batch, heads, time, features)
old = dict(dynamo=False, verbose=False)  # the exporter before 2.9
torch.onnx.export(Attention(), (words,), BytesIO(), opset_version=13, **old)

# %% old-exporter-newer-opset hidden=true
from torch.onnx.errors import OnnxExporterError

warnings.simplefilter("ignore", DeprecationWarning)  # shown above
try:
    torch.onnx.export(Attention(), (words,), BytesIO(), opset_version=17, **old)
except OnnxExporterError as error:  # all operators are translated; the package onnx writes the file
    assert "onnx is not installed" in str(error)

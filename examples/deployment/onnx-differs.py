"""An ONNX file that gives other numbers than the model: each cause, made once."""

# %% quiet fold=true
import logging
import warnings

warnings.simplefilter("ignore")  # both exporters warn of themselves
for name in ("torch.onnx", "onnxscript"):
    logging.getLogger(name).setLevel(logging.CRITICAL)

# %% model
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Dropout(),
    nn.Linear(8, 10),
)
photos = torch.randint(0, 256, (16, 3, 32, 48), dtype=torch.uint8)
images = photos / 255
with torch.no_grad():
    for _ in range(10):
        net(images)  # BatchNorm learns its statistics, as in training
    expected = net.eval()(images)

# %% export needs="onnxruntime"
import tempfile
from pathlib import Path

import onnxruntime

path = Path(tempfile.mkdtemp()) / "net.onnx"
sizes = ({0: "batch", 2: "height", 3: "width"},)
torch.onnx.export(net, (images[:2],), path, dynamic_shapes=sizes, verbose=False)
one_thread = onnxruntime.SessionOptions()
one_thread.intra_op_num_threads = 1


def run(path, x):
    session = onnxruntime.InferenceSession(path, one_thread)
    (out,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    return torch.from_numpy(out)


def compare(name, out, expected):
    error = ((out - expected).norm() / expected.norm()).item()
    shown = "below 0.001" if error < 0.001 else f"{error:.3f}"
    print(f"{name:27} error {shown}")


out = run(path, images)
compare("as it should be", out, expected)

# %% mode needs="onnxruntime"
import copy

trained = copy.deepcopy(net).train()  # a copy: the call changes BatchNorm
with torch.no_grad():
    compare("model in training mode", out, trained(images))
    compare("the same in eval mode", out, trained.eval()(images))

# %% preprocessing needs="onnxruntime"
from torch.nn.functional import interpolate

compare("0 to 255", run(path, photos.float()), expected)
compare("BGR", run(path, images.flip(1)), expected)
compare("height and width swapped", run(path, images.transpose(2, 3)), expected)
small = interpolate(images, (16, 24), mode="bilinear", antialias=True)
other = interpolate(images, (16, 24), mode="bilinear")
with torch.no_grad():
    compare("resized in the same way", run(path, small), net(small))
    compare("resized in another way", run(path, other), net(small))


# %% frozen-size needs="onnxruntime"
class Mean(nn.Module):
    def forward(self, x):
        return x.sum(dim=1) / int(x.shape[1])


long, short = torch.ones(1, 8), torch.ones(1, 4)
axes = dict(input_names=["x"], dynamic_axes={"x": {1: "length"}})
for name, options in {
    "old exporter": dict(dynamo=False, **axes),
    "new exporter": dict(dynamic_shapes=({1: "length"},)),
}.items():
    mean = path.with_name("mean.onnx")
    torch.onnx.export(Mean(), (short,), mean, verbose=False, **options)
    print(f"{name}: mean of 8 ones is {run(mean, long).item()}")


# %% frozen-value needs="onnxruntime"
class Scaled(nn.Module):
    def forward(self, x, scale):
        return x * scale


scaled = path.with_name("scaled.onnx")
torch.onnx.export(Scaled(), (short, 2.0), scaled, verbose=False)
inputs = onnxruntime.InferenceSession(scaled, one_thread).get_inputs()
print("inputs:", [one.name for one in inputs], run(scaled, short))

# %% tolerance needs="onnxruntime"
print("equal:", torch.equal(out, expected))
torch.testing.assert_close(out, expected, rtol=1e-3, atol=1e-5)
same = out.argmax(dim=1) == expected.argmax(dim=1)
print(f"same class: {same.float().mean():.0%}")

# %% two-arguments hidden=true needs="onnxruntime"
both = path.with_name("both.onnx")
torch.onnx.export(Scaled(), (short, torch.tensor(2.0)), both, verbose=False)
session = onnxruntime.InferenceSession(both, one_thread)
assert [one.name for one in session.get_inputs()] == ["x", "scale"]

# %% whole-number hidden=true needs="onnxruntime"
for number, wanted in ((2, ["x", "scale"]), (True, ["x"])):
    shapes = (None, torch.export.Dim.DYNAMIC) if number is not True else None
    torch.onnx.export(Scaled(), (short, number), both, dynamic_shapes=shapes, verbose=False)
    names = [one.name for one in onnxruntime.InferenceSession(both, one_thread).get_inputs()]
    assert names == wanted, names


class Noisy(nn.Module):
    def forward(self, x):
        return x + torch.rand_like(x)


noisy = path.with_name("noisy.onnx")
torch.onnx.export(Noisy(), (short,), noisy, verbose=False)
torch.manual_seed(0)
assert not torch.allclose(run(noisy, short), Noisy()(short))

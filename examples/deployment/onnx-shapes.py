"""An ONNX file whose sizes may vary, compared with the model in ONNX Runtime."""

# %% quiet hidden=true
import logging
import warnings

warnings.simplefilter("ignore", FutureWarning)  # from within the ONNX exporter
logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # torchvision is missing, which is not used

# %% model
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1),
    nn.BatchNorm2d(4),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(4, 3),
).eval()
image = torch.randn(2, 1, 8, 8)  # (batch, channels, height, width)

# %% export needs="onnxruntime"
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())
names = {"input_names": ["image"], "output_names": ["logits"], "verbose": False}
varying = ({0: "batch", 2: "height", 3: "width"},)  # one entry per input
path = folder / "net.onnx"
torch.onnx.export(net, (image,), path, dynamic_shapes=varying, **names)

# %% compare needs="onnxruntime"
import onnxruntime

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(path, options)
for value in (*session.get_inputs(), *session.get_outputs()):
    print(value.name, value.shape, value.type)

for size in ((1, 1, 8, 8), (5, 1, 9, 12), (64, 1, 32, 32)):
    image = torch.randn(size)
    (logits,) = session.run(None, {"image": image.numpy()})
    difference = (torch.from_numpy(logits) - net(image)).abs().max().item()
    print(size, "->", logits.shape, "difference < 1e-5:", difference < 1e-5)

# %% fixed needs="onnxruntime" raises="onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument"
torch.onnx.export(net, (torch.randn(2, 1, 8, 8),), folder / "fixed.onnx", **names)
fixed = onnxruntime.InferenceSession(folder / "fixed.onnx", options)
print(fixed.get_inputs()[0].shape)
fixed.run(None, {"image": torch.randn(5, 1, 8, 8).numpy()})

# %% double needs="onnxruntime" raises="onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument"
session.run(None, {"image": image.double().numpy()})

# %% float needs="onnxruntime"
(logits,) = session.run(None, {"image": image.double().float().numpy()})
print(logits.dtype)

# %% name needs="onnxruntime" raises="ValueError"
session.run(None, {"x": image.numpy()})

# %% ask-name needs="onnxruntime"
name = session.get_inputs()[0].name
print(name, session.run(None, {name: image.numpy()})[0].shape)

# %% files needs="onnxruntime"
print(sorted(file.name for file in folder.iterdir()))

# %% one-file needs="onnxruntime"
alone = Path(tempfile.mkdtemp())
torch.onnx.export(
    net,
    (image,),
    alone / "net.onnx",
    external_data=False,
    dynamic_shapes=varying,
    **names,
)
print(sorted(file.name for file in alone.iterdir()))


# %% branch-on-one hidden=true
class Branch(nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def forward(self, x):
        return x * 2 if x.shape[0] > self.limit else x * 3


if tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 13):
    dims = ({0: torch.export.Dim("batch")},)
    for limit, raises in ((2, True), (1, False)):
        branch = Branch(limit)
        try:
            program = torch.export.export(branch, (torch.ones(5, 2),), dynamic_shapes=dims)
        except Exception as error:
            assert raises and "Constraints violated" in str(error), error
        else:
            one = torch.ones(1, 2)
            assert not raises and not torch.equal(program.module()(one), branch(one))  # no error

"""TensorBoard: write scalars, images, histograms and the graph; read the files back."""

# %% write needs="tensorboard"
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

runs = Path(tempfile.mkdtemp()) / "runs"
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
inputs = torch.randn(64, 4)
targets = inputs.sum(dim=1, keepdim=True)

with SummaryWriter(runs / "lr=0.1") as writer:
    for step in range(20):
        loss = nn.functional.mse_loss(net(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        writer.add_scalar("loss/train", loss.item(), step)
    for name, parameter in net.named_parameters():
        writer.add_histogram(name, parameter, step)
        if parameter.grad is not None:  # frozen ones have none
            writer.add_histogram(f"grad/{name}", parameter.grad, step)
    images = torch.rand(8, 3, 16, 16)  # (batch, channels, height, width), 0 to 1
    writer.add_images("inputs", images, step)
    writer.add_graph(net, inputs)
(file,) = (runs / "lr=0.1").iterdir()
print("one file:", ".".join(file.name.split(".")[:3]) + ".…")

# %% read needs="tensorboard"
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator(str(runs / "lr=0.1")).Reload()
for kind in ("scalars", "images", "histograms"):
    print(f"{kind:11}{events.Tags()[kind]}")
losses = [event.value for event in events.Scalars("loss/train")]
print("steps:", len(losses), " fell to a tenth:", losses[-1] < losses[0] / 10)

# %% contents needs="tensorboard"
from tensorboard.compat.proto.graph_pb2 import GraphDef

(picture,) = events.Images("inputs")
print(f"image: {picture.width} x {picture.height}")
(histogram,) = events.Histograms("0.weight")
print("histogram of", int(histogram.histogram_value.num), "values")
graph = GraphDef.FromString(events.Graph().SerializeToString())
print("graph:", [node.op for node in graph.node if node.op.startswith("aten")])

# %% more needs="tensorboard"
import matplotlib.pyplot as plt

with SummaryWriter(runs / "more") as writer:
    for step, (train, valid) in enumerate([(1.0, 1.1), (0.5, 0.8), (0.2, 0.9)]):
        writer.add_scalars("loss", {"train": train, "valid": valid}, step)
    figure, ax = plt.subplots()
    ax.imshow(torch.eye(3))  # a confusion matrix, for example
    writer.add_figure("confusion", figure, step)  # closes the figure
    writer.add_hparams({"lr": 0.1, "width": 8}, {"best/valid": 0.8}, run_name=".")
folders = sorted(path.name for path in (runs / "more").iterdir() if path.is_dir())
print("folders:", folders)
tags = EventAccumulator(str(runs / "more")).Reload().Tags()
print("images:", tags["images"], " scalars:", tags["scalars"])

# %% flush needs="tensorboard"
writer = SummaryWriter(runs / "open")
writer.add_scalar("loss", 1.0, 0)
writer.flush()  # else it may take two minutes
log = EventAccumulator(str(runs / "open")).Reload()
print("while the writer is open:", log.Tags()["scalars"])
writer.close()

# %% same-folder needs="tensorboard"
for start in (1.0, 5.0):  # two experiments, one folder
    with SummaryWriter(runs / "same") as writer:
        for step in range(3):
            writer.add_scalar("loss", start - 0.1 * step, step)
log = EventAccumulator(str(runs / "same")).Reload()
print([(event.step, round(event.value, 1)) for event in log.Scalars("loss")])

# %% kept-events hidden=true needs="tensorboard"
with SummaryWriter(runs / "long") as writer:
    for step in range(6):
        writer.add_image("picture", torch.zeros(1, 2, 2), step)
        writer.add_histogram("weight", torch.zeros(3), step)
for guidance, images, histograms in ((None, 4, 1), ({"images": 0, "histograms": 0}, 6, 6)):
    log = EventAccumulator(str(runs / "long"), size_guidance=guidance).Reload()
    assert (len(log.Images("picture")), len(log.Histograms("weight"))) == (images, histograms)
try:
    with SummaryWriter(runs / "frozen") as writer:
        writer.add_histogram("grad", nn.Linear(2, 2).weight.grad, 0)
except NotImplementedError as error:
    assert "NoneType" in str(error)
else:
    raise AssertionError("a histogram of nothing")

# %% without-flush hidden=true needs="tensorboard"
from importlib.util import find_spec

with SummaryWriter(runs / "waiting") as writer:
    for step in range(50):  # the queue holds ten: the others are written
        writer.add_scalar("loss", 1.0, step)
    log = EventAccumulator(str(runs / "waiting")).Reload()
    assert find_spec("tensorflow") or len(log.Scalars("loss")) >= 39

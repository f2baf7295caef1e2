"""How large a model is: parameters, file, memory."""

# %% memory
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Linear(784, 1024),
    nn.BatchNorm1d(1024),
    nn.ReLU(),
    nn.Linear(1024, 1024),
    nn.ReLU(),
    nn.Linear(1024, 10),
).eval()


def size_in_bytes(model):
    """Bytes of all weights and buffers, shared ones counted once."""
    return sum(t.nbytes for t in [*model.parameters(), *model.buffers()])


size = size_in_bytes(net)
print(f"parameters: {sum(p.numel() for p in net.parameters()):,}")
print(f"size: {size:,} bytes = {size / 2**20:.1f} MiB")

# %% dtypes
import copy

for dtype in (torch.float64, torch.float32, torch.bfloat16):
    converted = copy.deepcopy(net).to(dtype)
    print(f"{dtype}: {size_in_bytes(converted) / 2**20:4.1f} MiB")

# %% file
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())


def saved_bytes(contents):
    path = folder / "model.pt"
    torch.save(contents, path)
    return path.stat().st_size


extra = saved_bytes(net.state_dict()) - size
print(f"beyond the tensors: less than 10 kB: {0 < extra < 10_000}")

# %% checkpoint
optimizer = torch.optim.AdamW(net.parameters())
net(torch.randn(8, 784)).sum().backward()
optimizer.step()
states = {"model": net.state_dict(), "optimizer": optimizer.state_dict()}
for name, state in (states | {"both": states}).items():
    print(f"{name:10} {saved_bytes(state) / size:.1f} times the model")

# %% views
last = {"weight": net[3].weight.detach()[:10]}
print(f"tensor {last['weight'].nbytes:,} bytes")
print(f"file > 4,000,000: {saved_bytes(last) > 4_000_000}")
last["weight"] = last["weight"].clone()
print(f"file <    50,000: {saved_bytes(last) < 50_000}, with clone()")

# %% half-file
half = {name: tensor.bfloat16() for name, tensor in net.state_dict().items()}
print(f"file: {saved_bytes(half) / size:.2f} times the model")

loaded = copy.deepcopy(net)
loaded.load_state_dict(torch.load(folder / "model.pt"))
print("loaded:", loaded[0].weight.dtype, f"{size_in_bytes(loaded):,} bytes")

# %% assign
loaded.load_state_dict(torch.load(folder / "model.pt"), assign=True)
print("loaded:", loaded[0].weight.dtype, f"{size_in_bytes(loaded):,} bytes")

# %% someone-elses
torch.save(net.state_dict(), folder / "model.pt")
entries = torch.load(folder / "model.pt", map_location="meta")
print(f"{sum(t.nbytes for t in entries.values()):,} bytes, {len(entries)} tensors")
for name, t in sorted(entries.items(), key=lambda item: -item[1].nbytes)[:2]:
    print(name, tuple(t.shape), t.dtype, t.device)


# %% running
@torch.inference_mode()
def largest_pair(layers, x):
    """Bytes of a layer's input and output, for the layer with the most."""
    largest = 0
    for layer in layers:
        output = layer(x)
        largest = max(largest, x.nbytes + output.nbytes)
        x = output
    return largest


for batch in (1, 64, 4096):
    activations = largest_pair(net, torch.randn(batch, 784))
    print(f"batch {batch:4}: {activations / size:.3f} times the model")

# %% many-tensors hidden=true
deep = nn.Sequential(*(nn.Linear(8, 8) for _ in range(300)))  # 600 tensors
per_tensor = (saved_bytes(deep.state_dict()) - size_in_bytes(deep)) / 600
assert 100 < per_tensor < 1000, per_tensor

# %% not-persistent hidden=true
with_table = nn.Linear(8, 8)
with_table.register_buffer("table", torch.ones(1000, 1000), persistent=False)
assert size_in_bytes(with_table) > 4_000_000  # in memory, and
assert saved_bytes(with_table.state_dict()) < 10_000  # not in the file

# %% counter-cases hidden=true
tied = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100, bias=False))
tied[1].weight = tied[0].weight
assert size_in_bytes(tied) == 100 * 8 * 4
assert saved_bytes(tied.state_dict()) < size_in_bytes(tied) + 10_000
twice = nn.Sequential(net[0], net[0])
assert size_in_bytes(twice) == size_in_bytes(net[0])
for dtype in (torch.float16, torch.float64):
    assert saved_bytes(net.to(dtype).state_dict()) - size_in_bytes(net) < 10_000
net.float()
for name, parameter in net.named_parameters():
    parameter.requires_grad_("bias" in name)  # what is frozen counts, too
assert size_in_bytes(net) == sum(t.nbytes for t in net.state_dict().values())
# parameters() and buffers(), non-persistent ones included; the file leaves these out
net.register_buffer("scratch", torch.zeros(1000), persistent=False)
assert size_in_bytes(net) == sum(t.nbytes for t in net.state_dict().values()) + 4000

# %% whole-numbers hidden=true
positions = torch.arange(512)  # an integer buffer, as of position numbers
assert not torch.equal(positions.bfloat16().long(), positions)
entries = {"positions": positions, "weight": torch.ones(2)}
kept = {name: t.bfloat16() if t.is_floating_point() else t for name, t in entries.items()}
assert torch.equal(kept["positions"], positions) and kept["weight"].dtype == torch.bfloat16


# %% tied-and-halved hidden=true
def tied_net():
    net = nn.Sequential(nn.Embedding(1000, 16), nn.Linear(16, 1000, bias=False))
    net[1].weight = net[0].weight
    net.register_buffer("positions", torch.arange(512))
    return net


tied = tied_net()
whole = saved_bytes(tied.state_dict())
assert saved_bytes({name: tensor.bfloat16() for name, tensor in tied.state_dict().items()}) > 0.9 * whole
halved = copy.deepcopy(tied).bfloat16().state_dict()
assert saved_bytes(halved) < 0.6 * whole
assert torch.equal(halved["positions"], torch.arange(512))

import inspect

if "assign" in inspect.signature(nn.Module.load_state_dict).parameters:  # since 2.1
    early = torch.optim.SGD(tied.parameters(), lr=0.1)
    tied.load_state_dict(halved, assign=True)
    assert tied[0].weight.dtype == torch.bfloat16
    assert tied[1].weight is not tied[0].weight and len(list(tied.parameters())) == 2
    tied[1].weight = tied[0].weight
    assert len(list(tied.parameters())) == 1
    tied(torch.arange(8)).sum().backward()
    for optimizer, moves in ((early, False), (torch.optim.SGD(tied.parameters(), lr=0.1), True)):
        before = tied[0].weight.detach().clone()
        optimizer.step()
        assert torch.equal(tied[0].weight, before) is not moves

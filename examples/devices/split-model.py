"""A model split over two devices by hand. Here: the CPU and `meta`, which has shapes and no values."""

# %% split
import torch
from torch import nn


class TwoDevices(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.first, self.second = torch.device(first), torch.device(second)
        self.body = nn.Sequential(nn.Linear(8, 64), nn.ReLU()).to(self.first)
        self.head = nn.Linear(64, 3).to(self.second)

    def forward(self, inputs):
        hidden = self.body(inputs.to(self.first))
        return self.head(hidden.to(self.second))


net = TwoDevices("cpu", "meta")  # with two GPUs: "cuda:0", "cuda:1"
inputs = torch.randn(4, 8)
logits = net(inputs)
print(logits.device, tuple(logits.shape))
for name, parameter in net.named_parameters():
    print(f"{name:14} {parameter.device}")

# %% not-moved raises="RuntimeError"
hidden = net.body(inputs)
net.head(hidden)

# %% moved
print(tuple(net.head(hidden.to(net.second)).shape))

# %% unchecked hidden=true
silent = torch.nn.functional.linear(torch.randn(2, 8), torch.empty(3, 8, device="meta"))
assert silent.device.type == "cpu"

# %% labels raises="RuntimeError"
labels = torch.tensor([0, 2, 1, 0])
nn.functional.cross_entropy(logits, labels)

# %% labels-moved
loss = nn.functional.cross_entropy(logits, labels.to(logits.device))
print(loss.device)


# %% hooks
def to_device_of_weights(layer, args):
    device = next(layer.parameters()).device
    return tuple(x.to(device) if torch.is_tensor(x) else x for x in args)


layers = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 3))
layers[1:].to("meta")
for layer in layers:
    if list(layer.parameters()):  # a ReLU has none
        layer.register_forward_pre_hook(to_device_of_weights)
print(layers(inputs).device)

# %% other-arguments hidden=true
attention = nn.MultiheadAttention(4, 2)
attention.register_forward_pre_hook(to_device_of_weights)
x = torch.ones(1, 1, 4)
assert attention(x, x, x, None)[0].shape == (1, 1, 4)

# %% training
torch.manual_seed(0)
inputs = torch.randn(4, 8)
net = TwoDevices("cpu", "cpu")  # values: on two GPUs the same lines
whole = nn.Sequential(*net.body, net.head)
weight = net.body[0].weight
for name, model in (("split", net), ("whole", whole)):
    (gradient,) = torch.autograd.grad(model(inputs).square().sum(), weight)
    print(f"{name} gradient {gradient.norm():.4f}")

optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # one for both devices
before = nn.functional.cross_entropy(net(inputs), labels)
for _ in range(200):
    loss = nn.functional.cross_entropy(net(inputs), labels.to(net.second))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss below a tenth of {before:.2f}:", bool(loss < before / 10))

# %% gpu needs="cuda"
torch.manual_seed(0)
net = TwoDevices("cpu", "cuda")
loss = nn.functional.cross_entropy(net(inputs), labels.to(net.second))
loss.backward()
for name, parameter in net.named_parameters():
    print(f"{name:14} {parameter.device}, gradient {parameter.grad.device}")

# %% to-undoes
net = TwoDevices("cpu", "meta")
net.to("meta")
print({str(parameter.device) for parameter in net.parameters()})

# %% where-to-cut
widths = (512, 1024, 1024, 1024, 4096)
pairs = zip(widths, widths[1:])
blocks = [nn.Linear(*pair, device="meta") for pair in pairs]
sizes = torch.tensor([block.weight.nbytes + block.bias.nbytes for block in blocks])
for last, share in enumerate(sizes.cumsum(0) / sizes.sum()):
    print(f"blocks 0 to {last}: {share:.0%} of the weights")


# %% device-map
def place(blocks, room):
    """Give each block the first device that still has room, in order."""
    devices = iter(room)
    device = next(devices)
    free = room[device]
    placed = []
    for block in blocks:
        size = sum(parameter.nbytes for parameter in block.parameters())
        while size > free:
            device = next(devices)  # and never back to an earlier one
            free = room[device]
        free -= size
        placed.append(device)
    return placed


for gpus in ({"cuda:0": 8 << 20, "cuda:1": 8 << 20}, {"cuda:0": 8 << 20}):
    print(place(blocks, gpus | {"main memory": 1 << 40}))

# %% offloaded
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 3))
expected = net(inputs)
kept = net[2].state_dict()  # stays in main memory, or on the disk
net[2].to("meta")  # holds no bytes


def fetch(layer, args):
    weights = {name: value.to("cpu") for name, value in kept.items()}  # "cuda:0"
    layer.load_state_dict(weights, assign=True)


def release(layer, args, output):
    layer.to("meta")


net[2].register_forward_pre_hook(fetch)
net[2].register_forward_hook(release)
with torch.no_grad():
    logits = net(inputs)
print("equal:", torch.equal(logits, expected), " then on", net[2].weight.device)

# %% dtype-only hidden=true
kinds = TwoDevices("cpu", "meta").to(torch.bfloat16)
assert {str(parameter.device) for parameter in kinds.parameters()} == {"cpu", "meta"}

# %% placed hidden=true
assert place([nn.Linear(1, 1)], {"a": 8}) == ["a"]  # fits exactly
assert place(blocks, {"a": 1 << 40}) == ["a"] * 4
whole = place([nn.Linear(4, 4), nn.Linear(1, 1)], {"a": 8, "b": 1 << 10})
assert whole == ["b", "b"]  # no later block goes back, though it would fit
net(inputs).sum().backward()
assert net[2].weight.grad is None or net[2].weight.grad.device.type == "meta"  # nothing to train with

# %% lost-buffers hidden=true
import inspect


class Mixes(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8, bias=False)
        self.register_buffer("table", torch.ones(8, 8), persistent=False)

    def forward(self, x):
        return self.layer(x) @ self.table


block = Mixes()
expected = block(inputs)
if "assign" in inspect.signature(nn.Module.load_state_dict).parameters:  # since 2.1
    kept = block.layer.state_dict()
    block.layer.to("meta")
    hooks = block.layer.register_forward_pre_hook(fetch), block.layer.register_forward_hook(release)
    with torch.no_grad():
        for _ in range(2):
            assert torch.equal(block(inputs), expected)
    for hook in hooks:
        hook.remove()
    fetch(block.layer, ())
    kept = block.state_dict()
    assert list(kept) == ["layer.weight"]
    block.to("meta")
    fetch(block, ())
    assert block.layer.weight.device.type == "cpu" and block.table.device.type == "meta"  # lost

# %% on-two-devices hidden=true
net = TwoDevices("cpu", "meta")
whole = nn.Sequential(*net.body, net.head)
for mixes in (lambda: nn.functional.cross_entropy(net(inputs), labels), lambda: whole(inputs)):
    try:
        mixes()
    except RuntimeError:
        pass  # as on two GPUs
    else:
        raise AssertionError("two devices in one operation")
assert nn.functional.cross_entropy(net(inputs), labels.to(net.second)).is_meta

"""Activation checkpointing: keep the inputs of the blocks, compute the rest again."""

# %% model
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(width, 4 * width),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(4 * width, width),
        )
        self.calls = 0

    def forward(self, hidden):
        self.calls += 1
        return hidden + self.layers(hidden)


class Net(nn.Module):
    def __init__(self, depth=8):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(depth))
        self.recompute = False

    def forward(self, hidden):
        for block in self.blocks:
            if self.recompute:
                hidden = checkpoint(block, hidden, use_reentrant=False)
            else:
                hidden = block(hidden)
        return hidden


# %% compare
torch.manual_seed(0)
net = Net()
features = torch.randn(256, 64)  # (sample, feature)
weights = {parameter.data_ptr() for parameter in net.parameters()}


def measure(recompute):
    kept = {}

    def pack(tensor):
        if tensor.data_ptr() not in weights:
            kept[tensor.data_ptr()] = tensor
        return tensor

    net.recompute = recompute
    net.zero_grad()
    for block in net.blocks:
        block.calls = 0
    torch.manual_seed(1)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = net(features).square().mean()
    size = sum(tensor.nbytes for tensor in kept.values()) // 1024
    loss.backward()
    calls = sum(block.calls for block in net.blocks)
    print(f"recompute {recompute!s:5}  kept {size:5} KiB", end="  ")
    print(f"blocks run {calls:2} times")
    return net.blocks[0].layers[0].weight.grad


gradients = [measure(recompute) for recompute in (False, True)]
print("same gradient:", torch.allclose(*gradients))

# %% sequential
from torch.utils.checkpoint import checkpoint_sequential

stack = nn.Sequential(*net.blocks)
for block in stack:
    block.calls = 0
out = checkpoint_sequential(stack, segments=4, input=features, use_reentrant=False)
out.sum().backward()
print([block.calls for block in stack])

# %% counter-cases hidden=true

torch.manual_seed(0)
blocks = [
    (nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Dropout2d(0.3)), (2, 3, 6, 6)),
    (nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.GELU(), nn.Dropout(0.5)), (4, 8)),
    (nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, batch_first=True), (2, 5, 8)),
    (nn.BatchNorm1d(8), (16, 8)),  # its gradients; the statistics are updated twice
]
for one, shape in blocks:
    for dtype in (torch.float32, torch.float64):
        one = one.to(dtype)
        image = torch.randn(shape, dtype=dtype, requires_grad=True)
        found = []
        for call in (one, lambda x: checkpoint(one, x, use_reentrant=False)):
            torch.manual_seed(1)
            found.append(torch.autograd.grad(call(image).square().sum(), [image, *one.parameters()]))
        for plain, again in zip(*found):
            torch.testing.assert_close(plain, again)

# %% changes-with-each-call hidden=true
import copy
import random


class Drawn(nn.Linear):
    def forward(self, hidden):
        return (super().forward(hidden) * random.random()).tanh()


for block in (nn.utils.parametrizations.spectral_norm(nn.Linear(8, 8)), Drawn(8, 8)):
    image, start, found = torch.randn(4, 8), copy.deepcopy(block.state_dict()), []
    for call in (block, lambda x: checkpoint(block, x, use_reentrant=False)):
        block.load_state_dict(start)
        random.seed(0)
        found.append(torch.autograd.grad(call(image).square().sum(), list(block.parameters())))
    assert not all(map(torch.allclose, *found))  # wrong, and no error

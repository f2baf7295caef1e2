"""Sequential(*layers) makes a new container around the same layers."""

# %% shares
import copy

import torch
from torch import nn

old = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
new = nn.Sequential(*old._modules.values())
print("new container:", new is not old)
print("same layers:  ", all(a is b for a, b in zip(new, old)))

# %% zero
nn.init.zeros_(new[0].weight)
print(old[0].weight.detach())

# %% ways
ways = {
    "nn.Sequential(*old)": nn.Sequential(*old),
    "nn.Sequential(*old.children())": nn.Sequential(*old.children()),
    "old[:2]": old[:2],
    "copy.copy(old)": copy.copy(old),
    "copy.deepcopy(old)": copy.deepcopy(old),
}
for code, new in ways.items():
    print(f"{code:30}", "shares" if new[0] is old[0] else "copies")

# %% holders fold=true
import matplotlib.pyplot as plt

containers = {"old": old} | ways
layers = list({id(layer): layer for net in containers.values() for layer in net}.values())

fig, ax = plt.subplots(figsize=(5.6, 2.6))
for row, net in enumerate(containers.values()):
    held = [layers.index(layer) for layer in net]
    ax.plot(held, [row] * len(held), "-o", color="C0" if held[0] == 0 else "C1", markersize=9)
ax.set_yticks(range(len(containers)), list(containers))
ax.set_xticks(range(len(layers)), [type(layer).__name__ for layer in layers])
ax.xaxis.tick_top()
ax.invert_yaxis()
ax.grid(axis="x")
ax.spines[["left", "bottom"]].set_visible(False)
ax.tick_params(length=0)

# %% repeated
same = nn.Sequential(*[nn.Linear(2, 2)] * 3)
three = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])
print(len(same), "layers,", len(list(same.parameters())), "parameters")
print(len(three), "layers,", len(list(three.parameters())), "parameters")

# %% deepcopy-is-independent hidden=true
deep = copy.deepcopy(old)
assert torch.equal(deep[2].weight, old[2].weight)
nn.init.ones_(deep[2].weight)
assert not torch.equal(deep[2].weight, old[2].weight)

# %% counter-cases hidden=true
parts = nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1)
one = nn.Sequential(*parts)
for other in (nn.Sequential(*one), one[1:], one[::2], nn.Sequential(*one.children())):
    assert all(any(layer is part for part in parts) for layer in other)
    assert {id(p) for p in other.parameters()} <= {id(p) for p in one.parameters()}
    assert {id(b) for b in other.buffers()} <= {id(b) for b in one.buffers()}
relu = nn.ReLU()
used_twice = nn.Sequential(nn.Linear(2, 2), relu, nn.Linear(2, 2), relu)
assert len(nn.Sequential(*used_twice.children())) == 3 and len(nn.Sequential(*used_twice)) == 4
original = nn.Sequential(nn.Linear(2, 2))
sliced, shallow = original[:1], copy.copy(original)
sliced[0] = nn.Tanh()
assert isinstance(original[0], nn.Linear)
shallow[0] = nn.Tanh()
assert isinstance(original[0], nn.Tanh)

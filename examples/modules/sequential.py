"""nn.Sequential, ModuleDict, and the names that they give to layers."""

# %% positions
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
print(net[0])
print(net[-1])
print(net[:2])
print(list(net.state_dict()))

# %% names
from collections import OrderedDict

named = nn.Sequential(
    OrderedDict(
        encode=nn.Linear(4, 8),
        act=nn.ReLU(),
        head=nn.Linear(8, 2),
    )
)
print(named.head)
print("named[2] is named.head:", named[2] is named.head)
print(list(named.state_dict()))

# %% edit
net[1] = nn.GELU()
net.append(nn.Softmax(dim=-1))
net.insert(0, nn.Flatten())
print([type(layer).__name__ for layer in net])
print(list(net.state_dict()))

# %% walk
model = nn.ModuleDict({"body": named, "heads": nn.ModuleList([nn.Linear(2, 1)])})
print("children:", [name for name, _ in model.named_children()])
print("modules: ", [name for name, _ in model.named_modules()])

# %% by-name
print(model.get_submodule("body.head"))
modules = model.named_modules()
linears = [name for name, module in modules if isinstance(module, nn.Linear)]
print(linears)

# %% replace-by-name
for name in linears:
    parent, _, child = name.rpartition(".")
    old = model.get_submodule(name)
    new = nn.Linear(old.in_features, old.out_features, bias=False)
    setattr(model.get_submodule(parent), child, new)
print(list(model.state_dict()))

# %% module-dict
activations = nn.ModuleDict({"relu": nn.ReLU(), "gelu": nn.GELU()})
print(activations["relu"](torch.tensor([-1.0, 2.0])))
print("names:", list(activations.keys()))

# %% dot raises="KeyError"
nn.ModuleDict({"layer.1": nn.ReLU()})

# %% taken-name hidden=true raises="KeyError"
nn.ModuleDict({"keys": nn.ReLU()})

# %% two-inputs raises="TypeError"
net(torch.ones(1, 4), torch.ones(1, 4))

# %% shared asks=true
relu = nn.ReLU()
twice = nn.Sequential(nn.Linear(2, 2), relu, nn.Linear(2, 2), relu)
print(len(twice), "layers, listed:", [name for name, _ in twice.named_children()])

# %% shared-name hidden=true
one = nn.Linear(2, 2)
both = nn.Sequential(one, one)
assert [name for name, _ in both.named_modules()] == ["", "0"]
assert [name for name, _ in both.named_modules(remove_duplicate=False)] == ["", "0", "1"]

# %% remedies hidden=true
layers = nn.ModuleDict({"layer_1": nn.Linear(2, 2)})
layers["group"] = nn.ModuleDict({"1": nn.Linear(2, 2)})
assert len(list(layers.parameters())) == 4


class Masked(nn.Module):
    def forward(self, image, mask):
        return image * mask


assert Masked()(torch.ones(1, 4), torch.ones(1, 4)).shape == (1, 4)

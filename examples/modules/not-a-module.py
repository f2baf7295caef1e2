"""Containers take modules: no functions, no classes, no lists, no tensors."""

# %% function raises="TypeError"
import torch
import torch.nn.functional as F
from torch import nn

nn.Sequential(nn.Linear(4, 2), F.relu)

# %% module
net = nn.Sequential(nn.Linear(4, 2), nn.ReLU())
print(tuple(net(torch.zeros(1, 4)).shape))


# %% wrapped
class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return self.factor * x


net = nn.Sequential(nn.Linear(4, 2), Scale(0.5))
print(net)

# %% class raises="TypeError"
nn.Sequential(nn.Linear(4, 2), nn.ReLU)

# %% list raises="TypeError"
layers = [nn.Linear(4, 4) for _ in range(2)]
nn.Sequential(layers)

# %% unpacked
print(nn.Sequential(*layers))

# %% tuple-by-comma raises="TypeError"
hidden = (nn.Linear(4, 4),)  # the comma makes a tuple
nn.ModuleList([hidden])

# %% parameters raises="TypeError"
nn.ModuleList([nn.Parameter(torch.zeros(2)) for _ in range(3)])

# %% parameter-list
scales = nn.ParameterList([nn.Parameter(torch.zeros(2)) for _ in range(3)])
print("trained:", len(list(scales.parameters())), "parameters")

# %% overwritten raises="TypeError"
net = nn.Module()
net.head = nn.Linear(4, 2)
net.head = net.head(torch.zeros(1, 4))  # the layer's name for its output

# %% other-name
scores = net.head(torch.zeros(1, 4))
print(tuple(scores.shape), net.head)

# %% list-inside hidden=true
for inner, runs in ((nn.Sequential(*layers), True), (nn.ModuleList(layers), False)):
    try:
        nn.Sequential(nn.ReLU(), inner)(torch.zeros(1, 4))
    except NotImplementedError as error:
        assert not runs and "ModuleList" in str(error), error
    else:
        assert runs

# %% remedies hidden=true
hidden = nn.Linear(4, 4)  # without the comma
assert len(nn.ModuleList([hidden])) == 1


# %% dictionary hidden=true
from collections import OrderedDict

named = {"first": nn.Linear(4, 4), "second": nn.Linear(4, 4)}
for container, kind in ((nn.Sequential, "dict"), (nn.ModuleList, "str")):
    try:
        container(named)
    except TypeError as error:
        assert str(error) == f"{kind} is not a Module subclass"
    else:
        raise AssertionError(f"{container} takes a dictionary")
assert nn.Sequential(OrderedDict(named)).second is nn.ModuleDict(named)["second"]

# %% constants-become-parameters hidden=true
try:
    nn.ModuleList([torch.ones(2)])  # no parameter, the same words
except TypeError as error:
    assert str(error) == "torch.FloatTensor is not a Module subclass"
else:
    raise AssertionError("a tensor is a module")
for kept in (nn.ParameterList([torch.ones(2)]), nn.ParameterDict({"one": torch.ones(2)})):
    assert [tensor.requires_grad for tensor in kept.parameters()] == [True]


# %% same-words-other-causes hidden=true
class Block:  # inherits nothing
    def forward(self, x):
        return x


for given, named in (
    (Block, "__main__.Block"),
    (Block(), "__main__.Block"),
    (nn.Linear(4, 2)(torch.ones(1, 4)), "torch.FloatTensor"),
):
    try:
        nn.Sequential(given)
    except TypeError as error:
        assert str(error) == f"{named} is not a Module subclass", error
    else:
        raise AssertionError(given)
for given in (nn.Identity, F.relu):
    try:
        net.head = given
    except TypeError as error:
        assert "as child module 'head'" in str(error), error
    else:
        raise AssertionError(given)
net.head = nn.Identity()
try:
    nn.ParameterList([torch.tensor([1])])
except RuntimeError as error:
    assert "floating point" in str(error), error
else:
    raise AssertionError("a parameter of integers")

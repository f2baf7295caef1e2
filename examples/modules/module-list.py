"""Modules in a Python list are invisible; ModuleList registers them."""

# %% stack
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, container):
        super().__init__()
        self.layers = container([nn.Linear(2, 2), nn.Linear(2, 2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


print(Stack(list))
print(Stack(nn.ModuleList))

# %% works-at-first
x = torch.ones(1, 2)
print(Stack(list)(x).shape)

# %% empty raises="ValueError"
torch.optim.SGD(Stack(list).parameters(), lr=0.1)

# %% not-moved raises="RuntimeError"
stack = Stack(list).double()
stack(x.double())

# %% not-on-the-gpu needs="cuda" raises="RuntimeError"
stack = Stack(list).cuda()
stack(x.cuda())

# %% module-list
stack = Stack(nn.ModuleList).double()
print(stack(x.double()).dtype)
print([name for name, _ in stack.named_parameters()])

# %% module-dict
heads = nn.ModuleDict({"cat": nn.Linear(2, 1), "dog": nn.Linear(2, 1)})
print([name for name, _ in heads.named_parameters()])
print(heads["dog"](x).shape)

# %% no-forward raises="NotImplementedError"
nn.ModuleList([nn.Linear(2, 2)])(x)


# %% no-super raises="AttributeError"
class Forgetful(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)


Forgetful()

"""Move first, then require gradients: to() makes a new tensor that is no leaf."""

# %% order
import torch
from torch import nn

late = torch.ones(2).to(torch.float64).requires_grad_()
early = torch.ones(2).requires_grad_().to(torch.float64)
print(late, f"{late.is_leaf=}")
print(early, f"{early.is_leaf=}")

# %% optimizer-takes-leaf
optimizer = torch.optim.SGD([late], lr=0.1)
late.sum().backward()
optimizer.step()
print(late)

# %% optimizer-refuses raises="ValueError"
torch.optim.SGD([early], lr=0.1)

# %% gradient-goes-back
weight = torch.ones(2, requires_grad=True)
moved = weight.to(torch.float64)
(moved * 3).sum().backward()
print(weight.grad, weight.grad.dtype)

# %% nothing-to-do
same = weight.to(torch.float32)
print(f"{same is weight=} {same.is_leaf=}")

# %% other-ways-to-lose-it
results = {
    ".double()": weight.double(),
    '.to("meta")': weight.to("meta"),  # another device
    ".cpu()": weight.cpu(),  # is there already
    "* 0.01": weight * 0.01,
}
for name, tensor in results.items():
    made_by = tensor.grad_fn.name() if tensor.grad_fn else None
    print(f"{name:12} is_leaf={tensor.is_leaf!s:6} grad_fn={made_by}")

# %% all-at-once
weight = torch.ones(2, dtype=torch.float64, device="cpu", requires_grad=True)
print(weight, f"{weight.is_leaf=}")

# %% rescue
leaf = early.detach().requires_grad_()
print(leaf, f"{leaf.is_leaf=}")

# %% module
layer = nn.Linear(2, 1).to(torch.float64)
print(f"{layer.weight.dtype=} {layer.weight.is_leaf=}")

# %% retained hidden=true
tensor = torch.ones(2, requires_grad=True) * 2
tensor.retain_grad()
torch.optim.SGD([tensor], lr=0.1)  # not refused, but of no use


# %% moved-parameter hidden=true
class Scale(nn.Module):
    def __init__(self, late):
        super().__init__()
        scale = torch.ones(2)
        self.scale = nn.Parameter(scale).to(torch.float64) if late else nn.Parameter(scale.to(torch.float64))


assert not list(Scale(late=True).parameters()) and not Scale(late=True).scale.is_leaf
assert len(list(Scale(late=False).parameters())) == 1

# %% moved-once hidden=true
for again in (False, True):
    leaf = torch.zeros(2, requires_grad=True)
    moved, optimizer, losses = leaf.double(), torch.optim.SGD([leaf], lr=0.1), []
    for _ in range(3):
        if again:
            moved = leaf.double()
        optimizer.zero_grad()
        loss = (moved - 1).square().sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert (losses[-1] < losses[0]) == again

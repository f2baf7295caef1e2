"""A copy without gradients is x.detach().clone()."""

# %% order
import warnings

import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
logits = weight * 3

for copy in (logits.detach().clone(), logits.clone().detach()):
    same_memory = copy.data_ptr() == logits.data_ptr()
    print(copy, copy.requires_grad, copy.is_leaf, same_memory)

# %% recorded-node
print(logits.clone().grad_fn.name())
print(logits.detach().clone().grad_fn)

# %% torch-tensor warns="UserWarning"
copy = torch.tensor(logits)
print(copy, copy.is_leaf, copy.data_ptr() == logits.data_ptr())

# %% torch-tensor-requires-grad warns="UserWarning"
copy = torch.tensor(logits, requires_grad=True)
print(copy, copy.is_leaf)

# %% said-plainly
copy = logits.detach().clone().requires_grad_()
print(copy, copy.is_leaf)

# %% no-item
from torch.utils._python_dispatch import TorchDispatchMode


class Log(TorchDispatchMode):
    """Print each operation that reaches PyTorch's kernels."""

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        print(" ", operation)
        return operation(*args, **(kwargs or {}))


with Log(), warnings.catch_warnings(action="ignore"):
    print("torch.tensor(x)")
    torch.tensor(logits)
    print("x.detach().clone()")
    logits.detach().clone()
    print("x[0].item()")
    logits[0].item()

# %% ratio varies=true fold=true
from timeit import repeat

import matplotlib.pyplot as plt

ways = {
    "x.detach().clone()": lambda: logits.detach().clone(),
    "x.clone().detach()": lambda: logits.clone().detach(),
    "torch.tensor(x)": lambda: torch.tensor(logits),
}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    times = {name: min(repeat(way, number=100, repeat=200)) for name, way in ways.items()}

base = times["x.detach().clone()"]
fig, ax = plt.subplots(figsize=(5.6, 1.8))
bars = ax.barh(list(times), [time / base for time in times.values()])
ax.bar_label(bars, fmt=" %.2f×")
ax.invert_yaxis()
ax.margins(x=0.15)
ax.set_xlabel("time / time of x.detach().clone()")

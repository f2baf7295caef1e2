"""inference_mode() is no_grad() whose results may not come back into autograd."""

# %% setup
import torch
from torch import nn

weight = torch.tensor([1.0, 2.0], requires_grad=True)

with torch.inference_mode():
    features = weight * 2

with torch.no_grad():
    quiet = weight * 2

for name, tensor in {"inference_mode": features, "no_grad": quiet}.items():
    print(f"{name:15}{tensor.is_inference()=!s:5} {tensor.requires_grad=}")

# %% with-a-live-tensor raises="RuntimeError"
loss = (features * weight).sum()

# %% no-version raises="RuntimeError"
features._version

# %% requires-grad raises="RuntimeError"
features.requires_grad_()

# %% in-place raises="RuntimeError"
features.add_(1)

# %% still-allowed
print(features + 1)
print((features + weight).grad_fn.name())  # an addition saves nothing

# %% clone
live = features.clone()
print("is_inference:", live.is_inference())

(live * weight).sum().backward()
print("gradient:", weight.grad)

# %% no-grad-result
weight.grad = None
(quiet * weight).sum().backward()
print(weight.grad)

# %% module-inside
with torch.inference_mode():
    layer = nn.Linear(2, 1)

layer(torch.ones(1, 2)).sum().backward()
print(f"{layer.weight.requires_grad=} {layer.weight.is_inference()=}")
print(f"{layer.weight.grad=} {layer.bias.grad=}")

# %% module-inside-step raises="RuntimeError"
torch.optim.SGD(layer.parameters(), lr=0.1).step()

# %% speed varies=true fold=true
import matplotlib.pyplot as plt
from contextlib import nullcontext
from timeit import repeat

small, large = (torch.ones(n, n, requires_grad=True) for n in (2, 256))
modes = {"(recorded)": nullcontext, "no_grad()": torch.no_grad, "inference_mode()": torch.inference_mode}
work = {"small[0] * small[1]": lambda: small[0] * small[1], "large @ large": lambda: large @ large}


def time_in(mode, operation, number):
    with mode():
        return min(repeat(operation, number=number, repeat=9))


fig, axes = plt.subplots(1, 2, figsize=(6.2, 1.9), sharey=True)
for ax, (name, operation), number in zip(axes, work.items(), (500, 5), strict=True):
    times = [time_in(mode, operation, number) for mode in modes.values()]
    bars = ax.barh(list(modes), [time / times[0] for time in times])
    ax.bar_label(bars, fmt=" %.2f")
    ax.set_title(name, fontsize=10)
    ax.set_xlim(0, 1.35)
ax.invert_yaxis()
fig.supxlabel("time / time (recorded)", fontsize=10)

# %% remedies hidden=true
copy = features.clone()
copy.add_(1)
copy.requires_grad_()
assert copy.is_leaf and not copy.is_inference()

layer = nn.Linear(2, 1)  # created outside
with torch.inference_mode():
    layer(torch.ones(1, 2))
layer(torch.ones(1, 2)).sum().backward()
torch.optim.SGD(layer.parameters(), lr=0.1).step()


# %% decorator hidden=true
@torch.inference_mode()
def predict(x):
    return weight * x


assert predict(torch.ones(2)).is_inference()


# %% inside-and-outside hidden=true
with torch.inference_mode():
    inside = (weight * 2).clone()
    labels = torch.tensor([0, 1])
assert inside.is_inference() and not inside.clone().is_inference()
logits = torch.randn(2, 3, requires_grad=True)
for target, fits in ((labels, False), (labels.clone(), True)):
    try:
        nn.functional.cross_entropy(logits, target).backward()
    except RuntimeError as error:
        assert not fits and "Inference tensors cannot be saved" in str(error)
    else:
        assert fits
moved = nn.Linear(2, 1)
with torch.inference_mode():
    moved.to(torch.float64)
assert moved.weight.is_inference()

# %% lazy-inside hidden=true
import warnings

warnings.simplefilter("ignore")  # lazy modules warn in older releases
for mode, learns in ((torch.inference_mode, False), (torch.no_grad, True)):
    lazy = nn.LazyLinear(2)
    with mode():
        lazy(torch.ones(1, 3))
    lazy(torch.ones(1, 3)).sum().backward()
    assert (lazy.weight.grad is not None) == learns

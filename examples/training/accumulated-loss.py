"""total += loss keeps every batch's graph; total += loss.item() keeps a number."""

# %% setup fold=true
import weakref

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 1))
images, labels = torch.randn(128, 64), torch.randn(128, 1)


references = []


def pack(tensor):  # called for each tensor that autograd keeps for backward
    kept = tensor.detach()  # without its graph
    references.append(weakref.ref(kept))
    return kept


def alive():  # those that are still kept
    return [reference() for reference in references if reference() is not None]


def extra_bytes():
    known = {tensor.data_ptr() for tensor in (images, labels, *net.parameters())}
    memory = {tensor.data_ptr(): tensor.nbytes for tensor in alive()}
    return sum(memory[address] for address in memory.keys() - known)


# %% three-totals
ways = {
    "loss": lambda loss: loss,
    "loss.item()": lambda loss: loss.item(),
    "loss.detach()": lambda loss: loss.detach(),
}
kept = {}
for name, take in ways.items():
    total, kept[name] = 0, []
    for _ in range(20):
        with saved_tensors_hooks(pack, lambda kept: kept):
            loss = nn.functional.mse_loss(net(images), labels)
        total += take(loss)
        del loss
        kept[name].append(extra_bytes())
    print(f"total += {name:13} {type(total).__name__:6} alive: {len(alive())}")
    del total

# %% memory fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(6.0, 2.8))
for (name, sizes), style in zip(kept.items(), ("-", "-", ":")):
    ax.plot(range(1, 21), [size / 2**20 for size in sizes], style, label=f"total += {name}", linewidth=2.5)
ax.set(xlabel="batch", ylabel="MiB", xticks=range(0, 21, 5))
ax.grid()
ax.legend()

# %% no-grad
total = 0
for _ in range(20):
    with torch.no_grad(), saved_tensors_hooks(pack, lambda kept: kept):
        total += nn.functional.mse_loss(net(images), labels)
print(type(total).__name__, "alive:", len(alive()))

# %% after-backward
total = 0
for _ in range(4):
    with saved_tensors_hooks(pack, lambda kept: kept):
        loss = nn.functional.mse_loss(net(images), labels)
    loss.backward()
    total += loss
    net.zero_grad()

print(type(total).__name__, total.grad_fn.name(), "alive:", len(alive()))

# %% chain
node, additions = total.grad_fn, 0
while node.name() == "AddBackward0":
    additions += 1
    node = node.next_functions[0][0]
print(additions, "additions")

# %% backward-on-total raises="RuntimeError"
total.backward()

# %% idiom
total, samples = torch.zeros(()), 0
for _ in range(4):
    loss = nn.functional.mse_loss(net(images), labels)
    net.zero_grad()
    loss.backward()
    total += loss.detach() * len(images)
    samples += len(images)
print(f"{total.item() / samples:.4f}", total.requires_grad)

# %% synchronises needs="cuda" raises="RuntimeError" says="called a synchronizing CUDA operation" origin="c10/cuda/CUDAFunctions.cpp"
import warnings

total = torch.zeros((), device="cuda")
loss = torch.ones((), device="cuda", requires_grad=True) * 2

# A prototype, which says so.
warnings.filterwarnings("ignore", message="Synchronization debug mode")
torch.cuda.set_sync_debug_mode("error")
total += loss.detach()  # stays on the GPU: nobody waits
loss.item()  # waits until the GPU has finished

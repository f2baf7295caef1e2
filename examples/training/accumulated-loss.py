"""total += loss keeps every batch's graph; total += loss.item() keeps a number."""

# %% setup
import weakref

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 1))
images, labels = torch.randn(128, 64), torch.randn(128, 1)


class Saved:  # what autograd keeps for backward, as long as it keeps it
    alive = weakref.WeakSet()

    def __init__(self, tensor):
        self.tensor = tensor.detach()  # not its graph
        Saved.alive.add(self)

    def unpack(self):
        return self.tensor


def alive_bytes():
    parameters = {parameter.data_ptr() for parameter in net.parameters()}
    tensors = [saved.tensor for saved in Saved.alive]
    memory = {tensor.data_ptr(): tensor.nbytes for tensor in tensors}
    return sum(memory[address] for address in memory.keys() - parameters)


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
        with saved_tensors_hooks(Saved, Saved.unpack):
            loss = nn.functional.mse_loss(net(images), labels)
        total += take(loss)
        del loss
        kept[name].append(alive_bytes())
    print(f"total += {name:13} {type(total).__name__:6} alive: {len(Saved.alive)}")
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
    with torch.no_grad(), saved_tensors_hooks(Saved, Saved.unpack):
        total += nn.functional.mse_loss(net(images), labels)
print(type(total).__name__, total.requires_grad, len(Saved.alive))

# %% after-backward
total = 0
for _ in range(4):
    with saved_tensors_hooks(Saved, Saved.unpack):
        loss = nn.functional.mse_loss(net(images), labels)
    loss.backward()
    total += loss
    net.zero_grad()

print(type(total).__name__, total.grad_fn.name(), len(Saved.alive))

# %% chain
node, additions = total.grad_fn, 0
while node.name() == "AddBackward0":
    additions += 1
    node = node.next_functions[0][0]
print(additions)


# %% nodes
def count_nodes(tensor):
    seen, todo = set(), [tensor.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and node not in seen:
            seen.add(node)
            todo += [parent for parent, _ in node.next_functions]
    return len(seen)


print(count_nodes(loss), count_nodes(total))

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

# %% synchronises needs="cuda" raises="RuntimeError"
total = torch.zeros((), device="cuda")
loss = torch.ones((), device="cuda", requires_grad=True) * 2
torch.cuda.set_sync_debug_mode("error")
total += loss.detach()  # stays on the GPU: nobody waits
loss.item()  # waits until the GPU has finished

"""To resume training, save the optimizer as well as the model."""

# %% train
import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
features = torch.randn(32, 3)
target = features.sum(dim=1, keepdim=True)


def train(net, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(features), target)
        loss.backward()
        optimizer.step()
    return loss.item()


net = nn.Linear(3, 1)
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
train(net, optimizer, steps=100)

# %% save
checkpoint = {
    "step": 100,
    "model": net.state_dict(),
    "optimizer": optimizer.state_dict(),
}
path = Path(tempfile.mkdtemp(), "checkpoint.pt")
torch.save(checkpoint, path)

expected = train(net, optimizer, steps=5)  # without a break
print(f"without a break: loss {expected:.3f}")

# %% resume
checkpoint = torch.load(path)
net = nn.Linear(3, 1)
optimizer = torch.optim.Adam(net.parameters())
net.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])
print("step", checkpoint["step"], " lr", optimizer.param_groups[0]["lr"])

resumed = train(net, optimizer, steps=5)
print(f"resumed: loss {resumed:.3f}, equal: {resumed == expected}")

# %% without-optimizer
net.load_state_dict(checkpoint["model"])
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
resumed = train(net, optimizer, steps=5)
print(f"model alone: loss {resumed:.3f}, equal: {resumed == expected}")

# %% optimizer-state
saved = checkpoint["optimizer"]
print(list(saved), saved["param_groups"][0]["params"])
for name, tensor in saved["state"][0].items():
    print(f"{name:10} {tuple(tensor.shape)}")


# %% did-it-arrive
def loss_of(net):
    with torch.no_grad():
        return nn.functional.mse_loss(net(features), target).item()


fresh = nn.Linear(3, 1)
before = loss_of(fresh)
named = {f"module.{name}": tensor for name, tensor in checkpoint["model"].items()}
print(fresh.load_state_dict(named, strict=False))
print("nothing arrived:", loss_of(fresh) == before)

fresh.load_state_dict(checkpoint["model"])  # strict: every name, every shape
print(f"fresh {before:.3f}, loaded {loss_of(fresh):.3f}")

# %% random-state
import random

torch.save({"torch": torch.get_rng_state(), "python": random.getstate()}, path)
drawn = torch.rand(1), random.random()

states = torch.load(path)
torch.set_rng_state(states["torch"])
random.setstate(states["python"])
print("drawn again:", (torch.rand(1), random.random()) == drawn)

# %% three-times hidden=true
state = optimizer.state[net.weight]
averages = (state["exp_avg"], state["exp_avg_sq"])
assert sum(average.nbytes for average in averages) == 2 * net.weight.nbytes

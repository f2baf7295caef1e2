"""A kept state_dict() follows the weights; deepcopy makes a snapshot."""

# %% live
import copy

import torch
from torch import nn

layer = nn.Linear(1, 1, bias=False)
nn.init.ones_(layer.weight)

kept = layer.state_dict()
snapshot = copy.deepcopy(layer.state_dict())
with torch.no_grad():
    layer.weight += 5
print("kept:", kept["weight"].item(), " snapshot:", snapshot["weight"].item())

# %% same-memory
for name, state in (("kept", kept), ("snapshot", snapshot)):
    shared = state["weight"].data_ptr() == layer.weight.data_ptr()
    print(f"{name} shares memory:", shared)

# %% load-back
layer.load_state_dict(kept)
print("kept loaded:", layer.weight.item())
layer.load_state_dict(snapshot)
print("snapshot loaded:", layer.weight.item())

# %% shallow
shallow = dict(layer.state_dict())
cloned = {name: t.clone() for name, t in layer.state_dict().items()}
nn.init.zeros_(layer.weight)
print("shallow:", shallow["weight"].item(), " cloned:", cloned["weight"].item())

# %% best
torch.manual_seed(0)
features = torch.randn(64, 1)
target = 3 * features
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
best_loss = torch.inf
for epoch in range(7):
    loss = nn.functional.mse_loss(model(features), target)
    if loss < best_loss:
        best_loss = loss.item()
        best_alias = model.state_dict()
        best_copy = copy.deepcopy(model.state_dict())
    print(f"{epoch}: weight {model.weight.item():5.2f}, loss {loss:.2f}")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# %% best-restored
for name, state in {"alias": best_alias, "copy": best_copy}.items():
    model.load_state_dict(state)
    loss = nn.functional.mse_loss(model(features), target)
    print(f"{name:5} weight {model.weight.item():.2f}, loss {loss:.2f}")

# %% no-copies hidden=true
nn.init.ones_(layer.weight)
taken = {
    name: take(layer.state_dict()["weight"])
    for name, take in {
        "cpu": lambda tensor: tensor.cpu(),
        "detach": lambda tensor: tensor.detach(),
        "clone": lambda tensor: tensor.clone(),
    }.items()
}
nn.init.zeros_(layer.weight)
assert {name: tensor.item() for name, tensor in taken.items()} == {"cpu": 0.0, "detach": 0.0, "clone": 1.0}
moved = nn.Parameter(torch.ones(1))
followed = torch.optim.SGD([moved], lr=0.1, momentum=0.9)
moved.grad = torch.ones(1)
followed.step()
state = followed.state_dict()
followed.step()
assert state["state"][0]["momentum_buffer"] > 1

"""A training step: forward, zero_grad, backward, step."""

# %% data
import torch
from torch import nn

torch.manual_seed(0)
points = torch.randn(64, 2)  # (batch, features)
labels = points @ torch.tensor([[2.0], [-1.0]]) + 0.5  # (batch, 1)

# %% loop
net = nn.Linear(2, 1)
loss_fn = nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for step in range(50):
    loss = loss_fn(net(points), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step in (0, 10, 49):
        print(f"{step:2} {loss.item():.0e}")

# %% found
print(net.weight)
print(net.bias)


# %% one-call-at-a-time
def look(call):
    grad = None if net.bias.grad is None else round(net.bias.grad.item(), 3)
    print(f"{call:12} bias {net.bias.item():.3f}  grad {grad}")


net = nn.Linear(2, 1)
nn.init.zeros_(net.bias)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    loss = loss_fn(net(points), labels)
    look("forward")
    optimizer.zero_grad()
    look("zero_grad()")
    loss.backward()
    look("backward()")
    optimizer.step()
    look("step()")


# %% three-places
def train(place):
    torch.manual_seed(1)
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(30):
        loss = loss_fn(net(points), labels)
        if place == "before backward()":
            optimizer.zero_grad()
        loss.backward()
        if place == "between backward() and step()":
            optimizer.zero_grad()
        optimizer.step()
        if place == "after step()":
            optimizer.zero_grad()
    return loss.item()


for place in ("before backward()", "after step()", "between backward() and step()"):
    print(f"{place:30} {train(place):.4f}")

# %% nothing-moves
before = net.bias.item()
loss = loss_fn(net(points), labels)
loss.backward()
optimizer.zero_grad()
optimizer.step()  # every .grad is None: nothing to do, nothing to say
print(f"before {before:.3f}, after {net.bias.item():.3f}")

# %% the-same hidden=true
assert train("before backward()") == train("after step()")
torch.manual_seed(1)
untrained = nn.Linear(2, 1)
assert train("between backward() and step()") == loss_fn(untrained(points), labels).item()

"""zero_grad() removes gradients instead of filling them with zeros."""

# %% none
import torch
from torch import nn

net = nn.Linear(2, 1)
net(torch.ones(1, 2)).sum().backward()
print("after backward():", net.bias.grad)

net.zero_grad()
print("after zero_grad():", net.bias.grad)

# %% zeros
net(torch.ones(1, 2)).sum().backward()
net.zero_grad(set_to_none=False)
print("after zero_grad(set_to_none=False):", net.bias.grad)

# %% momentum
for set_to_none in (True, False):
    weight = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
    weight.sum().backward()
    optimizer.step()

    optimizer.zero_grad(set_to_none=set_to_none)
    optimizer.step()  # no backward() before it
    print(f"{set_to_none=}: weight {weight.item():.2f}")

# %% optimizers-too hidden=true
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for clear in (net.zero_grad, optimizer.zero_grad):
    net(torch.ones(1, 2)).sum().backward()
    clear(set_to_none=False)
    assert net.bias.grad.item() == 0
    clear()
    assert net.bias.grad is None

# %% who-clears-what hidden=true
optimizer = torch.optim.SGD([net.weight], lr=0.1)  # without the bias
net(torch.ones(1, 2)).sum().backward()
optimizer.zero_grad()
assert net.weight.grad is None and net.bias.grad is not None
net.zero_grad()
assert net.bias.grad is None

# %% what-else-moves hidden=true
for options in ({"weight_decay": 0.1}, {}):  # without momentum
    weight = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1, **options)
    weight.grad = torch.zeros(1)
    optimizer.step()
    assert (weight.item() != 1.0) == bool(options)

# %% frozen-too-late hidden=true
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
net(torch.ones(1, 2)).sum().backward()
net.bias.requires_grad_(False)
before = net.bias.item()
optimizer.step()  # .grad is still there
assert net.bias.item() != before
optimizer.zero_grad()
before = net.bias.item()
net(torch.ones(1, 2)).sum().backward()
optimizer.step()
assert net.bias.item() == before

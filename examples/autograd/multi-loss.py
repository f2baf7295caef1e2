"""Several losses over one graph: add them up."""

# %% shared raises="RuntimeError"
import torch

weight = torch.tensor(2.0, requires_grad=True)
hidden = weight * weight
loss_a, loss_b = 3 * hidden, 5 * hidden
loss_a.backward()
loss_b.backward()

# %% summed
weight.grad = None
hidden = weight * weight
loss_a, loss_b = 3 * hidden, 5 * hidden
(loss_a + loss_b).backward()
print(weight.grad)

# %% retained
weight.grad = None
hidden = weight * weight
loss_a, loss_b = 3 * hidden, 5 * hidden
loss_a.backward(retain_graph=True)
loss_b.backward()  # adds to weight.grad
print(weight.grad)

# %% two-graphs
weight.grad = None
loss_a = 3 * (weight * weight)
loss_b = 5 * (weight * weight)  # a forward pass of its own
loss_a.backward()
loss_b.backward()
print(weight.grad)

# %% nothing-saved asks=true
weight.grad = None
hidden = weight + 1  # saves nothing for backward
(3 * hidden).backward()
(5 * hidden).backward()
print(weight.grad)

# %% step-between raises="RuntimeError"
from torch import nn

net = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
out = net(torch.ones(4, 3))  # (batch, 1)

out.mean().backward(retain_graph=True)
optimizer.step()
out.square().mean().backward()

# %% step-after
old = net[0].weight.detach().clone()
out = net(torch.ones(4, 3))

optimizer.zero_grad()
(out.mean() + out.square().mean()).backward()
optimizer.step()
print("updated:", not torch.equal(net[0].weight, old))

# %% single-layer hidden=true
single = nn.Linear(3, 1)
stepper = torch.optim.SGD(single.parameters(), lr=0.1)
out = single(torch.ones(4, 3))
out.mean().backward(retain_graph=True)
stepper.step()
out.square().mean().backward()  # no error

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


# %% wrong-without-an-error hidden=true
def gradients(step):
    """Of the first layer by a second loss, with a step between the two backward passes or without."""
    torch.manual_seed(0)
    net, x = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1)), torch.ones(4, 3)
    out = net(x)
    out.mean().backward(retain_graph=True)
    step(net)
    net.zero_grad()
    out.square().mean().backward()
    return net[0].weight.grad


def into_data(net):
    for parameter in net.parameters():
        parameter.data -= 0.1 * parameter.grad


right = gradients(lambda net: None)
assert not torch.allclose(gradients(into_data), right)
for make in (torch.optim.SGD, torch.optim.AdamW):
    fused = gradients(lambda net: make(net.parameters(), lr=0.1, fused=True).step())
    assert not torch.allclose(fused, right)
    try:
        gradients(lambda net: make(net.parameters(), lr=0.1).step())
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error)
    else:
        raise AssertionError(make)

# %% written-through-a-slice hidden=true
for write in (lambda hidden: hidden[:1].zero_(), lambda hidden: hidden.view(2, 1).add_(1)):
    leaf = torch.ones(2, requires_grad=True)
    hidden = leaf + 1
    write(hidden)
    hidden.sum().backward()
    try:
        hidden.sum().backward()
    except RuntimeError as error:
        assert "backward through the graph a second time" in str(error), error
    else:
        raise AssertionError("such a tensor does not need retain_graph=True now")

# %% actor-and-critic hidden=true
torch.manual_seed(0)
actor, critic = nn.Linear(3, 1), nn.Sequential(nn.Linear(4, 2), nn.Tanh(), nn.Linear(2, 1))
state, action, value = torch.randn(8, 3), torch.randn(8, 1), torch.randn(8, 1)
stepper = torch.optim.SGD(critic.parameters(), lr=0.1)
for after in (True, False):  # all backward passes first, or the critic's step between
    critic.zero_grad()
    goal = -critic(torch.cat([state, actor(state)], dim=1)).mean()
    (critic(torch.cat([state, action], dim=1)) - value).square().mean().backward()
    own = critic[0].weight.grad.clone()
    if after:
        goal.backward()
        assert not torch.allclose(critic[0].weight.grad, own)  # the critic gets both gradients
        continue
    stepper.step()
    try:
        goal.backward()
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error)
    else:
        raise AssertionError("the actor's loss goes back through a changed critic")
    (-critic(torch.cat([state, actor(state)], dim=1)).mean()).backward()

# %% reentrant hidden=true
from torch.utils.checkpoint import checkpoint

for retain_graph in (True, False):
    leaf = torch.ones(2, requires_grad=True)
    hidden = checkpoint(lambda x: x + 1, leaf, use_reentrant=True)  # saves its input for backward
    hidden.sum().backward(retain_graph=retain_graph)
    try:
        hidden.sum().backward()
    except RuntimeError as error:
        assert not retain_graph and "backward through the graph a second time" in str(error), error
    else:
        assert retain_graph and leaf.grad.tolist() == [2, 2]

# %% autocast hidden=true
found = []
for steps in (False, True):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
    with torch.autocast("cpu"):
        out = net(torch.ones(4, 3))
    out.float().mean().backward(retain_graph=True)
    if steps:
        torch.optim.SGD(net.parameters(), lr=0.5).step()
    net.zero_grad()
    out.float().square().mean().backward()  # no error
    found.append(net[0].weight.grad)
assert torch.equal(*found)

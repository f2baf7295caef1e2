"""An optimizer step for each parameter as soon as its gradient is ready."""

# %% hooks
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(*[nn.Linear(4, 4) for _ in range(3)])
optimizers = {param: torch.optim.SGD([param], lr=0.1) for param in net.parameters()}
names = {param: name for name, param in net.named_parameters()}
alive = []  # how many gradients exist at each step


def step_now(param):
    count = sum(p.grad is not None for p in net.parameters())
    alive.append((names[param], count))
    optimizers[param].step()
    optimizers[param].zero_grad()  # frees the gradient


handles = []
for param in net.parameters():
    handles.append(param.register_post_accumulate_grad_hook(step_now))

net(torch.ones(2, 4)).sum().backward()  # no optimizer.step() after it
for name, count in alive:
    print(name, "gradients alive:", count)

# %% same
for handle in handles:
    handle.remove()

torch.manual_seed(0)
usual = nn.Sequential(*[nn.Linear(4, 4) for _ in range(3)])
optimizer = torch.optim.SGD(usual.parameters(), lr=0.1)
usual(torch.ones(2, 4)).sum().backward()
optimizer.step()
same = all(torch.equal(a, b) for a, b in zip(net.parameters(), usual.parameters()))
print("same weights:", same)

# %% clip
norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
print("norm of what is left:", norm)

# %% all-gone hidden=true
assert all(param.grad is None for param in net.parameters())

# %% other-limits hidden=true
try:
    nn.Linear(2, 2).requires_grad_(False).weight.register_post_accumulate_grad_hook(step_now)
except RuntimeError as error:
    assert "doesn't require grad" in str(error)
else:
    raise AssertionError("a frozen parameter takes a hook now")

deep = nn.Sequential(*[nn.Linear(4, 4) for _ in range(3)])
stepper = {param: torch.optim.SGD([param], lr=0.1) for param in deep.parameters()}
for param in deep.parameters():
    param.register_post_accumulate_grad_hook(lambda param: stepper[param].step())
out = deep(torch.ones(2, 4))
out.sum().backward(retain_graph=True)
try:
    out.square().sum().backward()
except RuntimeError as error:
    assert "modified by an inplace operation" in str(error)
else:
    raise AssertionError("the changed weights should be noticed")

"""A gradient of None was never computed; a gradient of zeros was."""

# %% before
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
print(weight.grad)

# %% none-has-no-methods raises="AttributeError"
weight.grad.zero_()

# %% zeros
(weight * 0).sum().backward()
print(weight.grad)

# %% optimizer-skips-none
computed = torch.tensor([1.0], requires_grad=True)
skipped = torch.tensor([1.0], requires_grad=True)
(computed * 0).sum().backward()
print(computed.grad, skipped.grad)

torch.optim.SGD([computed, skipped], lr=0.1, weight_decay=0.5).step()
print(computed, skipped)

# %% reasons
used, unused, cut = (torch.ones(2, requires_grad=True) for _ in range(3))
frozen = torch.ones(2)

loss = (used * frozen + cut.detach()).sum()
print(used.grad)  # backward has not run yet

loss.backward()
print("used:  ", used.grad)
print("unused:", unused.grad)
print("cut:   ", cut.grad)
print("frozen:", frozen.grad)

# %% after-zero-grad
torch.optim.SGD([used], lr=0.1).zero_grad()
print(used.grad)

# %% not-a-leaf warns="UserWarning"
halved = used * 0.5
halved.sum().backward()
print(halved.grad, used.grad)

# %% unused-input raises="RuntimeError"
torch.autograd.grad(used.sum(), (used, unused))

# %% allow-unused
print(torch.autograd.grad(used.sum(), (used, unused), allow_unused=True))
print(torch.autograd.grad(used.sum(), (used, unused), materialize_grads=True))

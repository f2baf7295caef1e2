"""A weight is updated in place, under no_grad()."""

# %% leaf raises="RuntimeError"
import torch

lr = 0.1
weight = torch.tensor([1.0], requires_grad=True)
(weight**2).sum().backward()
weight -= lr * weight.grad

# %% method raises="RuntimeError"
weight.sub_(lr * weight.grad)

# %% view raises="RuntimeError"
weight[0] -= 0.2

# %% unchanged
print(weight, f"{weight._version=}")

# %% right
before, address = weight, weight.data_ptr()
for step in range(3):
    weight.grad = None
    loss = (weight**2).sum()
    loss.backward()
    with torch.no_grad():
        weight -= lr * weight.grad
    print(f"step {step}: loss {loss.item():.2f}", weight)

same_memory = weight.data_ptr() == address
print(f"{weight is before=} {same_memory=} {weight.is_leaf=}")

# %% view-under-no-grad
with torch.no_grad():
    weight[0] = 0.0
print(weight)

# %% same-as-sgd hidden=true
mine, theirs = (torch.tensor([1.0], requires_grad=True) for _ in range(2))
optimizer = torch.optim.SGD([theirs], lr=lr)
for _ in range(3):
    for parameter in (mine, theirs):
        parameter.grad = None
        (parameter**2).sum().backward()
    with torch.no_grad():
        mine -= lr * mine.grad
    optimizer.step()
assert torch.allclose(mine, theirs)

# %% counter-cases hidden=true
parameter = torch.randn(4, 3, requires_grad=True)
address = parameter.data_ptr()
with torch.no_grad():
    for edit in (
        lambda w: w.mul_(0.5),
        lambda w: w.add_(1),
        lambda w: w[0].zero_(),
        lambda w: w.copy_(torch.ones(4, 3)),
    ):
        edit(parameter)
        assert parameter.is_leaf and parameter.requires_grad and parameter.data_ptr() == address
assert parameter.tolist() == torch.ones(4, 3).tolist()

# %% filled-with-results hidden=true
for grad in (False, True):
    source, filled = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=grad)
    with torch.set_grad_enabled(not grad):
        filled[0] = source[0] * 2
    filled.sum().backward()
    assert (source.grad is None) == grad

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

# %% in-a-forward hidden=true
for in_place in (True, False):
    leaf = torch.tensor([-1.0, 1.0], requires_grad=True)
    try:
        torch.nn.ReLU(inplace=in_place)(leaf).sum().backward()
    except RuntimeError as error:
        assert in_place and str(error).startswith("a leaf Variable that requires grad")
    else:
        assert not in_place and leaf.grad.tolist() == [0, 1]
positions, x = torch.zeros(4, 3, requires_grad=True), torch.ones(2, 3, requires_grad=True)
(positions[:2] + x).sum().backward()
assert x.grad is not None and not positions.any()
x.grad = None
with torch.no_grad():
    positions[:2] += x
positions.sum().backward()
assert x.grad is None and positions.any()

# %% losses-added-up hidden=true
for grad in (False, True):
    total, weight = torch.zeros(1, requires_grad=grad), torch.ones(2, requires_grad=True)
    for factor in (1, 2):
        with torch.set_grad_enabled(not grad):
            total += (weight * factor).sum()
    total.backward()
    assert (weight.grad is None) == grad

# %% through-the-update hidden=true
for cut in (False, True):
    start = torch.tensor([1.0], requires_grad=True)
    (slope,) = torch.autograd.grad((start**3).sum(), start, create_graph=True)
    if cut:  # the gradient leaves out the update, without an error
        with torch.no_grad():
            start -= 0.25 * slope
    updated = start if cut else start - 0.25 * slope
    updated.sum().backward()
    assert start.grad.item() == (1 if cut else -0.5)
source, target = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)
with torch.no_grad():
    target.copy_(2 * source)  # the source of the values gets no gradient
target.sum().backward()
assert source.grad is None and target.tolist() == [2, 2]

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
print("gradients:", computed.grad, skipped.grad)

torch.optim.SGD([computed, skipped], lr=0.1, weight_decay=0.5).step()
print("weights:  ", computed.detach(), skipped.detach())

# %% none-add raises="AttributeError"
parameters = [torch.ones(2, requires_grad=True) for _ in range(2)]
(parameters[1] * 3).sum().backward()  # the first one is not used
for parameter in parameters:
    parameter.grad.add_(parameter.detach(), alpha=0.01)  # weight decay by hand

# %% none-skipped
for parameter in parameters:
    if parameter.grad is not None:
        parameter.grad.add_(parameter.detach(), alpha=0.01)
print([parameter.grad for parameter in parameters])

# %% reasons
used, unused, cut = (torch.ones(2, requires_grad=True) for _ in range(3))
frozen = torch.ones(2)

loss = (used * frozen + cut.detach()).sum()
print("before backward():", used.grad)

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
print(f"{halved.grad=} {used.grad=}")

# %% unused-input raises="RuntimeError"
torch.autograd.grad(used.sum(), (used, unused))

# %% allow-unused
for option in ("allow_unused", "materialize_grads"):
    grads = torch.autograd.grad(used.sum(), (used, unused), **{option: True})
    print(f"{option:17}", grads)

# %% remedies hidden=true
weight.grad = None
weight.grad = None  # with a gradient or without
halved = used * 0.5
halved.retain_grad()
halved.sum().backward()
assert halved.grad.tolist() == [1, 1]

# %% every-optimizer hidden=true
for name in dir(torch.optim):
    kind = getattr(torch.optim, name)
    if not (isinstance(kind, type) and issubclass(kind, torch.optim.Optimizer)):
        continue
    if kind is torch.optim.Optimizer:
        continue
    computed, skipped = (torch.ones(2, 2, requires_grad=True) for _ in range(2))
    computed.grad = torch.ones(2, 2)
    if name == "SparseAdam":
        computed.grad = computed.grad.to_sparse()
    decays = "weight_decay" in kind.__init__.__code__.co_varnames
    optimizer = kind([computed, skipped], lr=0.1, **({"weight_decay": 0.5} if decays else {}))
    closure = [lambda: torch.tensor(1.0)] if name == "LBFGS" else []
    optimizer.step(*closure)
    assert (computed != 1).all() and (skipped == 1).all(), name

# %% counter-cases hidden=true
kinds = [one for one in vars(torch.optim).values() if isinstance(one, type)]
for kind in kinds:
    if not issubclass(kind, torch.optim.Optimizer) or kind is torch.optim.Optimizer:
        continue
    used, skipped = (torch.nn.Parameter(torch.ones(2, 2)) for _ in range(2))
    optimizer = kind([used, skipped], lr=0.1)
    for _ in range(3):
        gradient = torch.full((2, 2), 0.5)
        used.grad = gradient.to_sparse() if kind is torch.optim.SparseAdam else gradient
        closure = (lambda: torch.tensor(0.0)) if kind is torch.optim.LBFGS else None
        optimizer.step(closure)
    assert torch.equal(skipped, torch.ones(2, 2)), kind


# %% rarer-reasons hidden=true
class Nothing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, grad_output):
        return None


one, other = (torch.ones(2, requires_grad=True) for _ in range(2))
(one * other).sum().backward(inputs=[one])
Nothing.apply(other).sum().backward()
assert one.grad is not None and other.grad is None


# %% slice-is-another hidden=true
x = torch.ones(3, requires_grad=True)
loss = x.square().sum()
for other in (x[0], x.view(-1), x.clone()):
    try:
        torch.autograd.grad(loss, other, retain_graph=True)
    except RuntimeError as error:
        assert "appears to not have been used" in str(error)
    else:
        raise AssertionError("a new tensor was found in the graph")
assert torch.autograd.grad(loss, x)[0][0] == 2

# %% takes-none-for-zero hidden=true
ones = [torch.nn.Parameter(torch.ones(2)) for _ in range(2)]
optimizer = torch.optim.LBFGS(ones, lr=0.1, max_iter=2)
for used in (ones, ones, ones[:1]):
    before = ones[1].detach().clone()

    def closure(used=used):
        optimizer.zero_grad()
        loss = sum((one**4).sum() for one in used)
        loss.backward()
        return loss

    optimizer.step(closure)
assert ones[1].grad is None and not torch.equal(ones[1], before)

# %% cut-gives-zeros hidden=true
cut = torch.ones(2, requires_grad=True)
for constant in (cut.detach(), cut.data, cut.sum().item(), torch.tensor(cut.tolist())):
    loss = (constant * torch.ones(2, requires_grad=True)).sum()
    assert not torch.autograd.grad(loss, cut, materialize_grads=True)[0].any()  # no error

"""weight = weight - lr * weight.grad makes another tensor."""

# %% setup
import torch

lr = 0.1
weight = torch.tensor([1.0], requires_grad=True)

# %% rebinding
old = weight
(weight**2).sum().backward()
weight = weight - lr * weight.grad  # a new tensor under the old name

print(weight, f"{weight.is_leaf=} {weight is old=}")
print(old, f"{old.grad=}")

# %% rebinding-next-step raises="AttributeError" warns="UserWarning"
(weight**2).sum().backward()
weight.grad.zero_()

# %% rebinding-no-grad
weight = torch.tensor([1.0], requires_grad=True)
(weight**2).sum().backward()
with torch.no_grad():
    weight = weight - lr * weight.grad

print(weight, f"{weight.requires_grad=} {weight.grad=}")

# %% rebinding-no-grad-next-step raises="RuntimeError"
(weight**2).sum().backward()

# %% loop-variable
params = [torch.ones(1, requires_grad=True) for _ in range(2)]
(params[0] * params[1]).sum().backward()
with torch.no_grad():
    for param in params:
        param = param - lr * param.grad

print(params)

# %% chained hidden=true
assert torch.allclose(old.grad, torch.tensor([2.0 + 2 * 0.8]))  # the second gradient went there, too

# %% remedies hidden=true
weight = torch.tensor([1.0], requires_grad=True)
for step in range(2):
    weight.grad = None
    (weight**2).sum().backward()
    with torch.no_grad():
        weight -= lr * weight.grad
assert weight.is_leaf and abs(weight.item() - 0.64) < 1e-6

with torch.no_grad():
    for param in params:
        param -= lr * param.grad
assert all(abs(param.item() - 0.9) < 1e-6 for param in params)

# %% beside-a-live-one hidden=true
weight, bias = (torch.tensor([1.0], requires_grad=True) for _ in range(2))
(weight * bias).sum().backward()
with torch.no_grad():
    weight = weight - lr * weight.grad
(weight * bias).sum().backward()  # no error
assert weight.grad is None


# %% not-cleared hidden=true
def stepped(clear, steps=20):
    weight, used = torch.tensor([1.0], requires_grad=True), []
    for _ in range(steps):
        (weight**2).sum().backward()
        with torch.no_grad():
            weight -= lr * weight.grad
        if clear:
            weight.grad = None
        used.append(weight.item())
    return used


assert all(abs(value - 0.8 ** (step + 1)) < 1e-6 for step, value in enumerate(stepped(clear=True)))
assert min(stepped(clear=False)) < -0.9  # each gradient is added to those before

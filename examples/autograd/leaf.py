"""A leaf was made by nobody that autograd watched; only leaves keep a .grad."""

# %% table
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)  # to be trained
image = torch.tensor([3.0, 4.0])  # data
logits = weight * image  # a result
cut = logits.detach()  # a result, cut off
double = image * 2  # a result, but nothing in it requires gradients

print("        is_leaf  requires_grad  grad_fn")
names = ("weight", "image", "logits", "cut", "double")
for name, tensor in zip(names, (weight, image, logits, cut, double)):
    made_by = tensor.grad_fn.name() if tensor.grad_fn else None
    print(f"{name:8}{tensor.is_leaf!s:9}{tensor.requires_grad!s:15}{made_by}")

# %% who-gets-a-gradient
logits.sum().backward()
print("weight.grad:", weight.grad)
print("image.grad: ", image.grad)

# %% lost-leaf
scaled = torch.ones(2, requires_grad=True) * 0.01
print(f"{scaled.is_leaf=}")

leaf = (torch.ones(2) * 0.01).requires_grad_()
print(f"{leaf.is_leaf=}")

# %% non-leaf-warns warns="UserWarning"
print(logits.grad)

# %% retain-grad
a = torch.tensor(2.0, requires_grad=True)
b = 3 * a
b.retain_grad()  # before backward
loss = b * b
loss.backward()
print(f"{b.grad=} {a.grad=} {b.is_leaf=}")

# %% retain-too-late
b = 3 * a
(b * b).backward()
b.retain_grad()
print(b.grad)

# %% autograd-grad
b = 3 * a
(gradient,) = torch.autograd.grad(b * b, b)
print(gradient)

# %% flag-off raises="RuntimeError"
hidden = weight * image
hidden.requires_grad = False

# %% flag-off-cure
constant = hidden.detach()
print(constant.requires_grad, hidden.requires_grad)

# %% flag-on raises="RuntimeError"
hidden.requires_grad = True

# %% flag-on-silent
print(hidden.requires_grad_().is_leaf)  # no error, and no new leaf

# %% rule hidden=true
for tensor in (weight, image, logits, cut, double):
    assert tensor.is_leaf == (tensor.grad_fn is None)

# %% optimizer-refuses hidden=true
try:
    torch.optim.SGD([scaled])
except ValueError as error:
    assert "non-leaf" in str(error)
else:
    raise AssertionError("the optimizer should refuse it")

# %% method-off hidden=true
try:
    hidden.requires_grad_(False)
except RuntimeError as error:
    assert "you can only change requires_grad flags" in str(error)
else:
    raise AssertionError("the method should refuse it, too")

# %% grad-untouched hidden=true
before = a.grad.clone()
torch.autograd.grad((3 * a) ** 2, a)
assert torch.equal(a.grad, before)
leaf.retain_grad()
assert not leaf.retains_grad  # nothing to do on a leaf

# %% view-under-no-grad hidden=true
with torch.no_grad():
    row = weight[0]
assert row.grad_fn is None and row.is_leaf and row.requires_grad

# %% written-into hidden=true
data = torch.zeros(2)
data[0] = logits[0]
assert not data.is_leaf and data.requires_grad

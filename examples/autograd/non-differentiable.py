"""Functions whose gradient is zero everywhere, and functions that leave the graph."""

# %% table
import torch

x = torch.tensor([0.4, 1.6, 2.2], requires_grad=True)
functions = {
    "x.round()": lambda: x.round(),
    "x.floor()": lambda: x.floor(),
    "x.sign()": lambda: x.sign(),
    "x > 1": lambda: x > 1,
    "x.argmax()": lambda: x.argmax(),
    "x.long()": lambda: x.long(),
    "x.max()": lambda: x.max(),
    "x.sort().values": lambda: x.sort().values,
    "x.clamp(max=2)": lambda: x.clamp(max=2),
}
for code, function in functions.items():
    out = function()
    if out.requires_grad:
        (gradient,) = torch.autograd.grad(out.sum(), x)
        print(f"{code:16} gradient {gradient.tolist()}")
    else:
        print(f"{code:16} no graph, {out.dtype}")

# %% accuracy raises="RuntimeError"
logits = torch.tensor([[2.0, 1.0], [0.0, 1.0]], requires_grad=True)
label = torch.tensor([0, 0])
error_rate = (logits.argmax(dim=1) != label).float().mean()
print(error_rate)
error_rate.backward()

# %% surrogate
torch.nn.functional.cross_entropy(logits, label).backward()
print(logits.grad)

# %% soft
scores = torch.tensor([1.0, 3.0, 2.0], requires_grad=True)
soft_argmax = (scores.softmax(dim=0) * torch.arange(3)).sum()  # the expected index
(gradient,) = torch.autograd.grad(soft_argmax, scores)
print("argmax", scores.argmax().item(), f"  soft argmax {soft_argmax.item():.2f}")
print("gradient of the soft argmax:", gradient)

# %% threshold
soft_mask = torch.sigmoid(5 * (x - 1))  # a soft x > 1
(gradient,) = torch.autograd.grad(soft_mask.sum(), x)
print("x > 1:    ", (x > 1).tolist())
print("soft mask:", [f"{value:.2f}" for value in soft_mask.tolist()])
print("gradient: ", [f"{value:.2f}" for value in gradient.tolist()])

# %% no-derivative hidden=true
step = torch.heaviside(x, torch.tensor(0.0))
try:
    step.sum().backward()
except RuntimeError as error:
    assert "not implemented" in str(error)
else:
    raise AssertionError("heaviside has a derivative now")

# %% constant-term hidden=true
loss = torch.nn.functional.cross_entropy(logits, label)
both = loss + 100 * (logits.argmax(dim=1) != label).float().mean()
gradients = [torch.autograd.grad(each, logits, retain_graph=True)[0] for each in (loss, both)]
assert both > loss and torch.equal(*gradients)

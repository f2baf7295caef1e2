"""backward() starts from one number."""

# %% vector raises="RuntimeError"
import torch

weight = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = weight * 2  # (3,)
out.backward()

# %% one-element
(weight * 2).sum().backward()  # ()
print("0-D: ", weight.grad)

weight.grad = None
(weight * 2).sum(dim=0, keepdim=True).backward()  # (1,)
print("(1,):", weight.grad)

# %% gradient
factor = torch.tensor([1.0, 10.0, 100.0])

weight.grad = None
(weight * weight).backward(gradient=factor)
print("gradient=factor:", weight.grad)

weight.grad = None
(weight * weight * factor).sum().backward()
print("factor in sum():", weight.grad)


# %% jacobian
def square(weight):
    return weight * weight


jacobian = torch.func.jacrev(square)(weight.detach())
print("J:", jacobian, sep="\n")
print("factor @ J:", factor @ jacobian)

# %% wrong-shape raises="RuntimeError"
(weight * 2).backward(gradient=torch.tensor(1.0))

# %% per-sample
import torch.nn.functional as F

logits = torch.zeros(4, 3, requires_grad=True)  # (batch, classes)
label = torch.tensor([0, 1, 2, 0])
loss = F.cross_entropy(logits, label, reduction="none")
print(loss)

# %% mean-or-sum
(mean,) = torch.autograd.grad(loss.mean(), logits, retain_graph=True)
(total,) = torch.autograd.grad(loss.sum(), logits)
print("mean():", mean[0])  # of the first sample
print("sum(): ", total[0])

# %% ones hidden=true
weight.grad = None
(weight * 2).backward(gradient=torch.ones_like(out))
assert weight.grad.tolist() == [2, 2, 2]

# %% complex hidden=true
try:
    torch.ones((), dtype=torch.complex64, requires_grad=True).mul(2).backward()
except RuntimeError as error:
    assert "only for real scalar outputs" in str(error)
else:
    raise AssertionError("a complex number is taken now")

# %% stretched hidden=true
output, wanted = torch.arange(4.0)[:, None], torch.arange(4.0)  # each prediction is right
assert (output[:, 0] - wanted[:, None]).shape == (4, 4)  # also if the target has the dimension of 1
assert (output - wanted).square().shape == (4, 4) and (output - wanted).square().mean() > 0
assert torch.nn.functional.mse_loss(output.squeeze(1), wanted, reduction="none").mean() == 0

"""Which in-place edits autograd notices, and which it does not."""

# %% caught raises="RuntimeError"
import torch

weight = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)  # (3,)
out = weight.sigmoid()
out.detach().zero_()
out.sum().backward()

# %% versions
out = weight.sigmoid()
cut = out.detach()
print(f"{out._version=} {cut._version=}")

cut.zero_()
print(f"{out._version=} {cut._version=}")

# %% anomaly raises="RuntimeError" warns="UserWarning"
with torch.autograd.set_detect_anomaly(True):
    out = weight.sigmoid()
    out.detach().zero_()
    out.sum().backward()

# %% anomaly-too-late raises="RuntimeError" warns="UserWarning"
out = weight.sigmoid()
out.detach().zero_()
with torch.autograd.set_detect_anomaly(True):
    out.sum().backward()

# %% causes
import torch.nn.functional as F

edits = {
    "out += 1": lambda out: out.add_(1),
    "F.relu(out, inplace=True)": lambda out: F.relu(out, inplace=True),
    "out = out + 1": lambda out: out + 1,
    "out = F.relu(out)": lambda out: F.relu(out),
}
for text, edit in edits.items():
    out = edit(weight.sigmoid())
    try:
        out.sum().backward()
        print(f"{text:26} fine")
    except RuntimeError:
        print(f"{text:26} modified by an inplace operation")

# %% clone
weight.grad = None
out = weight.sigmoid()
out.detach().clone().zero_()
out.sum().backward()
print(weight.grad)

# %% not-caught asks=true
weight.grad = None
double = weight * 2
double.detach().zero_()
double.sum().backward()
print("double:  ", double)
print("gradient:", weight.grad)

# %% data
weight.grad = None
out = weight.sigmoid()
(truth,) = torch.autograd.grad(out.sum(), weight, retain_graph=True)

alias = out.data
alias.zero_()
print(f"{alias._version=} {out._version=}")  # (1)!

out.sum().backward()
print("gradient:", weight.grad)
print("truth:   ", truth)

# %% counter-cases hidden=true
for operation in (torch.exp, torch.sigmoid, torch.tanh, torch.sqrt):  # each saves its result
    x = torch.rand(3, requires_grad=True) + 0.5
    for edit in (lambda t: t.data.zero_(), lambda t: t.data.mul_(2), lambda t: t.data[:1].fill_(7)):
        out = operation(x)
        version = out._version
        edit(out)
        assert out._version == version  # so nothing can notice
        torch.autograd.grad(out.sum(), x)

# %% forward-too hidden=true
import warnings

out = weight.sigmoid()
out.detach().zero_()
for forward in (False, True):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with torch.autograd.set_detect_anomaly(True):
                if forward:
                    out = weight.sigmoid()
                    out.detach().zero_()
                out.sum().backward()
        except RuntimeError:
            pass
    texts = " ".join(str(warning.message) for warning in caught)
    assert ("Traceback of forward call" in texts) == forward
    assert ("No forward pass information" in texts) != forward
with torch.autograd.set_detect_anomaly(True):  # the place is found, and the copy edited
    out = weight.sigmoid()
    out.detach().clone().zero_()
    out.sum().backward()


# %% counters-not-values hidden=true
def caught(edit):
    out = weight.sigmoid()
    edit(out)
    try:
        out.sum().backward()
    except RuntimeError:
        return True
    return False


assert caught(lambda out: out.detach().add_(0))
assert caught(lambda out: out.detach()[:0].zero_())
assert caught(lambda out: out.detach().mul_(2).div_(2))
assert not caught(lambda out: out.detach().numpy().fill(0))


# %% other-rows hidden=true
def is_refused(loss):
    try:
        loss.backward()
    except RuntimeError as error:
        return "modified by an inplace operation" in str(error)
    return False


double = weight * 2
loss = double[:1].square().sum()  # backward needs the first row alone
double.detach()[1:].zero_()
assert is_refused(loss)  # other rows in the same storage

# %% saved-unneeded hidden=true
norm = torch.nn.LayerNorm(2)
loss = norm(torch.ones(1, 2)).sum()
with torch.no_grad():
    norm.bias.zero_()  # no gradient depends on it, yet it was saved
assert is_refused(loss)

# %% checkpoint-unnoticed hidden=true
from torch.utils.checkpoint import checkpoint

layer, value = torch.nn.Linear(1, 1), torch.ones(1, requires_grad=True)
for use_reentrant in (True, False):
    torch.nn.init.ones_(layer.weight)
    value.grad = None
    loss = checkpoint(layer, value, use_reentrant=use_reentrant).sum()
    torch.nn.init.constant_(layer.weight, 3.0)
    loss.backward()  # computes the block again, with the new weight
    assert value.grad.item() == 3.0  # right: 1

# %% edit-above hidden=true
double, loss = weight * 2, 0
for _ in range(2):
    double += 1  # stands above the line that saves it
    loss = loss + double.square().sum()
assert is_refused(loss)

"""What goes wrong with activation checkpointing."""

# %% block
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
features = torch.randn(256, 64)  # (sample, feature)
layers = nn.Linear(64, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, 64)
block = nn.Sequential(*layers)

# %% reentrant warns="UserWarning"
out = checkpoint(block, features, use_reentrant=True)
print("requires grad:", out.requires_grad)

# %% not-reentrant
out = checkpoint(block, features, use_reentrant=False)
out.sum().backward()
print("requires grad:", out.requires_grad)
print("gradient of the weight:", block[0].weight.grad is not None)

# %% random
hidden = torch.randn(256, 64, requires_grad=True)


def gradient_and_output(preserve):
    torch.manual_seed(2)
    options = dict(use_reentrant=False, preserve_rng_state=preserve)
    out = checkpoint(block, hidden, **options)
    return torch.autograd.grad(out.sum(), hidden)[0]


torch.manual_seed(2)
(expected,) = torch.autograd.grad(block(hidden).sum(), hidden)
for preserve in (True, False):
    right = torch.allclose(gradient_and_output(preserve), expected)
    print(f"preserve_rng_state={preserve!s:5}  right: {right}")

# %% unnamed warns="UserWarning"
out = checkpoint(block, hidden)

# %% changed raises="CheckpointError"
block.train()
out = checkpoint(block, hidden, use_reentrant=False)
block.eval()  # the second run does not meet what the first one met
out.sum().backward()

# %% batch-norm
norm = nn.BatchNorm1d(64)
checkpoint(norm, features, use_reentrant=False).sum().backward()
print("batches seen:", norm.num_batches_tracked.item())

# %% other-metadata raises="CheckpointError"
normed = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64))
out = checkpoint(normed, hidden, use_reentrant=False)
normed.eval()
out.sum().backward()

# %% other-weights
linear = nn.Linear(64, 64)
out = checkpoint(linear, hidden, use_reentrant=False)
with torch.no_grad():
    linear.weight.zero_()  # as a step would change it
(gradient,) = torch.autograd.grad(out.sum(), hidden)
print("largest gradient:", gradient.abs().max())

# %% unchanged hidden=true
for again in (block.train(), block.eval(), normed.train(), normed.eval()):
    checkpoint(again, hidden, use_reentrant=False).sum().backward()
for forward, backward in ((True, False), (False, True)):  # autocast is restored
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=forward):
        out = checkpoint(block, hidden, use_reentrant=False)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=backward):
        out.float().sum().backward()

# %% metadata-causes
import random

random.seed(0)
torch.manual_seed(0)
kept = []


def cut_by_python(x):
    return linear(x[: random.randrange(1, 200)]).tanh()


def cut_by_torch(x):
    return linear(x[: torch.randint(1, 200, ())]).tanh()


def with_a_cache(x):
    kept.append(x.detach())
    return linear(x) @ torch.cat(kept).T


def same_size(x):
    return (x * random.random()).tanh()


for block in (cut_by_python, cut_by_torch, with_a_cache, same_size):
    try:
        checkpoint(block, hidden, use_reentrant=False).sum().backward()
        print(f"{block.__name__:13} no error")
    except torch.utils.checkpoint.CheckpointError:
        print(f"{block.__name__:13} CheckpointError")

# %% drawn-outside
factor, rows = random.random(), random.randrange(1, 200)


def given(x, rows, factor):
    return linear(x[:rows]).tanh() * factor


checkpoint(given, hidden, rows, factor, use_reentrant=False).sum().backward()

# %% metadata-checks hidden=true
for seed in range(5):  # arguments are kept: the gradient is right
    random.seed(seed)
    rows, factor = random.randrange(1, 200), random.random()
    ways = given(hidden, rows, factor), checkpoint(given, hidden, rows, factor, use_reentrant=False)
    one, other = (torch.autograd.grad(out.sum(), hidden)[0] for out in ways)
    torch.testing.assert_close(one, other)


random.seed(0)
first, second = random.random(), random.random()
random.seed(0)
(gradient,) = torch.autograd.grad(checkpoint(same_size, hidden, use_reentrant=False).sum(), hidden)
torch.testing.assert_close(gradient, first * (1 - (second * hidden).tanh() ** 2))
assert (gradient - first * (1 - (first * hidden).tanh() ** 2)).abs().max() > 0.01
try:
    to_half = nn.Linear(64, 64)
    out = checkpoint(lambda x: to_half(x.to(to_half.weight.dtype)).tanh(), hidden, use_reentrant=False)
    to_half.bfloat16()  # another dtype
    out.sum().backward()
except torch.utils.checkpoint.CheckpointError as error:
    assert "different metadata" in str(error) and "torch.bfloat16" in str(error)
else:
    raise AssertionError("no error")
own = torch.Generator().manual_seed(0)
try:  # a generator of one's own goes on, as Python's
    cut = checkpoint(
        lambda x: linear(x[: torch.randint(1, 200, (), generator=own)]).tanh(), hidden, use_reentrant=False
    )
    cut.sum().backward()
except torch.utils.checkpoint.CheckpointError:
    pass
else:
    raise AssertionError("a generator of one's own is restored")


# %% drawn-inside hidden=true
def skipped_or_not(x, keep):
    return x + linear(x).tanh() if keep else 2 * x


def with_a_filled_cache(x):
    if not filled:
        filled.append(linear(torch.ones(64)).tanh())
    return linear(x).tanh() * filled[0]


drawn = iter((True, False))  # as random.random() < 0.5 may be
filled = []
for changing in (lambda x: skipped_or_not(x, next(drawn)), with_a_filled_cache):
    try:
        checkpoint(changing, hidden, use_reentrant=False).sum().backward()
    except torch.utils.checkpoint.CheckpointError as error:
        assert "A different number of tensors was saved" in str(error), error
    else:
        raise AssertionError("no error")
for keep in (True, False):  # drawn before the block
    ways = skipped_or_not(hidden, keep), checkpoint(skipped_or_not, hidden, keep, use_reentrant=False)
    one, other = (torch.autograd.grad(out.sum(), hidden)[0] for out in ways)
    torch.testing.assert_close(one, other)
filled = [linear(torch.ones(64)).tanh()]  # before the block
checkpoint(with_a_filled_cache, hidden, use_reentrant=False).sum().backward()

# %% norm-on-gpu needs="cuda"
import copy


def input_gradient(forward, backward):
    """Each True for train(), False for eval()."""
    norm = copy.deepcopy(normed).cuda().train(forward)
    inputs = hidden.detach().cuda().requires_grad_()
    out = checkpoint(norm, inputs, use_reentrant=False)
    norm.train(backward)
    return torch.autograd.grad(out.square().sum(), inputs)[0]


changed = input_gradient(True, False)
for train in (True, False):
    name = "train()" if train else "eval() "
    alike = torch.allclose(changed, input_gradient(train, train), rtol=1e-2)
    print(f"as with {name} both times:", alike)

# %% stops-early hidden=true
marks = []


def marking(x):
    marks.append("start")
    out = linear(x).tanh()  # the last tensor that backward() needs
    marks.append("end")
    return out


checkpoint(marking, hidden, use_reentrant=False).sum().backward()
if hasattr(torch.utils.checkpoint, "set_checkpoint_early_stop"):  # since 2.1
    assert marks == ["start", "end", "start"], marks  # the second run stops in between

# %% spectral-norm hidden=true needs="no-cuda"
from torch.nn.utils.parametrizations import spectral_norm

gradients = {}
for inside in (False, True):
    torch.manual_seed(0)
    normalized = spectral_norm(nn.Linear(64, 64))
    rerun = dict(use_reentrant=False)
    out = checkpoint(normalized, hidden, **rerun) if inside else normalized(hidden)
    out.square().mean().backward()  # the estimate has moved before the second run
    gradients[inside] = normalized.parametrizations.weight.original.grad
apart = (gradients[True] - gradients[False]).abs().max() / gradients[False].abs().max()
assert apart > 0.01, apart

# %% slopes-not-drawn hidden=true needs="no-cuda"
if hasattr(torch.utils.checkpoint, "set_checkpoint_early_stop"):  # since 2.1
    torch.use_deterministic_algorithms(True)  # memory that nobody wrote is NaN
    for last, garbage in ((nn.RReLU(), True), (nn.Dropout(), False)):
        ending = nn.Sequential(nn.Linear(64, 64), last)
        for block in (ending, lambda x: x + ending(x)):
            (gradient,) = torch.autograd.grad(checkpoint(block, hidden, use_reentrant=False).sum(), hidden)
            assert gradient.isnan().any().item() is garbage
    torch.use_deterministic_algorithms(False)

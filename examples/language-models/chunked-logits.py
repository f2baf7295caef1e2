"""A loss whose logits do not fit into memory: in chunks, or by linear_cross_entropy."""

# %% whole
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
tokens, width, vocabulary = 512, 32, 4000
hidden = torch.randn(tokens, width, requires_grad=True)  # (batch * time, features)
weight = torch.randn(vocabulary, width, requires_grad=True)  # of the output layer
targets = torch.randint(vocabulary, (tokens,))
targets[::5] = -100  # prompts and padding


def whole_loss(hidden, weight, targets):
    return F.cross_entropy(hidden @ weight.T, targets)


# %% chunked
def chunk_loss(hidden, weight, targets):
    return F.cross_entropy((hidden @ weight.T).float(), targets, reduction="sum")


def chunked_loss(hidden, weight, targets, size=64):
    total = 0.0
    chunks = zip(hidden.split(size), targets.split(size), strict=True)
    for rows, wanted in chunks:
        total += checkpoint(chunk_loss, rows, weight, wanted, use_reentrant=False)
    return total / (targets != -100).sum()


# %% equal
def gradients(loss_of):
    loss = loss_of(hidden, weight, targets)
    return loss, *torch.autograd.grad(loss, (hidden, weight))


whole, chunked = gradients(whole_loss), gradients(chunked_loss)
for name, one, other in zip(("loss", "hidden", "weight"), whole, chunked):
    print(f"{name:7} equal: {torch.allclose(one, other, rtol=1e-4, atol=1e-6)}")


# %% peak fold=true
import os

os.environ["KINETO_LOG_LEVEL"] = "6"  # else some versions log two lines a run
from torch.profiler import ProfilerActivity, profile


def peak(loss_of):
    """The most bytes that forward and backward held at one time, in logits."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        gradients(loss_of)
    events = run.profiler.kineto_results.events()
    changes = [(e.start_ns(), e.nbytes()) for e in events if e.name() == "[memory]"]
    now = most = 0
    for _, change in sorted(changes, key=lambda one: one[0]):
        now += change
        most = max(most, now)
    return most / (tokens * vocabulary * 4)


# %% memory
print(f"whole:      {peak(whole_loss):.1f} times the logits")
print(f"in chunks:  {peak(chunked_loss):.1f}")

# %% built-in
from torch.nn import LinearCrossEntropyOptions


def built_in(hidden, weight, targets):
    options = LinearCrossEntropyOptions()
    return F.linear_cross_entropy(hidden, weight, targets, options=options)


close = dict(rtol=1e-4, atol=1e-6)
pairs = zip(whole, gradients(built_in))
print("equal:", [torch.allclose(one, other, **close) for one, other in pairs])
print(f"with options:    {peak(built_in):.1f} times the logits")
print(f"without options: {peak(F.linear_cross_entropy):.1f}")

# %% three-dimensions raises="RuntimeError"
batch = hidden.view(4, 128, width)  # (batch, time, features)
built_in(batch, weight, targets.view(4, 128))

# %% flattened
flat = batch.flatten(0, 1), weight, targets.view(4, 128).flatten()
print(torch.allclose(built_in(*flat), whole[0], rtol=1e-4))

# %% twice raises="RuntimeError"
loss = built_in(hidden, weight, targets)
loss.backward(retain_graph=True)
loss.backward()

# %% kept
options = LinearCrossEntropyOptions(allow_retain_graph=True)
loss = F.linear_cross_entropy(hidden, weight, targets, options=options)
loss.backward(retain_graph=True)
loss.backward()
print(hidden.grad.shape)

# %% claims hidden=true
for size in (1, 7, 500, 512, 4096):
    again = chunked_loss(hidden[:60], weight, targets[:60], size)
    torch.testing.assert_close(again, whole_loss(hidden[:60], weight, targets[:60]), rtol=1e-4, atol=1e-5)
means = [whole_loss(h, weight, t) for h, t in zip(hidden.split(200), targets.split(200))]
assert not torch.allclose(sum(means) / len(means), whole[0], rtol=1e-5)
none = torch.full((512,), -100)
assert chunked_loss(hidden, weight, none).isnan()  # as cross_entropy
loss = F.linear_cross_entropy(hidden, weight, targets, options=options)
first = torch.autograd.grad(loss, hidden, retain_graph=True)[0]
assert torch.allclose(first, torch.autograd.grad(loss, hidden)[0])
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    plain = dict(label_smoothing=0.1, options=LinearCrossEntropyOptions())
    smoothed = F.linear_cross_entropy(hidden, weight, targets, **plain)
assert any("ignored" in str(one.message) for one in caught)
torch.testing.assert_close(smoothed, F.cross_entropy(hidden @ weight.T, targets, label_smoothing=0.1))
bias = torch.randn(vocabulary)
biased = F.linear_cross_entropy(hidden, weight, targets, linear_bias=bias, options=LinearCrossEntropyOptions())
torch.testing.assert_close(biased, F.cross_entropy(hidden @ weight.T + bias, targets))
short = [one.detach().bfloat16().requires_grad_() for one in (hidden, weight)]
exact = whole_loss(*(one.detach().double() for one in short), targets)
rough = built_in(*short, targets)
accurate = LinearCrossEntropyOptions(acc_policy="accurate")
for one in (rough, F.linear_cross_entropy(*short, targets, options=accurate)):
    assert 0.005 * exact < (one - exact).abs() < 0.05 * exact
with torch.autocast("cpu", torch.bfloat16):
    assert (built_in(hidden, weight, targets) - exact).abs() < 0.001 * exact
assert (chunked_loss(*short, targets) - exact).abs() < 0.001 * exact
doubles = [one.detach().double().requires_grad_() for one in short]
wanted = torch.autograd.grad(whole_loss(*doubles, targets), doubles)
for one, other in zip(torch.autograd.grad(rough, short), wanted):
    assert (one - other).norm() < 0.02 * other.norm()

# %% fewer-targets hidden=true
for count in (0, 448, 511, 513):  # hidden states that were not shifted with the targets
    try:
        chunked_loss(hidden, weight, torch.zeros(count, dtype=torch.long))
    except ValueError as error:
        assert "zip()" in str(error) or "batch_size" in str(error)
    else:
        raise AssertionError("hidden states without a target are left out")

# %% short-hidden hidden=true
with torch.autocast("cpu", torch.bfloat16):  # what a linear layer would return
    assert (built_in(hidden.bfloat16(), weight, targets) - exact).abs() > 0.005 * exact
    assert (built_in(hidden.bfloat16().float(), weight, targets) - exact).abs() < 0.001 * exact

# %% through-the-wrapper hidden=true
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


class LanguageModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(width, width)
        self.head = torch.nn.Linear(width, vocabulary, bias=False)

    def forward(self, x, targets):
        return chunked_loss(self.body(x), self.head.weight, targets)


averaged = []


def count(state, bucket):  # DDP calls it to average a bucket of gradients
    averaged.append(bucket.index())
    future = torch.futures.Future()
    future.set_result(bucket.buffer())
    return future


for bypass in (False, True):
    wrapped = DistributedDataParallel(LanguageModel())
    wrapped.register_comm_hook(None, count)
    (wrapped.module if bypass else wrapped)(hidden.detach()[:70], targets[:70]).backward()
    assert bool(averaged) is not bypass
    averaged.clear()
del wrapped  # before its group
dist.destroy_process_group()

# %% no-label-counts hidden=true
for loss_of, spoiled in ((whole_loss, False), (chunked_loss, False), (built_in, True)):
    loss = loss_of(hidden, weight, torch.full((tokens,), -100))
    for gradient in torch.autograd.grad(loss, (hidden, weight)):
        assert bool(gradient.isnan().all()) is spoiled and (spoiled or not gradient.any())


# %% gradient-of-gradient hidden=true
def penalized(loss_of):
    x, w = hidden.detach().clone().requires_grad_(), weight.detach().clone().requires_grad_()
    loss = loss_of(x, w)
    (slope,) = torch.autograd.grad(loss, x, create_graph=True)
    (loss + 1e6 * slope.square().sum()).backward()
    return w.grad


def kept_graph(x, w):
    return F.linear_cross_entropy(x, w, targets, options=LinearCrossEntropyOptions(allow_retain_graph=True))


right = penalized(lambda x, w: F.cross_entropy(x @ w.T, targets))
assert not torch.allclose(penalized(kept_graph), right)  # the penalty is left out
torch.testing.assert_close(penalized(lambda x, w: F.linear_cross_entropy(x, w, targets)), right, rtol=1e-3, atol=1e-3)

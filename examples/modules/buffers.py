"""A buffer is state that is saved and moved, but not trained."""

# %% scaler
import torch
from torch import nn


class Scaler(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(2))
        self.register_buffer("mean", torch.zeros(2))
        self.register_buffer("steps", torch.tensor(0))
        self.register_buffer("mask", torch.ones(2, 2).tril(), persistent=False)
        self.plain = torch.zeros(2)

    def forward(self, hidden):
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * hidden.detach().mean(dim=0)
            self.steps += 1
        return self.gain * (hidden - self.mean)


net = Scaler()
print("parameters:", [name for name, _ in net.named_parameters()])
print("buffers:   ", [name for name, _ in net.named_buffers()])
print("state_dict:", list(net.state_dict()))

# %% not-trained
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.tensor([[10.0, 20.0], [30.0, 40.0]])).sum().backward()
optimizer.step()
print("mean:", net.mean, " steps:", net.steps.item(), end="  ")
print("requires_grad:", net.mean.requires_grad)

# %% moved
net.to(torch.float64)
for name in ("gain", "mean", "steps", "mask", "plain"):
    print(f"{name:6} {getattr(net, name).dtype}")

# %% loaded
fresh = Scaler()
print(fresh.load_state_dict(net.state_dict()))
print("mean:", fresh.mean)

# %% added-later raises="RuntimeError"
old_checkpoint = {"gain": torch.ones(2), "mean": torch.zeros(2)}
fresh.load_state_dict(old_checkpoint)

# %% not-strict
print(fresh.load_state_dict(old_checkpoint, strict=False))

# %% graph-grows
net = Scaler()
net.mean = 0.9 * net.mean + 0.1 * (net.gain * torch.ones(2))  # no detach()
print("mean:", net.mean)

# %% not-a-tensor raises="TypeError"
net.mean = 0.5

# %% fill
net.mean = torch.full((2,), 0.5)  # or net.mean.fill_(0.5)
print("still a buffer:", "mean" in dict(net.named_buffers()))

# %% nn-buffer
net.limit = nn.Buffer(torch.tensor(6.0))
print([name for name, _ in net.named_buffers()])

# %% complex hidden=true
import warnings

for convert, kept in ((nn.Module.half, True), (nn.Module.double, True), (lambda m: m.to(torch.bfloat16), False)):
    rotary = nn.Module()
    rotary.register_buffer("angles", torch.tensor([1 + 2j]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        convert(rotary)
    assert rotary.angles.is_complex() is kept and bool(caught) is not kept

# %% written-after-use hidden=true
for write, fails in ((lambda net: net.mean.fill_(0.5), True), (lambda net: setattr(net, "mean", torch.ones(2)), False)):
    net = Scaler()
    out = net.gain * net.mean  # backward() needs net.mean
    write(net)
    try:
        out.sum().backward()
    except RuntimeError as error:
        assert fails and "modified by an inplace operation" in str(error)
    else:
        assert not fails
net.mean = nn.Parameter(torch.ones(2))
assert "mean" in dict(net.named_parameters()) and "mean" not in dict(net.named_buffers())

# %% filled-anew hidden=true
for convert in (lambda net: net.double(), lambda net: net.to("meta"), lambda net: net.to("meta", torch.float16)):
    net = convert(Scaler())
    old = net.mean
    net.mean = torch.full((2,), 0.5)
    assert (net.mean.dtype, net.mean.device) != (old.dtype, old.device)
    net.mean = torch.full_like(old, 0.5)
    assert (net.mean.dtype, net.mean.device) == (old.dtype, old.device)

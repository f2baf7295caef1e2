"""The loss is NaN: find the first number that is not finite."""

# %% causes
import torch
from torch import nn

zero, large = torch.tensor(0.0), torch.tensor(200.0)
print("log(0)        ", zero.log(), " times 0:", 0 * zero.log())
print("exp(200)      ", large.exp(), " inf - inf:", large.exp() - large.exp())
print("0 / 0         ", zero / zero, " mean of nothing:", torch.tensor([]).mean())
print("float16(70000)", torch.tensor(70000.0).half())
empty = torch.full((2,), -100)  # every target is ignored
print("cross_entropy ", nn.functional.cross_entropy(torch.zeros(2, 3), empty))


# %% check
def finite(**tensors):
    for name, tensor in tensors.items():
        if tensor is None:  # a parameter without gradient
            continue
        bad = ~tensor.isfinite()
        if bad.any():
            count = f"{int(bad.sum())} of {bad.numel()}"
            value = tensor[bad][0]
            raise FloatingPointError(f"{name}: {count} not finite, one is {value}")


# %% bad-batch raises="FloatingPointError"
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
points, targets = torch.randn(8, 3), torch.randn(8, 1)
points[5, 2] = float("nan")  # a missing value in the data
print("bad rows:", (~points.isfinite()).any(dim=1).nonzero().flatten())
finite(points=points, targets=targets)

# %% loop raises="FloatingPointError"
points[5, 2] = 0.0
optimizer = torch.optim.SGD(net.parameters(), lr=1e4)
for step in range(10):
    loss = nn.functional.mse_loss(net(points), targets)
    print(f"step {step}: loss {loss.item():.0e}")
    finite(loss=loss)
    optimizer.zero_grad()
    loss.backward()
    finite(**{name: parameter.grad for name, parameter in net.named_parameters()})
    optimizer.step()


# %% hooks
def watch(net):
    def hook(module, inputs, output):
        outputs = output if isinstance(output, tuple) else (output,)
        for tensor in filter(torch.is_tensor, outputs):
            finite(**{f"output of {names[module]}": tensor})

    names = {module: name or "net" for name, module in net.named_modules()}
    return [module.register_forward_hook(hook) for module in net.modules()]


class Log(nn.Module):
    def forward(self, x):
        return x.log()


# %% which-module raises="FloatingPointError"
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), Log(), nn.Linear(4, 1))
handles = watch(net)
net(points)

# %% remove
for handle in handles:
    handle.remove()
print(net(points).isfinite().sum().item(), "of 8 outputs are finite")

# %% finite-loss
weight = torch.zeros(2, requires_grad=True)
loss = weight.sqrt().sum()  # finite: 0
loss.backward()
print(loss, weight.grad)

# %% anomaly raises="RuntimeError"
import warnings

scale = torch.zeros(2, requires_grad=True)
detect = torch.autograd.detect_anomaly
with warnings.catch_warnings(record=True) as caught, detect():
    masked = torch.where(scale > 0, scale.sqrt(), 0.0)
    try:
        masked.sum().backward()
    finally:
        print(*str(caught[-1].message).splitlines()[-2:], sep="\n")

# %% cures
probability, variance = torch.tensor(0.0), torch.zeros((), requires_grad=True)
print("log:    ", probability.clamp(min=1e-8).log())
print("logits: ", nn.functional.logsigmoid(torch.tensor(-200.0)))
(variance + 1e-8).sqrt().backward()
print("sqrt:   ", f"gradient {variance.grad:.0f}")
print("softmax:", torch.tensor([1000.0, 0.0]).log_softmax(dim=0))

# %% remedies hidden=true
holes = torch.randn(8, 3)
holes[5, 2] = float("nan")
finite(points=holes[holes.isfinite().all(dim=1)])


def last_loss(rate, clip=None):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    for step in range(30):
        optimizer.param_groups[0]["lr"] = rate(step)
        scaled = points * (1e4 if clip and step == 20 else 1)  # one bad batch
        loss = nn.functional.mse_loss(net(scaled), targets)
        finite(loss=loss)
        optimizer.zero_grad()
        loss.backward()
        if clip:
            nn.utils.clip_grad_norm_(net.parameters(), clip)
        optimizer.step()
    return loss.item()


assert last_loss(lambda step: 0.1) < 2  # instead of 1e4
assert last_loss(lambda step: min(0.1, 0.01 * (step + 1))) < 2
assert last_loss(lambda step: 0.1, clip=1.0) < 2
finite(missing=None, empty=torch.empty(0), whole=torch.tensor([1]), half=torch.ones(2).half())
recurrent = nn.Sequential(nn.LSTM(3, 4))  # returns a tuple of tuples
for handle in watch(recurrent):
    recurrent(torch.randn(5, 3))
    handle.remove()
scale = torch.zeros(2, requires_grad=True)
with warnings.catch_warnings(record=True), torch.autograd.detect_anomaly():
    torch.where(scale > 0, torch.where(scale > 0, scale, 1.0).sqrt(), 0.0).sum().backward()
assert scale.grad.tolist() == [0, 0]

# %% one-step-too-long hidden=true
tiny = torch.zeros((), dtype=torch.float16)
assert tiny.clamp(min=1e-8).log().isinf() and (1 / (tiny + 1e-8)).isinf()  # 1e-8 is 0 in float16
assert tiny.float().clamp(min=1e-8).log().isfinite()
torch.manual_seed(0)
deep = nn.Sequential(*[layer for _ in range(16) for layer in (nn.Linear(64, 64), nn.ReLU())], nn.Linear(64, 1))
inputs, wanted = torch.randn(64, 64), torch.randn(64, 1)
optimizer = torch.optim.Adam(deep.parameters(), lr=10)
losses = []
for _ in range(2):
    loss = nn.functional.mse_loss(deep(inputs), wanted)
    losses.append(loss.item())
    loss.backward()
    optimizer.step()
assert losses[0] < 2 and not torch.tensor(losses[1]).isfinite()  # without growing first
images = torch.zeros(3, 2, 4, 4)
images[1, 0, 2, 2] = torch.nan
keep = images.isfinite().flatten(1).all(dim=1)
finite(images=images[keep])
assert keep.tolist() == [True, False, True]

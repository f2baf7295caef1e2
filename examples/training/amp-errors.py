"""The errors of a training loop with GradScaler."""

# %% setup
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
inputs = torch.randn(512, 16).to(device)  # drawn on the CPU: the same everywhere
labels = (inputs[:, :8].sum(dim=1) > inputs[:, 8:].sum(dim=1)).long()


def new_training():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    return net, torch.optim.AdamW(net.parameters(), lr=0.005)


net, optimizer = new_training()
scaler = torch.amp.GradScaler(device.type)

# %% unscale-twice raises="RuntimeError"
scaler.scale(nn.functional.cross_entropy(net(inputs), labels)).backward()
scaler.unscale_(optimizer)
scaler.unscale_(optimizer)

# %% no-update raises="RuntimeError"
scaler.step(optimizer)
scaler.step(optimizer)

# %% once-each
scaler.update()
optimizer.zero_grad()
scaler.scale(nn.functional.cross_entropy(net(inputs), labels)).backward()
scaler.unscale_(optimizer)
scaler.step(optimizer)
scaler.update()
print("updates:", int(optimizer.state[net[0].weight]["step"]))

# %% skipped warns="UserWarning"
net, optimizer = new_training()
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
scaler = torch.amp.GradScaler(device.type, init_scale=2.0**30)
with torch.autocast(device.type, dtype=torch.float16):
    loss = nn.functional.cross_entropy(net(inputs), labels)
scaler.scale(loss).backward()
scaler.step(optimizer)  # a gradient is inf: skipped
scaler.update()
scheduler.step()

# %% skip-too
before = scaler.get_scale()
optimizer.zero_grad()
with torch.autocast(device.type, dtype=torch.float16):
    loss = nn.functional.cross_entropy(net(inputs), labels)
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
if scaler.get_scale() >= before:  # no overflow
    scheduler.step()
print(before, "->", scaler.get_scale(), " scheduler at step", scheduler.last_epoch)

# %% half-weights raises="ValueError"
half = nn.Linear(2, 1).half()
loss = half(torch.ones(1, 2, dtype=torch.float16)).float().sum()
scaler = torch.amp.GradScaler("cpu")
scaler.scale(loss).backward()
scaler.unscale_(torch.optim.SGD(half.parameters(), lr=0.1))

# %% with-logits
with torch.autocast(device.type, dtype=torch.float16):
    loss = nn.BCEWithLogitsLoss()(net(inputs)[:, 1], labels.float())
print("finite:", loss.isfinite().item())

# %% bce needs="cuda" raises="RuntimeError" says="torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast." origin="aten/src/ATen/autocast_mode.cpp"
with torch.autocast("cuda"):
    nn.BCELoss()(net(inputs).sigmoid()[:, 1], labels.float())

# %% claims hidden=true
with torch.autocast("cpu", dtype=torch.bfloat16):
    assert nn.BCELoss()(torch.rand(4), torch.ones(4)).isfinite()  # runs on a CPU

# %% remedies hidden=true
torch.manual_seed(0)
for parts in (1, 3):  # unscale_ after the last part of an accumulation
    net, optimizer = new_training()
    scaler = torch.amp.GradScaler(device.type)
    for rows in inputs.chunk(parts):
        with torch.autocast(device.type, dtype=torch.float16):
            logits = net(rows)
        loss = nn.functional.cross_entropy(logits, labels[: len(rows)]) / parts
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # of float32 weights
    scaler.step(optimizer)
    scaler.update()

# %% unscale-late raises="RuntimeError"
net, optimizer = new_training()
scaler = torch.amp.GradScaler(device.type)
scaler.scale(nn.functional.cross_entropy(net(inputs), labels)).backward()
scaler.step(optimizer)
scaler.unscale_(optimizer)


# %% scale-to-zero
class Broken(nn.Module):
    """The output is finite. The gradient of a root at 0 is infinite."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.last = nn.Linear(16, 64), nn.Linear(64, 2)

    def forward(self, x):
        hidden = self.first(x)
        far = (hidden - hidden[:1]).square().sum(dim=1, keepdim=True).sqrt()
        return self.last(hidden * far)  # the first sample: 0 from itself


net = Broken().to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.005)
scaler = torch.amp.GradScaler(device.type)
scales = []
while scaler.get_scale() > 0:
    optimizer.zero_grad()
    scaler.scale(nn.functional.cross_entropy(net(inputs), labels)).backward()
    scaler.step(optimizer)
    scaler.update()
    scales.append(scaler.get_scale())
print(scales[:3], "…", scales[-2:], "after", len(scales), "steps")
print("updates of the weights:", len(optimizer.state))

# %% which-layer
import warnings

# Both name files of this machine.
warnings.filterwarnings("ignore", message="Anomaly Detection|Error detected")
try:
    with torch.autograd.detect_anomaly():
        nn.functional.cross_entropy(net(inputs), labels).backward()
except RuntimeError as error:
    print(error)


# %% first-layer
from functools import partial


def first_bad_output(net, *batch):
    """Return the name of the first module whose output is not finite."""
    found = []

    def look(name, layer, args, output):
        outputs = output if isinstance(output, tuple) else (output,)  # of an LSTM
        for tensor in filter(torch.is_tensor, outputs):
            if not tensor.isfinite().all():
                found.append(name or "the model itself")

    handles = []
    for name, layer in net.named_modules():
        hook = partial(look, name)
        handles.append(layer.register_forward_hook(hook))
    try:
        with torch.no_grad():
            net(*batch)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


large, _ = new_training()
with torch.no_grad():
    large[0].weight *= 1e6
print("float32:", first_bad_output(large, inputs))
with torch.autocast(device.type, dtype=torch.float16):
    print("float16: layer", first_bad_output(large, inputs))

# %% step-at-zero
healthy, optimizer = new_training()
optimizer.zero_grad()
scaler.scale(nn.functional.cross_entropy(healthy(inputs), labels)).backward()
scaler.step(optimizer)
print("weights are NaN:", healthy[0].weight.isnan().any().item())

# %% stop-early
scaler = torch.amp.GradScaler(device.type)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.005)
for step in range(1000):
    optimizer.zero_grad()
    scaler.scale(nn.functional.cross_entropy(net(inputs), labels)).backward()
    scaler.step(optimizer)
    scaler.update()
    if scaler.get_scale() < 1:
        print("stopped in step", step)
        break


# %% any-model hidden=true
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(3, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.rnn(x)[0])


for dtype in (torch.float32, torch.float64, torch.bfloat16):
    recurrent, x = Recurrent().to(dtype), torch.ones(2, 1, 3, dtype=dtype)
    assert first_bad_output(recurrent, x) is None and first_bad_output(recurrent, x[:, :0]) is None
    nn.init.constant_(recurrent.rnn.weight_ih_l0, float("nan"))
    assert first_bad_output(recurrent, x) == "rnn"
    assert first_bad_output(nn.Flatten(), x / 0) == "the model itself"
    try:
        first_bad_output(recurrent, x[..., :2])
    except RuntimeError:
        pass
    assert not recurrent.rnn._forward_hooks  # also after an error

# %% the-wrong-order-warns-once-too hidden=true
parameter = nn.Parameter(torch.ones(1))
plain = torch.optim.SGD([parameter], lr=1.0)
falling = torch.optim.lr_scheduler.StepLR(plain, 1)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for _ in range(3):
        parameter.grad = torch.ones(1)
        falling.step()
        plain.step()
assert ["before `optimizer.step()`" in str(one.message) for one in told] == [True]
assert abs(parameter.item() - (1 - 0.111)) < 1e-6  # the first learning rate, 1, is never used

# %% another-optimizer hidden=true
falling = torch.optim.lr_scheduler.StepLR(torch.optim.SGD([parameter], lr=1.0), 1)
plain = torch.optim.SGD([parameter], lr=1.0)  # made anew, after the scheduler
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for _ in range(3):
        parameter.grad = torch.ones(1)
        plain.step()
        falling.step()
assert ["before `optimizer.step()`" in str(one.message) for one in told] == [True]
assert plain.param_groups[0]["lr"] == 1.0  # not the scheduler's

# %% never-a-step hidden=true
weight, scaler = nn.Parameter(torch.ones(1)), torch.amp.GradScaler("cpu")
plain = torch.optim.SGD([weight], lr=1.0)
falling = torch.optim.lr_scheduler.StepLR(plain, 1)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for _ in range(3):
        plain.zero_grad()
        scaler.scale(weight.sum() * torch.nan).backward()  # every step is skipped, in the right order
        scaler.step(plain)
        scaler.update()
        falling.step()
assert ["before `optimizer.step()`" in str(one.message) for one in told] == [True]
assert weight.item() == 1 and scaler.get_scale() == 2.0**13

# %% update-after-a-skip hidden=true
for updates in (True, False):
    skipped, optimizer = new_training()
    scaler = torch.amp.GradScaler(device.type)
    try:
        for _ in range(2):
            scaler.scale(nn.functional.cross_entropy(skipped(inputs), labels)).backward()
            scaler.unscale_(optimizer)  # and no step
            if updates:
                scaler.update()
    except RuntimeError as error:
        assert "unscale_() has already been called" in str(error) and not updates
    else:
        assert updates

# %% infinite-and-never-nan hidden=true
at_zero = torch.zeros(1, requires_grad=True)
with torch.autograd.detect_anomaly():
    at_zero.sqrt().sum().backward()
assert at_zero.grad.isinf()

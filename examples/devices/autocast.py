"""autocast: matrix products in 16 bits, losses in float32."""

# %% dtypes
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(8, 4).to(device)
batch = torch.randn(16, 8).to(device)
labels = torch.randint(4, (16,)).to(device)

with torch.autocast(device, dtype=torch.bfloat16):
    logits = model(batch)
    loss = F.cross_entropy(logits, labels)
loss.backward()  # outside of autocast

print("weight  ", model.weight.dtype)
print("logits  ", logits.dtype)
print("loss    ", loss.dtype)
print("gradient", model.weight.grad.dtype)

# %% close
full = model(batch)
difference = (logits - full).norm() / full.norm()
print("below one eps:", difference.item() < torch.finfo(torch.bfloat16).eps)

# %% default-dtypes
for name in ("cuda", "cpu"):
    print(name, torch.get_autocast_dtype(name))

# %% mixed-dtypes raises="RuntimeError"
model(batch.bfloat16())

# %% casts-for-you
with torch.autocast(device, dtype=torch.bfloat16):
    print(model(batch.bfloat16()).dtype)
    with torch.autocast(device, enabled=False):
        print(model(batch).dtype)

# %% underflow
gradient = torch.tensor(1e-8)
print("float16:      ", gradient.half())
print("scaled before:", (gradient * 2**16).half().float() / 2**16)

# %% scaler
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device)

for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast(device, dtype=torch.float16):
        loss = F.cross_entropy(model(batch), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # before clipping: the gradients are scaled
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    scaler.step(optimizer)  # skips the step if a gradient is not finite
    scaler.update()
    print(f"loss {loss.item():.1f}")
print("scale", scaler.get_scale())

# %% overflow
scaler = torch.amp.GradScaler(device, init_scale=2.0**24)
before = model.weight.detach().clone()
optimizer.zero_grad()
with torch.autocast(device, dtype=torch.float16):
    loss = F.cross_entropy(model(batch), labels)
scaler.scale(loss).backward()
print("all finite:", model.weight.grad.isfinite().all().item())
scaler.step(optimizer)
scaler.update()
print("unchanged: ", torch.equal(model.weight, before))
print("scale:     ", 2.0**24, "->", scaler.get_scale())

# %% other-device
elsewhere = nn.Linear(8, 4, device="meta")
with torch.autocast("cpu", dtype=torch.bfloat16):
    print(elsewhere(torch.zeros(16, 8, device="meta")).dtype)

# %% old-name warns="FutureWarning"
torch.cpu.amp.autocast()

# %% old-custom-fwd warns="FutureWarning"
torch.cuda.amp.custom_fwd(lambda ctx, x: 2 * x)

# %% new-custom-fwd hidden=true
forward = torch.amp.custom_fwd(lambda ctx, x: 2 * x, device_type="cuda")

# %% without-cuda needs="no-cuda" warns="UserWarning"
with torch.autocast("cuda"):
    print(nn.Linear(8, 4)(torch.randn(16, 8)).dtype)

# %% asked
with torch.autocast("cpu", dtype=torch.bfloat16):
    print("is_autocast_enabled():     ", torch.is_autocast_enabled())
    print('is_autocast_enabled("cpu"):', torch.is_autocast_enabled("cpu"))
    print('get_autocast_dtype("cpu"): ', torch.get_autocast_dtype("cpu"))

# %% asked-by-old-name warns="DeprecationWarning"
torch.is_autocast_cpu_enabled()

# %% asked-elsewhere hidden=true
assert not torch.amp.is_autocast_available("meta") and torch.amp.is_autocast_available("cpu")
try:
    torch.is_autocast_enabled("meta")
except RuntimeError as error:
    assert "unknown device type" in str(error)
else:
    raise AssertionError

# %% float64 hidden=true
import threading

with torch.autocast("cpu", dtype=torch.bfloat16):
    double = torch.ones(2, 2, dtype=torch.float64)
    assert (double @ double).dtype == torch.float64
    assert nn.Linear(2, 2).double()(double).dtype == torch.float64
    single = torch.ones(2, 2)
    assert single.clone().addmm_(single, single).dtype == torch.float32
    assert (single + single).dtype == torch.float32
    sixteen = single @ single
    assert (sixteen + sixteen).dtype == sixteen.relu().dtype == torch.bfloat16
    targets = torch.tensor([0, 1])
    for loss in (F.cross_entropy(sixteen, targets), F.mse_loss(sixteen, sixteen)):
        assert loss.dtype == torch.float32
    assert sixteen.exp().dtype == sixteen.softmax(1).dtype == torch.bfloat16  # on a CPU
    answers = []
    thread = threading.Thread(target=lambda: answers.append(torch.is_autocast_enabled("cpu")))
    thread.start()
    thread.join()
    assert answers == [False]

# %% input-converted hidden=true
assert model(batch.bfloat16().to(model.weight.dtype)).dtype == torch.float32

# %% emulated hidden=true
import inspect
from types import SimpleNamespace
from unittest import mock

ask = torch.cuda.is_bf16_supported
if "including_emulation" in inspect.signature(ask).parameters and torch.version.hip is None:
    for major in (7, 8, 9):  # the card that it believes in
        replaced = dict(
            is_available=lambda: True,
            current_device=lambda: 0,
            get_device_properties=lambda device: SimpleNamespace(major=major),
            _check_bf16_tensor_supported=lambda device: True,
        )
        with mock.patch.multiple(torch.cuda, **replaced):
            assert ask() and ask(including_emulation=False) == (major >= 8)


# %% stale-copies hidden=true
from contextlib import nullcontext


def losses(each_step):
    torch.manual_seed(0)
    net = nn.Linear(3, 2)
    optimizer, seen = torch.optim.SGD(net.parameters(), lr=1.0), []
    with nullcontext() if each_step else torch.autocast("cpu", dtype=torch.bfloat16):
        for _ in range(3):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = net(torch.ones(1, 3)).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
    return seen


assert len({*losses(each_step=True)}) == 3 and len({*losses(each_step=False)}) == 1

# %% casts-these-alone hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int64, torch.complex64):
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            nn.Linear(2, 2)(torch.ones(1, 2, dtype=dtype))
        cast = True
    except RuntimeError:
        cast = False
    assert cast is (dtype in (torch.float16, torch.bfloat16, torch.float32)), dtype

# %% arguments-by-name hidden=true
for scale, arguments in ((2.0**16, (1024.0,)), (1024.0, ("cpu", 1024.0))):
    shifted = torch.amp.GradScaler(*arguments)  # the first one is the device
    assert shifted.get_scale() == scale, arguments

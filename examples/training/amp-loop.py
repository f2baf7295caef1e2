"""The mixed-precision training loop, line by line."""

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


# %% loop
net, optimizer = new_training()
amp_dtype = torch.float16
scaler = torch.amp.GradScaler(device.type, enabled=amp_dtype == torch.float16)

for step in range(60):
    rows = torch.randint(512, (64,)).to(device)
    with torch.autocast(device.type, dtype=amp_dtype):
        logits = net(inputs[rows])
        loss = nn.functional.cross_entropy(logits, labels[rows])
    optimizer.zero_grad()
    scaler.scale(loss).backward()  # (1)!
    scaler.unscale_(optimizer)  # (2)!
    nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
    scaler.step(optimizer)  # (3)!
    scaler.update()
    if step % 20 == 0:
        print(f"step {step:2}  loss {loss.item():.1f}")
net.eval()
with torch.no_grad(), torch.autocast(device.type, dtype=amp_dtype):
    right = net(inputs).argmax(dim=1) == labels
print("accuracy above 0.9:", right.float().mean().item() > 0.9)

# %% dtypes
state = optimizer.state[net[0].weight]
kinds = {
    "logits": logits,
    "loss": loss,
    "weight": net[0].weight,
    "gradient": net[0].weight.grad,
    "Adam's average": state["exp_avg"],
}
for name, tensor in kinds.items():
    print(f"{name:14} {tensor.dtype}")


# %% underflow
def share_of_zeros(dtype, scale=1.0):
    net, _ = new_training()
    with torch.autocast(device.type, dtype=dtype):
        logits = net(inputs)
        loss = nn.functional.mse_loss(logits, torch.zeros_like(logits))
    (loss * 1e-5 * scale).backward()  # a term with a small weight
    gradient = net[0].weight.grad
    assert gradient.isfinite().all()  # inf and NaN would not count as zero
    return (gradient == 0).float().mean().item()


print(f"float16         {share_of_zeros(torch.float16):.0%}")
print(f"float16, scaled {share_of_zeros(torch.float16, scale=2.0**16):.0%}")
print(f"bfloat16        {share_of_zeros(torch.bfloat16):.0%}")


# %% clip-scaled
def train(unscale_first):
    net, _ = new_training()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler(device.type)
    for _ in range(60):
        with torch.autocast(device.type, dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(inputs), labels)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        if unscale_first:
            scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


print(f"unscale_, clip: loss {train(True):.1f}")
print(f"clip alone:     loss {train(False):.1f}")

# %% accumulate
net, optimizer = new_training()
scaler = torch.amp.GradScaler(device.type)
for step in range(2):
    optimizer.zero_grad()
    for rows in torch.arange(512, device=device).chunk(4):
        with torch.autocast(device.type, dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(inputs[rows]), labels[rows]) / 4
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # once, when all parts are there
    nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()
print("updates:", int(optimizer.state[net[0].weight]["step"]))

# %% unscale-twice raises="RuntimeError"
optimizer.zero_grad()
scaler.scale(nn.functional.cross_entropy(net(inputs), labels)).backward()
scaler.unscale_(optimizer)
scaler.unscale_(optimizer)

# %% no-update raises="RuntimeError"
scaler.step(optimizer)
scaler.step(optimizer)

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

# %% bce needs="cuda" raises="RuntimeError" says="torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast." origin="aten/src/ATen/autocast_mode.cpp"
with torch.autocast("cuda"):
    nn.BCELoss()(net(inputs).sigmoid()[:, 1], labels.float())


# %% copies
def kept_for_backward(samples, autocast):
    net = nn.Sequential(*(nn.Linear(256, 256) for _ in range(3))).to(device)
    weights = {weight.data_ptr() for weight in net.parameters()}
    kept = {}

    def pack(tensor):
        if tensor.data_ptr() not in weights:
            kept[tensor.data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        with torch.autocast(device.type, dtype=amp_dtype, enabled=autocast):
            net(torch.randn(samples, 256).to(device))
    return sum(tensor.nbytes for tensor in kept.values()) // 1024


for samples in (8, 1024):
    sizes = [kept_for_backward(samples, autocast) for autocast in (False, True)]
    print(f"batch {samples:4}: float32 {sizes[0]:4} KiB, autocast {sizes[1]:4} KiB")
copies = 2 * 256 * 256 * 2 // 1024  # two layers, 2 bytes per number
print(f"copies of weights: {copies} KiB")

# %% claims hidden=true
assert sizes[1] == sizes[0] / 2 + copies
with torch.autocast("cpu", dtype=torch.bfloat16):
    assert nn.BCELoss()(torch.rand(4), torch.ones(4)).isfinite()  # runs on a CPU
half = nn.Linear(2, 1).half()
scaler = torch.amp.GradScaler("cpu")
scaler.scale(half(torch.ones(1, 2, dtype=torch.float16)).sum().float()).backward()
try:
    scaler.unscale_(torch.optim.SGD(half.parameters(), lr=0.1))
except ValueError as error:
    assert "unscale FP16 gradients" in str(error)
else:
    raise AssertionError
off = torch.amp.GradScaler("cpu", enabled=False)
assert off.scale(loss) is loss and off.get_scale() == 1.0
assert torch.amp.GradScaler("cpu").get_scale() == 65536
with torch.autocast("cpu", dtype=torch.bfloat16):
    assert nn.BCEWithLogitsLoss()(torch.zeros(4), torch.ones(4)).isfinite()

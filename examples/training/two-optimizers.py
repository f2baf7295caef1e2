"""Several optimizers: who clears, who steps, one scheduler each, all of them saved."""

# %% nets
import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, StepLR

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(8, 16), nn.Tanh())
head = nn.Linear(16, 2)
net = nn.Sequential(encoder, head)
inputs = torch.randn(64, 8)
labels = (inputs[:, 0] > inputs[:, 1]).long()

# %% loop
optimizers = {
    "encoder": torch.optim.AdamW(encoder.parameters(), lr=0.02),
    "head": torch.optim.SGD(head.parameters(), lr=0.5),
}
schedulers = {
    "encoder": StepLR(optimizers["encoder"], 30, gamma=0.5),
    "head": ExponentialLR(optimizers["head"], gamma=0.99),
}
losses = []
for epoch in range(60):
    loss = F.cross_entropy(net(inputs), labels)  # one loss, one backward()
    for optimizer in optimizers.values():
        optimizer.zero_grad()
    loss.backward()
    for optimizer in optimizers.values():
        optimizer.step()
    for scheduler in schedulers.values():
        scheduler.step()
    losses.append(loss.item())
fell = losses[-1] < losses[0] / 5
print(f"first loss {losses[0]:.1f}, last below a fifth: {fell}")
for name, optimizer in optimizers.items():
    print(f"{name:7} rate {optimizer.param_groups[0]['lr']:.3f}")

# %% every-parameter
owned = []
for optimizer in optimizers.values():
    for group in optimizer.param_groups:
        owned += group["params"]
print("in two optimizers:", len(owned) - len(set(owned)))
print("in none:          ", len(set(net.parameters()) - set(owned)))

# %% scheduler-of-two raises="TypeError"
StepLR(list(optimizers.values()), step_size=30)

# %% schedulers
for name, optimizer in optimizers.items():
    schedulers[name] = StepLR(optimizer, step_size=30)
print(list(schedulers))

# %% scaler
scaler = torch.amp.GradScaler(inputs.device.type, init_scale=1024.0)
for optimizer in optimizers.values():
    optimizer.zero_grad()
scaler.scale(F.cross_entropy(net(inputs), labels)).backward()
for optimizer in optimizers.values():
    scaler.step(optimizer)
scaler.update()  # once, after both
print("scale:", scaler.get_scale())

# %% save
checkpoint = {
    "net": net.state_dict(),
    "optimizers": {name: o.state_dict() for name, o in optimizers.items()},
    "schedulers": {name: s.state_dict() for name, s in schedulers.items()},
}
for name, saved in checkpoint["optimizers"].items():
    optimizers[name].load_state_dict(saved)
for name, saved in checkpoint["schedulers"].items():
    schedulers[name].load_state_dict(saved)
print({name: list(saved) for name, saved in checkpoint["optimizers"].items()})

# %% claims hidden=true
for wrong in (list(optimizers.values()), optimizers):
    try:
        StepLR(wrong, step_size=30)
        raise AssertionError
    except TypeError as error:
        assert "is not an Optimizer" in str(error), error
for name, part in (("encoder", encoder), ("head", head)):
    held = {id(p) for g in optimizers[name].param_groups for p in g["params"]}
    assert held == {id(p) for p in part.parameters()}
for optimizer in optimizers.values():
    optimizer.zero_grad()
scaler.scale(F.cross_entropy(net(inputs), labels)).backward()
head.weight.grad[0, 0] = float("inf")  # the head's gradients overflow, the encoder's do not
before = [encoder[0].weight.clone(), head.weight.clone()]
for optimizer in optimizers.values():
    scaler.step(optimizer)
scaler.update()
assert not torch.equal(encoder[0].weight, before[0]) and torch.equal(head.weight, before[1])
assert scaler.get_scale() == 512.0
optimizers["head"].load_state_dict(torch.optim.SGD(encoder.parameters(), lr=0.3).state_dict())  # both have two tensors
try:
    optimizers["head"].load_state_dict(torch.optim.SGD(net.parameters(), lr=0.3).state_dict())
    raise AssertionError
except ValueError as error:
    assert "size" in str(error), error
first, other = nn.Linear(2, 3), nn.Linear(5, 7)
adams = [torch.optim.Adam(layer.parameters()) for layer in (first, other)]
for layer, adam in zip((first, other), adams):
    layer(torch.randn(1, layer.in_features)).sum().backward()
    adam.step()
adams[0].load_state_dict(adams[1].state_dict())  # other shapes: no error here
assert adams[0].state[first.weight]["exp_avg"].shape == other.weight.shape

# %% clipped-together hidden=true
for together in (True, False):
    parts = [nn.Linear(3, 4), nn.Linear(4, 2)]
    pair = [torch.optim.SGD(part.parameters(), lr=0.1) for part in parts]
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(parts[1](parts[0](torch.randn(5, 3))).sum()).backward()
    parts[1].bias.grad[0] = float("nan")
    held = [list(part.parameters()) for part in parts]
    for optimizer in pair:
        scaler.unscale_(optimizer)
    for clipped in [held[0] + held[1]] if together else held:
        nn.utils.clip_grad_norm_(clipped, 1.0)
    for optimizer in pair:
        scaler.step(optimizer)
    assert parts[0].weight.isnan().all() == together
    assert parts[1].weight.isfinite().all()  # its own optimizer was skipped

# %% in-memory hidden=true
assert checkpoint["net"]["0.0.weight"].data_ptr() == encoder[0].weight.data_ptr()  # no copy

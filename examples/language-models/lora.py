"""LoRA by hand, as a parametrization: train a small difference, save and merge it."""

# %% lora
import torch
from torch import nn
from torch.nn.utils import parametrize


class LoRA(nn.Module):
    def __init__(self, layer, rank=4, alpha=8):
        super().__init__()
        outputs, inputs = layer.weight.shape
        self.down = nn.Parameter(torch.randn(rank, inputs) / inputs**0.5)
        self.up = nn.Parameter(torch.zeros(outputs, rank))
        self.scale = alpha / rank

    def forward(self, weight):
        return weight + self.scale * self.up @ self.down


def add_lora(net, names, rank=4):
    net.requires_grad_(False)
    for name in names:
        layer = net.get_submodule(name)
        adapter = LoRA(layer, rank).to(layer.weight)
        parametrize.register_parametrization(layer, "weight", adapter)


# %% add
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 8))  # pretrained
x = torch.randn(5, 32)
before = net(x)
add_lora(net, names=["0", "2"])
print("same output:", torch.equal(net(x), before))
trained = [parameter for parameter in net.parameters() if parameter.requires_grad]
everything = sum(parameter.numel() for parameter in net.parameters())
print(f"{sum(p.numel() for p in trained)} of {everything} parameters are trained")

# %% train
inputs = torch.randn(256, 32)
labels = inputs[:, :8].argmax(dim=1)
frozen = net[0].parametrizations.weight.original.clone()
optimizer = torch.optim.AdamW(trained, lr=0.02)
for step in range(101):
    loss = nn.functional.cross_entropy(net(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step in (0, 10, 100):
        print(f"step {step:3}  loss {loss.item():.1f}")
print("frozen:", torch.equal(net[0].parametrizations.weight.original, frozen))

# %% adapter
adapter = {}
for name, parameter in net.named_parameters():
    if parameter.requires_grad:
        adapter[name] = parameter.detach()
for name, parameter in adapter.items():
    print(f"{name:30} {tuple(parameter.shape)}")

# %% load
torch.manual_seed(0)
fresh = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 8))  # pretrained
add_lora(fresh, names=["0", "2"])
missing, unexpected = fresh.load_state_dict(adapter, strict=False)
print("not found:", unexpected, " left as it was:", missing[:2])
print("same output:", torch.equal(fresh(x), net(x)))

# %% merge
tuned = net(x)
for layer in (net[0], net[2]):
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=True)
print(list(net.state_dict()))
print("merged, same output:", torch.allclose(net(x), tuned, atol=1e-5))

# %% remove
for layer in (fresh[0], fresh[2]):
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
print("pretrained again:", torch.equal(fresh(x), before))

# %% both-zero
add_lora(fresh, names=["0"])
adapter = fresh[0].parametrizations.weight[0]
nn.init.zeros_(adapter.down)
fresh(x).sum().backward()
print("both zero:  ", adapter.up.grad.any().item(), adapter.down.grad.any().item())
nn.init.normal_(adapter.down)
fresh.zero_grad()
fresh(x).sum().backward()
print("up zero:    ", adapter.up.grad.any().item(), adapter.down.grad.any().item())

# %% claims hidden=true
assert not net[0].weight.requires_grad  # merged weights stay frozen
layer = nn.Linear(6, 3).double()
add_lora(layer_net := nn.Sequential(layer), ["0"], rank=2)
with torch.no_grad():
    layer.parametrizations.weight[0].up.normal_()
y = torch.randn(4, 6, dtype=torch.float64)
part = layer.parametrizations.weight[0]
by_hand = y @ layer.parametrizations.weight.original.T + layer.bias + part.scale * (y @ part.down.T) @ part.up.T
torch.testing.assert_close(layer_net(y), by_hand)

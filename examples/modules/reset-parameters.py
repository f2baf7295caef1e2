"""reset_parameters() draws the default initial values again."""

# %% reset
import torch
from torch import nn


def reset(module):
    if hasattr(module, "reset_parameters"):
        module.reset_parameters()


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
net(torch.randn(8, 3)).square().sum().backward()
optimizer.step()

print(net[0].bias.detach(), net[1].running_mean)
net.apply(reset)
print(net[0].bias.detach(), net[1].running_mean)

# %% same-object
print("in the optimizer:", optimizer.param_groups[0]["params"][0] is net[0].weight)
print("gradient kept:", net[0].weight.grad is not None)

# %% seeded
torch.manual_seed(0)
net.apply(reset)
torch.manual_seed(0)
print("equal to a new layer:", torch.equal(net[0].weight, nn.Linear(3, 2).weight))

# %% stale-momentum
optimizer.zero_grad(set_to_none=False)
before = net[0].weight.clone()
optimizer.step()
print("weights moved:", not torch.equal(net[0].weight, before))

# %% fresh-optimizer
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
before = net[0].weight.clone()
optimizer.step()
print("weights moved:", not torch.equal(net[0].weight, before))


# %% missed
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.ones(1))


for module in (Scale(), nn.MultiheadAttention(4, 1)):
    own = [name for name, _ in module.named_parameters(recurse=False)]
    method = hasattr(module, "reset_parameters")
    print(f"{type(module).__name__}: own {own}, has it: {method}")

# %% attention
attention = nn.MultiheadAttention(4, 1)
in_proj = attention.in_proj_weight.clone()
out_proj = attention.out_proj.weight.clone()
attention.apply(reset)
print("in_proj_weight reset:", not torch.equal(attention.in_proj_weight, in_proj))
changed = not torch.equal(attention.out_proj.weight, out_proj)
print("out_proj.weight reset:", changed)


# %% rebuild
def build():
    torch.manual_seed(0)
    return nn.Sequential(Scale(), nn.MultiheadAttention(4, 1))


pairs = zip(build().parameters(), build().parameters())
print("equal:", all(torch.equal(first, second) for first, second in pairs))

# %% computed-weights hidden=true
from torch.nn.utils import parametrizations, prune

for make in (parametrizations.weight_norm, lambda layer: prune.l1_unstructured(layer, "weight", amount=2)):
    layer = make(nn.Linear(3, 3))
    before = layer.weight.detach().clone()
    layer.reset_parameters()
    layer(torch.ones(1, 3))
    assert torch.equal(layer.weight, before)

# %% recurrent-originals hidden=true
if hasattr(parametrizations, "weight_norm"):  # since 2.1
    torch.manual_seed(0)
    plain = nn.LSTM(3, 64)
    recurrent = parametrizations.weight_norm(nn.LSTM(3, 64), "weight_hh_l0")
    before = recurrent.weight_hh_l0.detach().clone()
    recurrent.reset_parameters()
    after = recurrent.weight_hh_l0.detach()
    assert not torch.equal(after, before)  # its reset goes through the parameters, the originals
    assert after.std() < plain.weight_hh_l0.std() / 2  # and not to the default start

"""eval() sets a flag on every module; gradients flow as before."""

# %% flag
import copy

import torch
from torch import nn

net = nn.Sequential(
    nn.Linear(3, 4),
    nn.BatchNorm1d(4),
    nn.Dropout(0.5),
    nn.Linear(4, 1),
)
print("new:   ", [module.training for module in net.modules()])
net.eval()
print("eval():", [module.training for module in net.modules()])

# %% gradients
torch.manual_seed(0)
image = torch.randn(8, 3)  # (batch, features)
out = net(image)
print("requires_grad:", out.requires_grad, " grad_fn:", out.grad_fn.name())

out.square().mean().backward()
print({name: weight.grad is not None for name, weight in net.named_parameters()})

# %% train
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
before = net[0].weight.clone()
optimizer.step()
print("weights changed:", not torch.equal(net[0].weight, before))

# %% freeze
net.train().requires_grad_(False)
print("training:", net.training)
print("requires_grad:", net(image).requires_grad)


# %% affected
hidden = torch.randn(8, 4)
layers = [nn.Linear(4, 4), nn.LayerNorm(4), nn.GroupNorm(2, 4), nn.Dropout(0.5)]
layers += [nn.BatchNorm1d(4), nn.RReLU()]
for layer in layers:
    same = torch.equal(layer.train()(hidden), layer.eval()(hidden))
    print(f"{type(layer).__name__:12}", "same" if same else "differs")

# %% added-later
net.eval()
net.append(nn.Dropout(0.5))
print("net:", net.training, " new layer:", net[-1].training)

# %% child-only
net.train()
net[1].eval()  # BatchNorm keeps its running statistics
print("frozen:      ", [module.training for module in net])
net.train()
print("next train():", [module.training for module in net])


# %% keep-frozen
class FrozenNorm(nn.Sequential):
    def train(self, mode=True):
        super().train(mode)
        for module in self.modules():
            if isinstance(module, nn.modules.batchnorm._BatchNorm):
                module.eval()
        return self


frozen = FrozenNorm(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU()).train()
for module in frozen:
    print(f"{type(module).__name__:12} training={module.training}")

# %% not-saved
state = net.eval().state_dict()
restored = copy.deepcopy(net).train()
restored.load_state_dict(state)
print("saved:", net.training, " loaded:", restored.training)

# %% who-reads-it hidden=true
without_statistics = nn.BatchNorm1d(4, track_running_stats=False).eval()
assert not torch.allclose(without_statistics(hidden[:2]), without_statistics(hidden)[:2])
series = torch.randn(8, 4, 6)
for track in (False, True):
    instance_norm = nn.InstanceNorm1d(4, track_running_stats=track)
    assert torch.equal(instance_norm.train()(series), instance_norm.eval()(series)) is not track

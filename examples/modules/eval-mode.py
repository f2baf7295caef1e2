"""eval() sets a flag on every module; gradients flow as before."""

# %% flag
import torch
from torch import nn

net = nn.Sequential(
    nn.Linear(3, 4),
    nn.BatchNorm1d(4),
    nn.Dropout(0.5),
    nn.Linear(4, 1),
)
print([module.training for module in net.modules()])
print(net.eval() is net)
print([module.training for module in net.modules()])

# %% gradients
torch.manual_seed(0)
image = torch.randn(8, 3)  # (batch, features)
out = net(image)
print(out.requires_grad, out.grad_fn.name())

out.square().mean().backward()
print([parameter.grad is not None for parameter in net.parameters()])

# %% train
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
before = net[0].weight.clone()
optimizer.step()
print(torch.equal(net[0].weight, before))

# %% freeze
net.train().requires_grad_(False)
print(net.training, net(image).requires_grad)


# %% affected
def same_in_both_modes(layer, x):
    layer.train()
    trained = layer(x)
    layer.eval()
    return torch.equal(trained, layer(x))


x = torch.randn(8, 4)
for layer in (nn.Linear(4, 4), nn.LayerNorm(4), nn.GroupNorm(2, 4)):
    print(type(layer).__name__, same_in_both_modes(layer, x))
for layer in (nn.Dropout(0.5), nn.BatchNorm1d(4), nn.RReLU()):
    print(type(layer).__name__, same_in_both_modes(layer, x))

# %% added-later
net.eval()
net.append(nn.Dropout(0.5))
print(net.training, net[-1].training)

# %% child-only
net.train()
net[1].eval()  # BatchNorm keeps its running statistics
print([module.training for module in net])
net.train()
print([module.training for module in net])


# %% keep-frozen
class FrozenNorm(nn.Sequential):
    def train(self, mode=True):
        super().train(mode)
        for module in self.modules():
            if isinstance(module, nn.BatchNorm1d):
                module.eval()
        return self


frozen = FrozenNorm(nn.Linear(3, 4), nn.BatchNorm1d(4)).train()
print([module.training for module in frozen])

# %% not-saved
print(any("training" in key for key in net.state_dict()))

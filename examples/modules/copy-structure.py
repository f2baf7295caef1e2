"""The same architecture with fresh weights: copy the module, then reset it."""

# %% copy
import copy

import torch
from torch import nn


def reset(module):
    if hasattr(module, "reset_parameters"):
        module.reset_parameters()


torch.manual_seed(0)
old = nn.Sequential(
    nn.Linear(4, 8),
    nn.BatchNorm1d(8),
    nn.ReLU(),
    nn.Linear(8, 2),
)
new = copy.deepcopy(old).apply(reset)

pairs = list(zip(old.parameters(), new.parameters()))
print([a.shape == b.shape for a, b in pairs])
print([torch.equal(a, b) for a, b in pairs])

# %% independent
with torch.no_grad():
    new[0].weight.zero_()
print(torch.any(old[0].weight).item())

# %% ensemble
image = torch.randn(1, 4)
same = [copy.deepcopy(old).eval() for _ in range(3)]
fresh = [copy.deepcopy(old).apply(reset).eval() for _ in range(3)]
with torch.no_grad():
    print([round(net(image)[0, 0].item(), 3) for net in same])
    print([round(net(image)[0, 0].item(), 3) for net in fresh])

# %% kept
old[0].requires_grad_(False)
old.eval()
new = copy.deepcopy(old).apply(reset)
print(new[0].weight.requires_grad, new.training)

# %% gradients
old(image).sum().backward()
print(old[3].weight.grad is None, copy.deepcopy(old)[3].weight.grad is None)

# %% meta
with torch.device("meta"):
    skeleton = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
print(skeleton[0].weight.device, skeleton[0].weight.shape)

torch.manual_seed(0)
new = skeleton.to_empty(device="cpu").apply(reset)
print(new(image).shape)


# %% non-leaf raises="RuntimeError"
class Encoder(nn.Linear):
    def forward(self, image):
        self.hidden = super().forward(image)  # kept for later
        return self.hidden


encoder = Encoder(4, 2)
encoder(image)
copy.deepcopy(encoder)

# %% non-leaf-detached
encoder.hidden = encoder.hidden.detach()
print(copy.deepcopy(encoder).hidden.shape)

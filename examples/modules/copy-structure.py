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

for (name, a), b in zip(old.named_parameters(), new.parameters()):
    shapes = f"{tuple(a.shape)!s:6} -> {tuple(b.shape)!s:6}"
    print(f"{name:8} {shapes} equal: {torch.equal(a, b)}")

# %% independent
with torch.no_grad():
    new[0].weight.zero_()
old_count, new_count = (net[0].weight.count_nonzero().item() for net in (old, new))
print("old:", old_count, " new:", new_count)

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
print("requires_grad:", new[0].weight.requires_grad, " training:", new.training)

# %% gradients
old(image).sum().backward()
for net in (old, copy.deepcopy(old)):
    grad = net[3].weight.grad
    print("gradient:", None if grad is None else grad.shape)

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
print("copied:", copy.deepcopy(encoder).hidden.shape)

# %% weight-norm raises="RuntimeError" warns="FutureWarning"
copy.deepcopy(nn.utils.weight_norm(nn.Linear(4, 2)))

# %% weight-norm-parametrized
layer = nn.utils.parametrizations.weight_norm(nn.Linear(4, 2))
layer(torch.ones(1, 4))
copied = copy.deepcopy(layer)
print("copied, same weight:", torch.equal(copied.weight, layer.weight))

# %% weight-norm-no-grad
layer = nn.utils.weight_norm(nn.Linear(4, 2))
with torch.no_grad():
    layer(torch.ones(1, 4))
print("copied:", [name for name, _ in copy.deepcopy(layer).named_parameters()])

# %% weight-norm-removed
layer = nn.utils.weight_norm(nn.Linear(4, 2))
weight = layer.weight.detach().clone()
nn.utils.remove_weight_norm(layer)
print("copied, same weight:", torch.equal(copy.deepcopy(layer).weight, weight))

# %% hooks-and-garbage hidden=true
hooked, ran = nn.Linear(2, 2), []
hooked.register_forward_hook(lambda *args: ran.append("hook"))
copy.deepcopy(hooked)(torch.ones(1, 2))
assert ran == ["hook"]
torch.use_deterministic_algorithms(True)  # fills new memory with NaN
with torch.device("meta"):
    attention = nn.MultiheadAttention(4, 1)
attention.to_empty(device="cpu").apply(reset)
torch.use_deterministic_algorithms(False)
assert attention.in_proj_weight.isnan().all() and attention.out_proj.weight.isfinite().all()
tied = nn.ModuleList([nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)])
tied[1].weight = tied[0].weight
twin = copy.deepcopy(tied)
assert twin[0].weight is twin[1].weight  # a tie is copied as one


# %% hook-shared hidden=true
outputs, watched = [], nn.Linear(2, 2)
watched.register_forward_hook(lambda module, args, output: outputs.append(module))
copied = copy.deepcopy(watched)
for layer in (watched, copied):
    layer(torch.ones(1, 2))
assert outputs[0] is watched and outputs[1] is copied

# %% not-reset hidden=true
layer = nn.utils.parametrizations.weight_norm(nn.Linear(4, 2))
twin = copy.deepcopy(layer).apply(reset)
assert torch.equal(twin.weight, layer.weight) and not torch.equal(twin.bias, layer.bias)
with torch.device("meta"):
    tied = nn.ModuleList([nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)])
    tied[1].weight = tied[0].weight
tied.to_empty(device="cpu")
assert tied[0].weight is not tied[1].weight

# %% kept-for-a-loss hidden=true
for cut in (False, True):
    encoder, head = Encoder(4, 2), nn.Linear(4, 2)
    encoder(image)
    penalty = (encoder.hidden.detach() if cut else encoder.hidden).square().mean()
    (head(image).sum() + penalty).backward()
    assert (encoder.weight.grad is None) == cut  # without an error
encoder.hidden = None
assert copy.deepcopy(encoder).hidden is None

# %% batch-counted hidden=true
import warnings

for training in (True, False):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # shown above
        net = nn.Sequential(nn.utils.weight_norm(nn.Linear(4, 2)), nn.BatchNorm1d(2)).train(training)
    with torch.no_grad():
        net(torch.ones(3, 4))
    assert copy.deepcopy(net)[1].running_mean.any() == training

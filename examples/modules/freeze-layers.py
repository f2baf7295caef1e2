"""Freezing a backbone: parameters by requires_grad, BatchNorm by eval()."""

# %% freeze
import copy

import torch
from torch import nn

torch.manual_seed(0)
conv = nn.Conv2d(3, 8, kernel_size=3)
backbone = nn.Sequential(conv, nn.BatchNorm2d(8), nn.ReLU())
head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 2))
net = nn.ModuleDict({"backbone": backbone, "head": head})

backbone.requires_grad_(False)
for name, parameter in net.named_parameters():
    print(f"{name:18} {'trains' if parameter.requires_grad else 'frozen'}")

# %% optimizer
trainable = [parameter for parameter in net.parameters() if parameter.requires_grad]
optimizer = torch.optim.SGD(trainable, lr=0.1)


def step():
    """One training step; returns the names of the tensors that it changed."""
    before = copy.deepcopy(net.state_dict())
    image, label = torch.randn(16, 3, 8, 8), torch.randint(2, (16,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(head(backbone(image)), label).backward()
    optimizer.step()
    state = net.state_dict()
    return [name for name in state if not torch.equal(state[name], before[name])]


# %% batch-norm-moves
net.train()
print(step())

# %% batch-norm-frozen
net.train()
backbone.eval()  # after every net.train()
print(step())


# %% every-batch-norm
def freeze_batch_norm(module):
    # The base class of BatchNorm1d, 2d, 3d and SyncBatchNorm.
    if isinstance(module, nn.modules.batchnorm._BatchNorm):
        module.eval().requires_grad_(False)


net.train().apply(freeze_batch_norm)
print([type(module).__name__ for module in net.modules() if not module.training])

# %% no-graph
out = backbone(torch.randn(1, 3, 8, 8))
print("requires_grad:", out.requires_grad, " grad_fn:", out.grad_fn)

# %% unfreeze
backbone[0].requires_grad_(True)
optimizer.add_param_group({"params": backbone[0].parameters(), "lr": 0.01})
for group in optimizer.param_groups:
    shapes = [tuple(parameter.shape) for parameter in group["params"]]
    print("lr", group["lr"], shapes)
print(step())

# %% stale-gradient
backbone[0].requires_grad_(False)  # frozen again, but its last .grad is still there
before = backbone[0].weight.clone()
optimizer.step()
print("moved:", not torch.equal(backbone[0].weight, before))

optimizer.zero_grad()  # sets .grad to None
before = backbone[0].weight.clone()
optimizer.step()
print("moved:", not torch.equal(backbone[0].weight, before))

# %% frozen-out raises="RuntimeError"
net.requires_grad_(False)
step()

# %% remedies hidden=true
backbone.requires_grad_(False)
head.requires_grad_(True)
assert step()

# %% added-twice hidden=true
try:
    optimizer.add_param_group({"params": head.parameters(), "lr": 0.01})
except ValueError as error:
    assert "more than one parameter group" in str(error)
else:
    raise AssertionError("a parameter was added twice")

# %% head-after-the-optimizer hidden=true
net.requires_grad_(False)
early = torch.optim.SGD(net.parameters(), lr=0.1)
fresh = nn.Linear(8, 2)
before = fresh.weight.clone()
fresh(torch.ones(1, 8)).sum().backward()
early.step()
assert fresh.weight.grad is not None and torch.equal(fresh.weight, before)

"""What an optimizer takes as params: tensors, (name, tensor) pairs, or a list of dicts."""

# %% groups
import torch
from torch import nn

backbone, head = nn.Linear(4, 4), nn.Linear(4, 2)
optimizer = torch.optim.Adam(
    [
        {"params": backbone.parameters(), "lr": 1e-3},
        {"params": head.parameters()},
    ],
    lr=1e-2,
)
print([group["lr"] for group in optimizer.param_groups], optimizer.defaults["lr"])

# %% one-dict raises="TypeError"
torch.optim.Adam({"params": head.parameters(), "lr": 1e-2})

# %% parameters-dict raises="TypeError"
torch.optim.Adam(dict(head.named_parameters()))

# %% bare raises="TypeError"
torch.optim.Adam(head.weight)

# %% module raises="TypeError"
torch.optim.Adam(head)

# %% nested raises="TypeError"
torch.optim.Adam([backbone.parameters(), head.parameters()])

# %% joined
optimizer = torch.optim.Adam([*backbone.parameters(), *head.parameters()])
print(len(optimizer.param_groups), len(optimizer.param_groups[0]["params"]))

# %% named
optimizer = torch.optim.Adam(head.named_parameters())
print(optimizer.param_groups[0]["param_names"])

# %% exhausted raises="ValueError"
parameters = head.parameters()
print(sum(parameter.numel() for parameter in parameters))
torch.optim.Adam(parameters)

# %% twice raises="ValueError"
torch.optim.Adam([{"params": head.parameters()}, {"params": [head.bias]}])

# %% non-leaf raises="ValueError"
scale = 0.1 * torch.randn(3, requires_grad=True)
torch.optim.Adam([scale])

# %% unknown-option
optimizer = torch.optim.Adam([{"params": head.parameters(), "learning_rate": 0.1}])
print(optimizer.param_groups[0]["learning_rate"], optimizer.param_groups[0]["lr"])

# %% no-decay
norm = nn.LayerNorm(4)
net = nn.Sequential(backbone, norm, head)
groups = {True: [], False: []}
for name, parameter in net.named_parameters():
    groups[parameter.ndim >= 2].append((name, parameter))
optimizer = torch.optim.AdamW(
    [
        {"params": groups[True]},  # matrices
        {"params": groups[False], "weight_decay": 0.0},  # biases, LayerNorm
    ],
    weight_decay=0.1,
)
for group in optimizer.param_groups:
    print(group["weight_decay"], group["param_names"])

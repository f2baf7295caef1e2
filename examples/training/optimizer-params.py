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
for group in optimizer.param_groups:
    shapes = [tuple(parameter.shape) for parameter in group["params"]]
    print("lr", group["lr"], shapes)

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
for group in optimizer.param_groups:
    print([tuple(parameter.shape) for parameter in group["params"]])

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
group = optimizer.param_groups[0]
print("learning_rate", group["learning_rate"], "lr", group["lr"])

# %% named
optimizer = torch.optim.Adam(head.named_parameters())
print(optimizer.param_groups[0]["param_names"])

# %% remedies hidden=true
named = dict(nn.Linear(2, 2).named_parameters())
for params in (
    [{"params": list(named.values())}],
    [nn.Parameter(torch.zeros(2))],
    named.values(),
    [*nn.Linear(2, 2).parameters(), *nn.Linear(2, 1).parameters()],
    list(nn.Linear(2, 2).parameters()),
    [(0.1 * torch.randn(3)).requires_grad_()],
):
    torch.optim.Adam(params)

# %% shared-by-both hidden=true
import warnings

first, second = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)
second.weight = first.weight
both = [*first.parameters(), *second.parameters()]
for params, length in ((both, 0.2), (list(dict.fromkeys(both)), 0.1)):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a group with duplicate parameters
        optimizer = torch.optim.SGD(params, lr=0.1)
    before = first.weight.detach().clone()
    first.weight.grad = torch.ones(2, 2)
    optimizer.step()
    assert torch.allclose(before - first.weight, torch.full((2, 2), length))
try:
    torch.optim.Adam(head.parameters(), learning_rate=0.1)
except TypeError:
    pass
else:
    raise AssertionError

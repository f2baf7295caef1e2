"""Parameter groups: no weight decay for biases and norms, a learning rate for each layer."""

# %% no-decay
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 2))
decay = [(name, p) for name, p in net.named_parameters() if p.ndim >= 2]
rest = [(name, p) for name, p in net.named_parameters() if p.ndim < 2]
optimizer = torch.optim.AdamW(
    [
        {"params": decay, "weight_decay": 0.1},  # matrices
        {"params": rest, "weight_decay": 0.0},  # biases, norms
    ],
    lr=1e-3,
)


def show(optimizer):
    for group in optimizer.param_groups:
        decay = group["weight_decay"]
        rates = f"lr {group['lr']:.0e}  weight_decay {decay:<4}"
        print(f"{rates}  {group['param_names']}")


show(optimizer)

# %% all-there
grouped = sum(len(group["params"]) for group in optimizer.param_groups)
print(grouped, "in groups,", len(list(net.parameters())), "in the model")


# %% layer-wise
def layer_wise(net, lr, factor):
    groups = []
    for name, layer in reversed(list(net.named_children())):
        named = list(layer.named_parameters(prefix=name))
        if named:  # a ReLU has none
            groups.append({"params": named, "lr": lr * factor ** len(groups)})
    return torch.optim.AdamW(groups)


show(layer_wise(net, lr=1e-3, factor=0.1))

# %% scheduler
optimizer = layer_wise(net, lr=1e-3, factor=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
optimizer.step()
scheduler.step()
print([f"{rate:.0e}" for rate in scheduler.get_last_lr()])

# %% later
head = nn.Linear(8, 3)
named = list(head.named_parameters(prefix="head"))
optimizer.add_param_group({"params": named, "lr": 1e-2})
print(len(optimizer.param_groups), optimizer.param_groups[-1]["param_names"])

# %% twice raises="ValueError"
optimizer.add_param_group({"params": list(head.named_parameters())})

# %% mixed-names raises="ValueError"
optimizer.add_param_group({"params": nn.Linear(8, 1).parameters()})

# %% replaced
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net[2] = nn.Linear(8, 3)  # a new head, which the optimizer does not know
before = net[2].weight.clone()
net(torch.ones(1, 4)).sum().backward()
optimizer.step()
print("new head moved by", (net[2].weight - before).abs().max().item())

# %% layers-without-parameters hidden=true
with_relu = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Dropout(), nn.Linear(2, 2))
rates = [group["lr"] for group in layer_wise(with_relu, lr=1e-3, factor=0.1).param_groups]
assert len(rates) == 2 and abs(rates[1] / rates[0] - 0.1) < 1e-6
assert {p.ndim for p in nn.LayerNorm((2, 3)).parameters()} == {2}

# %% claims hidden=true
schedulers = torch.optim.lr_scheduler
for make, raises in (
    (lambda optimizer: schedulers.StepLR(optimizer, step_size=1), False),
    (lambda optimizer: schedulers.OneCycleLR(optimizer, max_lr=0.1, total_steps=9), True),
    (lambda optimizer: schedulers.LambdaLR(optimizer, lambda epoch: 0.5**epoch), True),
):
    optimizer = torch.optim.AdamW([nn.Parameter(torch.zeros(1))], lr=0.1)
    scheduler = make(optimizer)
    optimizer.add_param_group({"params": [nn.Parameter(torch.zeros(1))], "lr": 0.1})
    optimizer.step()
    try:
        scheduler.step()
    except (KeyError, ValueError, IndexError, RuntimeError):
        assert raises, make
    else:
        rates = [group["lr"] for group in optimizer.param_groups]
        assert not raises and rates[0] == rates[1] < 0.1

# %% remedies hidden=true
head = nn.Linear(8, 3)
for named in (True, False):
    values = nn.Module.named_parameters if named else nn.Module.parameters
    optimizer = torch.optim.SGD(list(values(net)), lr=0.1)
    known = {id(p) for group in optimizer.param_groups for p in group["params"]}
    both = [one for one in (*values(net), *values(head)) if id(one[1] if named else one) not in known]
    optimizer.add_param_group({"params": both})
    assert len(optimizer.param_groups[1]["params"]) == 2

# %% empty-group hidden=true
bare = nn.Linear(4, 2, bias=False)
named = [list(bare.named_parameters()), []]  # nothing has fewer than two dimensions
for both in (named, named[::-1]):
    try:
        torch.optim.SGD([{"params": group} for group in both], lr=0.1)
    except ValueError as error:
        assert "with/without names" in str(error), error
    else:
        raise AssertionError
torch.optim.SGD([{"params": group} for group in named if group], lr=0.1)

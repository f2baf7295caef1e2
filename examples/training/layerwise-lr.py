"""Learning rates by layer and weight decay by kind of parameter, in one function."""

# %% model
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, x):
        return x + self.linear(self.norm(x)).relu()


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(100, 16)
        self.blocks = nn.ModuleList(Block(16) for _ in range(3))
        self.head = nn.Linear(16, 2)

    def forward(self, ids):  # (batch, time)
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


# %% groups
def decays(module, param):
    return param.ndim >= 2 and not isinstance(module, nn.Embedding)


def layerwise_groups(net, lr, factor, weight_decay):
    layers = [net.head, *reversed(net.blocks), net.embedding]  # last first
    groups = {}
    for depth, layer in enumerate(layers):
        for module in layer.modules():
            for param in module.parameters(recurse=False):
                decay = weight_decay if decays(module, param) else 0.0
                options = dict(lr=lr * factor**depth, weight_decay=decay)
                key = depth, decay
                groups.setdefault(key, {"params": [], **options})
                groups[key]["params"].append(param)
    return list(groups.values())


torch.manual_seed(0)
net = Classifier()
optimizer = torch.optim.AdamW(layerwise_groups(net, 0.032, 0.5, weight_decay=0.1))
for group in optimizer.param_groups:
    rates = f"lr {group['lr']:.6f}  weight_decay {group['weight_decay']}"
    print(rates, [tuple(param.shape) for param in group["params"]])

# %% all-there
grouped = [param for group in optimizer.param_groups for param in group["params"]]
print("grouped:", len(grouped), " in the model:", len(list(net.parameters())))

# %% schedule
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer,
    lambda step: min(1.0, (step + 1) / 10),  # a warm-up of 10 steps
)
ids = torch.randint(100, (64, 1)).expand(64, 5)
labels = (ids[:, 0] >= 50).long()
losses = []
for step in range(100):
    loss = nn.functional.cross_entropy(net(ids), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step in (0, 99):
        rates = sorted({group["lr"] for group in optimizer.param_groups})
        print(f"step {step:2}:", [f"{rate:.6f}" for rate in rates])
    scheduler.step()
    losses.append(loss.item())
print("last loss below a tenth of the first:", losses[-1] < losses[0] / 10)

# %% one-max-lr
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.032, total_steps=10)
print("one number:", {f"{group['max_lr']:.6f}" for group in optimizer.param_groups})

# %% wrong-count raises="ValueError"
torch.optim.lr_scheduler.OneCycleLR(optimizer, [0.032, 0.016], total_steps=10)

# %% right-count
groups = layerwise_groups(net, 0.032, 0.5, weight_decay=0.1)
peaks = [group["lr"] for group in groups]
torch.optim.lr_scheduler.OneCycleLR(optimizer, peaks, total_steps=10)
print(len(peaks), "rates for", len(optimizer.param_groups), "groups")

# %% claims hidden=true
assert len(grouped) == len(set(grouped)) and set(grouped) == set(net.parameters())
tied = Classifier()
tied.head = nn.Linear(16, 100, bias=False)
tied.head.weight = tied.embedding.weight
try:
    torch.optim.AdamW(layerwise_groups(tied, 0.032, 0.5, weight_decay=0.1))
    raise AssertionError
except ValueError as error:
    assert "more than one parameter group" in str(error), error

"""A module with two inputs or two outputs."""

# %% model
import torch
from torch import nn


class ImageAndTable(nn.Module):
    def __init__(self, columns, classes):
        super().__init__()
        conv = nn.Conv2d(3, 8, 3, padding=1)
        pool = nn.AdaptiveAvgPool2d(1), nn.Flatten()
        self.image = nn.Sequential(conv, nn.ReLU(), *pool)
        self.table = nn.Sequential(nn.Linear(columns, 8), nn.ReLU())
        self.head = nn.Linear(8 + 8, classes)

    def forward(self, image, table):
        features = [self.image(image), self.table(table)]  # (batch, 8) each
        return self.head(torch.cat(features, dim=1))


torch.manual_seed(0)
net = ImageAndTable(columns=5, classes=3)
image, table = torch.randn(4, 3, 16, 16), torch.randn(4, 5)
print(tuple(net(image, table).shape))

# %% loader
from torch.utils.data import DataLoader, TensorDataset

labels = torch.tensor([0, 2, 1, 0])
dataset = TensorDataset(image, table, labels)
for image, table, label in DataLoader(dataset, batch_size=2):
    logits = net(image, table)
    loss = nn.functional.cross_entropy(logits, label)
    print(tuple(image.shape), tuple(table.shape), tuple(logits.shape))

# %% missing raises="TypeError"
net(image)

# %% as-a-tuple raises="TypeError"
batch = (image, table)
net(batch)

# %% unpacked
print(tuple(net(*batch).shape))
print(tuple(net(**{"image": image, "table": table}).shape))

# %% dimensions raises="RuntimeError"
torch.cat([nn.Conv2d(3, 8, 3)(image), net.table(table)], dim=1)

# %% pooled-first
pooled = nn.Conv2d(3, 8, 3)(image).mean(dim=(2, 3))  # (batch, 8)
print(tuple(torch.cat([pooled, net.table(table)], dim=1).shape))

# %% scales
with torch.no_grad():
    income = table.clone()
    income[:, 0] = torch.tensor([30_000.0, 80_000.0])  # the others are about 1
    center, spread = income.mean(dim=0), income.std(dim=0)  # of the training set
    scaled = (income - center) / spread.clamp(min=1e-6)
    for name, columns in (("raw", income), ("scaled", scaled)):
        parts = net.image(image).std(), net.table(columns).std()
        print(f"{name:6} image {parts[0]:.2f}, table {parts[1]:.1f}")


# %% two-outputs
class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 16), nn.ReLU())
        self.kind = nn.Linear(16, 3)
        self.age = nn.Linear(16, 1)

    def forward(self, table):
        hidden = self.body(table)
        return {"kind": self.kind(hidden), "age": self.age(hidden).squeeze(1)}


heads = TwoHeads()
out = heads(table)
print({name: tuple(value.shape) for name, value in out.items()})

# %% one-backward
age = torch.tensor([31.0, 54.0])
kind_loss = nn.functional.cross_entropy(out["kind"], label)
age_loss = nn.functional.mse_loss(out["age"], age)
(kind_loss + 0.001 * age_loss).backward()
for name, parameter in heads.named_parameters():
    print(f"{name:13} gradient {bool(parameter.grad.any())}")

# %% flattened hidden=true
flat = nn.Conv2d(3, 8, 3)(image).flatten(1)
assert torch.cat([flat, table, torch.rand(len(table)).unsqueeze(1)], dim=1).shape == (2, flat.shape[1] + 6)

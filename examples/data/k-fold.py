"""K-fold cross-validation: every sample is validated once, by a model that has not seen it."""

# %% folds
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset


torch.manual_seed(0)
points = torch.randn(100, 4)
labels = (points[:, 0] + 0.5 * torch.randn(100) > 0).long()
dataset = TensorDataset(points, labels)

folds = torch.randperm(len(dataset)).tensor_split(5)
for k, val in enumerate(folds):
    train = torch.cat(folds[:k] + folds[k + 1 :])
    shared = set(train.tolist()) & set(val.tolist())
    print(k, len(train), len(val), "in both:", len(shared))


# %% train-each
def train_model(dataset):
    net = nn.Linear(4, 2)  # a new model for each fold
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(20):
        for batch, targets in DataLoader(dataset, batch_size=20, shuffle=True):
            loss = nn.functional.cross_entropy(net(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net


scores = []
for k, val in enumerate(folds):
    train = torch.cat(folds[:k] + folds[k + 1 :])
    net = train_model(Subset(dataset, train.tolist()))
    with torch.no_grad():
        right = net(points[val]).argmax(dim=1) == labels[val]
    scores.append(right.float().mean())
scores = torch.stack(scores)
print([f"{score:.2f}" for score in scores])
print(f"mean {scores.mean():.2f}, std {scores.std():.2f}")


# %% leak
def cross_validate(features, labels, select_inside):
    def class_means(rows):  # (classes, features)
        groups = [rows[labels[rows] == label] for label in (0, 1)]
        return torch.stack([features[group].mean(dim=0) for group in groups])

    def select(rows):  # the 10 features that differ most between the classes
        return class_means(rows).diff(dim=0)[0].abs().topk(10).indices

    columns = select(torch.arange(len(labels)))  # sees the validation samples
    right = 0
    for k, val in enumerate(folds):
        train = torch.cat(folds[:k] + folds[k + 1 :])
        if select_inside:
            columns = select(train)
        centers = class_means(train)[:, columns]
        distance = torch.cdist(features[val][:, columns], centers)
        right += (distance.argmin(dim=1) == labels[val]).sum().item()
    return right / len(labels)


noise = torch.randn(100, 1000)  # says nothing about the labels
coin = torch.randint(2, (100,))
print("chosen on all data:     ", cross_validate(noise, coin, select_inside=False))
print("chosen within each fold:", cross_validate(noise, coin, select_inside=True))

# %% any-length hidden=true
for count in range(5, 40):
    parts = torch.randperm(count).tensor_split(5)
    assert len(parts) == 5 and max(map(len, parts)) - min(map(len, parts)) <= 1
assert len(torch.randperm(11).chunk(5)) == 4

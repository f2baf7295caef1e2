"""A network that predicts one class: count the predictions, and see whether its outputs vary."""

# %% look
import torch
from torch import nn

torch.manual_seed(0)
labels = torch.tensor([0] * 900 + [1] * 100)
points = torch.randn(1000, 2) + 0.4 * labels[:, None]  # the classes overlap


def look(net):
    with torch.no_grad():
        logits = net.eval()(points)  # (samples, classes)
    predicted = logits.argmax(dim=1)
    counts = torch.bincount(predicted, minlength=2).tolist()
    accuracy = (predicted == labels).float().mean()
    print(f"predicted {counts}, accuracy {accuracy:.2f}")
    print("outputs vary:", (logits.std(dim=0) > 1e-4).any().item())


# %% fit
def fit(net, lr, weight=None):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(100):
        loss = nn.functional.cross_entropy(net(points), labels, weight=weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net


# %% dead
def small_net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))


net = fit(small_net(), lr=1000.0)
look(net)
print("active after the ReLU:", (net[:2](points) > 0).sum().item())

# %% imbalanced
net = fit(nn.Linear(2, 2), lr=0.5)
look(net)

# %% weighted
weight = len(labels) / (2 * torch.bincount(labels))  # as much loss from each class
net = fit(nn.Linear(2, 2), lr=0.5, weight=weight)
found = net(points).argmax(dim=1)
print("weights", [round(each, 2) for each in weight.tolist()])
for class_number in (0, 1):
    recall = (found[labels == class_number] == class_number).float().mean()
    print(f"recall of class {class_number} above one half: {recall.item() > 0.5}")

# %% labels
print("labels", torch.bincount(labels).tolist())

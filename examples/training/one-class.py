"""A network that predicts one class: count the predictions, and see whether its outputs vary."""

# %% look
import torch
from torch import nn

torch.manual_seed(0)
labels = torch.tensor([0] * 900 + [1] * 100)
points = torch.randn(1000, 2) + 0.4 * labels[:, None]  # the classes overlap


def look(net, inputs, labels):
    modes = {module: module.training for module in net.modules()}
    with torch.no_grad():
        logits = net.eval()(inputs)  # (samples, classes)
    for module, training in modes.items():  # as before, frozen ones, too
        module.training = training
    predicted = logits.argmax(dim=1)
    counts = torch.bincount(predicted, minlength=2).tolist()
    accuracy = (predicted == labels).float().mean()
    print(f"predicted {counts}, accuracy {accuracy:.2f}")
    vary = (logits.std(dim=0) > 1e-4).any().item()
    print(f"outputs finite: {logits.isfinite().all()}, vary: {vary}")


# %% fit
def fit(net, inputs, lr, weight=None):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for _ in range(100):
        loss = nn.functional.cross_entropy(net(inputs), labels, weight=weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net


# %% dead
def small_net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))


far = points + 100  # not normalized
net = fit(small_net(), far, lr=0.1)
look(net, far, labels)
print("active after the ReLU:", (net[:2](far) > 0).sum().item())

# %% normalized
near = (far - far.mean(dim=0)) / far.std(dim=0)
rates = torch.tensor([1.0, 9.0])  # the second class is rare, see below
net = fit(small_net(), near, lr=0.1, weight=rates)
look(net, near, labels)

# %% imbalanced
net = fit(nn.Linear(2, 2), points, lr=0.5)
look(net, points, labels)

# %% weighted
weight = len(labels) / (2 * torch.bincount(labels))  # as much loss from each class
net = fit(nn.Linear(2, 2), points, lr=0.5, weight=weight)
found = net(points).argmax(dim=1)
print("weights", [round(each, 2) for each in weight.tolist()])
for class_number in (0, 1):
    recall = (found[labels == class_number] == class_number).float().mean()
    print(f"recall of class {class_number} above one half: {recall.item() > 0.5}")

# %% labels
print("labels", torch.bincount(labels).tolist())

# %% constant-from-the-start hidden=true
assert (torch.full((3, 2), float("nan")).argmax(dim=1) == 0).all()  # NaN is taken for class 0
one = nn.Linear(2, 1)(points)
assert (one.softmax(dim=1) == 1).all() and one.sigmoid().std() > 1e-4
after_relu = torch.tensor([[-1.0, -2.0], [-3.0, -1.0]]).relu()
assert (after_relu.argmax(dim=1) == 0).all() and (after_relu.std(dim=0) == 0).all()
for parameter in (dead := fit(small_net(), far, lr=0.1)).parameters():
    assert parameter.isfinite().all()
before = dead[0].weight.clone()
assert torch.equal(fit(dead, far, lr=0.1)[0].weight, before)  # more training does not help

# %% one-column hidden=true
assert (one.argmax(dim=1) == 0).all() and (one > 0).any()  # argmax of a single column is 0

# %% after-a-look hidden=true
import contextlib
import io

lagging = nn.Sequential(nn.BatchNorm1d(2, momentum=0.01), nn.Linear(2, 2))
fit(lagging, far, lr=0.1, weight=rates)
with contextlib.redirect_stdout(io.StringIO()) as said:
    look(lagging, far, labels)
assert lagging.training  # as it was before the look
lagging[0].eval()  # frozen
with contextlib.redirect_stdout(io.StringIO()):
    look(lagging, far, labels)
assert lagging.training and not lagging[0].training
lagging.train()
assert "[0, 1000]" in said.getvalue() or "[1000, 0]" in said.getvalue()
assert len(lagging(far).argmax(dim=1).unique()) == 2  # both classes, in training mode

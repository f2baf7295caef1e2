"""vmap(grad(...)) gives the gradient of every sample in one call."""

# %% setup
import torch
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
net = torch.nn.Linear(3, 1)
features, targets = torch.randn(5, 3), torch.randn(5, 1)  # a batch of 5
params = {name: param.detach() for name, param in net.named_parameters()}


# %% vmap
def loss_of_one(params, x, y):  # one sample, without the batch dimension
    return F.mse_loss(functional_call(net, params, (x,)), y)


gradients = vmap(grad(loss_of_one), in_dims=(None, 0, 0))
per_sample = gradients(params, features, targets)
for name, gradient in per_sample.items():
    print(f"{name:7}", tuple(gradient.shape))
norms = torch.linalg.vector_norm(per_sample["weight"], dim=(1, 2))
print("norms: ", [f"{norm:.1f}" for norm in norms])

# %% loop
rows = []
for x, y in zip(features, targets):
    net.zero_grad()
    F.mse_loss(net(x), y).backward()
    rows.append(net.weight.grad.clone())
difference = (per_sample["weight"] - torch.stack(rows)).abs().max()
print(f"largest difference from the loop: {difference:.3f}")

# %% mean
net.zero_grad()
F.mse_loss(net(features), targets).backward()
for name, gradient in {
    "mean of the samples": per_sample["weight"].mean(dim=0),
    "net.weight.grad": net.weight.grad,
}.items():
    print(f"{name:19}", [f"{value:.3f}" for value in gradient[0].tolist()])


# %% randomness raises="RuntimeError"
rows = torch.ones(4, 100)
vmap(lambda row: F.dropout(row, 0.5))(rows)

# %% randomness-different
for randomness in ("same", "different"):
    dropped = vmap(lambda row: F.dropout(row, 0.5), randomness=randomness)(rows)
    print(f"{randomness:10} all rows equal: {(dropped == dropped[0]).all().item()}")

# %% condition raises="RuntimeError"
vmap(lambda row: row * 2 if row.sum() > 0 else row)(features)

# %% where
doubled = vmap(lambda row: torch.where(row.sum() > 0, row * 2, row))(features)
print((doubled / features).round().int())

# %% batchnorm raises="ValueError"
norm = torch.nn.BatchNorm1d(3)
vmap(lambda row: norm(row[None]))(features)

# %% batchnorm-net raises="RuntimeError"
from torch import nn

images, labels = torch.randn(5, 3, 8, 8), torch.randint(2, (5,))
layers = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(144, 2)
net = nn.Sequential(*layers)
params = {name: param.detach() for name, param in net.named_parameters()}


def image_loss(params, image, label):
    logits = functional_call(net, params, (image[None],))
    return F.cross_entropy(logits, label[None])


per_image = vmap(grad(image_loss), in_dims=(None, 0, 0))
per_image(params, images, labels)

# %% batchnorm-forward raises="RuntimeError"
vmap(lambda image: net(image[None]))(images)

# %% batchnorm-eval
net.eval()
print("eval():  ", tuple(per_image(params, images, labels)["0.weight"].shape))

# %% batchnorm-replaced
from torch.func import replace_all_batch_norm_modules_

net.train()
replace_all_batch_norm_modules_(net)  # in place: removes the running statistics
print("replaced:", tuple(per_image(params, images, labels)["0.weight"].shape))
print(net[1])

# %% other-norms hidden=true
for layer in (nn.GroupNorm(2, 4), nn.LayerNorm([4, 6, 6])):
    net = nn.Sequential(nn.Conv2d(3, 4, 3), layer, nn.Flatten(), nn.Linear(144, 2))
    params = {name: param.detach() for name, param in net.named_parameters()}
    assert per_image(params, images, labels)["0.weight"].shape == (5, 4, 3, 3, 3)

norm.eval()
assert vmap(lambda row: norm(row[None]))(features).shape == (5, 1, 3)

# %% counter-cases hidden=true
torch.manual_seed(0)
nets = [
    (nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.LayerNorm(5), nn.Linear(5, 2)), torch.randn(20, 6)),
    (
        nn.Sequential(nn.Conv1d(2, 4, 3), nn.GroupNorm(2, 4), nn.ReLU(), nn.Flatten(), nn.Linear(16, 2)),
        torch.randn(20, 2, 6),
    ),
    (nn.Sequential(nn.Embedding(9, 4), nn.Flatten(), nn.Linear(12, 2)), torch.randint(9, (20, 3))),
]
for net, rows in nets:
    net = net.double()
    rows = rows.double() if rows.is_floating_point() else rows
    targets = torch.randint(2, (20,))
    weights = {name: parameter.detach() for name, parameter in net.named_parameters()}

    def one(weights, row, target):
        return nn.functional.cross_entropy(torch.func.functional_call(net, weights, row[None]), target[None])

    together = torch.func.vmap(torch.func.grad(one), in_dims=(None, 0, 0))(weights, rows, targets)
    for i in range(20):
        net.zero_grad()
        nn.functional.cross_entropy(net(rows[i : i + 1]), targets[i : i + 1]).backward()
        for name, parameter in net.named_parameters():
            torch.testing.assert_close(together[name][i], parameter.grad)

# %% names-and-means hidden=true
linear = nn.Linear(3, 1)


def mse_of_one(params, x, y):
    return F.mse_loss(functional_call(linear, params, (x,)), y)


misspelt = vmap(grad(mse_of_one), in_dims=(None, 0, 0))({"weights": torch.ones(1, 3)}, features, torch.randn(5, 1))
assert not misspelt["weights"].any()

classes, labels = nn.Linear(3, 4), torch.tensor([0, 1, 2, 3, 0])
weights = {name: param.detach() for name, param in classes.named_parameters()}
for class_weight, agrees in ((None, True), (torch.tensor([1.0, 2.0, 3.0, 4.0]), False)):

    def entropy_of_one(params, x, y):
        logits = functional_call(classes, params, (x[None],))
        return F.cross_entropy(logits, y[None], weight=class_weight)

    each = vmap(grad(entropy_of_one), in_dims=(None, 0, 0))(weights, features, labels)
    classes.zero_grad()
    F.cross_entropy(classes(features), labels, weight=class_weight).backward()
    assert torch.allclose(each["weight"].mean(dim=0), classes.weight.grad, atol=1e-6) == agrees

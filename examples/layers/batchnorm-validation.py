"""A pass in eval mode leaves BatchNorm as it was; a forward in training mode does not."""

# %% train
import torch
from torch import nn


def train(before_validation):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    images, labels = torch.randn(64, 3), torch.randn(64, 1)
    validation_images = torch.randn(64, 3) + 5

    for epoch in range(5):
        net.train()
        for image, label in zip(images.split(16), labels.split(16)):
            optimizer.zero_grad()
            nn.functional.mse_loss(net(image), label).backward()
            optimizer.step()
        if before_validation is not None:
            before_validation(net)  # net.eval() or net.train()
            with torch.no_grad():
                net(validation_images)
    return net.state_dict()


# %% every-epoch
never = train(None)
every_epoch = train(nn.Module.eval)
same = sum(torch.equal(never[key], every_epoch[key]) for key in never)
print(f"{same} of {len(never)} tensors are equal")

# %% eval-forgotten
forgotten = train(nn.Module.train)
print([key for key in never if not torch.equal(never[key], forgotten[key])])

# %% no-grad
norm = nn.BatchNorm1d(1)  # a new module is in training mode
with torch.no_grad():
    norm(torch.randn(64, 1) + 10)
print("no_grad, training mode:", norm.running_mean, norm.num_batches_tracked)

# %% eval
norm = nn.BatchNorm1d(1).eval()
norm(torch.randn(64, 1) + 10)  # gradients on, eval mode
print("gradients, eval mode:  ", norm.running_mean, norm.num_batches_tracked)


# %% shuffling
from torch.utils.data import DataLoader


def training_orders(validation_loader=()):
    torch.manual_seed(0)
    train_loader = DataLoader(range(6), batch_size=6, shuffle=True)
    orders = []
    for epoch in range(2):
        orders += [batch.tolist() for batch in train_loader]
        for batch in validation_loader:
            pass  # evaluate here
    return orders


print("never evaluated:", training_orders())
in_order = DataLoader(range(4))
print("evaluated:      ", training_orders(in_order))

# %% own-generator
loader = DataLoader(range(4), generator=torch.Generator())
print("own generator:  ", training_orders(loader))

# %% max-norm hidden=true
table = nn.Embedding(3, 4, max_norm=0.1).eval()
before = table.weight.detach().clone()
with torch.no_grad():
    table(torch.tensor([0, 1]))
assert not torch.equal(table.weight, before)

# %% train-again hidden=true
norm = nn.BatchNorm1d(3)
counts = []
for mode in (True, False, False, True):  # trained, evaluated, train() forgotten, called
    norm.train(mode)(torch.randn(8, 3))
    counts.append(norm.num_batches_tracked.item())
assert counts == [1, 1, 1, 2]


# %% model-that-draws hidden=true
class Sampled:  # as for a VAE, which draws in eval mode, too
    def __iter__(self):
        for batch in loader:
            torch.randn(1)
            yield batch


assert training_orders(Sampled()) != training_orders(loader) == training_orders()

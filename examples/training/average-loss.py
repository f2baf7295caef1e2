"""The mean of batch means is not the mean over samples when the last batch is short."""

# %% short-batch
losses, sizes = [1.0, 1.0, 4.0], [32, 32, 4]  # means of three batches
plain = sum(losses) / len(losses)
weighted = sum(loss * size for loss, size in zip(losses, sizes)) / sum(sizes)
print(plain, weighted)

# %% loader
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images, labels = torch.randn(68, 4), torch.randint(3, (68,))
net = nn.Linear(4, 3)
loss_fn = nn.CrossEntropyLoss()
loader = DataLoader(TensorDataset(images, labels), batch_size=32)

net.eval()
batch_means, total, samples = [], 0.0, 0
with torch.no_grad():
    for batch, targets in loader:
        loss = loss_fn(net(batch), targets)
        batch_means.append(loss.item())
        total += loss.item() * len(targets)
        samples += len(targets)
    whole = loss_fn(net(images), labels).item()
print(f"mean of means {sum(batch_means) / len(batch_means):.6f}")
print(f"by samples    {total / samples:.6f}")
print(f"in one batch  {whole:.6f}")

# %% reduction-sum
sum_loss = nn.CrossEntropyLoss(reduction="sum")
with torch.no_grad():
    total = sum(sum_loss(net(batch), targets).item() for batch, targets in loader)
print(f"{total / len(loader.dataset):.6f}")

# %% depends-on-batch-size
with torch.no_grad():
    for batch_size in (16, 32, 64):
        parts = zip(images.split(batch_size), labels.split(batch_size))
        means = [loss_fn(net(batch), targets).item() for batch, targets in parts]
        print(f"{batch_size} {sum(means) / len(means):.4f}")

# %% accuracy
right, sizes = [30, 31, 1], [32, 32, 4]
mean = sum(hits / size for hits, size in zip(right, sizes)) / 3
print(f"mean of accuracies: {mean:.3f}")
print(f"right answers / samples: {sum(right) / sum(sizes):.3f}")

# %% ignored
padded = torch.tensor([0, 1, -100, -100, -100, -100])  # -100: not counted
full = torch.tensor([2, 0, 1, 1, 0, 2])
with torch.no_grad():
    first = loss_fn(net(images[:6]), padded)
    second = loss_fn(net(images[6:12]), full)
    whole = loss_fn(net(images[:12]), torch.cat([padded, full]))
print(f"weights 6, 6  {(6 * first + 6 * second) / 12:.4f}")
print(f"weights 2, 6  {(2 * first + 6 * second) / 8:.4f}")
print(f"in one batch  {whole:.4f}")

# %% accumulated
parts = list(zip(images.split(17), labels.split(17)))  # 68 samples in 4 parts
logged = 0.0
for batch, targets in parts:
    loss = loss_fn(net(batch), targets) / len(parts)
    loss.backward()
    logged += loss.item()
print(f"last part × 4 {loss.item() * 4:.4f}")
print(f"sum of parts  {logged:.4f}")
with torch.no_grad():
    print(f"in one batch  {loss_fn(net(images), labels):.4f}")

# %% counter-cases hidden=true
for sizes in ([4, 4, 4], [8, 8, 3], [1, 16], [5, 5, 5, 1]):
    each = torch.randn(sum(sizes), dtype=torch.float64).exp()
    means = torch.stack([part.mean() for part in each.split(sizes)])
    weighted = (means * torch.tensor(sizes)).sum() / sum(sizes)
    assert torch.isclose(weighted, each.mean())
    assert torch.isclose(means.mean(), each.mean()) == (len(set(sizes)) == 1)

# %% none-counts hidden=true
nothing = loss_fn(net(images[:6]), torch.full((6,), -100))
assert (0 * nothing).isnan()
whole_batches = DataLoader(loader.dataset, batch_size=32, drop_last=True)
assert sum(len(targets) for _, targets in whole_batches) < len(whole_batches.dataset)

# %% several-values-a-sample hidden=true
for loss_name, made, wanted in (
    ("mse_loss", torch.randn(10, 3), torch.randn(10, 3)),
    ("binary_cross_entropy_with_logits", torch.randn(10, 3), torch.ones(10, 3)),
    ("cross_entropy", torch.randn(10, 5, 4, 4), torch.randint(5, (10, 4, 4))),
):
    function = getattr(nn.functional, loss_name)
    batches = list(zip(made.split(4), wanted.split(4)))
    summed = sum(function(*part, reduction="sum") for part in batches)
    by_size = sum(function(*part) * len(part[1]) for part in batches) / 10
    torch.testing.assert_close(summed / wanted.numel(), function(made, wanted))
    torch.testing.assert_close(by_size, function(made, wanted))
    assert summed / 10 > 2 * function(made, wanted)  # the number of samples is the wrong divisor

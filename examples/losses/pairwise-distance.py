"""Row to row: pairwise_distance. Every pair: pdist and cdist. One number: mse_loss."""

# %% paired
import torch
import torch.nn.functional as F

start = torch.tensor([[0.0, 0.0], [1.0, 3.0], [2.5, 1.0]])  # (3, 2)
end = start + torch.tensor([4.0, 3.0])

print("pairwise_distance:", F.pairwise_distance(start, end))
print("vector_norm:      ", torch.linalg.vector_norm(start - end, dim=1))

# %% mse
squares = (start - end).square()  # (3, 2): 16 and 9 in every row
print("mse_loss:     ", F.mse_loss(start, end))
print("sum / numel:  ", squares.sum() / squares.numel())
print("row distances:", squares.sum(dim=1).sqrt())

# %% who-pairs-whom
paired = F.pairwise_distance(start, end)
crossed = torch.cdist(start, end)
print("pairwise_distance:", paired)
print("pdist:            ", torch.pdist(start))
print("cdist:", crossed, sep="\n")

# %% segments fold=true
import matplotlib.pyplot as plt

panels = {
    "pairwise_distance(start, end)": [(start[i], end[i]) for i in range(3)],
    "pdist(start)": [(start[i], start[j]) for i, j in torch.combinations(torch.arange(3))],
    "cdist(start, end)": [(a, b) for a in start for b in end],
}
fig, axes = plt.subplots(1, 3, figsize=(6.4, 2.7), sharey=True)
for ax, (title, segments) in zip(axes, panels.items()):
    for segment in segments:
        ax.plot(*torch.stack(segment).T, color="C2", linewidth=1.5)
    ax.plot(*start.T, "o", color="C0", label="start")
    ax.plot(*end.T, "s", color="C1", label="end")
    ax.set_title(title, fontsize=9)
    ax.set(aspect="equal", xticks=[], yticks=[], xlabel=f"{len(segments)} distances")
axes[1].legend(loc="upper left", fontsize=9, borderpad=0, handletextpad=0)

# %% two-sets raises="TypeError"
torch.pdist(start, end)

# %% eps
by_hand = torch.linalg.vector_norm(start - start + 1e-6, dim=1)
print("default:", F.pairwise_distance(start, start))
print("formula:", by_hand)
print("eps=0:  ", F.pairwise_distance(start, start, eps=0.0))

# %% gradient-at-zero
for name, distance in {
    "sqrt": lambda d: d.square().sum(dim=1).sqrt(),
    "vector_norm": lambda d: torch.linalg.vector_norm(d, dim=1),
    "pairwise_distance": lambda d: F.pairwise_distance(d, torch.zeros(1, 2)),
}.items():
    difference = torch.zeros(1, 2, requires_grad=True)
    distance(difference).sum().backward()
    print(f"{name:17} {difference.grad}")

# %% unequal-rows raises="RuntimeError"
F.pairwise_distance(start[:2], end)

# %% one-row-is-repeated
print(F.pairwise_distance(start[:1], end))

# %% module-and-diagonal hidden=true
assert torch.equal(torch.nn.PairwiseDistance()(start, end), paired)
torch.testing.assert_close(crossed.diagonal(), paired)
assert F.pairwise_distance(start[:2], end[:2]).shape == (2,)
assert torch.cdist(start[:2], end).shape == (2, 3)

# %% counter-cases hidden=true
for count, width in ((1, 1), (6, 3), (50, 20)):
    for p in (1.0, 2.0, float("inf")):
        a, b = torch.randn(2, count, width, dtype=torch.float64)
        rows = F.pairwise_distance(a, b, p=p, eps=0)
        torch.testing.assert_close(rows, torch.cdist(a, b, p).diagonal())

# %% diagonal-far-away hidden=true
torch.manual_seed(0)
far = torch.randn(30, 2) + 1000
near = far + torch.tensor([0.3, 0.4])
for function, good in ((F.pairwise_distance, True), (lambda a, b: torch.cdist(a, b).diagonal(), False)):
    assert ((function(far, near) - 0.5).abs().max() < 0.01).item() is good

# %% integers-wrap-around hidden=true
low, high = (torch.tensor([pair], dtype=torch.uint8) for pair in ([1, 2], [4, 6]))
assert F.pairwise_distance(low, high) > 300  # 1 - 4 is 253
assert abs(F.pairwise_distance(low.float(), high.float()) - 5) < 1e-4
images = torch.zeros(2, 3, 4, 4)
assert F.pairwise_distance(images, images + 1).shape == (2, 3, 4)  # each line of pixels is a row
assert F.pairwise_distance(images.flatten(1), images.flatten(1) + 1).shape == (2,)

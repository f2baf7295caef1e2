"""The sums along the dim given to softmax are 1, the sums along the others are not."""

# %% sums
import torch

torch.manual_seed(0)
scores = torch.randn(2, 3, 4)

for dim in range(scores.ndim):
    sums = scores.softmax(dim).sum(dim)  # dim is gone
    all_ones = torch.allclose(sums, torch.ones(()))
    print(f"dim={dim}: {tuple(sums.shape)} all ones: {all_ones}")

# %% every-pair
for dim in range(scores.ndim):
    weight = scores.softmax(dim)
    for other in range(scores.ndim):
        first = weight.sum(other).flatten()[0]
        print(f"softmax(dim={dim}).sum({other}): {first:.3f} …")

# %% groups fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 3, figsize=(6.4, 3.3))
for dim, column in enumerate(axes.T):
    weight = scores.softmax(dim)
    group = torch.zeros(weight.shape, dtype=torch.bool)
    group[tuple(slice(None) if d == dim else 0 for d in range(3))] = True  # these share one sum
    column[0].set_title(f"softmax(dim={dim})", fontsize=10)
    for block, ax in enumerate(column):
        ax.set(xlim=(-0.05, 4.05), ylim=(3.05, -0.05), aspect="equal")
        ax.axis("off")
        for (i, j), value in zip(torch.cartesian_prod(*map(torch.arange, (3, 4))).tolist(), weight[block].flatten()):
            color = "C1" if group[block, i, j] else "C0"
            box = plt.Rectangle((j + 0.05, i + 0.05), 0.9, 0.9, facecolor=(color, 0.1 + 0.6 * value.item()))
            ax.add_patch(box)
            if group[block, i, j]:
                box.set(edgecolor=color, linewidth=2, clip_on=False)
                ax.text(j + 0.5, i + 0.5, f"{value:.2f}", ha="center", va="center_baseline", fontsize=9)

# %% by-hand
shifted = scores - scores.amax(dim=1, keepdim=True)  # (2, 3, 4) - (2, 1, 4)
by_hand = shifted.exp() / shifted.exp().sum(dim=1, keepdim=True)
difference = (by_hand - scores.softmax(dim=1)).abs().max()
print(f"largest difference from softmax(dim=1): {difference:.3f}")

# %% view-dim-1
weight = scores.softmax(dim=1)
print("weight.sum(1):", weight.sum(1), sep="\n")
print("weight.view(2, -1).sum(0):", weight.view(2, -1).sum(0)[:4], "…")

# %% samples-compete
logits = torch.tensor([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])  # (2, 3)
print("dim=1:", logits.softmax(dim=1), sep="\n")
print("dim=0:", logits.softmax(dim=0), sep="\n")

# %% batch-of-one
print("dim=1:", logits[:1].softmax(dim=1))
print("dim=0:", logits[:1].softmax(dim=0))

# %% figure-is-complete hidden=true
assert (
    ((weight > 0) & (weight < 0.995)).all() and (scores.softmax(0) < 0.995).all() and (scores.softmax(2) < 0.995).all()
)
assert not any(torch.allclose(scores.softmax(d).sum(o), torch.ones(())) for d in range(3) for o in range(3) if d != o)

# %% counter-cases hidden=true
for shape in ((5,), (3, 1), (2, 3, 4), (7, 100)):
    for scale in (1e-3, 1.0, 1e3):
        x = scale * torch.randn(shape)
        for dim in range(-len(shape), len(shape)):
            sums = x.softmax(dim).sum(dim)
            torch.testing.assert_close(sums, torch.ones_like(sums))
assert torch.equal(torch.zeros(2, 2).softmax(0).sum(1), torch.ones(2))  # by chance

# %% images-and-maps hidden=true
pixels = torch.randn(2, 5, 8, 8)  # (batch, classes, height, width)
assert torch.allclose(pixels.softmax(dim=1).sum(1), torch.ones(()))
assert not torch.allclose(pixels.softmax(dim=-1).sum(1), torch.ones(()))
heat = pixels[:, 0]
over_both = heat.flatten(1).softmax(dim=1).view_as(heat)
assert torch.allclose(over_both.sum(dim=(1, 2)), torch.ones(()))

# %% sixteen-bits hidden=true
for dtype in (torch.float32, torch.bfloat16):
    sums = torch.zeros(1, 1_000_000, dtype=dtype).softmax(dim=1).float().sum(1)
    assert (abs(sums.item() - 1) > 1e-3) == (dtype == torch.bfloat16)

# %% one-map-per-keypoint hidden=true
over_both = pixels.flatten(2).softmax(dim=2).view_as(pixels)
assert torch.allclose(over_both.sum(dim=(2, 3)), torch.ones(()))
all_maps = pixels.flatten(1).softmax(dim=1).view_as(pixels)
assert not torch.allclose(all_maps.sum(dim=(2, 3)), torch.ones(()))

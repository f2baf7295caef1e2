"""Losses that compare samples: triplet, cosine and InfoNCE."""

# %% triplet
import torch
import torch.nn.functional as F

anchor = torch.tensor([[0.0, 0.0]])
positive = torch.tensor([[1.0, 0.0]])  # distance 1
for distance in (1.5, 2.0, 3.0):
    negative = torch.tensor([[0.0, distance]])
    loss = F.triplet_margin_loss(anchor, positive, negative, margin=1.0)
    print(f"negative at {distance}: loss {loss.item():.2f}")

# %% cosine
first = torch.tensor([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
second = torch.tensor([[2.0, 0.0], [0.0, 1.0], [3.0, 4.0]])
same = torch.tensor([1, 1, -1])  # 1: should agree, -1: should not
losses = F.cosine_embedding_loss(first, second, same, margin=0.2, reduction="none")
print("cosine:", F.cosine_similarity(first, second))
print("loss:  ", losses)


# %% info-nce
def info_nce(queries, keys, temperature=0.1):
    """Row i of keys belongs to row i of queries; all other rows are negatives."""
    queries, keys = F.normalize(queries, dim=1), F.normalize(keys, dim=1)
    logits = queries @ keys.T / temperature  # (batch, batch) cosines
    target = torch.arange(len(queries), device=queries.device)
    return F.cross_entropy(logits, target)


torch.manual_seed(0)
images = torch.randn(8, 16)
texts = images + 0.1 * torch.randn(8, 16)  # close to its image
print(f"matching pairs: {info_nce(images, texts):.2f}")
print(f"shuffled pairs: {info_nce(images, texts.roll(1, dims=0)):.1f}")
alike = torch.ones(8, 16)
print(f"all alike:      {info_nce(alike, alike):.4f}")
print(f"log(8):         {torch.tensor(8.0).log():.4f}")

# %% matrix fold=true
import matplotlib.pyplot as plt

noisy = images + 1.5 * torch.randn(8, 16)
cosines = F.normalize(images, dim=1) @ F.normalize(noisy, dim=1).T
panels = {"cosine": cosines}
panels |= {f"temperature {t}": (cosines / t).softmax(dim=1) for t in (1.0, 0.1)}
fig, axes = plt.subplots(1, 3, figsize=(5.8, 2.5), sharey=True)
for ax, (title, values) in zip(axes, panels.items()):
    ax.pcolormesh(values, cmap="viridis", vmin=0, vmax=1, linewidth=0)
    for i in range(len(values)):  # the right answers
        ax.add_patch(plt.Rectangle((i, i), 1, 1, facecolor="none", edgecolor="C1", linewidth=1.5))
    ax.set(aspect="equal", title=title, xticks=[], yticks=[], xlabel="keys")
    ax.title.set_fontsize(10)
    ax.invert_yaxis()
axes[0].set_ylabel("queries")

# %% temperature
cosines = torch.tensor([0.9, 0.8, 0.1])
for temperature in (1.0, 0.1, 0.01):
    weights = (cosines / temperature).softmax(dim=0)
    shares = [f"{weight:.2f}" for weight in weights.tolist()]
    print(f"temperature {temperature:<4}", shares)

# %% normalize
raw = (images @ texts.T) / 0.1
unit = (F.normalize(images, dim=1) @ F.normalize(texts, dim=1).T) / 0.1
print(f"largest logit: raw {raw.max():.0f}, normalized {unit.max():.0f}")


# %% collapse
def show(name, embeddings):
    anchors, positives, negatives = embeddings.split(100)
    loss = F.triplet_margin_loss(anchors, positives, negatives, margin=1.0)
    apart = torch.pdist(embeddings).mean()
    print(f"{name:15} loss {loss:.1f}  mean distance {apart:.1f}")


show("one point", torch.ones(300, 128))
show("nothing learned", F.normalize(torch.randn(300, 128), dim=1))

# %% triplet-by-hand hidden=true
negative = torch.tensor([[0.0, 1.5]])
assert abs(F.triplet_margin_loss(anchor, positive, negative, margin=1.0).item() - (1 - 1.5 + 1)) < 1e-5

# %% collapse-small hidden=true
small = 0.001 * torch.randn(300, 128)  # nearly one point, in all directions
loss = F.triplet_margin_loss(*small.split(100), margin=1.0)
assert abs(loss.item() - 1) < 0.05 and torch.pdist(small).mean() < 0.05
same_point = torch.zeros(4, 2)
assert F.triplet_margin_loss(same_point, same_point, same_point, margin=1.0) == 1

# %% longer-vectors hidden=true
lengths = [(k * images @ texts.T / 0.1).log_softmax(dim=1).diagonal().mean() for k in (0.01, 0.02)]
assert lengths[1] > lengths[0]  # longer vectors, smaller loss

# %% bounded-logits hidden=true
for size in (0.01, 1, 100):
    a, b = (F.normalize(size * torch.randn(64, 16), dim=1) for _ in range(2))
    assert (a @ b.T / 0.1).abs().max() <= 1 / 0.1 + 1e-4

# %% anywhere hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    assert info_nce(torch.randn(4, 8, dtype=dtype), torch.randn(4, 8, dtype=dtype)).dtype == dtype
pairs = torch.randn(2, 4, 8)
with torch.device("meta"):  # what is made inside goes to the device of the vectors
    assert info_nce(*pairs).isfinite()
assert info_nce(torch.randn(1, 8), torch.randn(1, 8)) == 0  # no negatives
assert F.cosine_embedding_loss(torch.ones(1, 2), -torch.ones(1, 2), torch.tensor([0])) == 0

# %% counter-cases hidden=true
for distance, slope in ((1.5, -1.0), (2.5, 0.0), (50.0, 0.0)):
    far = torch.tensor([[0.0, distance]], requires_grad=True)
    loss = F.triplet_margin_loss(anchor, positive, far, margin=1.0)
    (gradient,) = torch.autograd.grad(loss, far)
    assert abs(gradient[0, 1].item() - slope) < 1e-4

# %% other-inputs hidden=true
torch.manual_seed(0)
images, texts = torch.randn(2, 8, 16)
expected = info_nce(images, texts)
for dtype, bound in ((torch.float64, 1e-5), (torch.float16, 0.05), (torch.bfloat16, 0.3)):
    assert abs(info_nce(images.to(dtype), texts.to(dtype)) - expected) < bound, dtype
with torch.autocast("cpu", torch.bfloat16):
    assert abs(info_nce(images, texts) - expected) < 0.3
assert abs(info_nce(images.T.contiguous().T, texts) - expected) < 1e-5  # not contiguous

# %% lengths-and-labels hidden=true
byte = torch.tensor([0, 1], dtype=torch.uint8)
assert (2 * byte - 1).tolist() == [255, 1] and (2 * byte.long() - 1).tolist() == [-1, 1]
try:
    wide = torch.ones(1, 768).half()  # as long as what a LayerNorm returns
    loss = F.cosine_embedding_loss(wide, wide, torch.tensor([1]))
except RuntimeError:
    pass  # old releases have no float16 here
else:
    assert wide.square().sum(dim=1) == 768  # fits; the product of two of them does not
    assert loss == 1 and F.cosine_embedding_loss(wide.float(), wide.float(), torch.tensor([1])) < 1e-3
torch.manual_seed(0)
anchors, others, negatives = 10 * torch.randn(3, 1000, 128)
positives = 0.16 * anchors + 0.987 * others  # most are nearer than the negatives
assert F.triplet_margin_loss(anchors, positives, negatives, margin=1.0) > 0.5
assert ((anchors - positives).norm(dim=1) < (anchors - negatives).norm(dim=1)).float().mean() > 0.75

"""Several labels per sample: one yes/no decision per label."""

# %% loss
import torch
import torch.nn.functional as F

logits = torch.tensor([[3.0, 2.0, -4.0], [-2.0, 1.0, -3.0]])  # (batch, labels)
target = torch.tensor([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])  # floats

print("mean:", F.binary_cross_entropy_with_logits(logits, target))
print(F.binary_cross_entropy_with_logits(logits, target, reduction="none"))

# %% predict
probability = logits.sigmoid()
print("probability:", probability, sep="\n")
print("above 0.5:", (probability > 0.5).int(), sep="\n")
print("same as logits > 0:", torch.equal(probability > 0.5, logits > 0))

# %% softmax
for row in logits.softmax(dim=1).tolist():
    print([f"{share:.2f}" for share in row])

# %% cross-entropy
confident = torch.tensor([[10.0, 10.0, -10.0]])  # right and confident everywhere
both = torch.tensor([[1.0, 1.0, 0.0]])
print(f"binary {F.binary_cross_entropy_with_logits(confident, both):.3f}")
print(f"cross-entropy {F.cross_entropy(confident, both):.3f}")

# %% train
torch.manual_seed(0)
points = torch.randn(400, 2)
common, rare = points[:, 0] > 0, points[:, 1] > 1.5
labels = torch.stack([common, rare], dim=1).float()
print("positives:", labels.sum(dim=0).int().tolist())


def train(weight=None):
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(60):
        logits = net(points)
        loss = F.binary_cross_entropy_with_logits(logits, labels, pos_weight=weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net(points).detach() > 0


# %% pos-weight
positives = labels.sum(dim=0)
pos_weight = (len(labels) - positives) / positives
print("pos_weight:", [f"{w:.1f}" for w in pos_weight.tolist()])
for name, found in {"plain": train(), "pos_weight": train(pos_weight)}.items():
    hits = (found & labels.bool()).sum(dim=0)
    recall, precision = hits / positives, hits / found.sum(dim=0)
    print(f"{name:11} recall {recall[1]:.1f}  precision {precision[1]:.1f}")

# %% integer-target raises="RuntimeError"
F.binary_cross_entropy_with_logits(logits, target.long())

# %% encode
names = ["cat", "dog", "car"]
tags = [["cat", "dog"], ["car"], []]
rows = torch.zeros(len(tags), len(names))
for row, found in zip(rows, tags):
    row[[names.index(name) for name in found]] = 1
print(rows)

# %% as-float hidden=true
as_float = F.binary_cross_entropy_with_logits(logits, target.long().float())
assert torch.equal(as_float, F.binary_cross_entropy_with_logits(logits, target))

# %% soft-margin hidden=true
soft_margin = torch.nn.MultiLabelSoftMarginLoss()(logits, target)
torch.testing.assert_close(soft_margin, F.binary_cross_entropy_with_logits(logits, target))

# %% counter-cases hidden=true
for shape in ((1, 1), (7, 3), (64, 100)):
    for scale in (1e-3, 1.0, 50.0):
        z, y = scale * torch.randn(shape, dtype=torch.float64), (torch.rand(shape) > 0.7).double()
        soft = torch.nn.MultiLabelSoftMarginLoss()(z, y)
        torch.testing.assert_close(soft, F.binary_cross_entropy_with_logits(z, y))

# %% no-positives hidden=true
never = torch.zeros(10, 1)
negatives, positives = len(never) - never.sum(dim=0), never.sum(dim=0)
guess = torch.ones(10, 1)
assert F.binary_cross_entropy_with_logits(guess, never, pos_weight=negatives / positives).isnan()
assert F.binary_cross_entropy_with_logits(guess, never, pos_weight=negatives / positives.clamp(min=1)).isfinite()

# %% not-checked hidden=true
assert F.binary_cross_entropy_with_logits(torch.ones(2), torch.tensor([0.0, 255.0])) < -100

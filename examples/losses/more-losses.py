"""Ordinal regression, counts, hinge, ArcFace and Tversky, each in ten lines."""

# %% ordinal
import torch
import torch.nn.functional as F


def ordinal_loss(score, cuts, level):
    """score (N,), cuts (levels - 1,) ascending, level (N,) from 0."""
    logits = score[:, None] - cuts  # above the first cut, the second, …
    order = torch.arange(len(cuts), device=cuts.device)
    above = (level[:, None] > order).to(score.dtype)
    return F.binary_cross_entropy_with_logits(logits, above)


cuts = torch.tensor([-2.0, 0.0, 2.0])  # four levels
level = torch.tensor([0, 0, 0, 3])
score = torch.tensor([-4.0, -1.0, 5.0, 5.0], requires_grad=True)
ordinal_loss(score, cuts, level).backward()
print("predicted:", (score[:, None] > cuts).sum(dim=1).tolist())
print("target:   ", level.tolist())
print("gradient: ", [f"{g:.4f}" for g in score.grad.tolist()])

# %% poisson
log_rate = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
count = torch.tensor([1.0, 0.0, 20.0])
loss = F.poisson_nll_loss(log_rate, count, reduction="sum")
print(f"{loss:.2f}, by hand {(log_rate.exp() - count * log_rate).sum():.2f}")
(gradient,) = torch.autograd.grad(loss, log_rate)
print("gradient = rate - count:", gradient)
exact = -torch.distributions.Poisson(log_rate.exp()).log_prob(count).sum()
print(f"negative log-likelihood {exact:.2f}")

# %% hinge
margins = torch.tensor([2.0, 1.0, 0.5, -1.0], requires_grad=True)  # label * score
loss = F.relu(1 - margins).sum()
print("hinge:  ", torch.autograd.grad(loss, margins)[0] + 0.0)
loss = F.relu(1 - margins).square().sum()
print("squared:", torch.autograd.grad(loss, margins)[0] + 0.0)

scores = torch.tensor([[3.0, 1.0, 2.5]])
print(f"several classes: {F.multi_margin_loss(scores, torch.tensor([0])):.4f}")


# %% arcface
def arcface_loss(embedding, centers, label, margin=0.5, scale=30.0):
    cosine = F.normalize(embedding) @ F.normalize(centers).T  # (N, classes)
    cosine = cosine.float()  # in half precision the limit would be 1
    limit = 1 - 1e-6
    angle = cosine.clamp(-limit, limit).acos()
    own = F.one_hot(label, len(centers)).bool()
    logits = torch.where(own, (angle + margin).cos(), cosine)
    return F.cross_entropy(scale * logits, label)


centers = torch.eye(3)
label = torch.tensor([0])
places = {"on it": [1.0, 0, 0], "near": [1.0, 0.5, 0], "between": [1.0, 1.0, 0]}
for name, direction in places.items():
    embedding = torch.tensor([direction], requires_grad=True)
    plain = F.cross_entropy(30 * F.normalize(embedding) @ centers.T, label)
    loss = arcface_loss(embedding, centers, label)
    (gradient,) = torch.autograd.grad(loss, embedding)
    slope = gradient.norm()
    print(f"{name:7} plain {plain:.3f}  ArcFace {loss:.3f}  gradient {slope:.3f}")


# %% tversky
def tversky_loss(probability, target, alpha=0.5, beta=0.5, smooth=1.0):
    """alpha weighs false positives, beta what is missed; 0.5 and 0.5 is Dice."""
    probability = probability.float().flatten(1)  # (N, 1, H, W), (N, H, W) alike
    target = target.float().flatten(1)  # each sample by itself
    hit = (probability * target).sum(dim=1)
    false = (probability * (1 - target)).sum(dim=1)
    missed = ((1 - probability) * target).sum(dim=1)
    index = (hit + smooth) / (hit + alpha * false + beta * missed + smooth)
    return (1 - index).mean()


mask = torch.zeros(1, 10, 10)
mask[:, :2, :2] = 1  # 4 pixels of 100
half = torch.zeros(1, 10, 10)
half[:, :2, :1] = 1  # misses 2 pixels
more = torch.zeros(1, 10, 10)
more[:, :2, :3] = 1  # has 2 pixels too many
for alpha, beta in ((0.5, 0.5), (0.3, 0.7), (0.7, 0.3)):
    values = [tversky_loss(p, mask, alpha, beta).item() for p in (half, more, mask)]
    misses, adds, right = (f"{value:.2f}" for value in values)
    print(f"{alpha} {beta}  misses 2: {misses}  2 too many: {adds}  right: {right}")

zero = torch.zeros(1, 10, 10, requires_grad=True)
(slope,) = torch.autograd.grad(tversky_loss(zero, mask), zero)
print("gradient where all is 0:", slope[0, 0, :3])
saturated = torch.full((1, 10, 10), -30.0, requires_grad=True)  # logits
(slope,) = torch.autograd.grad(tversky_loss(saturated.sigmoid(), mask), saturated)
print(f"through a sigmoid of -30: {slope.abs().max():.0e}")

# %% counter-cases hidden=true
torch.manual_seed(0)
for dtype in (torch.float32, torch.float64):
    z = torch.linspace(-9, 9, 31, dtype=dtype, requires_grad=True)
    y = torch.randint(4, (31,))
    (g,) = torch.autograd.grad(ordinal_loss(z, cuts.to(dtype), y), z)
    assert (g.abs() > 0).all()  # no flat place here
    logit = torch.randn(5, dtype=dtype)
    table = logit[:, None] - cuts.to(dtype)
    chance = torch.cat([torch.ones(5, 1, dtype=dtype), table.sigmoid(), torch.zeros(5, 1, dtype=dtype)], dim=1)
    assert (chance[:, :-1] - chance[:, 1:] > 0).all()  # chances of the levels
    prediction = torch.rand(3, 8, 8, dtype=dtype)
    truth = (torch.rand(3, 8, 8) > 0.7).to(dtype)
    dice = 1 - (2 * (prediction * truth).sum((1, 2)) + 2) / ((prediction + truth).sum((1, 2)) + 2)
    torch.testing.assert_close(tversky_loss(prediction, truth), dice.mean().float())
empty = torch.zeros(1, 4, 4)
assert tversky_loss(empty, empty) == 0
vectors, middle = torch.randn(6, 4), torch.randn(3, 4)
for margin in (0.0, 0.5):
    value = arcface_loss(vectors, middle, torch.tensor([0, 1, 2, 0, 1, 2]), margin)
    plain = F.cross_entropy(30 * F.normalize(vectors) @ F.normalize(middle).T, torch.tensor([0, 1, 2, 0, 1, 2]))
    assert torch.isclose(value, plain, rtol=1e-3) == (margin == 0)
turn = torch.tensor([2.4, 2.8], dtype=torch.float64, requires_grad=True)  # below and above pi - 0.5
(slopes,) = torch.autograd.grad((turn + 0.5).cos().sum(), turn)
assert slopes[0] < 0 < slopes[1]
far = torch.tensor([50.0], requires_grad=True)
(slopes,) = torch.autograd.grad(ordinal_loss(far, cuts, torch.tensor([3])), far)
assert slopes == 0  # rounded
bad = torch.ones(1, 3, requires_grad=True)
plain_acos = (F.normalize(bad) @ F.normalize(torch.ones(3, 1), dim=0)).clamp(-1, 1).acos().sum()
arcface_loss(bad, torch.ones(2, 3), torch.tensor([0])).backward()
assert bad.grad.isfinite().all()
rates = F.poisson_nll_loss(torch.tensor([1000.0]), torch.tensor([3.0]))
assert rates.isinf()  # exp overflows
ordinal_loss(torch.ones(2, device="meta"), cuts.to("meta"), torch.ones(2, device="meta").long())
between = torch.zeros(1, dtype=torch.float64, requires_grad=True)
(slopes,) = torch.autograd.grad(ordinal_loss(between, torch.tensor([-1.0, 1.0]).double(), torch.tensor([1])), between)
assert slopes.abs() < 1e-12  # the best score of level 1
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    for place in ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.01, 0.0]):
        at = torch.tensor([place], dtype=dtype, requires_grad=True)
        arcface_loss(at, centers.to(dtype), label).backward()
        assert at.grad.isfinite().all(), (dtype, place)
with torch.autocast("cpu"):
    at = torch.tensor([[1.0, 0.0, 0.0]], requires_grad=True)
    arcface_loss(at, centers, label).backward()
    assert at.grad.isfinite().all()
corner = torch.ones(1, requires_grad=True)
for bend, slope in ((lambda m: F.relu(1 - m), 0), (lambda m: (1 - m).clamp(min=0), -1)):
    assert torch.autograd.grad(bend(corner).sum(), corner)[0] == slope
large = torch.ones(1, 512, 512, dtype=torch.float16)
assert not large.sum().isfinite() and tversky_loss(large, large) == 0
many = F.normalize(torch.randn(1000, 16))
at = many[:1].clone().requires_grad_()
(slopes,) = torch.autograd.grad(arcface_loss(at, many, torch.tensor([0])), at)
assert slopes.norm() > 1e-3  # at the center, and not solved

# %% other-inputs hidden=true
for dtype in (torch.float16, torch.bfloat16):
    embedding = torch.tensor([[1.0, 0.0, 0.0]], dtype=dtype, requires_grad=True)
    arcface_loss(embedding, torch.eye(3, dtype=dtype), torch.tensor([0])).backward()
    assert embedding.grad.isfinite().all()

# %% masks-as-they-come hidden=true
truth = torch.rand(4, 8, 8) > 0.7
for dtype in (torch.bool, torch.uint8, torch.int64, torch.float32):  # with a dimension of channels or without
    assert tversky_loss(truth[:, None].float(), truth.to(dtype)).abs() < 1e-6
    assert tversky_loss(truth.float(), truth[:, None].to(dtype)).abs() < 1e-6
flat = torch.zeros(1, 4, 4, requires_grad=True)
for beta in (0.0, 0.5):  # nothing is found, all should be
    (slope,) = torch.autograd.grad(tversky_loss(flat, torch.ones(1, 4, 4), 0.5, beta), flat)
    assert slope.any() == (beta > 0)


def cosface_loss(embedding, centers, label, margin=0.35, scale=30.0):
    cosine = (F.normalize(embedding) @ F.normalize(centers).T).float()
    own = F.one_hot(label, len(centers)).bool()
    return F.cross_entropy(scale * torch.where(own, cosine - margin, cosine), label)


alone = F.cross_entropy(30 * F.normalize(vectors) @ F.normalize(middle).T, torch.tensor([0, 1, 2, 0, 1, 2]))
assert cosface_loss(vectors, middle, torch.tensor([0, 1, 2, 0, 1, 2])) > alone

# %% focal-tversky hidden=true
for raw in (20.0, 200.0):  # the index is exactly 1
    at = torch.where(mask.bool(), raw, -raw).requires_grad_()
    rest = tversky_loss(at.sigmoid(), mask)  # 1 - index of the only image
    assert torch.autograd.grad(rest**0.75, at, retain_graph=True)[0].isnan().any()
    assert torch.autograd.grad(rest.clamp(min=1e-6) ** 0.75, at)[0].isfinite().all()

# %% narrow-cuts hidden=true
for spacing, right in ((2.0, True), (0.5, False)):  # ten levels
    narrow = spacing * (torch.arange(9.0, dtype=torch.float64) - 4)
    levels = torch.arange(1, 9)
    low, high = torch.full((8,), -30.0).double(), torch.full((8,), 30.0).double()
    for _ in range(60):  # the score at which the gradient is 0
        middle_score = (low + high) / 2
        above = (middle_score[:, None] - narrow).sigmoid().sum(dim=1) > levels
        low, high = torch.where(above, low, middle_score), torch.where(above, middle_score, high)
    fitted = high.clone().requires_grad_()
    ordinal_loss(fitted, narrow, levels).backward()
    assert fitted.grad.abs().max() < 1e-9
    assert torch.equal((fitted[:, None] > narrow).sum(dim=1), levels) is right

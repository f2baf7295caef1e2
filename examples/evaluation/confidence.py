"""Is model A better than B? Intervals, bootstrap, paired comparison, seeds."""

# %% interval
import math

import torch

right_a = torch.ones(1000)  # 1: model A got this sample right
right_a[:100] = 0
right_b = torch.ones(1000)  # of the same 1000 samples
right_b[15:140] = 0


def interval(right, z=1.96):
    """Wilson's interval for an accuracy; z = 1.96 is 95 %."""
    n, p = len(right), right.double().mean().item()
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return middle - half, middle + half


for name, right in (("A", right_a), ("B", right_b)):
    low, high = interval(right)
    print(f"{name} accuracy {right.mean():.3f}, 95 %: {low:.3f} to {high:.3f}")

# %% bootstrap
generator = torch.Generator().manual_seed(0)
rows = torch.randint(1000, (4000, 1000), generator=generator)  # (draw, sample)


def between(scores):
    low, high = (scores.double().quantile(q) for q in (0.025, 0.975))
    return f"{low:.2f} to {high:.2f}"


print("accuracy of A:", between(right_a[rows].mean(dim=1)))
print("A - B, paired:", between((right_a - right_b)[rows].mean(dim=1)))


# %% mcnemar
def sign_test(right_a, right_b):
    """How likely is a split at least this uneven if both are equally good?"""
    a_only = int((right_a > right_b).sum())
    b_only = int((right_b > right_a).sum())
    n, few = a_only + b_only, min(a_only, b_only)
    p = 2 * sum(math.comb(n, k) for k in range(few + 1)) / 2**n
    return a_only, b_only, min(p, 1.0)


a_only, b_only, p = sign_test(right_a, right_b)
print(f"A alone right {a_only}, B alone right {b_only}, p = {p:.5f}")

# %% any-score
labels = torch.arange(400) % 4 == 0  # a quarter are positive
found = labels.clone()
found[:60] = ~found[:60]


def f1(found, labels):
    hits = (found & labels).sum(dim=-1)
    return 2 * hits / (found.sum(dim=-1) + labels.sum(dim=-1))


draws = torch.randint(400, (4000, 400), generator=generator)
print(f"F1 {f1(found, labels):.2f},", between(f1(found[draws], labels[draws])))

# %% groups
right = right_a.view(100, 10)[torch.randperm(100, generator=generator)]
patients = torch.randint(100, (4000, 100), generator=generator)
print("100 patients, ten images each:", between(right[patients].mean(dim=(1, 2))))


# %% seeds
def train(seed, samples=200):  # other data, other weights
    torch.manual_seed(seed)
    inputs = torch.randn(samples + 2000, 10, dtype=torch.float64)
    noise = 2 * torch.randn(len(inputs), dtype=torch.float64)
    labels = (inputs.sum(dim=1) + noise > 0).double()
    weight = torch.linalg.lstsq(inputs[:samples], labels[:samples] - 0.5).solution
    right = (inputs[samples:] @ weight > 0) == labels[samples:].bool()
    return right.double().mean()


accuracies = torch.stack([train(seed) for seed in range(10)])
print(f"ten seeds: {accuracies.min():.2f} to {accuracies.max():.2f}")

# %% checks hidden=true
for hits, n in ((1, 10), (9, 10), (50, 100), (900, 1000)):
    sample = torch.zeros(n)
    sample[:hits] = 1
    low, high = interval(sample)
    p = hits / n  # the ends are where the normal test just does not reject
    for end in (low, high):
        assert math.isclose(abs(p - end), 1.96 * math.sqrt(end * (1 - end) / n), rel_tol=1e-6)
assert interval(torch.ones(50))[1] <= 1 + 1e-12 and interval(torch.zeros(50))[0] >= -1e-12
assert interval(torch.ones(50))[0] < 0.95  # 50 of 50 right, and yet
assert math.isclose(sign_test(torch.tensor([1.0, 1, 1, 1, 1]), torch.zeros(5))[2], 2 / 32)
same = sign_test(right_a, right_a)
assert same[2] == 1.0
spread = right_a[rows].mean(dim=1).std()
assert abs(spread - math.sqrt(0.9 * 0.1 / 1000)) < 5e-4
apart = (right_a[rows].mean(dim=1) - right_b[rows.flip(0)].mean(dim=1)).std()
paired = (right_a - right_b)[rows].mean(dim=1).std()
assert paired < 0.8 * apart
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    assert between(torch.linspace(0, 1, 101).to(dtype)).startswith("0.0")
rare = torch.tensor([True] + [False] * 7)
few = torch.randint(8, (4000, 8), generator=generator)
assert f1(rare[few], rare[few]).isnan().any()  # draws without a single positive
biggest = torch.rand(1000, generator=generator)
assert (biggest[rows].max(dim=1).values <= biggest.max()).all()  # the maximum can only fall
try:
    right_a.bool() - right_b.bool()
except RuntimeError as error:
    assert "`^`" in str(error)
else:
    raise AssertionError("Boolean tensors are subtracted")
first, second = (torch.rand(2, 1000, generator=generator) < 0.9).unbind()  # equally good
differ = (first ^ second).double()[rows].mean(dim=1)
assert differ.quantile(0.025) > 0.1  # and yet far from 0

# %% a-handful hidden=true
few_a, few_b = torch.ones(100), torch.ones(100)
few_b[:4] = 0
draws = torch.randint(100, (4000, 100), generator=generator)
assert (few_a - few_b)[draws].mean(dim=1).quantile(0.025) > 0  # it excludes 0, and yet
assert sign_test(few_a, few_b)[2] == 1 / 8
rare = torch.arange(400) < 4
draws = torch.randint(400, (4000, 400), generator=generator)
scores = f1(rare[draws], rare[draws])
assert between(scores) == "nan to nan" and not scores.nanquantile(0.025).isnan()

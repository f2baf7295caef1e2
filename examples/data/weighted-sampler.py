"""WeightedRandomSampler: rare classes drawn as often as common ones."""

# %% counts
import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = torch.tensor([0] * 900 + [1] * 90 + [2] * 10)
dataset = TensorDataset(torch.arange(1000), labels)

counts = labels.bincount()  # (classes,)
weights = (1 / counts)[labels]  # (samples,): one weight per sample
sampler = WeightedRandomSampler(weights, num_samples=len(labels))


def drawn(sampler=None):
    loader = DataLoader(dataset, 100, sampler=sampler, shuffle=sampler is None)
    return torch.cat([targets for _, targets in loader]).bincount(minlength=3)


print("shuffle=True:", drawn())
print("weighted:    ", drawn(sampler))

# %% any-scale
for scale in (1, 1024):
    torch.manual_seed(0)
    scaled = WeightedRandomSampler(weights * scale, num_samples=len(labels))
    print(f"weights add up to {weights.sum() * scale:4.0f}:", drawn(scaled))

# %% repeats
index = torch.tensor(list(sampler))
times = index.bincount(minlength=len(labels))  # how often each sample came
for label in range(3):
    own = times[labels == label]
    never = int((own == 0).sum())
    print(f"class {label}: {len(own):3} samples, {never:3} never,", end=" ")
    print(f"at most {own.max()} times")

# %% softer
for power in (0.0, 0.5, 1.0):
    softer = WeightedRandomSampler((1 / counts**power)[labels], len(labels))
    print(power, drawn(softer))

# %% class-weights
wrong = WeightedRandomSampler(1 / counts, num_samples=1000)  # one weight per class
print(drawn(wrong), "samples:", torch.tensor(list(wrong)).unique())

# %% no-replacement
print(drawn(WeightedRandomSampler(weights, len(labels), replacement=False)))

# %% too-many raises="RuntimeError"
list(WeightedRandomSampler(weights, 2000, replacement=False))

# %% with-replacement hidden=true
assert len(list(WeightedRandomSampler(weights, 2000))) == 2000

# %% one-per-sample hidden=true
torch.manual_seed(0)
for order in (slice(None), torch.randperm(1000)):
    kinds = labels[order]
    each = (1 / kinds.bincount())[kinds]  # what the page says to write
    totals = torch.zeros(3).index_add(0, kinds, each)
    torch.testing.assert_close(totals, torch.ones(3))  # each class as likely
    balanced = torch.tensor(list(WeightedRandomSampler(each, 3000)))
    assert (kinds[balanced].bincount(minlength=3) > 900).all()

# %% weight-of-zero hidden=true
some = torch.tensor([1.0, 0.0, 0.0, 1.0])
for seed in range(20):
    torch.manual_seed(seed)
    assert sorted(WeightedRandomSampler(some, 2, replacement=False)) == [0, 3]
    assert len(set(WeightedRandomSampler(some, 3, replacement=False))) == 3  # one of weight 0, without an error

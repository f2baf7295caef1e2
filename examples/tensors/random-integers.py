"""randint, randperm, multinomial, bernoulli: random integers and choices."""

# %% randint
import torch

torch.manual_seed(0)
dice = torch.randint(1, 7, (1000,))  # 7 is excluded
print(dice[:10], dice.dtype)
print("from", dice.min().item(), "to", dice.max().item())

# %% randperm
order = torch.randperm(6)
print(order)

# %% rows
table = torch.arange(12).view(6, 2)
print("randperm:", table[order[:3]], sep="\n")  # three rows, none twice
drawn = torch.randint(0, 6, (3,))
print("randint:", table[drawn], sep="\n")  # three rows, perhaps one twice

# %% multinomial
weights = torch.tensor([1.0, 0.0, 3.0, 6.0])  # they need not sum to 1
draws = torch.multinomial(weights, 10_000, replacement=True)
for index, share in enumerate(draws.bincount(minlength=4) / 10_000):
    print(f"index {index}: weight {weights[index]:.0f}, drawn {share:.0%}")

# %% without-replacement
chosen = torch.multinomial(weights, 3)
print(chosen.sort().values)  # three different indices, and never 1

# %% too-many raises="RuntimeError"
torch.multinomial(weights, 5)

# %% with-replacement
print(torch.multinomial(weights, 5, replacement=True))

# %% too-many-categories raises="RuntimeError"
many = torch.ones(1).expand(2**24 + 1)  # expand: only the count matters
torch.multinomial(many, 3)

# %% by-cumulative-sum
limits = weights.double().cumsum(dim=0)
uniform = torch.rand(10_000, dtype=torch.float64)
drawn = torch.searchsorted(limits, limits[-1] * uniform, right=True)
shares = drawn.bincount(minlength=4) / 10_000
print("drawn:", [f"{share:.0%}" for share in shares])

# %% bernoulli
keep = torch.bernoulli(torch.full((10_000,), 0.8))  # 1 with probability 0.8, else 0
mask = torch.rand(10_000) < 0.8
print(f"bernoulli: {keep.mean():.1f} of them, {keep.dtype}")
print(f"rand() < p: {mask.float().mean():.1f} of them, {mask.dtype}")

# %% generator
generator = torch.Generator().manual_seed(42)
first = torch.randint(0, 100, (5,), generator=generator)
torch.rand(1000)  # draws from the global generator, not from this one
generator.manual_seed(42)
again = torch.randint(0, 100, (5,), generator=generator)
print("first:", first)
print("again:", again)

# %% shares hidden=true
assert (draws.bincount(minlength=4) / 10_000 - weights / 10).abs().max() < 0.03

# %% no-seed-argument hidden=true
assert not hasattr(torch, "shuffle")
try:
    torch.randint(0, 100, (5,), seed=42)
except TypeError:
    pass
else:
    raise AssertionError

# %% too-few-above-zero hidden=true
assert 0 in torch.multinomial(torch.tensor([0.0, 1.0]), 2)

# %% both-in-float64 hidden=true
total = torch.tensor(2.0**25, dtype=torch.float64)  # the sum of as many ones
for dtype, odd in ((torch.float32, False), (torch.float64, True)):
    index = (total * torch.rand(1000, dtype=dtype)).long()
    assert (index % 2).any() == odd  # float32 never draws an odd index

# %% tiny-weights hidden=true
weights = torch.ones(100_000)
weights[0] = 2.0**25
for each, drawn in ((weights, False), (weights.double(), True)):
    assert (torch.multinomial(each, 100_000, replacement=True) > 0).any() == drawn
assert (torch.multinomial(weights, 1000) > 0).sum() == 999

# %% column-of-weights hidden=true
assert not torch.multinomial(torch.ones(4, 1), 3, replacement=True).any()

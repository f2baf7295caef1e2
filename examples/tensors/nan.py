"""NaN and infinity: find them, count them, replace them."""

# %% not-equal
import torch

readings = torch.tensor([1.0, float("nan"), 3.0, float("inf"), -float("inf")])
print("== nan:  ", readings == float("nan"))
print("isnan:   ", readings.isnan())
print("isinf:   ", readings.isinf())
print("isfinite:", readings.isfinite())

# %% where-from
zero = torch.zeros(1)
print("0 / 0:    ", zero / zero)
print("1 / 0:    ", 1 / zero)
print("inf - inf:", 1 / zero - 1 / zero)
print("log(-1):  ", torch.log(zero - 1))

# %% spreads
print("sum:", readings.sum(), "max:", readings.max(), "argmax:", readings.argmax())

# %% first
table = torch.ones(4, 3)
table[2, 1] = float("nan")
table[3, 0] = float("inf")
bad = ~table.isfinite()
print("any:  ", bad.any().item())
print("count:", bad.sum().item())
print("where:", bad.nonzero().tolist())

# %% skip
prices = torch.tensor([[1.0, float("nan"), 3.0], [4.0, 6.0, float("nan")]])
print("nanmean:  ", prices.nanmean(dim=1))
print("nansum:   ", prices.nansum(dim=1))
print("nanmedian:", prices.nanmedian(dim=1).values)

# %% replace
print("default:", readings.nan_to_num())
print("chosen: ", readings.nan_to_num(nan=0.0, posinf=100.0, neginf=-100.0))

# %% times-zero
present = ~prices[0].isnan()
print("times 0:", prices[0] * present)
print("where:  ", torch.where(present, prices[0], 0.0))

# %% equal
copy = prices.clone()
print("torch.equal:", torch.equal(prices, copy))
print("equal_nan:  ", torch.allclose(prices, copy, equal_nan=True))

# %% nanmax raises="AttributeError"
torch.nanmax(prices)

# %% nanmax-cure
print(prices.nan_to_num(nan=-torch.inf).amax(dim=1))

# %% where-and-gradients hidden=true
start = torch.tensor([0.0], requires_grad=True)
torch.where(start > 0, start.sqrt(), 0.0).sum().backward()
assert start.grad.isnan().all()
assert torch.full((2,), float("nan")).nanmean().isnan()

# %% how-far-nan-spreads hidden=true
one = torch.tensor([2.0, float("nan"), 1.0])
for name in ("sum", "mean", "prod", "std", "max", "min", "amax", "amin", "median"):
    assert getattr(one, name)().isnan(), name
assert one.argmax() == one.argmin() == 1
assert one.nansum() == 3 and not (one > 0).sum().isnan()
assert torch.where(one.isnan(), -torch.inf, one).amax() == 2

# %% counter-cases hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    bad = torch.tensor([float("nan"), float("inf"), 1.0], dtype=dtype)
    assert not (bad == float("nan")).any() and not (bad == bad[0]).any()
    assert bad.isnan().tolist() == [True, False, False] and (~bad.isfinite()).tolist() == [True, True, False]
    assert (bad != bad).tolist() == bad.isnan().tolist()

# %% sixteen-bits hidden=true
many = torch.full((70_000,), 2.0, dtype=torch.float16)
assert many.nanmean().isinf() and many.mean() == 2 and many.float().nanmean() == 2

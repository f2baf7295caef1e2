"""A normal distribution through tanh: log_prob of actions that round to 1."""

# %% policy
import torch
from torch.distributions import Normal, TanhTransform, TransformedDistribution

torch.manual_seed(0)
mean = torch.tensor([0.5, 12.0], requires_grad=True)  # the second one saturates
normal = Normal(mean, 0.1)
policy = TransformedDistribution(normal, TanhTransform())
action = policy.rsample()
print("action:", action)
print("log_prob is nan:", policy.log_prob(action).isnan())

# %% cached
policy = TransformedDistribution(normal, TanhTransform(cache_size=1))
action = policy.rsample()
print("the drawn tensor:", policy.log_prob(action).isfinite())
print("a copy of it:    ", policy.log_prob(action.clone()).isfinite())

# %% by-hand
import math

import torch.nn.functional as F

raw = normal.rsample()  # before tanh
action = raw.tanh()
log_slope = 2 * (math.log(2) - raw - F.softplus(-2 * raw))  # log(1 - tanh²)
log_prob = normal.log_prob(raw) - log_slope
log_prob.sum().backward()
print(log_prob.isfinite(), mean.grad.isfinite())

# %% clamped
stored = action.detach().clamp(-1 + 1e-6, 1 - 1e-6)
print(TransformedDistribution(normal, TanhTransform()).log_prob(stored).isfinite())

# %% entropy raises="NotImplementedError"
policy.entropy()

# %% estimates
wide = TransformedDistribution(Normal(0.5, 2.0), TanhTransform(cache_size=1))
draws = wide.rsample((10_000,))
print("entropy is finite:", (-wide.log_prob(draws).mean()).isfinite().item())
tanh_of_mean = wide.base_dist.mean.tanh()
print(f"tanh of the mean: {tanh_of_mean:.1f}, mean of tanh: {draws.mean():.1f}")

# %% same hidden=true
with torch.no_grad():
    cached = TransformedDistribution(normal, TanhTransform(cache_size=1))
    drawn = cached.rsample()
    before = cached.transforms[0].inv(drawn)
    by_hand = normal.log_prob(before) - 2 * (math.log(2) - before - F.softplus(-2 * before))
    torch.testing.assert_close(cached.log_prob(drawn), by_hand)
    double = Normal(mean.double(), 0.1)
    value = torch.tensor([0.4, 0.3], dtype=torch.float64)
    inner = value.atanh()
    expected = double.log_prob(inner) - (1 - value.square()).log()
    torch.testing.assert_close(TransformedDistribution(double, TanhTransform()).log_prob(value), expected)

# %% counter-cases hidden=true
drawn = cached.rsample()
assert cached.log_prob(drawn).isfinite().all()
for other in (drawn[:], drawn.detach(), drawn.clone()):  # equal numbers, other tensors
    assert cached.log_prob(other).isnan().tolist() == [False, True]
cached.rsample()  # the cache has one place
assert cached.log_prob(drawn).isnan().tolist() == [False, True]
mean.grad = None
cached.log_prob(cached.rsample()).sum().backward()
assert mean.grad.isfinite().all()
for name in ("mean", "variance", "stddev"):
    try:
        getattr(cached, name)
    except NotImplementedError as error:
        assert not str(error)
    else:
        raise AssertionError(name)

# %% margins hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    end = torch.ones((), dtype=dtype)
    eps = torch.finfo(dtype).eps
    assert end.clamp(-1 + eps, 1 - eps).atanh().isfinite()
    assert end.clamp(-1 + 1e-6, 1 - 1e-6).atanh().isfinite() == (dtype == torch.float32)

# %% transforms-behind hidden=true
from torch.distributions import AffineTransform, ComposeTransform

parts = [TanhTransform(cache_size=1), AffineTransform(0.0, 2.0, cache_size=1)]
scaled = TransformedDistribution(Normal(1.0, 3.0), parts)
sure = ComposeTransform(scaled.transforms)(scaled.base_dist.mean)
torch.testing.assert_close(sure, 2 * torch.tensor(1.0).tanh())
torch.manual_seed(0)
assert (-scaled.log_prob(scaled.rsample((10_000,))).mean()).isfinite()
without = TransformedDistribution(Normal(1.0, 3.0), TanhTransform())  # no cache
assert without.log_prob(without.rsample((10_000,))).mean().isnan()
shifted = TransformedDistribution(Normal(0.0, 3.0), [AffineTransform(1.0, 1.0), TanhTransform()])
sure = ComposeTransform(shifted.transforms)(shifted.base_dist.mean)
torch.testing.assert_close(sure, torch.tensor(1.0).tanh())  # the one before tanh counts, too

# %% entropy-gradient hidden=true
slopes = {}
for draw in ("sample", "rsample"):
    torch.manual_seed(0)
    scale = torch.tensor(0.3, requires_grad=True)
    squashed = TransformedDistribution(Normal(0.0, scale), TanhTransform(cache_size=1))
    (-squashed.log_prob(getattr(squashed, draw)((20_000,))).mean()).backward()
    slopes[draw] = scale.grad.item()
assert slopes["rsample"] > 2 and abs(slopes["sample"]) < 0.2  # the entropy grows with the scale

# %% changed-in-place hidden=true
with torch.no_grad():
    changed = cached.rsample()
    before = cached.log_prob(changed)
    changed.clamp_(-0.3, 0.3)
    assert torch.equal(cached.log_prob(changed), before)  # not that of 0.3
    uncached = TransformedDistribution(normal, TanhTransform())
    assert not torch.allclose(uncached.log_prob(changed), before)

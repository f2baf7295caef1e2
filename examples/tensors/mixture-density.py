"""Families of distributions; a mixture density network; truncated normal; Dirichlet."""

# %% families
import torch
from torch import distributions as D

one, ones = torch.ones(()), torch.ones(3)
families = [
    D.Normal(0 * one, one),
    D.StudentT(3 * one),
    D.Laplace(0 * one, one),
    D.LogNormal(0 * one, one),
    D.Gamma(2 * one, one),
    D.Beta(2 * one, one),
    D.Uniform(0 * one, one),
    D.Dirichlet(ones),
    D.MultivariateNormal(0 * ones, torch.eye(3)),
    D.MixtureSameFamily(D.Categorical(ones), D.Normal(ones, ones)),
    D.Categorical(ones),
    D.Bernoulli(0.5 * one),
    D.Binomial(10, 0.5 * one),
    D.Poisson(one),
    D.NegativeBinomial(5 * one, 0.5 * one),
]
for family in families:
    name, rsample = type(family).__name__, family.has_rsample
    print(f"{name:18} rsample {rsample!s:5}  {family.support}")

# %% two-answers
from torch import nn

torch.manual_seed(0)
x = 2 * torch.rand(1000, 1) - 1
sign = torch.randint(0, 2, (1000, 1)) * 2 - 1
y = sign * (0.6 + 0.3 * x) + 0.05 * torch.randn(1000, 1)  # two answers for each x


def train(net, loss_fn, steps=400):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for _ in range(steps):
        optimizer.zero_grad()
        loss_fn(net(x)).backward()
        optimizer.step()
    return net


def network(outputs):
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, outputs))


point = train(network(1), lambda out: (out - y).square().mean())
middle = torch.zeros(1, 1)
print(f"squared error predicts {abs(point(middle).item()):.1f} for x = 0")


# %% mixture
def mixture(out):  # (batch, 3 numbers for each component)
    logits, means, scales = out.chunk(3, dim=1)
    normals = D.Normal(means, nn.functional.softplus(scales) + 1e-3)
    return D.MixtureSameFamily(D.Categorical(logits=logits), normals)


net = train(network(3 * 2), lambda out: -mixture(out).log_prob(y[:, 0]).mean())
with torch.no_grad():
    at_zero = mixture(net(middle))
    centers, order = at_zero.component_distribution.mean[0].sort()
    shares = at_zero.mixture_distribution.probs[0][order]
    drawn = at_zero.sample((1000,))
print("means ", [f"{center:.1f}" for center in centers])
print("shares", [f"{share:.1f}" for share in shares])
print(f"drawn near 0: {(drawn.abs() < 0.3).sum()} of 1000")

# %% mixture-rsample raises="NotImplementedError"
at_zero.rsample()

# %% truncated
from torch.special import ndtr, ndtri  # the cdf of the standard normal, its inverse


def truncated_normal(mean, std, low, high, shape):
    below, up_to = ndtr((low - mean) / std), ndtr((high - mean) / std)
    share = torch.rand(shape, dtype=below.dtype, device=below.device)
    return mean + std * ndtri(below + (up_to - below) * share)


mean = torch.zeros((), requires_grad=True)
drawn = truncated_normal(mean, 1.0, -0.5, 2.0, (10_000,))
drawn.mean().backward()
print(f"from {drawn.min():.1f} to {drawn.max():.1f}, gradient {mean.grad:.1f}")

# %% tail
for dtype in (torch.float32, torch.float64):
    zero = torch.zeros((), dtype=dtype)
    drawn = truncated_normal(zero, 1.0, 6.0, 8.0, (1000,))
    print(f"{dtype}: infinite {drawn.isinf().double().mean():.0%}")

# %% init
weight = torch.empty(10_000)
nn.init.trunc_normal_(weight, std=0.02)  # cut at -2 and 2, not at 2 std
print("beyond 2 std:", (weight.abs() > 0.041).any().item())
nn.init.trunc_normal_(weight, std=0.02, a=-0.04, b=0.04)
print("beyond 2 std:", (weight.abs() > 0.041).any().item())

# %% dirichlet
torch.manual_seed(0)
for concentration in (0.1, 1.0, 100.0):
    shares = D.Dirichlet(concentration * torch.ones(3)).sample((1000,))
    largest = shares.max(dim=1).values.mean()
    print(f"{concentration:5}: largest of three {largest:.1f}")

# %% checks hidden=true
for low, high in ((-1.0, 1.0), (0.0, 3.0), (-5.0, -3.0)):
    drawn = truncated_normal(zero.double(), 1.0, low, high, (50_000,))
    assert drawn.min() >= low and drawn.max() <= high
    normal = D.Normal(zero.double(), 1.0)
    grid = torch.linspace(low, high, 20_001, dtype=torch.float64)
    density = normal.log_prob(grid).exp()
    exact = (grid * density).sum() / density.sum()
    assert abs(drawn.mean() - exact) < 0.02
    share = normal.cdf(grid[-1]) - normal.cdf(grid[0])  # what log_prob must be divided by
    torch.testing.assert_close(torch.trapezoid(density / share, grid), torch.ones((), dtype=torch.float64))
zero = torch.zeros(())
two = D.MixtureSameFamily(D.Categorical(torch.tensor([0.3, 0.7])), D.Normal(torch.tensor([-1.0, 2.0]), ones[:2]))
value = torch.tensor(0.5)
by_hand = (0.3 * D.Normal(-1.0, 1.0).log_prob(value).exp() + 0.7 * D.Normal(2.0, 1.0).log_prob(value).exp()).log()
torch.testing.assert_close(two.log_prob(value), by_hand)
assert abs(two.mean - 1.1) < 1e-6
drawn = D.Dirichlet(ones, validate_args=True).rsample((5,))
torch.testing.assert_close(drawn.sum(dim=1), torch.ones(5))
assert not any(family.has_rsample for family in (D.VonMises(zero, ones[0]), D.LKJCholesky(3)))  # continuous, without
assert mixture(torch.randn(4, 6)).log_prob(torch.zeros(4, 1)).shape == (4, 4)  # a column: all against all
exact = torch.zeros((), dtype=torch.float64)
assert truncated_normal(exact, 1.0, 9.0, 11.0, (100,)).isinf().all()  # even in float64
assert truncated_normal(exact, 1.0, -11.0, -9.0, (100,)).isinf().all()
assert truncated_normal(exact, 1.0, 7.0, 8.0, (1000,)).isfinite().all()
for limits, finite in (((-torch.inf, 0.0), False), ((-10.0, 0.0), True)):
    std = torch.ones((), dtype=torch.float64, requires_grad=True)
    truncated_normal(exact, std, *limits, (100,)).mean().backward()
    assert std.grad.isfinite() == finite

"""np.interp and np.polyfit with tensors."""

# %% interp
import numpy as np
import torch


def interp(new, x, y):
    """As np.interp, for two points (x, y) or more, each x greater than the last."""
    above = torch.searchsorted(x, new, right=True).clamp(1, len(x) - 1)
    below = above - 1
    share = (new - x[below]) / (x[above] - x[below])
    return torch.lerp(y[below], y[above], share.clamp(0, 1))


x = torch.tensor([0.0, 1.0, 3.0, 4.0])
y = torch.tensor([0.0, 10.0, 20.0, 0.0])
new = torch.tensor([-1.0, 0.5, 1.0, 2.0, 3.5, 9.0])
print("interp:   ", interp(new, x, y).tolist())
print("np.interp:", np.interp(new, x, y).tolist())

# %% gradient
knots = y.clone().requires_grad_()
interp(torch.tensor([0.5, 2.0]), x, knots).sum().backward()
print(knots.grad)

# %% unsorted
shuffled = torch.tensor([3, 0, 2, 1])
print("unsorted:", interp(new, x[shuffled], y[shuffled]))
order = x[shuffled].argsort()
print("sorted:  ", interp(new, x[shuffled][order], y[shuffled][order]))


# %% polyfit
def polyfit(x, y, degree):
    """As np.polyfit: coefficients, the highest power first."""
    exponents = torch.arange(degree, -1, -1, device=x.device)
    powers = x[:, None] ** exponents  # (points, degree + 1), as torch.vander
    return torch.linalg.lstsq(powers, y[:, None]).solution[:, 0]


def polyval(coefficients, x):
    value = torch.zeros_like(x)
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


torch.manual_seed(0)
time = torch.linspace(-1, 1, 20)
height = 1 + 2 * time - 3 * time**2 + 0.1 * torch.randn(20)
fit = polyfit(time, height, 2)
print("polyfit:   ", fit)
print("np.polyfit:", np.polyfit(time, height, 2).round(4))
same = np.allclose(polyval(fit, time), np.polyval(fit, time), atol=1e-5)
print("polyval as np.polyval:", same)

# %% years
year = torch.arange(2000.0, 2021.0)
growth = (year - 2005) ** 2


def worst(x):
    return (polyval(polyfit(x, growth, 2), x) - growth).abs().max()


print("off by more than 10:", (worst(year) > 10).item())
centered = (year - year.mean()) / year.std()
print("centered, off by more than 0.01:", (worst(centered) > 0.01).item())

# %% counter-cases hidden=true
for seed in range(20):
    generator = np.random.default_rng(seed)
    xs, ys = np.sort(generator.normal(size=10)), generator.normal(size=10)
    at = np.concatenate([2 * generator.normal(size=50), xs, [-np.inf, np.inf]])
    at = at[np.isfinite(at)]
    ours = interp(*map(torch.from_numpy, (at, xs, ys)))
    assert np.allclose(ours.numpy(), np.interp(at, xs, ys))
    for degree in (0, 1, 3, 5):
        c = polyfit(torch.from_numpy(xs), torch.from_numpy(ys), degree)
        assert np.allclose(c.numpy(), np.polyfit(xs, ys, degree), rtol=1e-4), (seed, degree)
assert interp(torch.tensor([float("nan")]), x, y).isnan()
assert interp(torch.tensor([]), x, y).shape == (0,)
step = interp(torch.tensor([1.0]), torch.tensor([0.0, 1.0, 1.0, 2.0]), torch.tensor([0.0, 1.0, 5.0, 6.0]))
assert step == np.interp([1.0], [0, 1, 1, 2], [0, 1, 5, 6])
assert interp(torch.tensor([1.0]), torch.tensor([1.0]), torch.tensor([5.0])).isnan()  # one point, hit
points = [torch.linspace(-1, 1, 5, dtype=torch.float64).requires_grad_() for _ in range(2)]
assert torch.autograd.gradcheck(lambda x, y: polyfit(x, y, 2), points)
try:
    torch.vander(points[0], 3).sum().backward()
except RuntimeError as error:
    assert "inplace" in str(error)
else:
    raise AssertionError("vander passes gradients on")

# %% large-x hidden=true
powers = year[:, None] ** torch.arange(2, -1, -1)
powers = powers / powers.norm(dim=0)  # alike in size
scaled = torch.linalg.lstsq(powers, growth[:, None]).solution
assert (powers @ scaled - growth[:, None]).abs().max() > 1  # and still off: nearly proportional
exact, cubes = year.double(), (year.double() - 2005) ** 3
assert (polyval(polyfit(exact, cubes, 3), exact) - cubes).abs().max() > 1
assert np.allclose(np.polyval(np.polyfit(exact, cubes, 3), exact), cubes, atol=0.01)

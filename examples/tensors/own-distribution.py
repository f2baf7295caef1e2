"""A distribution of one's own: arg_constraints, support, rsample, expand."""

# %% rayleigh
import torch
from torch.distributions import Distribution, Independent, Normal, constraints


class Rayleigh(Distribution):
    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, scale, validate_args=None):
        self.scale = scale
        super().__init__(scale.shape, torch.Size(), validate_args)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)  # sample, batch, event
        noise = torch.rand(shape, dtype=self.scale.dtype, device=self.scale.device)
        return self.scale * (-2 * torch.log1p(-noise)).sqrt()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        squares = (value / self.scale).square()
        return value.log() - 2 * self.scale.log() - squares / 2

    def expand(self, batch_shape, _instance=None):
        return type(self)(self.scale.expand(batch_shape), self._validate_args)


# %% use
torch.manual_seed(0)
scale = torch.tensor([1.0, 2.0], requires_grad=True)
rayleigh = Rayleigh(scale)
print(rayleigh, rayleigh.batch_shape, rayleigh.event_shape)
print("rsample:", rayleigh.rsample((5,)).shape, rayleigh.rsample().requires_grad)
print("sample: ", rayleigh.sample((5,)).shape, rayleigh.sample().requires_grad)
print("log_prob:", rayleigh.log_prob(torch.ones(5, 2)).shape)
print("as one event:", Independent(rayleigh, 1).expand((4,)).sample().shape)

# %% right
draws = rayleigh.sample((20_000,))
expected = scale.detach() * (torch.pi / 2) ** 0.5
print("mean / expected:  ", (draws.mean(dim=0) / expected).round(decimals=1))
grid = torch.linspace(0.001, 20, 20_000)[:, None]
density = rayleigh.log_prob(grid).exp().detach()
print("total probability:", torch.trapezoid(density, grid, dim=0).round(decimals=2))

# %% parameter raises="ValueError"
Rayleigh(torch.tensor(-1.0))

# %% value raises="ValueError"
rayleigh.log_prob(torch.tensor(-1.0))


# %% bare
class Bare(Distribution):  # no arg_constraints, no support
    def __init__(self, scale):
        self.scale = scale
        super().__init__(scale.shape)

    def log_prob(self, value):
        self._validate_sample(value)
        squares = (value / self.scale).square()
        return value.log() - 2 * self.scale.log() - squares / 2


# %% no-constraints warns="UserWarning"
bare = Bare(torch.ones(2))

# %% no-support warns="UserWarning"
bare.log_prob(torch.ones(2))


# %% inherited
class UnitNormal(Normal):
    def __init__(self, loc):
        super().__init__(loc, 1.0)


# %% no-expand raises="NotImplementedError"
UnitNormal(torch.zeros(2)).expand((3, 2))


# %% expand
class UnitNormal(Normal):
    def __init__(self, loc, validate_args=None):
        super().__init__(loc, 1.0, validate_args)

    def expand(self, batch_shape, _instance=None):
        return type(self)(self.loc.expand(batch_shape), self._validate_args)


print(UnitNormal(torch.zeros(2)).expand((3, 2)).sample().shape)

# %% no-message hidden=true
calls = [bare.sample, bare.rsample, bare.entropy, lambda: bare.expand((3, 2)), lambda: repr(bare)]
calls += [lambda: rayleigh.mean, lambda: rayleigh.variance, rayleigh.entropy]
for call in calls:
    try:
        call()
    except NotImplementedError as error:
        assert not str(error)
    else:
        raise AssertionError(call)
assert rayleigh.expand((4, 2)).batch_shape == (4, 2)
assert Rayleigh(torch.tensor(-1.0), validate_args=False).scale == -1
assert rayleigh.expand((4, 2))._validate_args and not Rayleigh(scale, False).expand((4, 2))._validate_args
free = Rayleigh(scale, validate_args=False)
assert free.log_prob(torch.tensor(-1.0)).isnan().all()  # unchecked
weibull = torch.distributions.Weibull(scale * 2**0.5, torch.tensor(2.0))
assert torch.allclose(rayleigh.log_prob(draws), weibull.log_prob(draws), atol=1e-4)


class Empty(Bare):
    arg_constraints = {}
    support = constraints.nonnegative


import warnings

with warnings.catch_warnings(action="error"):
    assert Empty(torch.tensor(-1.0)).scale == -1  # the parameter is unchecked
    try:
        Empty(torch.tensor(1.0)).log_prob(torch.tensor(-1.0))
    except ValueError:
        pass
    else:
        raise AssertionError

# %% positive hidden=true
Rayleigh(torch.nn.functional.softplus(torch.tensor([-1.0, 3.0])))


# %% declared hidden=true
class Declared(Bare):
    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative


with warnings.catch_warnings(action="error"):
    Declared(torch.ones(2)).log_prob(torch.ones(2))
    try:
        Declared(torch.tensor(-1.0))
    except ValueError:
        pass
    else:
        raise AssertionError

# %% other-dtypes hidden=true
from torch.distributions.utils import broadcast_all

for dtype in (torch.float16, torch.bfloat16, torch.float64):
    strided = Rayleigh(torch.ones(2, 3, dtype=dtype).T)
    assert strided.rsample((5,)).dtype == dtype and strided.log_prob(torch.ones(3, 2, dtype=dtype)).isfinite().all()
assert Rayleigh(torch.ones(0)).sample((3,)).shape == (3, 0)
assert Rayleigh(*broadcast_all(1.0)).sample().shape == ()

# %% zeros hidden=true
zero = torch.nn.functional.softplus(torch.tensor(-20.0, dtype=torch.float16))
assert zero == 0 and Rayleigh(zero + 1e-4).scale > 0


# %% sample-alone hidden=true
def gradient_of_mean(sample):  # by log_prob, as REINFORCE has it
    torch.manual_seed(0)
    scale = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    rayleigh = Rayleigh(scale)
    x = sample(rayleigh, (20_000,))
    (rayleigh.log_prob(x) * x.detach()).mean().backward()
    return scale.grad.item()


under_no_grad, plain = (gradient_of_mean(sample) for sample in (torch.no_grad()(Rayleigh.rsample), Rayleigh.rsample))
assert abs(under_no_grad - (torch.pi / 2) ** 0.5) < 0.2  # the mean is scale times this
assert plain < 0  # that through the draws is added

# %% not-invertible hidden=true
from torch.distributions import Chi2, LogNormal, TransformedDistribution
from torch.distributions.transforms import ExpTransform, PowerTransform

value = torch.tensor([0.5, 1.0])
exponential = TransformedDistribution(Normal(0.0, 1.0), ExpTransform())
torch.testing.assert_close(exponential.log_prob(value), LogNormal(0.0, 1.0).log_prob(value))
square = TransformedDistribution(Normal(0.0, 1.0), PowerTransform(torch.tensor(2.0)))
assert not torch.allclose(square.log_prob(value), Chi2(1.0).log_prob(value), atol=0.1)  # half of it, and no error

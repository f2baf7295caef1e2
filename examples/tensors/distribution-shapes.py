"""batch_shape and event_shape; MultivariateNormal, Uniform, Bernoulli, Beta."""

# %% shapes
import torch
from torch.distributions import Independent, MultivariateNormal, Normal

torch.manual_seed(0)
mean = torch.zeros(3)
kinds = {
    "Normal": Normal(mean, torch.ones(3)),  # three numbers
    "Independent": Independent(Normal(mean, torch.ones(3)), 1),  # one vector
    "MultivariateNormal": MultivariateNormal(mean, torch.eye(3)),  # one vector
}
for name, kind in kinds.items():
    draws = kind.sample((2,))  # two draws
    log_prob = kind.log_prob(draws)
    shapes = [kind.batch_shape, kind.event_shape, draws.shape, log_prob.shape]
    print(f"{name:18}", *[tuple(shape) for shape in shapes])

# %% equal
probability = [kind.log_prob(torch.ones(3)).sum() for kind in kinds.values()]
print([f"{value:.4f}" for value in probability])

# %% expand
states = Independent(Normal(torch.zeros(4, 3), 1.0), 1)  # 4 vectors of 3
log_prob = states.log_prob(torch.ones(4, 3))
print(states.batch_shape, states.event_shape, log_prob.shape)

# %% kl
from torch.distributions import kl_divergence

shifted = Normal(torch.ones(3), torch.ones(3))
print(kl_divergence(kinds["Normal"], shifted))
vector = kinds["Independent"]
print(kl_divergence(vector, Independent(shifted, 1)))

# %% no-kl raises="NotImplementedError"
from torch.distributions import StudentT

kl_divergence(StudentT(3.0), Normal(0.0, 1.0))

# %% covariance
variances = torch.diag(torch.tensor([4.0, 9.0]))
by_covariance = MultivariateNormal(torch.zeros(2), variances)
factor = torch.diag(torch.tensor([2.0, 3.0]))
by_factor = MultivariateNormal(torch.zeros(2), scale_tril=factor)
print(by_covariance.stddev, by_covariance.scale_tril.equal(by_factor.scale_tril))

# %% not-positive raises="ValueError"
MultivariateNormal(torch.zeros(2), torch.ones(2, 2))

# %% vector raises="ValueError"
MultivariateNormal(torch.zeros(2), torch.tensor([4.0, 9.0]))

# %% uniform
from torch.distributions import Bernoulli, Beta, Uniform

uniform = Uniform(0.0, 2.0)
print(uniform.log_prob(torch.tensor([0.0, 1.0, 2.0])).exp())

# %% outside raises="ValueError"
uniform.log_prob(torch.tensor(3.0))

# %% unchecked
print(Uniform(0.0, 2.0, validate_args=False).log_prob(torch.tensor(3.0)))

# %% integers raises="NotImplementedError"
Uniform(torch.tensor(0), torch.tensor(1)).sample()

# %% bernoulli
coin = Bernoulli(logits=torch.tensor([0.0, 2.0]))
print(coin.probs, coin.sample().dtype, Bernoulli.has_rsample)

# %% soft raises="ValueError"
coin.log_prob(torch.tensor([0.5, 1.0]))

# %% bce
import torch.nn.functional as F

target = torch.tensor([0.5, 1.0])
print(-F.binary_cross_entropy_with_logits(coin.logits, target, reduction="none"))

# %% beta
share = Beta(torch.tensor([2.0, 1.0]), torch.tensor([3.0, 1.0]))
print(share.mean, share.batch_shape, share.rsample().shape)

# %% remedies hidden=true
p, q = StudentT(5.0), Normal(0.0, 2.0)
x = p.sample((50_000,))
assert 0 < (p.log_prob(x) - q.log_prob(x)).mean() < 1
x = kinds["Normal"].sample((50_000,))
estimate = (kinds["Normal"].log_prob(x) - shifted.log_prob(x)).mean(dim=0)
assert (estimate - 0.5).abs().max() < 0.05
MultivariateNormal(torch.zeros(2), torch.ones(2, 2) + 1e-3 * torch.eye(2))
by_diagonal = MultivariateNormal(torch.zeros(2), torch.diag_embed(torch.tensor([4.0, 9.0])))
by_normal = Independent(Normal(torch.zeros(2), torch.tensor([2.0, 3.0])), 1)
x = torch.tensor([0.3, -2.0])
torch.testing.assert_close(by_diagonal.log_prob(x), by_normal.log_prob(x))
target = torch.tensor([0.0, 1.0])
bce = F.binary_cross_entropy_with_logits(coin.logits, target, reduction="none")
torch.testing.assert_close(coin.log_prob(target), -bce)
assert Beta.has_rsample and not (Uniform(0.0, 1.0).sample((1000,)) == 1).any()

# %% rounded-covariance hidden=true
covariance = torch.tensor([[1e4, 0.001], [0.002, 1e4]])  # off by one step of float32 at 10000
small_share = 1e-4 * torch.diag_embed(covariance.diagonal(dim1=-2, dim2=-1))
try:
    MultivariateNormal(torch.zeros(2), covariance + small_share)
except ValueError as error:
    assert "PositiveDefinite()" in str(error)
else:
    raise AssertionError
MultivariateNormal(torch.zeros(2), (covariance + covariance.mT) / 2 + small_share)

# %% estimate-as-loss hidden=true
loc = torch.tensor(3.0, requires_grad=True)
p, q = Normal(loc, 1.0), Normal(0.0, 1.0)  # the gradient of the formula is 3
for draw, right in ((p.rsample, True), (p.sample, False)):
    x = draw((50_000,))
    (gradient,) = torch.autograd.grad((p.log_prob(x) - q.log_prob(x)).mean(dim=0), loc)
    assert (abs(gradient - 3) < 0.1) == right

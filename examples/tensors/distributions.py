"""torch.normal and torch.distributions: sample, rsample, log_prob, Gumbel softmax."""

# %% normal
import torch
from torch.distributions import Categorical, Independent, Normal

torch.manual_seed(0)
mean = torch.tensor([1.0, 100.0, -5.0])
std = torch.tensor([1.0, 10.0, 0.1])
one = torch.normal(mean, std)  # one number for each mean
many = torch.normal(mean.expand(10_000, 3), std)
print("one of each:", one.shape)
print("means:", many.mean(dim=0).round())
print("stds / requested:", (many.std(dim=0) / std).round(decimals=1))
print("same for all:", torch.normal(0.0, 2.0, size=(2, 3)).shape)

# %% distribution
normal = Normal(loc=mean, scale=std)
print("sample:  ", normal.sample().shape, normal.sample((5,)).shape)
print("log_prob:", normal.log_prob(mean))
print("entropy: ", normal.entropy())
print("cdf:     ", normal.cdf(mean))

# %% independent
vector = Independent(normal, 1)  # the three numbers are one event
print("Normal:     ", normal.log_prob(mean).shape)
print("Independent:", vector.log_prob(mean), "sum:", normal.log_prob(mean).sum())

# %% categorical
probability = torch.tensor([0.1, 0.2, 0.7])
drawn = torch.multinomial(probability, 10_000, replacement=True)
also = Categorical(probs=probability).sample((10_000,))
print("multinomial:", drawn.bincount().div(10_000).round(decimals=1))
print("Categorical:", also.bincount().div(10_000).round(decimals=1))

# %% rsample
loc = torch.tensor([1.0], requires_grad=True)
scale = torch.tensor([2.0], requires_grad=True)
drawn = Normal(loc, scale).sample((1000,))
moved = Normal(loc, scale).rsample((1000,))  # loc + scale * noise
print("sample: ", "requires_grad =", drawn.requires_grad)
print("rsample:", "requires_grad =", moved.requires_grad)
moved.sum().backward()
print("gradient of the sum:", loc.grad)

# %% sample-error raises="RuntimeError"
drawn.mean().backward()

# %% normal-gradient
loc.grad = None
moved_too = torch.normal(loc.expand(1000), scale)
moved_too.sum().backward()
print("requires_grad =", moved_too.requires_grad, "gradient:", loc.grad)

# %% discrete-error raises="NotImplementedError"
logits = probability.log().requires_grad_()
Categorical(logits=logits).rsample()

# %% log-prob
policy = Categorical(logits=logits)
action = policy.sample((20_000,))
reward = torch.tensor([0.0, 0.0, 1.0])[action]  # only action 2 pays
loss = -(policy.log_prob(action) * reward).mean()
loss.backward()
print("direction of a step:", -logits.grad.round(decimals=2))

# %% gumbel
import torch.nn.functional as F

logits.grad = None
soft = F.gumbel_softmax(logits, tau=0.5)
hard = F.gumbel_softmax(logits, tau=0.5, hard=True)
print("soft: sum", f"{soft.sum():.4f}", "equal to 1:", (soft == 1).sum().item())
print("hard: sorted", hard.sort().values.round().tolist())
(hard * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print("gradient is not 0:", (logits.grad != 0).tolist())

# %% frequencies
picks = F.gumbel_softmax(logits.expand(20_000, 3), hard=True).mean(dim=0)
print("drawn:  ", picks.detach().round(decimals=1))
print("softmax:", logits.detach().softmax(dim=0).round(decimals=1))

# %% std-error raises="RuntimeError"
torch.normal(mean, -std)

# %% scale-error raises="ValueError"
Normal(0.0, torch.tensor([1.0, -1.0]))

# %% softplus
raw = torch.tensor([1.0, -1.0])  # what a network returns
print(Normal(0.0, F.softplus(raw) + 1e-6).stddev)

# %% counter-cases hidden=true
assert Normal.has_rsample and not Categorical.has_rsample
assert F.softplus(torch.tensor(-200.0)) == 0 and torch.tensor(-200.0).exp() == 0
assert (picks - logits.softmax(0)).abs().max() < 0.02
noise = (moved - loc) / scale
torch.testing.assert_close(scale.grad, noise.sum(dim=0).detach())
truth = torch.tensor([0.3, -1.2, 2.0], dtype=torch.float64)
by_hand = -0.5 * ((truth - mean) / std).square() - std.log() - 0.5 * torch.log(torch.tensor(2 * torch.pi))
torch.testing.assert_close(normal.log_prob(truth.float()), by_hand.float())

# %% asked-the-object hidden=true
assert normal.has_rsample is True and policy.has_rsample is False
assert vector.has_rsample is True and Independent(Categorical(logits.expand(2, 3)), 1).has_rsample is False
assert not isinstance(Independent.has_rsample, bool)

# %% taken-for-one-another hidden=true
torch.manual_seed(0)
shares = torch.tensor([0.2, 0.8]).expand(20_000, 2)
assert (F.gumbel_softmax(shares.log(), hard=True).mean(dim=0) - shares[0]).abs().max() < 0.02
assert (F.gumbel_softmax(shares, hard=True).mean(dim=0) - shares[0]).abs().max() > 0.1
try:
    torch.normal(torch.tensor([0.1]), torch.tensor([-3.0]))  # std, mean
except RuntimeError as error:
    assert "normal expects all elements of std >= 0" in str(error), error
else:
    raise AssertionError("a negative standard deviation")

# %% yes-or-no hidden=true
coins = torch.zeros(4)  # logits of four coins
assert torch.distributions.Bernoulli(logits=coins).sample((100,)).sum(dim=1).unique().numel() > 1
assert abs(F.gumbel_softmax(coins, dim=0).sum() - 1) < 1e-5  # one of the four, without an error

"""create_graph=True makes a gradient differentiable again."""

# %% cube
import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**3

(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(f"3 x² = {first:g}   6 x = {second:g}")
print("first has a graph:", first.requires_grad, "  second:", second.requires_grad)

# %% without raises="RuntimeError"
(first,) = torch.autograd.grad(x**3, x)
torch.autograd.grad(first, x)

# %% penalty
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=0.02)
real, fake = torch.randn(64, 2), torch.randn(64, 2) + 2


def slopes():
    """The norm of the critic's gradient at points between real and fake."""
    mix = torch.rand(len(real), 1, device=real.device)  # new for each pair and step
    points = (mix * real + (1 - mix) * fake.detach()).requires_grad_()
    out = critic(points).sum()
    (gradient,) = torch.autograd.grad(out, points, create_graph=True)
    return torch.linalg.vector_norm(gradient, dim=1)  # (64,)


print(f"mean slope before: {slopes().mean():.1f}")
for step in range(200):
    penalty = (slopes() - 1).square().mean()
    optimizer.zero_grad()
    penalty.backward()
    optimizer.step()
print(f"mean slope after:  {slopes().mean():.1f}")

# %% zero raises="RuntimeError"
line = 3 * x
(slope,) = torch.autograd.grad(line, x, create_graph=True)
print("slope:", slope, "  requires_grad:", slope.requires_grad)
torch.autograd.grad(slope, x)

# %% remedies
(slope,) = torch.autograd.grad(3 * x, x, create_graph=True)
if slope.requires_grad:
    (second,) = torch.autograd.grad(slope, x)
else:
    second = torch.zeros_like(x)
print("second derivative of 3 x:", second)

# %% backward-warns warns="UserWarning"
(x**3).backward(create_graph=True)
print(x.grad)

# %% penalty-works hidden=true
assert (slopes() - 1).abs().mean() < 0.2

# %% reset hidden=true
x.grad = None  # breaks the cycle

# %% no-cycle hidden=true
(gradient,) = torch.autograd.grad(x**3, x, create_graph=True)
assert x.grad is None and gradient.requires_grad

# %% other-variables hidden=true
a, b = (torch.tensor(value, requires_grad=True) for value in (3.0, 2.0))
(slope,) = torch.autograd.grad(3 * a * b, a, create_graph=True)
assert slope.requires_grad  # it depends on b
try:
    torch.autograd.grad(slope, a, retain_graph=True)
except RuntimeError as error:
    assert "not have been used" in str(error)
else:
    raise AssertionError("3 b does not depend on a")
assert torch.autograd.grad(slope, a, allow_unused=True) == (None,)

# %% attention raises="RuntimeError"
from torch.nn.functional import scaled_dot_product_attention

query = torch.randn(1, 2, 4, 8, requires_grad=True)  # (batch, head, time, features)
out = scaled_dot_product_attention(query, query, query).sum()
(slope,) = torch.autograd.grad(out, query, create_graph=True)
slope.square().sum().backward()

# %% attention-math
from torch.nn.attention import SDPBackend, sdpa_kernel

with sdpa_kernel(SDPBackend.MATH):
    out = scaled_dot_product_attention(query, query, query).sum()
(slope,) = torch.autograd.grad(out, query, create_graph=True)
slope.square().sum().backward()
print(query.grad.shape)


# %% images hidden=true
def image_slopes(shape, flat):
    critic = nn.Sequential(nn.Flatten(), nn.Linear(3 * 8 * 8, 1))
    real, fake = torch.randn(2, 8, 3, 8, 8)  # as many images as rows of pixels
    mix = torch.rand(shape)
    points = (mix * real + (1 - mix) * fake).requires_grad_()
    (gradient,) = torch.autograd.grad(critic(points).sum(), points, create_graph=True)
    return torch.linalg.vector_norm(gradient.flatten(1) if flat else gradient, dim=1).shape


assert image_slopes((8, 1, 1, 1), True) == (8,)
assert image_slopes((8, 1), False) == (8, 8, 8)  # no error
for activation, zero in ((nn.ReLU(), True), (nn.Tanh(), False), (nn.SiLU(), False)):
    network = nn.Sequential(nn.Linear(1, 8), activation, nn.Linear(8, 1))
    place = torch.randn(5, 1, requires_grad=True)
    (slope,) = torch.autograd.grad(network(place).sum(), place, create_graph=True)
    (second,) = torch.autograd.grad(slope.sum(), place)
    assert bool((second == 0).all()) == zero

# %% attention-on-gpu needs="cuda" raises="RuntimeError"
half = torch.randn(1, 2, 4, 8, device="cuda", dtype=torch.bfloat16)
half.requires_grad_()
out = scaled_dot_product_attention(half, half, half).sum()
(slope,) = torch.autograd.grad(out, half, create_graph=True)
slope.square().sum().backward()

# %% generator hidden=true
generator = nn.Linear(3, 2)
fake = generator(torch.randn(64, 3))  # has a graph, which both losses share
(10 * (slopes() - 1).square().mean() + critic(fake.detach()).mean()).backward()
assert generator.weight.grad is None
(-critic(fake).mean()).backward()  # the penalty did not free it
assert generator.weight.grad is not None

# %% derivative-in-a-loss hidden=true
network = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
place = torch.linspace(0, 1, 9)[:, None].requires_grad_()
for last in (False, True):
    (slope,) = torch.autograd.grad(network(place).sum(), place, create_graph=True)
    (bend,) = torch.autograd.grad(slope.sum(), place, create_graph=last, retain_graph=True)
    network.zero_grad()
    loss = (bend - 1).square().mean() + network(torch.zeros(1, 1)).square().mean()
    loss.backward()  # no error
    gradient = network[0].weight.grad  # tanh(0 w + b): the other term has none here
    assert bool(gradient.any()) == last

# %% no-graph-of-its-own hidden=true
value = network(place)
(slope,) = torch.autograd.grad(value.sum(), place, create_graph=True)
(bend,) = torch.autograd.grad(slope.sum(), place)  # frees the graph that the rest of the loss needs
try:
    (bend + value).square().mean().backward()
except RuntimeError as error:
    assert "second time" in str(error)
else:
    raise AssertionError

# %% once-differentiable-in-torch hidden=true
a, b = torch.tensor([2.0, 3.0], requires_grad=True).unbind()
for family in (torch.distributions.Beta(a, b), torch.distributions.Dirichlet(torch.stack([a, b]))):
    (slope,) = torch.autograd.grad(family.rsample().flatten()[0], a, create_graph=True)
    assert slope != 0 and not slope.requires_grad

# %% grad-gone-before-the-step hidden=true
import warnings

early = nn.Linear(2, 1)
kept = early.weight.detach().clone()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about the cycle, as the page shows
    early(torch.ones(1, 2)).sum().backward(create_graph=True)
for parameter in early.parameters():
    parameter.grad = None
torch.optim.SGD(early.parameters(), lr=0.1).step()
assert early.weight.equal(kept)

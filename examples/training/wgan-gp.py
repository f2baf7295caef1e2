"""WGAN-GP: steps of the critic with a gradient penalty, one of the generator."""

# %% nets
import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR


def real_samples(count):
    """Points near a circle of radius 2: (count, 2)."""
    angle = 2 * torch.pi * torch.rand(count, 1)
    circle = 2 * torch.cat([angle.cos(), angle.sin()], dim=1)
    return circle + 0.1 * torch.randn(count, 2)


def mlp(outputs):
    hidden = nn.Linear(2, 32), nn.LeakyReLU(), nn.Linear(32, 32), nn.LeakyReLU()
    return nn.Sequential(*hidden, nn.Linear(32, outputs))  # no sigmoid


# %% penalty
def gradient_penalty(critic, real, fake):
    mix = torch.rand_like(real[:, :1])  # (N, 1); images: real[:, :1, :1, :1]
    points = (mix * real + (1 - mix) * fake).requires_grad_()
    scores = critic(points)
    (gradient,) = torch.autograd.grad(scores.sum(), points, create_graph=True)
    norms = torch.linalg.vector_norm(gradient.flatten(1), dim=1)  # (N,)
    return (norms - 1).square().mean()


# %% train
def train(steps=150, batch=64, critic_steps=5, weight=10.0):
    torch.manual_seed(0)
    generator, critic = mlp(2), mlp(1)
    betas = (0.0, 0.9)  # as in the paper, whose rate for images is 1e-4
    for_critic = torch.optim.Adam(critic.parameters(), lr=1e-2, betas=betas)
    for_generator = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=betas)
    schedulers = [
        LinearLR(for_critic, 1.0, 0.05, steps),
        LinearLR(for_generator, 1.0, 0.05, steps),
    ]
    for step in range(steps):
        for _ in range(critic_steps):
            real = real_samples(batch)
            with torch.no_grad():  # the generator is not trained here
                fake = generator(torch.randn(batch, 2))
            loss = critic(fake).mean() - critic(real).mean()
            loss = loss + weight * gradient_penalty(critic, real, fake)
            for_critic.zero_grad()
            loss.backward()
            for_critic.step()
        loss = -critic(generator(torch.randn(batch, 2))).mean()
        for_generator.zero_grad()
        loss.backward()
        for_generator.step()
        for scheduler in schedulers:
            scheduler.step()
    return generator, critic


# %% learned
@torch.no_grad()
def distance(generator, count=2000):
    """Exact Wasserstein distance of projections, averaged over 16 directions."""
    torch.manual_seed(1)
    angles = torch.arange(16) * torch.pi / 16
    directions = torch.stack([angles.cos(), angles.sin()])  # (2, 16)
    real = real_samples(count) @ directions
    fake = generator(torch.randn(count, 2)) @ directions
    return (real.sort(dim=0).values - fake.sort(dim=0).values).abs().mean()


before, _ = train(steps=0)
generator, critic = train()
halved = distance(generator) < distance(before) / 2
print(f"distance before {distance(before):.1f}, after less than half: {halved}")

# %% slopes
torch.manual_seed(2)
real = real_samples(500)
fake = generator(torch.randn(500, 2)).detach()
penalty = gradient_penalty(critic, real, fake)
print("(slope - 1)², mean, below 0.1:", penalty.item() < 0.1)

# %% no-graph raises="RuntimeError"
points = real.clone().requires_grad_()
(gradient,) = torch.autograd.grad(critic(points).sum(), points)
(gradient.norm(dim=1) - 1).square().mean().backward()

# %% with-graph
critic.zero_grad()
gradient_penalty(critic, real, fake).backward()
print("gradient for the critic:", critic[0].weight.grad.abs().sum().item() > 0)

# %% silent
critic.zero_grad()
(gradient,) = torch.autograd.grad(critic(points).sum(), points)
penalty = (gradient.norm(dim=1) - 1).square().mean()
loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
loss.backward()  # no error
print(f"{penalty.requires_grad=}")

# %% batch-norm
torch.manual_seed(0)
first, last = nn.Linear(2, 8), nn.Linear(8, 1)
batch_norm = nn.Sequential(first, nn.BatchNorm1d(8), nn.Tanh(), last)
layer_norm = nn.Sequential(first, nn.LayerNorm(8), nn.Tanh(), last)


def touched(critic):
    """How many samples have a gradient from the score of the first one."""
    points = real[:16].clone().requires_grad_()
    (gradient,) = torch.autograd.grad(critic(points)[0].sum(), points)
    return (gradient.abs().sum(dim=1) > 0).sum().item()


print("BatchNorm:", touched(batch_norm), " LayerNorm:", touched(layer_norm))

# %% silent-trains-nothing hidden=true
silent = critic[0].weight.grad.clone()
critic.zero_grad()
(critic(fake).mean() - critic(real).mean()).backward()
torch.testing.assert_close(critic[0].weight.grad, silent)

# %% under-no-grad hidden=true
try:
    with torch.no_grad():
        gradient_penalty(critic, real, fake)
except RuntimeError as error:
    assert "element 0 of tensors does not require grad" in str(error), error
else:
    raise AssertionError("a gradient without a graph")

# %% penalty-dtypes hidden=true
for dtype in (torch.bfloat16, torch.float16, torch.float64):
    pair = torch.ones(4, 2, dtype=dtype), torch.zeros(4, 2, dtype=dtype)
    assert gradient_penalty(nn.Linear(2, 1).to(dtype), *pair).dtype == dtype

# %% last-batch hidden=true
loader = torch.utils.data.DataLoader(real_samples(81), batch_size=64)
for real in loader:
    assert gradient_penalty(critic, real, torch.randn(len(real), 2)).isfinite()
try:
    gradient_penalty(critic, real, torch.randn(64, 2))
except RuntimeError as error:
    assert len(real) == 17 and "must match the size" in str(error)
else:
    raise AssertionError("17 real samples, 64 fakes")


# %% attention hidden=true
def by_hand(query, key, value):
    return (query @ key.mT / query.shape[-1] ** 0.5).softmax(dim=-1) @ value


class Attends(nn.Module):
    def __init__(self, attention):
        super().__init__()
        torch.manual_seed(0)
        self.attention, self.into, self.last = attention, nn.Linear(2, 24), nn.Linear(8, 1)

    def forward(self, points):  # (N, time, 2)
        parts = self.into(points)[:, None].chunk(3, dim=-1)
        return self.last(self.attention(*parts)).mean(dim=(1, 2, 3))


def slopes(attention):
    critic, generator = Attends(attention), torch.Generator().manual_seed(1)
    pair = torch.randn(2, 4, 6, 2, generator=generator)
    torch.manual_seed(2)
    gradient_penalty(critic, *pair).backward()
    return critic.into.weight.grad


if torch.__version__ >= "2.13":
    from torch.nn.attention import SDPBackend, sdpa_kernel

    fused = nn.functional.scaled_dot_product_attention
    with sdpa_kernel(SDPBackend.MATH):
        torch.testing.assert_close(slopes(fused), slopes(by_hand))
    try:
        slopes(fused)
    except RuntimeError as error:
        assert "is not implemented" in str(error), error
    else:
        raise AssertionError("fused attention was differentiated twice")

"""A diffusion model in two dimensions: noise, the training loop, sampling."""

# %% noise
import torch
from torch import nn

torch.manual_seed(0)
angle = 3 * torch.pi * torch.rand(4000).sqrt()
spiral = torch.stack([angle.cos(), angle.sin()], dim=1)  # (sample, 2)
spiral *= angle[:, None] / 5

STEPS = 60
beta = torch.linspace(1e-3, 0.2, STEPS)  # how much noise each step adds
kept = (1 - beta).cumprod(dim=0)  # alpha bar: what is left of the variance


def add_noise(x, t, noise):
    """Sample x after t steps at once."""
    share = kept[t].view(-1, *[1] * (x.ndim - 1))  # (sample, 1, …)
    mixed = share.sqrt() * x + (1 - share).sqrt() * noise
    return mixed.to(x.dtype)  # share is float32


print(f"standard deviation of the data {spiral.std():.1f}")
print(f"left after the first step {kept[0]:.3f}, after the last {kept[-1]:.3f}")


# %% network
class Denoiser(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.register_buffer("rates", 2.0 ** torch.arange(4))
        first, second = nn.Linear(2 + 8 + 8, width), nn.Linear(width, width)
        parts = first, nn.SiLU(), second, nn.SiLU(), nn.Linear(width, 2)
        self.layers = nn.Sequential(*parts)

    def forward(self, x, t):
        angle = t[:, None] / STEPS * self.rates  # the step, as sines and cosines
        place = torch.cat([2 * x, 4 * x], dim=1)  # fine detail, likewise
        waves = [angle.sin(), angle.cos(), place.sin(), place.cos()]
        return self.layers(torch.cat([x, *waves], dim=1).to(x.dtype))


# %% train
net = Denoiser()
optimizer = torch.optim.AdamW(net.parameters(), lr=8e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 1000)
losses = []
for step in range(1000):
    x = spiral[torch.randint(len(spiral), (256,))]
    t = torch.randint(STEPS, (len(x),))  # another step for each sample
    noise = torch.randn_like(x)
    loss = (net(add_noise(x, t, noise), t) - noise).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    losses.append(loss.item())
print(f"loss: {losses[0]:.0f} at first, {sum(losses[-100:]) / 100:.1f} at the end")


# %% sample
@torch.no_grad()
def sample(net, count, seed=0):
    net.eval()
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 2, generator=generator)  # as after the last step
    states = [x]
    for t in reversed(range(STEPS)):
        noise = net(x, torch.full((count,), t))
        x = (x - beta[t] / (1 - kept[t]).sqrt() * noise) / (1 - beta[t]).sqrt()
        if t > 0:  # the last step stays as it is
            x = x + beta[t].sqrt() * torch.randn(count, 2, generator=generator)
        states.append(x)
    return states


states = sample(net, 1000)
for name, drawn in (("normal noise", states[0]), ("sampled", states[-1])):
    far = torch.cdist(drawn, spiral).min(dim=1).values
    near = (far < 0.15).float().mean().item()  # a distance of 0.15
    print(f"{name:12} more than 70 % near the spiral: {near > 0.7}")

# %% figure fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 5, figsize=(7.0, 1.6), layout="constrained")
panels = {"data": spiral[:1000]}
panels |= {"start": states[0], "20 left": states[-21], "5 left": states[-6], "end": states[-1]}
for ax, (title, points) in zip(axes, panels.items()):
    ax.scatter(*points.T.numpy(), s=1, rasterized=True, color="C1" if title == "data" else "C0")
    ax.set(xlim=(-3, 3), ylim=(-3, 3), xticks=[], yticks=[])
    ax.set_title(title, fontsize=10)

# %% checks hidden=true
x = spiral[:1].expand(20_000, 2)
step_by_step = x
for t in range(10):  # the same as ten small steps
    step_by_step = (1 - beta[t]).sqrt() * step_by_step + beta[t].sqrt() * torch.randn_like(x)
at_once = add_noise(x, torch.full((len(x),), 9), torch.randn_like(x))
for statistic in (torch.mean, torch.std):
    torch.testing.assert_close(statistic(step_by_step, 0), statistic(at_once, 0), rtol=0.05, atol=0.02)
last = add_noise(spiral, torch.full((4000,), STEPS - 1), torch.randn(4000, 2))
assert abs(last.mean()) < 0.1 and abs(last.std() - 1) < 0.05  # nearly what sampling starts from
assert all(torch.equal(a, b) for a, b in zip(sample(net, 10), sample(net, 10)))
for size in (2, 8, 16):  # images, too: as many samples as pixels in a row must not mix them up
    images, t = torch.randn(8, 3, size, size), torch.arange(0, 40, 5)
    noisy = add_noise(images, t, torch.zeros_like(images))
    assert all(torch.equal(noisy[i], kept[t[i]].sqrt() * images[i]) for i in range(8))
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    for size in (0, 1, 8):
        x = torch.randn(2, size, dtype=dtype).T  # not contiguous
        assert add_noise(x, torch.arange(size), torch.randn_like(x)).dtype == dtype

# %% dtypes hidden=true
places, steps_done = torch.randn(3, 2), torch.tensor([0, 3, STEPS - 1])
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    assert Denoiser().to(dtype)(places.to(dtype), steps_done).dtype == dtype
assert Denoiser()(places[:0], steps_done[:0]).shape == (0, 2)
with torch.autocast("cpu", torch.bfloat16):
    assert Denoiser()(places, steps_done).dtype == torch.bfloat16

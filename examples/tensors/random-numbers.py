"""randn draws from the standard normal distribution, rand from [0, 1)."""

# %% ten-thousand
import torch

torch.manual_seed(0)
normal = torch.randn(10_000)
uniform = torch.rand(10_000)
for name, samples in {"randn": normal, "rand": uniform}.items():
    mean, std, lowest = samples.mean(), samples.std(), samples.min()
    print(f"{name:6} mean {mean:5.2f}  std {std:.2f}  from {lowest:5.2f}")
print("rand is always at least 0:", (uniform >= 0).all().item())
print("rand is always below 1:   ", (uniform < 1).all().item())

# %% histograms fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 3.4))
for name, samples in {"randn": normal, "rand": uniform}.items():
    density, edges = torch.histogram(samples, bins=50, range=(-5.0, 5.0), density=True)
    ax.stairs(density, edges, fill=True, alpha=0.55, label=f"torch.{name}(10_000)")
grid = torch.linspace(-5, 5, 101)
bell = torch.distributions.Normal(0.0, 1.0).log_prob(grid).exp()
ax.plot(grid, bell, color="C3", label="Normal(0, 1)")
ax.set(xlabel="sample", ylabel="density", xlim=(-5, 5))
ax.legend()

# %% bounds asks=true
print(f"below 0: {(normal < 0).float().mean():.0%}")
print(f"above 1: {(normal > 1).float().mean():.0%}")

# %% shapes
for shape in ((50,), (1, 50), (1, 1, 50)):
    print(torch.randn(shape).shape)

# %% same-seed
torch.manual_seed(0)
first = torch.rand(3)
second = torch.rand(3)
torch.manual_seed(0)
again = torch.rand(3)
print("first: ", first)
print("second:", second)
print("again: ", again)

# %% own-range
lengths = 5 + 2 * torch.randn(10_000)  # mean 5, standard deviation 2
print(f"mean {lengths.mean():.1f}, std {lengths.std():.1f}")
angles = -3 + 6 * torch.rand(10_000)  # from [-3, 3)
print(f"from {angles.min():.1f} to {angles.max():.1f}")

# %% like
reference = torch.zeros(2, 3, dtype=torch.float64)
noise = torch.randn_like(reference)
print(noise.shape, noise.dtype, noise.device)

# %% like-integers raises="NotImplementedError"
labels = torch.tensor([[0, 1, 2]])
torch.randn_like(labels)

# %% like-with-dtype
noise = torch.randn_like(labels, dtype=torch.float32)
print(noise.shape, noise.dtype)

# %% like-flag
weight = torch.zeros(2, requires_grad=True)
print("requires_grad:", torch.randn_like(weight).requires_grad)

# %% another-call hidden=true
drawn = []
for size in (10, 20):
    torch.manual_seed(0)
    drawn.append(torch.randn(size)[0].item())
assert drawn[0] != drawn[1]
below_one = torch.tensor(1 - 2**-24)  # the largest that rand returns
assert below_one < 1 and 1000 + 1 * below_one == 1001

# %% like-integers-on-gpu needs="cuda" raises="NotImplementedError"
torch.randn_like(labels.cuda())

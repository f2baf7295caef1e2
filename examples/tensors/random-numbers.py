"""randn draws from the standard normal distribution, rand from [0, 1)."""

# %% ten-thousand
import torch

torch.manual_seed(0)
normal = torch.randn(10_000)
uniform = torch.rand(10_000)
for name, samples in {"randn": normal, "rand": uniform}.items():
    print(f"{name:6} mean {samples.mean():6.3f}  std {samples.std():.3f}")
    print(f"{name:6} from {samples.min():.5f} to {samples.max():.5f}")

print("randn below 0, above 1:", (normal < 0).any(), (normal > 1).any())
print("rand below 0, at 1:", (uniform < 0).any(), (uniform >= 1).any())

# %% histograms fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots()
for name, samples in {"randn": normal, "rand": uniform}.items():
    density, edges = torch.histogram(samples, bins=50, range=(-5.0, 5.0), density=True)
    ax.stairs(density, edges, fill=True, alpha=0.55, label=f"torch.{name}(10_000)")
grid = torch.linspace(-5, 5, 101)
bell = torch.distributions.Normal(0.0, 1.0).log_prob(grid).exp()
ax.plot(grid, bell, color="C3", label="Normal(0, 1)")
ax.set(xlabel="sample", ylabel="density", xlim=(-5, 5))
ax.legend()

# %% shapes
for shape in ((50,), (1, 50), (1, 1, 50)):
    print(torch.randn(shape).shape)

# %% same-seed
torch.manual_seed(0)
first = torch.randn(3)
second = torch.randn(3)
torch.manual_seed(0)
again = torch.randn(3)
print(torch.equal(first, again), torch.equal(first, second))

# %% own-range
lengths = 5 + 2 * torch.randn(10_000)  # mean 5, standard deviation 2
print(lengths.mean(), lengths.std())
angles = -3 + 6 * torch.rand(10_000)  # from [-3, 3)
print(angles.min(), angles.max())

# %% like
reference = torch.zeros(2, 3, dtype=torch.float64)
noise = torch.randn_like(reference)
print(noise.shape, noise.dtype, noise.device)

# %% like-integers raises="NotImplementedError"
labels = torch.tensor([[0, 1, 2]])
torch.randn_like(labels)

# %% like-with-dtype
print(torch.randn_like(labels, dtype=torch.float32))

# %% like-flag
weight = torch.zeros(2, requires_grad=True)
print(torch.randn_like(weight).requires_grad)

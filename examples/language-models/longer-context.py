"""Texts longer than a model was trained on: RoPE interpolated, or with a larger base."""

# %% angles
import torch

FEATURES, TRAINED, FACTOR = 64, 512, 4  # of one head; 2,048 positions are wanted


def speeds(base=10_000.0):
    """Radians a position, for each pair of features; the fastest first."""
    return base ** (-torch.arange(0, FEATURES, 2).double() / FEATURES)


ways = {
    "as trained": speeds(),
    "interpolated": speeds() / FACTOR,
    "larger base": speeds(10_000 * FACTOR ** (FEATURES / (FEATURES - 2))),
}
for name, one in ways.items():
    print(f"{name:13} fastest {one[0].item():.4f}, slowest {one[-1].item():.8f}")

# %% unseen
largest = speeds() * (TRAINED - 1)  # the largest angle of each pair in training
for name, one in ways.items():
    angle = one * (FACTOR * TRAINED - 1)
    partial = largest < 2 * torch.pi  # in training these made no full turn
    beyond = (angle / largest)[partial]
    count = (beyond > 1.01).sum().item()
    most = beyond.max().item()
    print(f"{name:13} {count:2} of {len(beyond)} beyond, at most {most:.1f} times")

# %% figure fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(6.4, 2.8), constrained_layout=True)
positions = torch.arange(0, 64), torch.arange(0, FACTOR * TRAINED)
for ax, pair, time in zip(axes, (0, 31), positions):
    for (name, one), style in zip(ways.items(), ("-", "--", ":")):
        ax.plot(time, (one[pair] * time).sin(), style, label=name)
    ax.set(xlabel="position", title=f"sine of pair {pair}")
axes[1].axvline(TRAINED, color="C3", linewidth=0.8)
axes[1].legend(frameon=False, labelcolor="linecolor", fontsize=8)

# %% neighbors
for name, one in ways.items():
    kept = one / speeds()
    print(f"{name:13} distance 1 counts as {kept[0]:.2f} … {kept[-1]:.2f}")


# %% score
def scores(speed, distances):
    """Of two equal vectors, mean over the pairs."""
    return (distances[:, None] * speed).cos().mean(dim=1)


distances = torch.tensor([1, 2, 8, 512])
for name, one in ways.items():
    row = scores(one, distances).tolist()
    print(f"{name:13}", [f"{value:.2f}" for value in row])

# %% stale-cache
short, long = ways["as trained"], ways["larger base"]
query, key = 9 * long[-8], 4 * short[-8]  # rotated before and after the change
right = (9 - 4) * long[-8]
print(f"angle between: {query - key:.4f}, should be {right:.4f}")

# %% learned
import torch.nn.functional as F

table = torch.randn(512, 16, generator=torch.Generator().manual_seed(0))
options = dict(size=2048, mode="linear", align_corners=True)
longer = F.interpolate(table.T[None], **options)[0].T  # (time, features)
print(longer.shape)
print("the ends are as before:", torch.allclose(longer[[0, -1]], table[[0, -1]]))

# %% claims hidden=true
for features in (16, 64, 128):
    for factor in (2, 4, 8.5):
        exponents = torch.arange(0, features, 2).double() / features
        old = 10_000.0**-exponents
        new = (10_000.0 * factor ** (features / (features - 2))) ** -exponents
        torch.testing.assert_close(new[0], old[0])
        torch.testing.assert_close(new[-1], old[-1] / factor)
        assert ((old / new).diff() > 0).all()
partial, counted = largest < 2 * torch.pi, []
for factor in (4, 5, 6, 8, 16):
    angle = speeds(10_000 * factor ** (FEATURES / (FEATURES - 2))) * (FACTOR * TRAINED - 1)
    counted.append(((angle / largest)[partial] > 1.01).sum().item())
assert counted == sorted(counted, reverse=True) and counted[3] > 0 == counted[4]

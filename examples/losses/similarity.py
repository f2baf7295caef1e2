"""From distances to similarities."""

# %% formula
import torch

points = torch.tensor([[0.0, 0.0], [1.0, 1.0], [3.0, 2.0]])
distances = torch.cdist(points, points)
similarity = 1 / (1 + distances)
print("distances:", distances, sep="\n")
print("similarity:", similarity, sep="\n")

# %% back
print(1 / similarity - 1)

# %% units
print(1 / (1 + torch.cdist(points * 100, points * 100)))


# %% gaussian
def gaussian(distances):
    """Similarity on the scale of these distances."""
    scale = distances.square().mean().sqrt()
    return torch.exp(-((distances / scale) ** 2) / 2)


print("distances:", gaussian(distances), sep="\n")
print("100 times as far:", gaussian(100 * distances), sep="\n")

# %% curves fold=true
import matplotlib.pyplot as plt

d = torch.linspace(0, 5, 101)
fig, ax = plt.subplots(figsize=(5.2, 2.8))
ax.plot(d, 1 / (1 + d), label="1 / (1 + d)")
ax.plot(d, torch.exp(-d), label="exp(-d)")
ax.plot(d, torch.exp(-(d**2) / 2), label="exp(-d² / 2)")
known = distances.flatten().unique()
ax.plot(known, 1 / (1 + known), "o", color="C0")
ax.set(xlabel="distance d", ylabel="similarity", ylim=(0, None))
ax.legend()

# %% unit-length
vectors = torch.tensor([[3.0, 4.0], [4.0, 3.0], [-3.0, 4.0]])
unit = torch.nn.functional.normalize(vectors, dim=1)
cosine = unit @ unit.T
print(cosine)
squared = torch.cdist(unit, unit).square()
print("d² equals 2 - 2 cos:", torch.allclose(squared, 2 - 2 * cosine, atol=1e-6))

# %% same-neighbors hidden=true
for values in (1 / (1 + distances), torch.exp(-distances), torch.exp(-(distances**2) / 2)):
    assert torch.equal(values.argsort(dim=1, descending=True), distances.argsort(dim=1))

# %% any-unit hidden=true
torch.testing.assert_close(gaussian(100 * distances), gaussian(distances))

# %% row-by-row hidden=true
rows = torch.nn.functional.cosine_similarity(vectors[:2], vectors[1:], dim=1)
torch.testing.assert_close(rows, cosine.diagonal(offset=1))

# %% counter-cases hidden=true
torch.manual_seed(0)
d = torch.cdist(torch.randn(40, 3), torch.randn(40, 3))
for convert in (lambda d: 1 / (1 + d), lambda d: torch.exp(-d), gaussian):
    assert torch.equal(convert(d).argmax(dim=1), d.argmin(dim=1))
assert torch.exp(-torch.tensor([110.0, 120.0])).tolist() == [0, 0]  # which is nearer, nobody can see

# %% near-and-half hidden=true
near = torch.tensor([0.00001, 0.00002, 1.0])
assert (gaussian(near) == 1).tolist() == [True, True, False]  # which is nearer?
assert len((1 / (1 + near)).unique()) == 3
far = torch.tensor([300.0], dtype=torch.float16)
assert (far * far).isinf().all()  # then the scale is inf, and every similarity 1

"""Rotary position embeddings: scores depend on the distance alone."""

# %% rotate
import torch
import torch.nn.functional as F


def angles(positions, features, base=10_000.0):
    """(…, time) -> cosines and sines, (…, time, features / 2) each."""
    pairs = torch.arange(0, features, 2, device=positions.device)  # fast to slow
    turned = positions.float()[..., None] * base ** (-pairs / features)
    return turned.cos(), turned.sin()


def rotate(x, cos, sin):
    """x: (batch, head, time, features). Turns the pairs (i, i + features / 2)."""
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)


torch.manual_seed(0)
query, key, value = torch.randn(3, 1, 2, 6, 16)  # (batch, head, time, features)
cos, sin = angles(torch.arange(6), features=16)
turned = rotate(query, cos, sin), rotate(key, cos, sin)
out = F.scaled_dot_product_attention(*turned, value, is_causal=True)
print(out.shape)
print("lengths stay:", torch.allclose(turned[0].norm(dim=-1), query.norm(dim=-1)))


# %% relative
def score(query_at, key_at):
    left = rotate(query[:, :, :1], *angles(torch.tensor([query_at]), 16))
    right = rotate(key[:, :, :1], *angles(torch.tensor([key_at]), 16))
    return (left * right).sum(dim=-1)[0, 0].item()


for pair in ((7, 3), (4, 0), (1007, 1003), (3, 7), (7, 2)):
    print(f"query at {pair[0]:4}, key at {pair[1]:4}: {score(*pair):7.3f}")

# %% added
places = torch.randn(1100, 16)


def score_added(query_at, key_at):
    left, right = query[0, 0, 0] + places[query_at], key[0, 0, 0] + places[key_at]
    return (left @ right).item()


for pair in ((7, 3), (4, 0), (1007, 1003)):
    print(f"query at {pair[0]:4}, key at {pair[1]:4}: {score_added(*pair):7.3f}")

# %% figure fold=true
import matplotlib.pyplot as plt

distances = torch.arange(0, 129)
fig, ax = plt.subplots(figsize=(5.6, 3.0))
for features in (16, 128):
    ones = torch.ones(1, 1, 1, features) / features**0.5
    keys = rotate(ones.expand(1, 1, 129, -1), *angles(distances, features))
    scores = (ones * keys).sum(dim=-1)[0, 0]  # the query is at position 0
    ax.plot(distances, scores, label=f"{features} features")
ax.set(xlabel="distance", ylabel="score of equal vectors")
ax.legend(frameon=False, labelcolor="linecolor")


# %% interleaved
def rotate_neighbours(x, cos, sin):
    """Turns the pairs (2i, 2i + 1), as the paper does."""
    left, right = x[..., ::2], x[..., 1::2]
    turned = left * cos - right * sin, right * cos + left * sin
    return torch.stack(turned, dim=-1).flatten(-2).to(x.dtype)


def scores_of(query, key, rotation):
    return rotation(query, cos, sin) @ rotation(key, cos, sin).mT


halves = scores_of(query, key, rotate)
mixed = scores_of(query, key, rotate_neighbours)
order = torch.arange(16).view(2, 8).T.flatten()  # 0, 8, 1, 9 …
sorted_pairs = scores_of(query[..., order], key[..., order], rotate_neighbours)
print("the other pairs:    ", torch.allclose(mixed, halves, atol=1e-4))
print("features reordered: ", torch.allclose(sorted_pairs, halves, atol=1e-4))

# %% complex
speeds = 10_000.0 ** (-torch.arange(0, 16, 2) / 16)
angle = torch.outer(torch.arange(6.0), speeds)  # (time, features / 2)
turns = torch.polar(torch.ones_like(angle), angle)  # lengths 1, complex64
pairs = torch.view_as_complex(query.unflatten(-1, (-1, 2)))
by_complex = torch.view_as_real(pairs * turns).flatten(-2)
expected = rotate_neighbours(query, cos, sin)
print("as above:", torch.allclose(by_complex, expected, atol=1e-5))

# %% complex-bfloat16 raises="RuntimeError"
torch.view_as_complex(query.bfloat16().unflatten(-1, (-1, 2)))

# %% complex-cast
pairs = torch.view_as_complex(query.bfloat16().float().unflatten(-1, (-1, 2)))
print(torch.view_as_real(pairs * turns).flatten(-2).bfloat16().dtype)

# %% cache
whole = rotate(key, *angles(torch.arange(6), 16))
first = rotate(key[:, :, :5], *angles(torch.arange(5), 16))
for start in (5, 0):
    newest = rotate(key[:, :, 5:], *angles(torch.arange(start, start + 1), 16))
    cached = torch.cat([first, newest], dim=2)
    print(f"new key at position {start}:", torch.allclose(cached, whole, atol=1e-5))

# %% precision
far = torch.tensor([4_001, 4_002, 4_003])
print(far.bfloat16())
exact = far.double().sin()  # the fastest pair turns by 1 a position
for dtype in (torch.float32, torch.bfloat16):
    error = (far.to(dtype).sin().double() - exact).abs().max().item()
    print(f"{dtype}: error of the sine below 0.01: {error < 0.01}")

# %% claims hidden=true
for features in (2, 8, 64):
    for start in (1, 50, 5000):
        x, y = torch.randn(2, 1, 1, 9, features, dtype=torch.float64)
        plain = angles(torch.arange(9), features)
        moved = angles(torch.arange(start, start + 9), features)
        near = rotate(x, *plain) @ rotate(y, *plain).mT
        far_away = rotate(x, *moved) @ rotate(y, *moved).mT
        torch.testing.assert_close(near, far_away, rtol=1e-2, atol=1e-2)
at_zero = rotate(query, *angles(torch.zeros(6), 16))
with torch.device("meta"):  # as if the positions were on another device than the default one
    assert angles(far, 16)[0].device.type == "cpu"
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    for turn in (rotate, rotate_neighbours):
        assert turn(query.to(dtype), cos, sin).dtype is dtype
left = torch.tensor([[0, 0, 0, 1, 2, 3], [0, 1, 2, 3, 4, 5]])  # padded on the left
x = torch.randn(2, 2, 6, 16)
together = rotate(x, *angles(left[:, None], 16))
for row in range(2):
    torch.testing.assert_close(together[row], rotate(x[row], *angles(left[row], 16)))
assert torch.equal(at_zero, query)

# %% far-away hidden=true
errors = {at: abs(score(at + 4, at) - score(4, 0)) for at in (10, 1_000, 100_000, 10_000_000)}
assert max(list(errors.values())[:3]) < 1e-3 and 5e-3 < errors[10_000_000] < 0.01, errors
for distance in range(1, 500):
    angle = angles(torch.tensor([distance]), 16)
    assert (query * rotate(query, *angle)).sum() <= (query * query).sum()  # best at distance 0

# %% default-dtype hidden=true
places = torch.arange(4_000, 4_010)
exact, _ = angles(places, 64)
torch.set_default_dtype(torch.bfloat16)
try:
    rounded, _ = angles(places, 64)
    pairs = torch.arange(0, 64, 2)
    assert (10_000.0 ** (-pairs / 64)).dtype is torch.bfloat16
    assert (10_000.0 ** (-pairs.float() / 64)).dtype is torch.float32
finally:
    torch.set_default_dtype(torch.float32)
assert (rounded - exact).abs().max() > 0.1

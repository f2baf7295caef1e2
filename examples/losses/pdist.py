"""pdist: each pair of rows once, as a flat vector."""

# %% not-in-nn raises="AttributeError"
import torch
import torch.nn.functional as F

torch.nn.pdist

# %% where
print("the same function:", F.pdist is torch.pdist)
print("in torch.nn:", torch.nn.PairwiseDistance())

# %% size
points = torch.tensor([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0], [6.0, 8.0]])
n = len(points)

distances = torch.pdist(points)
print(distances)
print(f"{len(distances)} distances: n (n - 1) / 2 = {n * (n - 1) // 2}")

# %% order
i, j = torch.triu_indices(n, n, offset=1)
print("i:", i)
print("j:", j)
by_hand = torch.linalg.vector_norm(points[i] - points[j], dim=1)
print("in the order of pdist:", torch.allclose(distances, by_hand))


# %% look-up
def position(i, j, n):
    """Where pdist of n rows keeps the distance of rows i < j."""
    return i * n - i * (i + 1) // 2 + j - i - 1


k = position(1, 3, n)
print(f"rows 1 and 3: position {k}, distance {distances[k]}")
print("all:", [position(a, b, n) for a, b in zip(i.tolist(), j.tolist())])

# %% norms
print("p=1:    ", torch.pdist(points, p=1))
print("by hand:", (points[i] - points[j]).abs().sum(dim=1))

# %% one-point
alone = torch.pdist(points[:1])
print(alone, f"{alone.shape=} {alone.mean()=}")

# %% vector raises="RuntimeError"
torch.pdist(points[:, 0])

# %% vector-as-column
print(torch.pdist(points[:, :1]))

# %% integers raises="RuntimeError"
torch.pdist(points.long())

# %% batch raises="RuntimeError"
torch.pdist(points.view(2, 2, 2))

# %% batch-by-cdist
batch = torch.stack([points, points * 2])  # (batch, points, coordinates)
exact = "donot_use_mm_for_euclid_dist"  # from 26 points on, a faster way rounds
print(torch.cdist(batch, batch, compute_mode=exact)[:, i, j])

# %% as-floats hidden=true
for dtype in (torch.float16, torch.bfloat16):
    try:
        torch.pdist(points.to(dtype))
    except NotImplementedError:
        torch.pdist(points.to(dtype).float())
    else:
        raise AssertionError(f"pdist runs in {dtype} now")
assert torch.equal(torch.pdist(points.long().float()), distances)
assert len(distances) != n * n // 2

# %% counter-cases hidden=true
for count, width in ((2, 1), (5, 3), (40, 17)):
    for p in (1.0, 2.0, 3.0, float("inf")):
        rows = torch.randn(count, width, dtype=torch.float64)
        condensed = torch.pdist(rows, p)
        assert torch.equal(condensed, torch.nn.functional.pdist(rows, p))
        first, second = torch.triu_indices(count, count, offset=1)
        torch.testing.assert_close(condensed, torch.cdist(rows, rows, p)[first, second])

# %% batch-far-from-origin hidden=true
torch.manual_seed(0)
far = 100 + 0.1 * torch.randn(3, 40, 5)
i, j = torch.triu_indices(40, 40, offset=1)
one_by_one = torch.stack([torch.pdist(rows) for rows in far])
torch.testing.assert_close(torch.cdist(far, far, compute_mode=exact)[:, i, j], one_by_one)
assert not torch.allclose(torch.cdist(far, far)[:, i, j], one_by_one, rtol=0.01)

# %% from-26-points-on hidden=true
generator = torch.Generator().manual_seed(0)
for count in (2, 25, 26, 40):
    far = 1000 + 0.1 * torch.randn(count, 5, generator=generator)
    i, j = torch.triu_indices(count, count, offset=1)
    assert torch.allclose(torch.cdist(far, far)[i, j], torch.pdist(far), rtol=0.01) is (count < 26)

# %% large-integers hidden=true
seconds = torch.tensor([[1_700_000_000], [1_700_000_030]])
assert torch.pdist(seconds.double()).item() == 30
assert torch.pdist(seconds.float()).item() != 30  # rounded to multiples of 128
for dtype in (torch.uint8, torch.int16, torch.bool):
    assert torch.pdist(points.to(dtype).double()).dtype == torch.float64

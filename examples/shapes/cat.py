"""torch.cat joins tensors along a dimension they already have."""

# %% setup
import torch

a = torch.arange(6).view(2, 3)  # (2, 3)
b = torch.arange(6, 12).view(2, 3)  # (2, 3)

# %% dims
print("dim=0:", torch.cat([a, b], dim=0), sep="\n")  # one below the other
print("dim=1:", torch.cat([a, b], dim=1), sep="\n")  # side by side

# %% sizes-may-differ
narrow = torch.tensor([[-1], [-2]])  # (2, 1)
print(torch.cat([a, narrow, b], dim=1))

# %% copies
joined = torch.cat([a, b])
joined.zero_()
print(a)

# %% sizes-must-match raises="RuntimeError"
torch.cat([a, torch.zeros(2, 4)], dim=0)

# %% sizes-that-fit
import torch.nn.functional as F

print("dim=1:    ", torch.cat([a, torch.zeros(2, 4)], dim=1).shape)
print("padded:   ", torch.cat([F.pad(a, (0, 1)), torch.zeros(2, 4)]).shape)
print("unsqueeze:", torch.cat([a, torch.zeros(3).unsqueeze(0)]).shape)

# %% same-rank raises="RuntimeError"
torch.cat([a, torch.zeros(3)])

# %% dim-out-of-range raises="IndexError"
torch.cat([a, b], dim=2)

# %% stacked
print(torch.stack([a, b], dim=2).shape)

# %% bare-tensor raises="TypeError"
torch.cat(a)

# %% empty-list raises="ValueError"
torch.cat([])

# %% promotes
flags = torch.tensor([[True], [False]])
print("int64 and bool:   ", torch.cat([a, flags], dim=1).dtype)
print("int64 and float32:", torch.cat([a, torch.zeros(2, 1)], dim=1).dtype)

# %% legacy-empty asks=true
print("rows:", torch.cat([torch.tensor([]), torch.ones(2, 3)]), sep="\n")
print("labels:", torch.cat([torch.tensor([]), torch.tensor([1, 2])]))

# %% collect
labels = [torch.tensor([1, 2]), torch.tensor([3])]
print(torch.cat(labels))

# %% stack-family
left, right = torch.tensor([1, 2]), torch.tensor([3, 4])
for join in (torch.vstack, torch.hstack, torch.dstack, torch.column_stack):
    vectors, matrices = join([left, right]), join([a, b])
    print(f"{join.__name__:12} {tuple(vectors.shape)!s:10} {tuple(matrices.shape)}")
print(torch.hstack([left, right]), torch.column_stack([left, right]).tolist())

# %% axis
print(torch.equal(torch.concat([a, b], axis=1), torch.cat([a, b], dim=1)))

# %% out-by-position raises="TypeError"
out = torch.empty(4, 3, dtype=torch.int64)
torch.cat([a, b], 0, out)

# %% out-by-keyword
torch.cat([a, b], 0, out=out)
print(out)

# %% alias hidden=true
for alias in (torch.concat, torch.concatenate):
    assert torch.equal(alias([a, b]), torch.cat([a, b]))
assert torch.equal(torch.cat([a, b], dim=-1), torch.cat([a, b], dim=1))

# %% stack-family-means hidden=true
for tensors in ([a, b], [a[None], b[None]]):
    assert torch.equal(torch.vstack(tensors), torch.cat(tensors, 0))
    assert torch.equal(torch.hstack(tensors), torch.cat(tensors, 1))
    assert torch.equal(torch.column_stack(tensors), torch.cat(tensors, 1))
assert torch.equal(torch.dstack([a, b]), torch.stack([a, b], 2))
assert torch.equal(torch.vstack([left, right]), torch.stack([left, right]))
assert torch.equal(torch.hstack([left, right]), torch.cat([left, right]))
assert torch.equal(torch.column_stack([left, right]), torch.stack([left, right], 1))

# %% counter-cases hidden=true
import itertools

for left, right in itertools.product(itertools.product((1, 2, 3), repeat=2), repeat=2):
    for dim in (0, 1, -1):
        others = [n for n in range(2) if n != dim % 2]
        fits = all(left[n] == right[n] for n in others)
        try:
            joined = torch.cat([torch.zeros(left), torch.zeros(right)], dim=dim)
        except RuntimeError:
            assert not fits
            continue
        assert fits and joined.ndim == 2 and joined.shape[dim] == left[dim] + right[dim]

# %% add-a-column hidden=true
matrix, column = torch.zeros(2, 3), torch.ones(2)
assert torch.cat([matrix, column.unsqueeze(1)], dim=1).shape == (2, 4)
try:
    torch.cat([matrix, column.unsqueeze(0)], dim=1)
except RuntimeError:
    pass
else:
    raise AssertionError

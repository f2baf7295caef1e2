"""Covariance and correlation, and what linear algebra says about the matrix."""

# %% cov
import torch

rows = [[1.0, 2.0, 3.0, 6.0], [3.0, 1.0, 7.0, 9.0], [4.0, 3.0, 1.0, 0.0]]
data = torch.tensor(rows)
covariance = torch.cov(data)  # rows are variables: (3, 4) to (3, 3)
print("covariance:", covariance, sep="\n")
print("correlation:", torch.corrcoef(data), sep="\n")

# %% by-hand
centred = data - data.mean(dim=1, keepdim=True)
print("n - 1:       ", (centred @ centred.T / 3)[0])
print("correction=0:", torch.cov(data, correction=0)[0])
std = data.std(dim=1)
print("correlation: ", (covariance / (std[:, None] * std))[0])

# %% transposed
samples = data.T  # (samples, features), as most tables are
print("cov(samples):  ", tuple(torch.cov(samples).shape))
print("cov(samples.T):", tuple(torch.cov(samples.T).shape))

# %% batch-error raises="RuntimeError"
batch = torch.stack((data, 2 * data))  # (2, 3, 4)
torch.cov(batch)

# %% batch
centred = batch - batch.mean(dim=-1, keepdim=True)
both = centred @ centred.mT / (batch.shape[-1] - 1)
print("shape:", tuple(both.shape), "first row:", both[0, 0])

# %% constant
rows = [[0.0, 4.0, 4.0, 4.0], [7.0, 7.0, 7.0, 7.0], [4.0, 0.0, 4.0, 4.0]]
mixed = torch.tensor(rows)
print("all rows:", torch.corrcoef(mixed), sep="\n")
varies = mixed.amax(dim=1) > mixed.amin(dim=1)
print("those that vary:", torch.corrcoef(mixed[varies]), sep="\n")

# %% dependent
sums = torch.stack((data[0], data[1], data[0] + data[1])).double()
dependent = torch.cov(sums)
print("rank:       ", torch.linalg.matrix_rank(dependent).item(), "of 3")
print("eigenvalues:", torch.linalg.eigvalsh(dependent).round(decimals=4).abs())
print("det below 1e-9:", torch.linalg.det(dependent).abs().item() < 1e-9)
print("det of the first:", f"{torch.linalg.det(covariance.double()):.4f}")

# %% pinv
inverse = torch.linalg.pinv(dependent)
back = dependent @ inverse @ dependent
print("C @ pinv(C) @ C is C:", torch.allclose(back, dependent))
difference = (sums - sums.mean(dim=1, keepdim=True))[:, 0]  # (3,)
print(f"distance: {(difference @ inverse @ difference).sqrt():.4f}")

# %% eig
step = torch.tensor([[0.9, 0.5], [0.1, 0.5]])  # columns add up to 1
values, vectors = torch.linalg.eig(step)
largest = values.real.argmax()
steady = vectors[:, largest].real
print("dtype: ", values.dtype)
print("value: ", f"{values[largest].real:.4f}")
print("vector:", (steady / steady.sum()).round(decimals=4))

# %% counter-cases hidden=true
torch.manual_seed(0)
x = torch.randn(5, 50, dtype=torch.float64)
torch.testing.assert_close(torch.cov(x).diagonal(), x.var(dim=1))
assert (torch.corrcoef(x).abs() <= 1).all()
torch.testing.assert_close(torch.corrcoef(x).diagonal(), torch.ones(5, dtype=torch.float64))
assert torch.linalg.matrix_rank(torch.cov(torch.randn(10, 4, dtype=torch.float64))) == 3
hidden_by_rounding = var_above_0 = 0
for n in range(2, 60):
    for constant in (0.1, 0.3, 3.7, 123.456):
        flat = torch.stack((torch.full((n,), constant), torch.arange(n, dtype=torch.float32)))
        hidden_by_rounding += int(torch.corrcoef(flat)[0, 1].isfinite())
        var_above_0 += int(flat[0].var() > 0)
        assert not flat[0].amax() > flat[0].amin()
assert hidden_by_rounding > 0 and var_above_0 > 0
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert torch.cov(torch.tensor([[1.0], [2.0]])).isnan().all()
assert "degrees of freedom" in str(caught[0].message)


# %% rounded-before hidden=true
def rank_and_error(rtol, early):
    first = torch.randn(2, 50) * torch.tensor([[1.0], [3.0]]) + torch.tensor([[10.0], [50.0]])
    parts = first.double() if early else first
    table = torch.cat((parts, parts.sum(dim=0, keepdim=True))).double()
    options = {} if rtol is None else {"rtol": rtol}
    rank = torch.linalg.matrix_rank(torch.cov(table), **options).item()
    squares = []
    for rows, inverse in ((table, torch.linalg.pinv(torch.cov(table), **options)), (first.double(), None)):
        inverse = torch.linalg.inv(torch.cov(rows)) if inverse is None else inverse
        offset = (rows - rows.mean(dim=1, keepdim=True))[:, 0]
        squares.append((offset @ inverse @ offset).item())
    return rank, abs(squares[0] / squares[1] - 1)


for seed in range(10):
    torch.manual_seed(seed)
    assert rank_and_error(None, early=False)[0] == 3
    for rtol, early in ((1e-6, False), (None, True), (1e-6, True)):
        rank, error = rank_and_error(rtol, early)
        assert rank == 2 and error < 1e-4, (rtol, early, rank, error)

# %% units-and-many-samples hidden=true
torch.manual_seed(0)
units = torch.tensor([[1.0], [1.0], [1e-4]], dtype=torch.float64)
independent = torch.randn(3, 1000, dtype=torch.float64) * units
spread = independent.std(dim=1, keepdim=True)
assert torch.linalg.matrix_rank(torch.cov(independent), rtol=1e-6) == 2  # takes the third for dependent
assert torch.linalg.matrix_rank(torch.cov(independent / spread), rtol=1e-6) == 3
squares = []
for rows in (sums, sums / sums.std(dim=1, keepdim=True)):
    offset = (rows - rows.mean(dim=1, keepdim=True))[:, 0]
    squares.append(offset @ torch.linalg.pinv(torch.cov(rows), rtol=1e-6) @ offset)
torch.testing.assert_close(*squares)
for seed in range(5):
    torch.manual_seed(seed)
    first = torch.randn(2, 100_000, dtype=torch.float64) * torch.tensor([[1.0], [3.0]]) + 10
    many = torch.cov(torch.cat((first, first.sum(dim=0, keepdim=True))))
    assert torch.linalg.matrix_rank(many, rtol=1e-12) == 2

# %% batch-correlation hidden=true
torch.manual_seed(0)
for shape in ((3, 3, 20), (2, 3, 20), (1, 4, 6), (2, 2, 2, 9)):  # as many matrices as rows, and others
    batch = torch.randn(shape, dtype=torch.float64)
    centred = batch - batch.mean(dim=-1, keepdim=True)
    both = centred @ centred.mT / (batch.shape[-1] - 1)
    std = batch.std(dim=-1)
    correlation = both / (std[..., :, None] * std[..., None, :])
    single = torch.stack([torch.corrcoef(one) for one in batch.flatten(0, -3)])
    torch.testing.assert_close(correlation.flatten(0, -3), single)

# %% samples-in-rows hidden=true
rows_of_samples = torch.randn(2, 7, 3)  # (batch, samples, features)
centred = rows_of_samples.mT - rows_of_samples.mT.mean(dim=-1, keepdim=True)
torch.testing.assert_close((centred @ centred.mT / 6)[1], torch.cov(rows_of_samples[1].T))

"""unsqueeze() adds a dimension of size 1, without copying."""

# %% setup
import torch

v = torch.tensor([1, 2, 3])  # (3,)

# %% shapes
print("unsqueeze(0): ", tuple(v.unsqueeze(0).shape))  # a row
print("unsqueeze(1): ", tuple(v.unsqueeze(1).shape))  # a column
print("unsqueeze(-1):", tuple(v.unsqueeze(-1).shape))  # after the last dimension
print("[None, :, None]:", tuple(v[None, :, None].shape))

# %% shares
column = v.unsqueeze(1)
column[0, 0] = 10
print(v)

# %% out-of-range raises="IndexError"
v.unsqueeze(2)

# %% missing-dim raises="TypeError"
v.unsqueeze()

# %% single-image raises="ValueError"
norm = torch.nn.BatchNorm2d(3)
image = torch.rand(3, 8, 8)  # (channel, height, width)
norm(image)

# %% batch-of-one
print(norm(image.unsqueeze(0)).shape)

# %% pairs
position = torch.arange(4)
print(position.unsqueeze(1) - position.unsqueeze(0))  # (4, 4)

# %% mask
scores = torch.zeros(2, 3, 4, 4)  # (batch, head, query, key)
keep = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]], dtype=torch.bool)  # (batch, key)
mask = keep[:, None, None, :]  # (batch, 1, 1, key)
print(mask.shape)
print(scores.masked_fill(~mask, -torch.inf)[:, 0, 0])  # first head, first query

# %% rows
table = torch.arange(6).view(2, 3)
rows = table.clone()
rows.unsqueeze_(1)  # in place: (2, 1, 3)
print("pieces:", list(rows))
print("joined:", torch.cat(list(rows)).tolist())
print("split: ", table.split(1))  # the same pieces

# %% in-place-renames
alias = v
alias.unsqueeze_(0)
print(v)

# %% alone-in-training hidden=true
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(192, 4), torch.nn.BatchNorm1d(4))
try:
    net(image.unsqueeze(0))
except ValueError as error:
    assert "more than 1 value per channel" in str(error), error
else:
    raise AssertionError
assert net.eval()(image.unsqueeze(0)).shape == (1, 4)
before = norm.running_mean.clone()
norm(image.unsqueeze(0))
assert not torch.equal(norm.running_mean, before)

# %% pairs-in-a-batch hidden=true
lists = torch.arange(9).view(3, 3) ** 2  # (batch, n), as many lists as numbers
tables = lists.unsqueeze(-1) - lists.unsqueeze(-2)
assert torch.equal(tables[2], lists[2].unsqueeze(1) - lists[2].unsqueeze(0))
assert tables.shape == (lists.unsqueeze(1) - lists.unsqueeze(0)).shape
assert not torch.equal(tables, lists.unsqueeze(1) - lists.unsqueeze(0))
assert torch.full((3,), -torch.inf).softmax(0).isnan().all()

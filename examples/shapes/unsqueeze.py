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

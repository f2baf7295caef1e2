"""unsqueeze() adds a dimension of size 1, without copying."""

# %% setup
import torch

v = torch.tensor([1, 2, 3])  # (3,)

# %% shapes
print(v.unsqueeze(0).shape)  # a row
print(v.unsqueeze(1).shape)  # a column
print(v.unsqueeze(-1).shape)  # after the last dimension
print(v[None, :, None].shape)

# %% shares
column = v.unsqueeze(1)
column[0, 0] = 10
print(v, column.data_ptr() == v.data_ptr())

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

# %% iterate
table = torch.arange(6).view(2, 3)
rows = table.clone()
rows.unsqueeze_(1)  # in place: (2, 1, 3)
pieces = list(rows)
print(len(pieces), pieces[0].shape)
print(torch.equal(torch.cat(pieces), table))

# %% by-name
print([tuple(row.shape) for row in table.unbind(0)])
print([tuple(row.shape) for row in table.split(1)])

# %% in-place-renames
alias = v
alias.unsqueeze_(0)
print(v.shape)

"""meshgrid: coordinates of all pairs."""

# %% ij
import torch

y, x = torch.arange(3), torch.arange(4)
rows, columns = torch.meshgrid(y, x, indexing="ij")  # both (3, 4)
print("rows:", rows, sep="\n")
print("columns:", columns, sep="\n")

# %% function-of-two
distance = (rows - 1).abs() + (columns - 2).abs()  # from the point (1, 2)
print(distance)

# %% broadcasting
same = (y[:, None] - 1).abs() + (x - 2).abs()
print("same as with the grids:", torch.equal(same, distance))

# %% warns warns="UserWarning"
rows, columns = torch.meshgrid(y, x)

# %% xy
columns_xy, rows_xy = torch.meshgrid(x, y, indexing="xy")  # both (3, 4)
print("same columns:", torch.equal(columns_xy, columns))
print("same rows:   ", torch.equal(rows_xy, rows))

# %% pairs
points = torch.stack([rows, columns], dim=-1).view(-1, 2)  # (12, 2)
print(points[:5].tolist(), "…")
print("cartesian_prod:", torch.equal(points, torch.cartesian_prod(y, x)))

# %% expanded
print("strides:", rows.stride(), columns.stride())

# %% write
rows[0, 0] = 9
print(rows)

# %% argument-changed hidden=true
assert y.tolist() == [9, 1, 2]

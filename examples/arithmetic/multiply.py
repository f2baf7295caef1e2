"""* multiplies element by element; @ sums products."""

# %% setup
import torch

matrix = torch.tensor([[1, 2], [3, 4]])  # (2, 2)
u = torch.tensor([1, 2, 3])  # (3,)
v = torch.tensor([4, 5, 6])  # (3,)

# %% two-products
print(matrix * matrix)
print(matrix @ matrix)

# %% dot-is-a-sum
print(torch.dot(u, v))
print((u * v).sum())

# %% dot-needs-vectors raises="RuntimeError"
torch.dot(matrix, matrix)

# %% vectors
print(torch.mul(u, v))
print(torch.matmul(u, v), u @ v, torch.dot(u, v))
print(torch.outer(u, v))

# %% mul-repeats
print(u * u[:1])  # (3,) * (1,)

# %% dot-never-repeats raises="RuntimeError"
u @ u[:1]

# %% aliases
product = u * v
print(torch.equal(torch.mul(u, v), product))
print(torch.equal(torch.multiply(u, v), product))
print(torch.equal(u.mul(v), product))

column = u.unsqueeze(1)  # (3, 1)
print(torch.mul(column, v).shape, torch.equal(torch.mul(column, v), column * v))

# %% numbers
print(torch.mul(2, 3), 2 * 3)

# %% out-and-in-place
buffer = torch.empty(3, dtype=torch.int64)
print(torch.mul(u, v, out=buffer) is buffer, buffer)

scaled = u.clone()
address = scaled.data_ptr()
scaled *= v  # scaled.mul_(v)
print(scaled.data_ptr() == address, scaled)

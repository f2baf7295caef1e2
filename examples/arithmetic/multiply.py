"""* multiplies element by element; @ sums products."""

# %% setup
import torch

matrix = torch.tensor([[1, 2], [3, 4]])  # (2, 2)
u = torch.tensor([1, 2, 3])  # (3,)
v = torch.tensor([4, 5, 6])  # (3,)

# %% two-products
print("*:", matrix * matrix, sep="\n")
print("@:", matrix @ matrix, sep="\n")

# %% star-is-no-dot
print("u * v:", u * v)
print("dot:  ", torch.dot(u, v), "sum:", (u * v).sum())

# %% dot-needs-vectors raises="RuntimeError"
torch.dot(matrix, matrix)

# %% two-matrices
print("one number:", (matrix * matrix).sum())
print("matrix product:", (matrix @ matrix).tolist())

# %% vectors
print("mul   ", torch.mul(u, v))
print("matmul", torch.matmul(u, v), u @ v, torch.dot(u, v))
print("outer ", torch.outer(u, v).tolist())

# %% mul-repeats
print(u * u[:1])  # (3,) * (1,)

# %% dot-never-repeats raises="RuntimeError"
u @ u[:1]

# %% equal-length
print(u @ u[:1].expand(3), torch.dot(u, u[:1].expand(3)))

# %% aliases
print("u * v:   ", u * v)
print("mul:     ", torch.mul(u, v))
print("multiply:", torch.multiply(u, v))
print("method:  ", u.mul(v))

# %% out-and-in-place
buffer = torch.empty(3, dtype=torch.int64)
torch.mul(u, v, out=buffer)
print("out=:    ", buffer)

scaled = u.clone()
address = scaled.data_ptr()
scaled *= v  # scaled.mul_(v)
print("in place:", scaled, "same memory:", scaled.data_ptr() == address)

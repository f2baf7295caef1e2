"""split, chunk, tensor_split, unbind: cut a tensor into views."""

# %% three-ways
import torch

x = torch.arange(10)
print("split(4):       ", [part.tolist() for part in x.split(4)])
print("chunk(4):       ", [part.tolist() for part in x.chunk(4)])
print("tensor_split(4):", [part.tolist() for part in x.tensor_split(4)])

# %% fewer
print("chunk(4) of 6:", [len(part) for part in torch.arange(6).chunk(4)])
print("tensor_split: ", [len(part) for part in torch.arange(6).tensor_split(4)])

# %% own-sizes
print("sizes: ", [part.tolist() for part in x.split([2, 3, 5])])
print("places:", [part.tolist() for part in x.tensor_split([2, 5])])

# %% sizes-error raises="RuntimeError"
x.split([2, 3])

# %% dim
projected = torch.arange(12).view(2, 6)  # (batch, 3 * features)
query, key, value = projected.chunk(3, dim=-1)
for name, part in {"query": query, "key": key, "value": value}.items():
    print(f"{name:6}", part.tolist())

# %% unbind
table = torch.arange(6).view(3, 2)
print(table.unbind(0))
print(table.unbind(1))

# %% views
first, second = x.chunk(2)
first[0] = 100
print(x)

# %% back
print("cat undoes split:   ", torch.equal(torch.cat(x.split(4)), x))
print("stack undoes unbind:", torch.equal(torch.stack(table.unbind()), table))

# %% in-place raises="RuntimeError"
weight = torch.ones(4, requires_grad=True)
first, second = (weight * 2).chunk(2)
first.mul_(3)

# %% in-place-cure
print((first * 3).sum())

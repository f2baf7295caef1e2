"""A number scales every element; a higher kind of number changes the dtype."""

# %% every-element
import torch

print(torch.ones(2, 3) * 2)

# %% dtypes
counts = torch.tensor([1, 2])  # int64
prices = torch.tensor([0.5, 1.5], dtype=torch.float64)

print("times 2:  ", counts * 2, (counts * 2).dtype)
print("times 2.5:", counts * 2.5, (counts * 2.5).dtype)
print("times 0-D:", prices * torch.tensor(2.0))  # float64 times a 0-D float32

# %% width-is-the-tensors
half = torch.ones(2, dtype=torch.float16)
double = torch.tensor(2.5, dtype=torch.float64)

print("half * 2.5                 ", (half * 2.5).dtype)
print("half * double (0-D)        ", (half * double).dtype)
print("half * double.reshape(1)   ", (half * double.reshape(1)).dtype)
print("counts (int) * double (0-D)", (counts * double).dtype)

# %% ask-first
print("counts, 2.5: ", torch.result_type(counts, 2.5))
print("half, double:", torch.result_type(half, double))

# %% division
print("/ ", counts / 2)
print("//", counts // 2)

# %% uint8-wraps
pixels = torch.tensor([100, 200], dtype=torch.uint8)

print("uint8:  ", pixels * 2)
print("int32:  ", pixels.int() * 2)
print("clamped:", (pixels * 2.0).clamp(max=255).to(torch.uint8))

# %% in-place-keeps-dtype raises="RuntimeError"
counts *= 0.5

# %% hidden-facts hidden=true
assert (torch.tensor([True]) * 2).dtype == torch.int64
assert (torch.ones(1) * 2j).dtype == torch.complex64
assert (torch.tensor([-1]) // 2).item() == -1
assert torch.equal(counts, torch.tensor([1, 2]))
assert (pixels * 2)[1].item() == (200 * 2) % 256

# %% new-tensor
counts = counts * 0.5
print(counts)

# %% two-without-dimensions hidden=true
assert (torch.tensor(1.0, dtype=torch.float16) * double).dtype == torch.float64

# %% part-of-integers hidden=true
part = torch.tensor([3, 5])
part[0] = part[0] * 0.5
assert part.tolist() == [1, 5]
part = torch.tensor([3, 5]).float()
part[0] *= 0.5
assert part.tolist() == [1.5, 5.0]

# %% weights-of-a-model hidden=true
from torch.optim.swa_utils import AveragedModel


class Tied(torch.nn.Module):
    def __init__(self, number):
        super().__init__()
        self.table, self.head = torch.nn.Embedding(3, 2), torch.nn.Linear(2, 3, bias=False)
        torch.nn.init.constant_(self.table.weight, number)
        self.head.weight = self.table.weight
        self.register_buffer("places", torch.tensor([2, 0, 1]))


by_name, once = Tied(1.0), Tied(1.0)
for value in by_name.state_dict().values():
    if value.is_floating_point():
        value *= 0.5
assert (by_name.head.weight == 0.25).all()  # tied: twice, without an error
with torch.no_grad():
    for value in once.parameters():
        value *= 0.5
assert (once.head.weight == 0.5).all()
mean = AveragedModel(Tied(1.0))
for number in (1.0, 3.0):
    mean.update_parameters(Tied(number))
assert (mean.module.head.weight == 2.0).all() and mean.module.places.tolist() == [2, 0, 1]

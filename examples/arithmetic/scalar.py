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

# %% average-of-weights hidden=true
for skip in (False, True):
    averaged = torch.nn.BatchNorm1d(2)
    for name, value in averaged.state_dict().items():
        if not skip:
            value = value * 0.5
        elif value.is_floating_point():
            value *= 0.5
    assert averaged.weight.tolist() == ([0.5, 0.5] if skip else [1.0, 1.0])

# %% integers-of-one-model hidden=true
state = {"places": torch.tensor([2, 0, 1]), "weight": torch.tensor([2.0])}  # an index and a weight
average = {name: torch.zeros_like(value) for name, value in state.items()}
try:
    average["places"] += state["places"] / 2
except RuntimeError as error:
    assert "result type Float can't be cast" in str(error)
else:
    raise AssertionError("added")
average["weight"] += state["weight"] / 2
assert average["places"].tolist() == [0, 0, 0]  # skipping alone does not keep the index

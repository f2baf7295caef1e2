"""isin: which elements occur in a set; set operations; renumbering ids."""

# %% isin
import torch

label = torch.tensor([3, 7, 3, 9, 5])
wanted = torch.tensor([3, 5])
mask = torch.isin(label, wanted)
print("mask:   ", mask)
print("kept:   ", label[mask])
print("dropped:", label[~mask])

# %% list-error raises="TypeError"
torch.isin(label, [3, 5])

# %% list-right
print("tensor:", torch.isin(label, torch.tensor([3, 5])))
print("number:", torch.isin(label, 3))

# %% sets
first = torch.tensor([1, 5, 5, 2])
second = torch.tensor([5, 8, 2])
print("in both:   ", first[torch.isin(first, second)].unique())
print("only first:", first[~torch.isin(first, second)].unique())
print("in either: ", torch.cat((first, second)).unique())
in_first, in_second = torch.isin(first, second), torch.isin(second, first)
print("in one:    ", torch.cat((first[~in_first], second[~in_second])).unique())

# %% rows
points = torch.tensor([[1, 2], [2, 1], [0, 5]])
known = torch.tensor([[2, 1], [0, 5], [7, 7]])
equal = (points[:, None] == known).all(dim=-1)  # (3, 3): each with each
print("whole rows:", equal.any(dim=1))
print("isin:      ", torch.isin(points, known).tolist())

# %% table
number_of = {3: 0, 5: 1, 7: 2, 9: 3}
keys = torch.tensor(list(number_of))
table = torch.full((int(keys.max()) + 1,), -1)  # -1: unknown
table[keys] = torch.tensor(list(number_of.values()))
print("table: ", table)
print("number:", table[label])
print("id -1: ", table[torch.tensor([-1])])

# %% large-ids
user = torch.tensor([901_000_000_017, 44, 901_000_000_017, 5])
ids = torch.tensor([44, 7_000_000_000, 901_000_000_017])  # sorted
place = torch.searchsorted(ids, user).clamp(max=len(ids) - 1)
print("number:", torch.where(ids[place] == user, place, -1))

# %% in-the-batch
values, number = label.unique(return_inverse=True)
print("number:", number, "of the values", values)

# %% key-error raises="KeyError"
number_of[label[0]]

# %% item
print("item():  ", number_of[label[0].item()])
print("tolist():", [number_of[value] for value in label.tolist()])

# %% python-set
print("set(tensor):  ", len(set(label)), "elements")
print("set(tolist()):", len(set(label.tolist())), "elements")
print("tensor in set:", label[0] in {3, 5})
print("tensor in list:", label[0] in [3, 5])
print("number in tensor:", 3 in label)

# %% floats
measured = torch.tensor([0.1, 0.5])
print("float32 in float32:", torch.isin(measured, torch.tensor([0.1])))
exact = torch.tensor([0.1], dtype=torch.float64)
print("float32 in float64:", torch.isin(measured, exact))
distance = (measured[:, None] - exact).abs()  # (2, 1): each from each
print("with a tolerance:  ", distance.amin(dim=1) < 1e-6)

# %% counter-cases hidden=true
torch.manual_seed(0)
for high in (5, 50, 5000):
    a, b = torch.randint(high, (40,)), torch.randint(high, (30,))
    left, right = set(a.tolist()), set(b.tolist())
    assert a[torch.isin(a, b)].unique().tolist() == sorted(left & right)
    assert a[~torch.isin(a, b)].unique().tolist() == sorted(left - right)
    assert torch.cat((a, b)).unique().tolist() == sorted(left | right)
    both = torch.cat((a[~torch.isin(a, b)], b[~torch.isin(b, a)])).unique()
    assert both.tolist() == sorted(left ^ right)
assert not torch.isin(torch.tensor([float("nan")]), torch.tensor([float("nan")])).item()

# %% refused hidden=true
for refused in (torch.tensor([True]), torch.tensor([1j])):
    try:
        torch.isin(refused, refused)
    except RuntimeError:
        continue
    raise AssertionError

# %% bytes-are-a-mask hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the deprecated mask
    byte = torch.tensor([3, 7, 3, 9, 5, 3, 7, 9, 5, 3], dtype=torch.uint8)  # as long as the table
    assert torch.equal(table[byte], table)
    assert table[byte.long()].tolist() == [number_of[value] for value in byte.tolist()]

# %% float-dtypes hidden=true
double = torch.tensor([0.1, 0.2], dtype=torch.float64)
assert not torch.isin(double, torch.tensor([0.1])).any()
assert torch.isin(double, torch.tensor([0.1], dtype=double.dtype)).tolist() == [True, False]

# %% out-of-range hidden=true
byte = torch.tensor([3], dtype=torch.uint8)
assert 3 in byte and 4 not in byte
assert 259 in byte  # wraps to 3

# %% large-integers hidden=true
large = torch.tensor([16_777_217])
assert torch.isin(large, torch.tensor([16_777_216.0])).item()
assert not torch.isin(large, torch.tensor([16_777_216])).item()

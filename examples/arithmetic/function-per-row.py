"""Apply a function to each row: whole-tensor operations, vmap, a loop over unbind."""

# %% function
import torch

table = torch.tensor([[3.0, 1.0, 2.0], [9.0, 4.0, 4.0]])  # (rows, columns)


def spread(row):  # (columns,) -> ()
    return row.max() - row.min()


loop = torch.stack([spread(row) for row in table])
mapped = torch.vmap(spread)(table)
whole = table.amax(dim=1) - table.amin(dim=1)
print("loop: ", loop)
print("vmap: ", mapped)
print("whole:", whole)

# %% columns
print("each column:", torch.vmap(spread, in_dims=1)(table))
columns = table.unbind(dim=1)
print("with unbind:", torch.stack([spread(column) for column in columns]))

# %% two-inputs
scale = torch.tensor([1.0, 10.0])


def shifted(row, factor, offset):  # (columns,), (), (columns,) -> (columns,)
    return row * factor + offset


offset = torch.tensor([0.5, 0.0, 0.0])
rows = torch.vmap(shifted, in_dims=(0, 0, None))
print(rows(table, scale, offset))

# %% count
from torch.utils._python_dispatch import TorchDispatchMode


class Count(TorchDispatchMode):
    calls = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.calls += 1
        return function(*args, **(kwargs or {}))


many = torch.randn(100, 3, generator=torch.Generator().manual_seed(0))
ways = {
    "loop": lambda: torch.stack([spread(row) for row in many]),
    "vmap": lambda: torch.vmap(spread)(many),
    "whole": lambda: many.amax(dim=1) - many.amin(dim=1),
}
for name, way in ways.items():
    with Count() as count:
        way()
    print(f"{name:5} {count.calls} operations")

# %% no-rule warns="UserWarning"
with Count() as count:
    mapped = torch.vmap(lambda row: row.histc(4, min=0, max=1))(many)
print(tuple(mapped.shape), count.calls, "operations")

# %% with-dim
with Count() as count:
    medians = many.quantile(0.5, dim=1)  # not vmap(lambda row: row.quantile(0.5))
print(tuple(medians.shape), count.calls, "operations")


# %% chunk-size
class Largest(TorchDispatchMode):
    calls = elements = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        self.calls += 1
        self.elements = max(self.elements, result.numel())
        return result


def widest_gap(row):
    return (row[:, None] - row).abs().amax()  # a table for each row


long_rows = torch.randn(100, 50)
for size in (None, 10):
    with Largest() as seen:
        gaps = torch.vmap(widest_gap, chunk_size=size)(long_rows)
    print(f"{size}: largest result {seen.elements}, {seen.calls} operations")


# %% if-error raises="RuntimeError"
def clipped(row):
    if row.sum() > 10:
        return row / row.sum()
    return row


torch.vmap(clipped)(table)


# %% if-where
def clipped_where(row):
    return torch.where(row.sum() > 10, row / row.sum(), row)


print(torch.vmap(clipped_where)(table))

# %% item-error raises="RuntimeError"
torch.vmap(lambda row: row * row.max().item())(table)

# %% item
print(torch.vmap(lambda row: row * row.max())(table))


# %% random-error raises="RuntimeError"
def noisy(row):
    return row + torch.rand(3)


torch.vmap(noisy)(table)

# %% random
torch.manual_seed(0)
each = torch.vmap(noisy, randomness="different")(table) - table
shared = torch.vmap(noisy, randomness="same")(table) - table
print("different: rows equal:", torch.allclose(each[0], each[1]))
print("same:      rows equal:", torch.allclose(shared[0], shared[1]))

# %% length-error raises="RuntimeError"
torch.vmap(lambda row: row[row > 2])(table)

# %% any-length
kept = [row[row > 2] for row in table.unbind()]
print(kept)


# %% in-place-error raises="RuntimeError"
def first_only(row, out):
    out[0] = row[0]
    return out


torch.vmap(lambda row: first_only(row, torch.zeros(3)))(table)

# %% in-place
print(torch.vmap(lambda row: first_only(row, row.new_zeros(3)))(table))

# %% counter-cases hidden=true
for distinct in (torch.nonzero, torch.unique):
    try:
        torch.vmap(distinct)(table)
    except RuntimeError as error:
        assert "can output dynamic shape" in str(error), error
    else:
        raise AssertionError(f"{distinct} can be mapped now")
torch.manual_seed(0)
for function in (spread, torch.sum, lambda row: row.sort().values, lambda row: row @ row):
    for shape in ((4, 3), (1, 5), (6, 1)):
        x = torch.randn(shape)
        torch.testing.assert_close(torch.vmap(function)(x), torch.stack([function(row) for row in x]))
        by_column = torch.stack([function(column) for column in x.unbind(dim=1)])
        torch.testing.assert_close(torch.vmap(function, in_dims=1)(x), by_column)
for write in (torch.Tensor.copy_, torch.Tensor.add_):
    torch.vmap(lambda row: write(torch.zeros_like(row), row))(table)
    try:
        torch.vmap(lambda row: write(torch.zeros(3), row))(table)
    except RuntimeError as error:
        assert ("inplace arithmetic" in str(error)) is (write is torch.Tensor.copy_), error
        assert write is torch.Tensor.copy_ or "doesn't match the broadcast shape" in str(error)
    else:
        raise AssertionError(f"{write} works now")

# %% chunk-size-counter-cases hidden=true
for size in (1, 7, 100, 1000):
    torch.testing.assert_close(torch.vmap(widest_gap, chunk_size=size)(long_rows), gaps)

# %% fractions-beside-integers hidden=true
integers = torch.tensor([[0, 1], [2, 3]])
for dtype, expected in ((None, [0.0, 2.0]), (torch.float32, [0.5, 2.5])):

    def mean_first(row, dtype=dtype):
        out = row.new_zeros(3, dtype=dtype)
        out[0] = row.float().mean()
        return out

    assert torch.vmap(mean_first)(integers)[:, 0].tolist() == expected

# %% counts-beside-booleans hidden=true
kept = torch.tensor([[True, True], [True, False]])
for dtype, expected in ((None, [1, 1]), (torch.int64, [2, 1])):

    def count_first(row, dtype=dtype):
        out = torch.zeros_like(row, dtype=dtype)
        out[0] = row.sum()
        return out

    assert torch.vmap(count_first)(kept)[:, 0].tolist() == expected

# %% numbers-of-python hidden=true
halves = torch.tensor([[3.5, -1.5], [-2.5, 4.0]])
bytes_of_rows = torch.tensor([[200, 100], [3, 4]], dtype=torch.uint8)
for x, by_loop, by_vmap in (
    (halves, lambda row: row * int(row[0]), lambda row: row * row[0].long()),
    (bytes_of_rows, lambda row: torch.tensor(row[0].item() + row[1].item()), lambda row: row[0].long() + row[1]),
    (
        bytes_of_rows,
        lambda row: torch.tensor(float(row[0]) + float(row[1]), dtype=torch.float64),
        lambda row: row[0].double() + row[1].double(),  # row[0] + row[1] is 44
    ),
    (
        torch.tensor([[256, 1]], dtype=torch.bfloat16),
        lambda row: torch.tensor(row[0].item() + row[1].item(), dtype=torch.float64),
        lambda row: row[0].double() + row[1].double(),  # row[0] + row[1] is 256
    ),
    (
        torch.tensor([[20, 30]], dtype=torch.uint8),
        lambda row: torch.tensor(row[0].item() * row[1].item()),
        lambda row: row[0].long() * row[1].long(),  # row[0] * row[1] is 88
    ),
    (
        torch.tensor([[1e8, 1.0]]),
        lambda row: torch.tensor(row[0].item() + row[1].item(), dtype=torch.float64),
        lambda row: row[0].double() + row[1].double(),  # row[0] + row[1] is 1e8
    ),
    (halves, lambda row: max(row), torch.max),
    (halves, lambda row: torch.stack(sorted(row)), lambda row: row.sort().values),
):
    assert torch.equal(torch.vmap(by_vmap)(x), torch.stack([by_loop(row) for row in x]))
    try:
        torch.vmap(by_loop)(x)
    except RuntimeError as error:
        assert ".item()" in str(error) or "data-dependent" in str(error)
    else:
        raise AssertionError("vmap takes it now")

"""index_copy_, index_add_, index_fill_, index_put_: write rows by index."""

# %% family
import torch

rows = torch.tensor([3, 0])
new = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
table = torch.full((4, 2), 10.0)
print("index_copy:", table.index_copy(0, rows, new).tolist())
print("index_add: ", table.index_add(0, rows, new).tolist())
print("index_fill:", table.index_fill(0, rows, -1).tolist())
print("index_put: ", table.index_put((rows,), new).tolist())

# %% columns
wide = torch.zeros(2, 4).index_copy_(1, rows, new)
print("columns 3 and 0:", wide, sep="\n")

# %% pairs
row, column = torch.tensor([0, 1]), torch.tensor([1, 0])
cells = torch.zeros(2, 2)
cells.index_put_((row, column), torch.tensor([5.0, 6.0]))
print("index_put_:", cells.tolist())
cells[row, column] = torch.tensor([7.0, 8.0])
print("assignment:", cells.tolist())

# %% dtype-error raises="RuntimeError"
half = new.half()  # for example from autocast
table[rows] = half

# %% dtype-cast
table[rows] = half.to(table.dtype)
print(table.tolist())

# %% slices-convert
table[0:2] = half
print("slice:", table[0:2].tolist())
table[rows] = 0.5
print("one number:", table[rows].tolist())


# %% other-messages
def message(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)


print(message(lambda: table.index_copy_(0, rows, half)))
print(message(lambda: table.index_add_(0, rows, half)))

# %% shape-error raises="IndexError"
table.index_copy_(0, rows, torch.ones(3, 2))

# %% shape-right
print(table.index_copy(0, rows, new).tolist())  # as many rows as numbers

# %% repeated
twice = torch.tensor([1, 1])
ones = torch.ones(2, 2)
counts = torch.zeros(3, 2)
print("index_add: ", counts.index_add(0, twice, ones).tolist())
print("alpha=-1:  ", counts.index_add(0, twice, ones, alpha=-1).tolist())
print("index_copy:", counts.index_copy(0, twice, ones).tolist())

# %% gradient
weight = torch.zeros(3, 2, requires_grad=True)
patch = torch.ones(1, 2, requires_grad=True)
result = weight.index_copy(0, torch.tensor([1]), patch)
result.sum().backward()
print("weight:", weight.grad.tolist())
print("patch: ", patch.grad.tolist())

# %% counter-cases hidden=true
for write in ("index_copy_", "index_add_", "index_put_"):
    target = torch.zeros(4, 2)
    source = new.double()
    try:
        target.index_put_((rows,), source) if write == "index_put_" else getattr(target, write)(0, rows, source)
    except RuntimeError:
        continue
    raise AssertionError(f"{write} converts now")
target[rows] = 0.5
try:
    target[rows] = torch.tensor(0.5, dtype=torch.float64)
except RuntimeError:
    pass
else:
    raise AssertionError("a tensor without dimensions is converted now")
target.index_put_((rows,), torch.ones(1, 2))  # one row for both
assert target[rows].eq(1).all()
for write in ("index_copy", "index_add"):
    for bad in (torch.tensor([-1, 0]), torch.tensor([True, False, False, True]), [0, 1]):
        try:
            getattr(table, write)(0, bad, new)
        except (IndexError, RuntimeError, TypeError):
            continue
        raise AssertionError(f"{write} takes {bad} now")
last = torch.tensor([-1])
assert table.index_fill(0, last, 7)[3].eq(7).all()
assert table.index_put((last,), torch.full((1, 2), 7.0))[3].eq(7).all()
assert table.index_fill(0, rows, torch.tensor(1.5, dtype=torch.float64))[0].eq(1.5).all()
whole = torch.zeros(4, 2, dtype=torch.int64)
whole[rows] = 1.9
assert whole[rows].eq(1).all()

# %% int32-indices hidden=true
small = rows.int()
assert table.index_add(0, small, new).equal(table.index_add(0, rows, new))
for call in (lambda: table.index_copy(0, small, new), lambda: table.index_fill(0, small, 1)):
    try:
        call()
    except (IndexError, RuntimeError):
        continue
    raise AssertionError

# %% cannot-hold hidden=true
for kind, value in ((torch.int64, 0.7), (torch.float16, 1e5)):
    board, number = torch.zeros(2, dtype=kind), torch.tensor([value])
    try:
        board[torch.tensor([0])] = number
    except RuntimeError as error:
        assert "dtypes match" in str(error), error
    else:
        raise AssertionError
    board[torch.tensor([0])] = number.to(kind)
    assert board[0] in (0, torch.inf)

# %% source-of-the-whole-table hidden=true
whole = torch.arange(8.0).view(4, 2)
taken = torch.zeros(4, 2).index_copy(0, rows, whole[rows])
assert torch.equal(taken[rows], whole[rows])
try:
    torch.zeros(4, 2).index_copy(0, rows, whole)
except IndexError as error:
    assert "Number of indices" in str(error)
else:
    raise AssertionError

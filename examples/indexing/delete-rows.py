"""Delete rows, columns and elements: index what stays."""

# %% by-index
import torch

table = torch.arange(12).view(4, 3)
keep = torch.ones(len(table), dtype=torch.bool)
keep[[0, 2]] = False  # the rows to delete
print(table[keep])

# %% shifted
wrong = table
for i in (0, 2):  # after the first step, row 2 is another one
    wrong = torch.cat((wrong[:i], wrong[i + 1 :]))
print("one after the other:", wrong[:, 0])
print("together:           ", table[keep][:, 0])

# %% by-condition
print("rows whose sum is below 20:", table[table.sum(dim=1) < 20], sep="\n")
print("rows without a 4:", table[(table != 4).all(dim=1)], sep="\n")

# %% missing
reading = torch.tensor([[1.0, 2.0], [float("nan"), 3.0], [4.0, 5.0]])
print(reading[~reading.isnan().any(dim=1)])

# %% columns
stays = [j for j in range(table.shape[1]) if j != 1]
print(table[:, stays])

# %% one-row
i = 1
print(torch.cat((table[:i], table[i + 1 :])))
print("without the ends:", table[1:-1].tolist())  # a view

# %% del raises="TypeError"
del table[0]

# %% no-in-place
other = table  # a second name for the same tensor
table = table[1:]
print("table:", tuple(table.shape), "other:", tuple(other.shape))
table = other

# %% elements
print("even:", table[table % 2 == 0])

# %% one-per-row
largest = table.argmax(dim=1, keepdim=True)  # (4, 1)
rest = torch.ones_like(table, dtype=torch.bool).scatter(1, largest, False)
print(table[rest].view(4, -1))

# %% uneven raises="RuntimeError"
table[table % 4 != 0].view(4, -1)

# %% uneven-list
for row in table:
    print(row[row % 4 != 0].tolist())

# %% mixed
more = table > 3
print("left in each row:", more.sum(dim=1).tolist())
print("view:", table[more].view(4, -1).tolist())

# %% gradient
weight = torch.ones(3, requires_grad=True)
weight[torch.tensor([True, False, True])].sum().backward()
print(weight.grad)

# %% counter-cases hidden=true
i = -1
assert len(torch.cat((table[:i], table[i + 1 :]))) == 7  # the whole table again
i = len(table) - 1
assert torch.equal(torch.cat((table[:i], table[i + 1 :])), table[:-1])
torch.manual_seed(0)
for rows in ([], [0], [3, 1], [2, 2], [0, 1, 2, 3]):
    keep = torch.ones(4, dtype=torch.bool)
    keep[rows] = False
    kept = [row for i, row in enumerate(table.tolist()) if i not in rows]
    assert table[keep].tolist() == kept
    assert not kept or table[keep].data_ptr() != table.data_ptr()

# %% slice-shares hidden=true
whole = torch.zeros(3)
whole[1:][0] = 1
whole[1:].clone()[1] = 1
assert whole.tolist() == [0, 1, 0]

# %% deleted-too-late hidden=true
reading = torch.tensor([[1.0, 2.0], [float("nan"), 3.0]])
for early in (True, False):
    weight = torch.ones(2, requires_grad=True)
    loss = (reading[~reading.isnan().any(dim=1)] if early else reading) @ weight
    loss[~loss.isnan()].sum().backward()
    assert weight.grad.isfinite().all() == early

"""In place: the same memory, new values."""

# %% underscore
import torch
import torch.nn.functional as F

x = torch.tensor([-1.0, 2.0])
fresh = x.abs()
print("abs():", fresh, "x:", x, "same memory:", fresh.data_ptr() == x.data_ptr())

same = x.abs_()
print("abs_():", same, "x:", x, "same object:", same is x)

# %% version
before = x._version  # private: for looking only
x.abs()
print("after abs(): ", x._version - before)
x.abs_()
print("after abs_():", x._version - before)

# %% without-underscore
x = torch.tensor([-4.0, 0.0, 0.0])
address = x.data_ptr()

x += 1
print("x += 1     ", x, x.data_ptr() == address)
x[0] = -9
print("x[0] = -9  ", x, x.data_ptr() == address)
torch.add(x, 1, out=x)
print("out=x      ", x, x.data_ptr() == address)
F.relu(x, inplace=True)
print("inplace=   ", x, x.data_ptr() == address)

# %% new-tensor
y = x
y = y + 1
print("y:", y, "x:", x, "same memory:", y.data_ptr() == x.data_ptr())


# %% argument-changed
def center(image):
    image -= image.mean()  # writes into the caller's tensor
    return image


photo = torch.tensor([1.0, 3.0])
center(photo)
print(photo)

# %% dtype-fixed raises="RuntimeError"
counts = torch.tensor([1, 2])
counts.mul_(0.5)

# %% dtype-free
print(counts * 0.5)

# %% shape-fixed raises="RuntimeError"
row = torch.zeros(1, 3)
row += torch.ones(2, 3)

# %% shape-free
print(row + torch.ones(2, 3))

# %% shared-element raises="RuntimeError"
row.expand(2, 3).add_(1)

# %% shared-element-cloned
print(row.expand(2, 3).clone().add_(1))

# %% more-in-place
torch.manual_seed(0)
weight = torch.tensor([1.0, 2.0, 4.0])
first, second = torch.tensor([1.0, 1.0, 2.0]), torch.tensor([2.0, 4.0, 4.0])
print("div_        ", weight.div_(2))
# weight += 0.5 * first * second
print("addcmul_    ", weight.addcmul_(first, second, value=0.5))
# weight -= first / second
print("addcdiv_    ", weight.addcdiv_(first, second, value=-1))
print("masked_fill_", weight.masked_fill_(weight > 3, 0))
print("gt_         ", weight.gt_(1))  # 1 or 0, the dtype stays
drawn = torch.empty(1000, dtype=torch.long).random_(0, 3)
print("random_     ", drawn.unique())

# %% windows-overlap hidden=true
steps = torch.arange(5.0)
steps.unfold(0, 3, 1).add_(1)
assert steps.tolist() == [1, 3, 5, 5, 5]  # element 2 is in three windows

# %% not-counted hidden=true
steps = torch.ones(4)
before = steps._version
steps.data.add_(1)
steps.numpy()[0] = 5
assert steps._version == before
assert torch.ones(4).resize_(8).shape == (8,)

# %% shapes-that-differ hidden=true
column = torch.ones(4, 1)
try:
    torch.zeros(4).sub_(column)
except RuntimeError as error:
    assert "doesn't match the broadcast shape" in str(error)
else:
    raise AssertionError("in place, and larger")
assert (torch.zeros(4) - column).shape == (4, 4)

# %% a-part-is-cut hidden=true
counts = torch.tensor([3, 5])
counts[0] = counts[0] * 0.5
assert counts.tolist() == [1, 5]
counts = counts.float()
counts[0] *= 0.5
assert counts.tolist() == [0.5, 5]
row = torch.zeros(1, 3)
row.expand(2, 3).clone().add_(1)
assert not row.any()

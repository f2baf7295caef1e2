"""In place: the same memory, new values."""

# %% underscore
import torch
from torch.nn import functional as F

x = torch.tensor([-1.0, 2.0])
fresh = x.abs()
print(fresh, x, fresh.data_ptr() == x.data_ptr())

same = x.abs_()
print(same, x, same is x)

# %% version
before = x._version
x.abs()
x.abs_()
print(x._version - before)

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
print(y.data_ptr() == x.data_ptr(), x)


# %% argument-changed
def centre(image):
    image -= image.mean()  # writes into the caller's tensor
    return image


photo = torch.tensor([1.0, 3.0])
centre(photo)
print(photo)

# %% dtype-fixed raises="RuntimeError"
counts = torch.tensor([1, 2])
counts.mul_(0.5)

# %% dtype-free
print(counts * 0.5)

# %% shape-fixed raises="RuntimeError"
row = torch.zeros(1, 3)
row += torch.ones(2, 3)

# %% shared-element raises="RuntimeError"
row.expand(2, 3).add_(1)

# %% shared-element-cloned
print(row.expand(2, 3).clone().add_(1))

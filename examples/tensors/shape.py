"""shape, size(), ndim, numel(): the same facts under several names."""

# %% names
import torch

batch = torch.zeros(8, 4, 9)  # (batch, time, features)
print("whole shape: ", batch.shape, batch.size())
print("one size:    ", batch.shape[1], batch.size(1), batch.size(-2))
print("dimensions:  ", batch.ndim, batch.dim())
print("elements:    ", batch.numel())

# %% a-tuple
batch_size, time, features = batch.shape
print("equal to a tuple:", batch.shape == (8, 4, 9))
print("joined:", (*batch.shape[:2], 3))
print("elements of a part:", batch.shape[:2].numel())

# %% no-dimension
score, nothing = torch.tensor(0.5), torch.zeros(0, 4)
for tensor in (score, nothing):
    print(tensor.shape, "dimensions:", tensor.ndim, "elements:", tensor.numel())

# %% called raises="TypeError"
batch.shape()

# %% not-called raises="TypeError"
batch.size[0]

# %% out-of-range raises="IndexError"
batch.size(3)

# %% in-range
print("size(2):", batch.size(2), "size(-1):", batch.size(-1))

# %% len
print("len(batch):", len(batch), "len(batch.shape):", len(batch.shape))

# %% len-of-a-scalar raises="TypeError"
len(score)

# %% instead-of-len
print("ndim:", score.ndim, "numel():", score.numel())

# %% zero-dim raises="IndexError"
score.size(0)

# %% zero-dim-dataset raises="IndexError"
from torch.utils.data import TensorDataset

TensorDataset(torch.tensor(3))

# %% zero-dim-source
last = torch.zeros(1, 1)  # the last batch has one sample
print("squeeze(): ", last.squeeze().shape)
print("squeeze(1):", last.squeeze(1).shape)
print("reshape(1):", score.reshape(1).size(0))
print("samples:   ", len(TensorDataset(score[None])))

# %% zero-dim-others
calls = {
    "size(0)": lambda: score.size(0),
    "stride(0)": lambda: score.stride(0),
    "unbind()": lambda: score.unbind(),
    "roll(1, 0)": lambda: score.roll(1, 0),
    "shape[0]": lambda: score.shape[0],
    "split(1)": lambda: score.split(1),
    "sum(dim=1)": lambda: score.sum(dim=1),
    "sum(dim=0)": lambda: score.sum(dim=0),
}
for name, call in calls.items():
    try:
        print(f"{name:10}", call())
    except (IndexError, RuntimeError) as error:
        print(f"{name:10} {type(error).__name__}: {error}")

# %% size-class
size = torch.Size([2, 3])
print(size, "is a tuple:", isinstance(size, tuple))
print("elements:", size.numel(), "tail:", size[1:])

# %% counter-cases hidden=true
for shape in ((), (0,), (3,), (2, 0, 4), (1, 1, 5, 2)):
    tensor = torch.zeros(shape)
    assert tensor.shape == tensor.size() == shape and type(tensor.shape) is type(tensor.size())
    assert tensor.ndim == len(shape) and tensor.numel() == torch.Size(shape).numel()

# %% squeezed-batch-of-one hidden=true
full, last = torch.eye(5)[:3, None], torch.eye(5)[:1, None]  # (batch, 1, classes)
try:
    last.squeeze().argmax(dim=1)
except IndexError:
    pass
else:
    raise AssertionError("dim=1 exists")
assert full.squeeze().argmax(dim=0).shape == (5,)  # a number for each class, not for each sample
assert full.squeeze(1).argmax(dim=1).tolist() == [0, 1, 2] and last.squeeze(1).argmax(dim=1).tolist() == [0]

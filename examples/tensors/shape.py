"""shape, size(), ndim, numel(): the same facts under several names."""

# %% names
import torch

batch = torch.zeros(8, 4, 9)  # (batch, time, features)
print(batch.shape, batch.size())
print(batch.shape[1], batch.size(1), batch.size(-1))
print(batch.ndim, batch.dim(), batch.numel())

# %% a-tuple
print(batch.shape == (8, 4, 9), isinstance(batch.shape, tuple))
batch_size, time, features = batch.shape
print(batch.shape[:2] + (3,))
print(batch.shape[:2].numel())

# %% no-dimension
score = torch.tensor(0.5)
print(score.shape, score.ndim, score.numel())
print(torch.zeros(0, 4).shape, torch.zeros(0, 4).numel())

# %% called raises="TypeError"
batch.shape()

# %% not-called raises="TypeError"
batch.size[0]

# %% out-of-range raises="IndexError"
batch.size(3)

# %% len
print(len(batch), len(batch.shape))

# %% len-of-a-scalar raises="TypeError"
len(score)

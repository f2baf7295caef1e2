"""torch.tensor() turns Python numbers into a tensor."""

# %% from-list
import torch

counts = torch.tensor([3, 4])
weight = torch.tensor([3, 4], dtype=torch.float32)
print(counts, counts.dtype)
print(weight, weight.dtype)

# %% nesting
image = torch.tensor([[0, 1, 2], [3, 4, 5]])  # (rows, columns)
print("nested list:", image.shape)
print("one number: ", torch.tensor(7).shape)

# %% ragged raises="ValueError"
torch.tensor([[1, 2, 3], [4]])

# %% padded
from torch.nn.utils.rnn import pad_sequence

sentences = [torch.tensor([1, 2, 3]), torch.tensor([4])]
print(pad_sequence(sentences, batch_first=True))  # (batch, time)

# %% first-row-empty
print(torch.tensor([[], [4, 5]]))

# %% none raises="RuntimeError"
torch.tensor([1.0, None])

# %% none-with-dtype raises="TypeError"
torch.tensor([1.0, None], dtype=torch.float32)

# %% missing-value
print(torch.tensor([1.0, float("nan")]))

# %% positional-dtype raises="TypeError"
torch.tensor([3, 4], torch.float32)

# %% keyword-dtype
print(torch.tensor([3, 4], dtype=torch.float32, device="cpu"))

"""squeeze() drops dimensions of size 1: name the one you mean."""

# %% setup
import torch

x = torch.zeros(2, 1, 3, 1, 4)

# %% shapes
print("squeeze():      ", tuple(x.squeeze().shape))  # every dimension of size 1
print("squeeze(1):     ", tuple(x.squeeze(1).shape))  # this one
print("squeeze((1, 3)):", tuple(x.squeeze((1, 3)).shape))  # these two

# %% no-op
print("squeeze(0):", tuple(x.squeeze(0).shape))

# %% shares
flat = x.squeeze()
flat[0, 0, 0] = 7.0
print(x[0, 0, 0, 0, 0])

# %% batches
torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
for batch in (3, 1):
    output = model(torch.randn(batch, 4))  # (batch, 1)
    print("batch of", batch)
    print("  squeeze():  ", tuple(output.squeeze().shape))
    print("  squeeze(-1):", tuple(output.squeeze(-1).shape))

# %% last-batch raises="TypeError"
for score in output.squeeze():
    print(score.item())

# %% last-batch-cat raises="RuntimeError"
batches = torch.randn(7, 4).split(3)  # 3, 3 and 1 samples
torch.cat([model(batch).squeeze() for batch in batches])

# %% named-dimension
print(torch.cat([model(batch).squeeze(-1) for batch in batches]).shape)

# %% rows-kept hidden=true
for score in output.squeeze(-1):
    score.item()

# %% counter-cases hidden=true
import itertools

for shape in itertools.product((1, 2, 3), repeat=3):
    x = torch.zeros(shape)
    assert x.squeeze().shape == tuple(size for size in shape if size != 1)
    for dim in range(3):
        expected = [size for n, size in enumerate(shape) if n != dim or size != 1]
        assert x.squeeze(dim).shape == tuple(expected)

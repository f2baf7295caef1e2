"""From a list of indices to a boolean mask and back."""

# %% from-indices
import torch

index = torch.tensor([1, 4, 6])
chosen = torch.zeros(8, dtype=torch.bool)
chosen[index] = True
print(chosen)

# %% isin
print(torch.isin(torch.arange(8), index))

# %% back
print(chosen.nonzero(as_tuple=True)[0])

# %% uint8 warns="UserWarning"
ages = torch.tensor([15, 22, 31, 67, 40, 80])
flags = torch.tensor([1, 0, 0, 1, 0, 1], dtype=torch.uint8)
print(ages[flags])

# %% int64
flags = flags.long()
print("as indices:", ages[flags])
print("as a mask: ", ages[flags.bool()])

# %% counter-cases hidden=true
assert not torch.isin(torch.arange(8), torch.tensor([-1, 8])).any()
last = torch.zeros(8, dtype=torch.bool)
last[torch.tensor([-1])] = True
assert last.nonzero().tolist() == [[7]]
flags = flags.to(torch.uint8)
assert (~flags).bool().all() and (~flags.bool()).tolist() == [False, True, True, False, True, False]
try:
    ages.clone()[flags] = 0
except RuntimeError as error:
    assert "only supports boolean masks" in str(error)
else:
    raise AssertionError("a uint8 mask took a number")

# %% numbers-of-classes hidden=true
import warnings

palette, classes = torch.tensor([10, 20, 30]), torch.tensor([2, 0, 1], dtype=torch.uint8)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    assert torch.equal(palette[classes], palette[classes.bool()])  # taken for a mask
assert "torch.uint8 is now deprecated" in str(said[0].message)
assert palette[classes.long()].tolist() == [30, 10, 20]

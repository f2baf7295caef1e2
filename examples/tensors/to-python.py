"""From a tensor back to Python numbers and lists."""

# %% item
import torch

loss = torch.tensor(0.25)
print(loss.item(), torch.ones(1, 1, 1).item())

# %% item-of-four raises="RuntimeError"
logits = torch.tensor([2.0, -1.0, 0.5, 3.0])  # (classes,)
logits.item()

# %% one-of-four
print("all:", logits.tolist(), "one:", logits[0].item(), float(logits[0]))

# %% float-of-two raises="ValueError"
float(logits[:2])

# %% which-exception
for convert in (torch.Tensor.item, float, int):
    try:
        convert(logits)
    except (RuntimeError, ValueError) as error:
        print(f"{convert.__name__}() raises {type(error).__name__}")

# %% item-of-none raises="RuntimeError"
torch.empty(0).item()

# %% truth raises="RuntimeError"
if logits > 0:
    print("positive")

# %% truth-reduced
print("any:", (logits > 0).any().item(), "all:", (logits > 0).all().item())

# %% truth-of-none raises="RuntimeError"
bool(logits[logits > 9])

# %% tolist
image = torch.arange(6).view(2, 3)
print(image.tolist(), torch.tensor(5).tolist())
print((logits > 0).tolist())

# %% widened
print(torch.tensor([0.1]).tolist())
print(torch.tensor([0.1], dtype=torch.float64).tolist())

# %% json raises="TypeError"
import json

json.dumps({"loss": loss})

# %% json-cure
print(json.dumps({"loss": loss.item(), "logits": logits.tolist()}))

# %% list
ids = torch.arange(3)
items = list(ids)
print(items)
print(list(image))

# %% items-are-views
items[0] += 100
print(ids)

# %% list-of-a-scalar raises="TypeError"
list(loss)

# %% slow varies=true
import time
from timeit import timeit

samples = torch.arange(100_000)
clock = time.process_time  # processor time: a busy machine does not matter
numbers = timeit(samples.tolist, timer=clock, number=50) / 50
tensors = timeit(lambda: list(samples), timer=clock, number=1)
print(f"list() took {tensors / numbers:.0f} times as long")

# %% slower hidden=true
assert tensors > numbers

# %% counter-cases hidden=true
for tensor in (
    torch.zeros(3),
    torch.zeros(2, 3),
    torch.zeros(1, 1, 1),
    torch.zeros(0, 2),
    torch.ones(2, dtype=torch.bool),
):
    items = list(tensor)
    assert len(items) == tensor.shape[0] and all(torch.is_tensor(item) for item in items)
    assert all(item.shape == tensor.shape[1:] for item in items)

# %% empty hidden=true
chosen = logits[logits > 9]
assert chosen.numel() == 0 and chosen.tolist() == []

# %% other-causes hidden=true
row = torch.ones(2, requires_grad=True)
try:
    torch.tensor([row.detach(), row.detach()])
except ValueError as error:
    assert "converted to Python scalars" in str(error)
else:
    raise AssertionError("torch.tensor joins tensors now")
assert torch.stack([row, row]).requires_grad
assert not torch.tensor([row.tolist(), row.tolist()]).requires_grad  # what tolist() would do
assert logits[(logits > 0) & (logits < 3)].tolist() == [2.0, 0.5]

# %% loss-without-a-call hidden=true
from torch import nn

for loss_class in (nn.MSELoss, nn.CrossEntropyLoss, nn.BCEWithLogitsLoss):
    try:
        loss_class(logits, logits.sigmoid())
    except RuntimeError as error:
        assert "Boolean value" in str(error)
    else:
        raise AssertionError(loss_class)
    assert loss_class()(logits, logits.sigmoid()).ndim == 0

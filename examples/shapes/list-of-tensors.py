"""From a Python list of tensors to one tensor, or to their sum."""

# %% setup
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
losses = [w**2 for w in weight]  # two of shape ()
print(losses)

# %% cat-fails raises="RuntimeError"
torch.cat(losses)

# %% stack-joins
print("stack:", torch.stack(losses))
print("cat:  ", torch.cat([loss.reshape(1) for loss in losses]))

# %% gradient-flows
torch.stack(losses).sum().backward()
print(weight.grad)

# %% tensor-of-scalars warns="UserWarning"
values = torch.tensor(losses)
print(values, "requires_grad:", values.requires_grad)

# %% just-numbers
print(torch.tensor([loss.item() for loss in losses]))

# %% integers-do-not-warn
print(torch.tensor([torch.tensor(1), torch.tensor(2)]))

# %% tensor-of-vectors raises="ValueError"
torch.tensor([weight, weight])

# %% sum
predictions = [torch.full((2, 2), float(k)) for k in (1, 2, 3)]
stacked = torch.stack(predictions)  # (3, 2, 2)
print("stack, sum(0): ", stacked.sum(0).tolist())
print("built-in sum:  ", sum(predictions).tolist())
print("stack, mean(0):", stacked.mean(0).tolist())

# %% memory
print("stacked:", stacked.nbytes, "bytes")
print("sum:    ", sum(predictions).nbytes, "bytes")

# %% empty
print(repr(sum([])), type(sum([])))

# %% stack-of-vectors hidden=true
assert torch.stack([weight, weight]).requires_grad

# %% some-are-vectors hidden=true
assert torch.cat([weight, losses[0].reshape(1)]).shape == (3,)

# %% counter-cases hidden=true
for shape in ((), (3,), (2, 0), (2, 3)):
    parts = [torch.randn(shape) for _ in range(4)]
    stacked = torch.stack(parts)
    assert stacked.shape == (4, *shape)
    assert all(torch.equal(row, part) for row, part in zip(stacked, parts))
    torch.testing.assert_close(sum(parts), stacked.sum(dim=0))

# %% small-dtypes hidden=true
for dtype, value, count, added in (
    (torch.uint8, 100, 3, 44),
    (torch.bfloat16, 1, 3000, 256),
    (torch.float16, 1, 3000, 2048),
):
    parts = [torch.tensor(value, dtype=dtype)] * count
    assert sum(parts) == added
    assert abs(torch.stack(parts).sum(dim=0).item() - value * count) < 0.01 * value * count

# %% digits hidden=true
tenth = [torch.tensor(0.1, dtype=torch.float64)]
assert torch.tensor(tenth).item() == 0.1  # keeps the dtype
assert torch.tensor([loss.item() for loss in tenth]).item() != 0.1
assert torch.tensor([loss.item() for loss in tenth], dtype=torch.float64).item() == 0.1

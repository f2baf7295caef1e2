"""max, argmax, amax and maximum: which returns what, and what happens on ties."""

# %% whole
import torch

scores = torch.tensor([[1, 5, 2], [7, 3, 7]])
print(scores.max())

# %% along-dim
result = scores.max(dim=1)
print(result)

values, indices = result
print("values:    ", values)
print("at indices:", scores[torch.arange(2), indices])

# %% which
print("argmax", scores.argmax(dim=1))
print("amax  ", scores.amax(dim=1))
print("aminmax", *scores.aminmax(dim=1))

# %% functions
print("max   ", torch.max(scores, dim=1).values)
print("argmax", torch.argmax(scores, dim=1))
print("min   ", torch.min(scores, dim=1).values)
print("argmin", torch.argmin(scores, dim=1))
print("amin  ", torch.amin(scores, dim=1))

# %% forgot-values raises="AttributeError"
scores.max(dim=1).float()

# %% values-taken
print("values:", scores.max(dim=1).values.float())
print("amax:  ", scores.amax(dim=1).float())

# %% position
flat = scores.argmax()
print("flat:", flat, "row, column:", torch.unravel_index(flat, scores.shape))

# %% several-dims
batch = torch.arange(12).view(2, 2, 3)
print(batch.amax(dim=(1, 2)))

# %% max-takes-one-dim raises="TypeError"
batch.max(dim=(1, 2))

# %% several-positions
print("amax:     ", batch.amax(dim=(1, 2)))
print("positions:", batch.flatten(1).max(dim=1).indices)

# %% two-tensors
print("two tensors:", torch.maximum(scores, scores.flip(0)).tolist())
print("a number:   ", scores.clamp(min=3).tolist())

# %% tie-gradient
x = torch.tensor([1.0, 3.0, 3.0], requires_grad=True)
for name, largest in {
    "max(dim=0)": x.max(dim=0).values,
    "amax(dim=0)": x.amax(dim=0),
    "max()": x.max(),
}.items():
    (gradient,) = torch.autograd.grad(largest, x)
    print(f"{name:12}", gradient)

# %% nan
reading = torch.tensor([1.0, float("nan"), 3.0])
print("max:", reading.max(), "argmax:", reading.argmax())
print("NaN replaced:", reading.nan_to_num(float("-inf")).max())

# %% empty raises="RuntimeError"
torch.empty(0).max()

# %% checked-first
high = reading[reading > 9]
print(high.max() if high.numel() else "nothing above 9")

# %% same-as-max hidden=true
assert torch.equal(torch.max(scores, scores.flip(0)), torch.maximum(scores, scores.flip(0)))

# %% counter-cases hidden=true
torch.manual_seed(0)
for shape, dim in (((4, 6), 0), ((4, 6), 1), ((2, 3, 5), -1)):
    for x in (torch.randn(shape), torch.randint(3, shape), torch.full(shape, float("-inf"))):
        values, indices = x.max(dim)
        assert torch.equal(values, x.amax(dim))
        assert torch.equal(x.gather(dim % x.ndim, indices.unsqueeze(dim)).squeeze(dim), values)
        assert torch.equal(x.gather(dim % x.ndim, x.argmax(dim, keepdim=True)).squeeze(dim), values)

# %% infinite-and-missing hidden=true
inf = float("inf")
endless = torch.tensor([1.0, float("nan"), inf])
assert endless.nan_to_num(-inf).max() == torch.finfo(torch.float32).max
assert endless.nan_to_num(-inf, posinf=inf).max() == inf
assert torch.tensor([[False, True, True], [True, False, True]]).max(dim=1).indices.tolist() == [1, 0]

"""Are two tensors equal: ==, equal(), allclose() and assert_close()."""

# %% compare
import torch

expected = torch.tensor([1.0, 2.0, 7.0])
result = expected / 49 * 49
print("==      ", result == expected)
print("equal   ", torch.equal(result, expected))
print("allclose", torch.allclose(result, expected))

# %% formula
rtol, atol = 1e-5, 1e-8  # the defaults
difference = (result - expected).abs()
print("by hand", difference <= atol + rtol * expected.abs())
print("isclose", torch.isclose(result, expected))

# %% near-zero
small, zero = torch.tensor(1e-6), torch.tensor(0.0)
print("atol=1e-8", torch.allclose(small, zero))
print("atol=1e-5", torch.allclose(small, zero, atol=1e-5))

# %% nan
x = torch.tensor([float("nan"), 1.0])
print("equal    ", torch.equal(x, x), " ==", x == x)
print("allclose ", torch.allclose(x, x))
print("equal_nan", torch.allclose(x, x, equal_nan=True))

# %% shapes asks=true
row, column = torch.zeros(2), torch.zeros(2, 1)
print("equal   ", torch.equal(row, column))
print("allclose", torch.allclose(row, column))
print("==      ", (row == column).tolist())

# %% dtypes
whole, decimal = torch.tensor([1, 2]), torch.tensor([1.0, 2.0])
print("equal", torch.equal(whole, decimal), " ==", whole == decimal)
print("2**24 + 1 == 2.0**24", torch.tensor([2**24 + 1]) == torch.tensor([2.0**24]))

# %% allclose-dtypes raises="RuntimeError"
torch.allclose(whole, decimal)

# %% one-dtype
print("allclose:", torch.allclose(whole.float(), decimal))

# %% assert-values raises="AssertionError"
torch.testing.assert_close(torch.tensor([1.0, 2.001, 7.0]), expected)

# %% assert-dtype raises="AssertionError"
torch.testing.assert_close(whole, decimal)

# %% assert-options
measured = torch.tensor([1.0, 2.001, 7.0])
torch.testing.assert_close(measured, expected, rtol=1e-3, atol=0)
torch.testing.assert_close(whole, decimal, check_dtype=False)
torch.testing.assert_close(x, x, equal_nan=True)
print("close")

# %% equal-promotes hidden=true
assert torch.equal(torch.tensor([2**24 + 1]), torch.tensor([2.0**24]))
assert torch.allclose(whole.float(), decimal)

# %% both-tolerances hidden=true
for alone in ({"rtol": 1e-3}, {"atol": 1e-3}):
    try:
        torch.testing.assert_close(expected, expected, **alone)
    except ValueError:
        continue
    raise AssertionError("one tolerance is enough now")

# %% integers-are-close hidden=true
numbers = torch.tensor([100000]), torch.tensor([100001])
assert torch.allclose(*numbers) and not torch.equal(*numbers)

# %% half-precision hidden=true
for dtype in (torch.float16, torch.bfloat16):
    reference = torch.ones(1, dtype=dtype)
    rounded = torch.tensor([1 + torch.finfo(dtype).eps], dtype=dtype)  # the next number
    assert not torch.allclose(rounded, reference)
    torch.testing.assert_close(rounded, reference)
    assert torch.allclose(rounded, reference, rtol=1e-2)

# %% products-differ-by-more hidden=true
torch.manual_seed(0)
inputs, weight = torch.randn(64, 512), torch.randn(512, 64)
exact = (inputs.double() @ weight.double()).float()
assert not torch.allclose(inputs @ weight, exact)
assert torch.allclose(inputs @ weight, exact, atol=1e-5 * exact.abs().max().item())

# %% complex-and-real hidden=true
import warnings

waves, real = torch.tensor([1 + 5j]), torch.tensor([1.0])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that the imaginary part is dropped
    assert torch.allclose(waves.float(), real)
assert not torch.allclose(waves, real.to(waves.dtype))

# %% fractions-lost hidden=true
assert torch.allclose(torch.tensor([1]), torch.tensor([1.9]).long())
assert not torch.allclose(torch.tensor([1]).float(), torch.tensor([1.9]))
for narrow, wide in (
    (torch.tensor([0], dtype=torch.uint8), torch.tensor([256])),
    (torch.tensor([True]), torch.tensor([2])),
    (torch.tensor([torch.inf], dtype=torch.float16), torch.tensor([70_000.0])),
):
    assert torch.allclose(narrow, wide.to(narrow.dtype)) and not torch.allclose(narrow.to(wide.dtype), wide)

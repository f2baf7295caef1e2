"""arange excludes its end and takes a step; linspace includes it, takes a count."""

# %% two-ways
import torch

print("arange:  ", torch.arange(0, 10, 2))
print("linspace:", torch.linspace(0, 10, 6))

# %% dtype
print("arange(3):        ", torch.arange(3).dtype)
print("arange(3.0):      ", torch.arange(3.0).dtype)
print("linspace(0, 3, 4):", torch.linspace(0, 3, 4).dtype)

# %% float-step
print("end 1.2:", torch.arange(1, 1.2, 0.1))
print("end 1.3:", torch.arange(1, 1.3, 0.1))

# %% why
print((1.3 - 1) / 0.1)

# %% safe
print("integers: ", 1 + 0.1 * torch.arange(3))
print("linspace: ", torch.linspace(1, 1.2, 3))

# %% integers-cut
print("floats:  ", torch.linspace(0, 10, 4))
print("integers:", torch.linspace(0, 10, 4, dtype=torch.int64))

# %% backwards raises="RuntimeError"
torch.arange(5, 0)

# %% backwards-right
print(torch.arange(5, 0, -1))

# %% range warns="UserWarning"
print(torch.range(0, 3))

# %% instead-of-range
print("integers:", torch.arange(0, 4))
print("floats:  ", torch.arange(0.0, 4.0))

# %% logspace
print(torch.logspace(-3, 0, 4))  # exponents of 10

# %% counter-cases hidden=true
for steps in (0, 1, 2, 7, 10, 49, 99, 1000):
    for start, end in ((0, 1), (0.1, 0.7), (-3, 3), (5, 5), (1, -1), (1e-3, 1e6)):
        for dtype in (torch.float32, torch.float64, torch.int64):
            points = torch.linspace(start, end, steps, dtype=dtype)
            assert len(points) == steps
            if steps > 1 and dtype.is_floating_point:
                assert points[0] == torch.tensor(start, dtype=dtype) and points[-1] == torch.tensor(end, dtype=dtype)

# %% end-one-further hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that torch.range is deprecated, which the page shows
    for start, end, step in ((0, 3, 1), (0, 5, 2), (0, 6, 2), (5, 0, -1), (5, 0, -2)):
        further = end + (1 if step > 0 else -1)
        assert torch.range(start, end, step).tolist() == torch.arange(start, further, step).tolist()
    assert len(torch.range(0, 5, 2)) < len(torch.arange(0, 5 + 2, 2))  # a step further is too much

# %% fractions hidden=true
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that torch.range is deprecated, which the page shows
    for start, end, step in ((0, 1, 0.3), (0, 3.5, 1), (0.5, 3, 1), (1, 0, -0.25)):
        old = torch.range(start, end, step)
        torch.testing.assert_close(torch.linspace(start, old[-1].item(), len(old)), old)
    assert not torch.allclose(torch.linspace(0, 1, 4), torch.range(0, 1, 0.3))  # the end is not the last number

# %% cut-after-rounding hidden=true
assert torch.linspace(0, 14, 51, dtype=torch.int64)[25] == 6
assert torch.linspace(0, 14, 51).round().long()[25] == 7
for bounds in ((5, 0), (0, 5, -1)):  # the two ways to this error
    try:
        torch.arange(*bounds)
    except RuntimeError as error:
        assert "inconsistent with step sign" in str(error)
    else:
        raise AssertionError(bounds)

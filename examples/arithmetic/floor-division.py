"""//, %, fmod and trunc: what happens to negative numbers."""

# %% signs
import torch

x = torch.tensor([7, -7, 7, -7])
y = torch.tensor([3, 3, -3, -3])
print("x // y        ", x // y)
print("x % y         ", x % y)
print("div, trunc    ", torch.div(x, y, rounding_mode="trunc"))
print("fmod          ", torch.fmod(x, y))

# %% picture fold=true
import matplotlib.pyplot as plt

n = torch.arange(-7, 8)
pairs = {
    "n // 3": n // 3,
    'div(n, 3, "trunc")': torch.div(n, 3, rounding_mode="trunc"),
    "n % 3": n % 3,
    "fmod(n, 3)": torch.fmod(n, 3),
}
figure, axes = plt.subplots(2, 2, figsize=(5.6, 3.9), sharex=True, layout="constrained")
for k, (ax, (name, values)) in enumerate(zip(axes.flat, pairs.items())):
    color = "C0" if k % 2 == 0 else "C1"
    ax.vlines(n, 0, values, color=color, linewidth=2)
    ax.plot(n, values, "o", color=color, markersize=5)
    ax.axvline(0, color=color, linewidth=0.8, linestyle=":")
    ax.set_title(name, fontsize=10, family="monospace")
    ax.set(xticks=(-6, -3, 0, 3, 6), ylim=(-3.5, 3.5), yticks=(-2, 0, 2))
    ax.grid(alpha=0.3)

# %% floor-not-trunc
print("integers:", torch.tensor([-7]) // 2, "floats:", torch.tensor([-7.0]) // 2)

# %% wrap
position = torch.tensor([-1, 0, 5])
print("%:   ", position % 5)  # into 0 … 4
print("fmod:", torch.fmod(position, 5))

# %% zero raises="RuntimeError"
x // 0

# %% checked-divisor
divisor = torch.tensor([2, 0])
print(torch.tensor([7, 7]) // divisor.clamp(min=1))

# %% zero-float
print("//:", torch.tensor([7.0]) // 0, "%:", torch.tensor([7.0]) % 0)

# %% decimals
one = torch.tensor(1.0, dtype=torch.float64)
print("1.0 // 0.1:", one // 0.1)
print("1.0 / 0.1: ", one / 0.1)

# %% rounding asks=true
half = torch.tensor([-2.5, -1.5, 0.5, 1.5, 2.5])
for name in ("floor", "ceil", "trunc", "round"):
    print(f"{name:5}", getattr(half, name)())

# %% identity hidden=true
assert torch.equal((x // y) * y + x % y, x)
assert torch.equal(torch.div(x, y, rounding_mode="trunc") * y + torch.fmod(x, y), x)
assert torch.equal(x // y, torch.div(x, y, rounding_mode="floor"))
assert torch.equal(x % y, torch.remainder(x, y))
assert [a // b for a, b in zip(x.tolist(), y.tolist())] == (x // y).tolist()

# %% like-numpy hidden=true
import numpy as np

assert np.array_equal(np.floor_divide(x.numpy(), y.numpy()), (x // y).numpy())
assert np.array_equal(np.remainder(x.numpy(), y.numpy()), (x % y).numpy())
assert np.array_equal(np.fmod(x.numpy(), y.numpy()), torch.fmod(x, y).numpy())

# %% whole-steps hidden=true
assert (one / 0.1).round() == 10
assert "1.13" in torch.floor_divide.__doc__  # since when // rounds down
for divide in (torch.remainder, torch.fmod, torch.floor_divide):
    try:
        divide(torch.tensor([7]), torch.tensor([0]))
    except RuntimeError:
        continue
    raise AssertionError(f"{divide.__name__} divides by zero now")

# %% remainder-as-large hidden=true
assert torch.tensor(-1e-8) % 5 == 5

# %% fractions hidden=true
tenth = torch.tensor(0.1, dtype=torch.float64)
assert torch.div(one, tenth, rounding_mode="trunc") == 10 and torch.fmod(one, tenth) > 0.09  # no pair
a, b = torch.randint(-100, 101, (2, 2000), generator=torch.Generator().manual_seed(0)).double() / 10
a, b = a[b != 0], b[b != 0]
torch.testing.assert_close((a // b) * b + a % b, a)
whole = ((a - torch.fmod(a, b)) / b).round()
torch.testing.assert_close(whole * b + torch.fmod(a, b), a)
assert (whole != torch.div(a, b, rounding_mode="trunc")).any()
divisor = torch.tensor([2, 0, -3])
assert (torch.tensor([7, 7, 7]) // torch.where(divisor == 0, 1, divisor)).tolist() == [3, 7, -3]

# %% sixteen-bits hidden=true
short = torch.tensor(1.0, dtype=torch.float16)
assert short // 0.1 == 9 and short % 0.1 < 0.001  # no pair: % rounds the 0.1 to 16 bits
assert short.float() // 0.1 == 9 and short.float() % 0.1 > 0.09

# %% zero-on-gpu needs="cuda" varies=true
for dtype in (torch.int64, torch.int32, torch.uint8):
    seven = torch.tensor(7, device="cuda", dtype=dtype)
    print(f"{dtype}: 7 // 0 = {seven // 0}, 7 % 0 = {seven % 0}")

# %% divisor-too-large hidden=true
pixel = torch.tensor([7, 255], dtype=torch.uint8)
try:
    (pixel + 1) % 256  # 256 is 0 in uint8
except RuntimeError as error:
    assert "ZeroDivisionError" in str(error), error
else:
    raise AssertionError
assert ((pixel.int() + 1) % 256).tolist() == [8, 0]
assert (torch.tensor([-1], dtype=torch.int8) % 200).item() == -1  # 200 is -56 in int8
weight = torch.tensor([5.0], requires_grad=True)
try:
    (weight // 2).sum().backward()
except RuntimeError as error:
    assert "floor_divide" in str(error), error
else:
    raise AssertionError
torch.div(weight, 2, rounding_mode="floor").sum().backward()
assert weight.grad.item() == 0

# %% large-integers hidden=true
large = torch.tensor([20_000_001])  # 7 times 2_857_143
assert large % 7 == 0 and large.double() % 7 == 0 and large.float() % 7 == 6
largest = torch.tensor([2**53, 2**53 + 1])
assert (largest % 7).tolist() == [4, 5] and (largest.double() % 7).tolist() == [4, 4]

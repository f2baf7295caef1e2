"""Quantization by hand: scale, zero point, one scale for each channel, and the error against the bits."""

# %% affine
import torch


def affine(values, bits=8):
    low, high = (
        values.min().clamp(max=0),
        values.max().clamp(min=0),
    )  # 0 gets a code
    scale = (high - low) / (2**bits - 1)
    scale = scale.clamp(min=torch.finfo(scale.dtype).tiny)  # zeros alone
    zero_point = (-low / scale).round()
    return scale, zero_point


def quantize(values, scale, zero_point, smallest, largest):
    codes = (values / scale).round() + zero_point
    return codes.clamp(smallest, largest).int()


def dequantize(codes, scale, zero_point):
    return (codes - zero_point) * scale


values = torch.tensor([-1.0, -0.3, 0.0, 0.5, 1.1, 3.0])
scale, zero_point = affine(values)
codes = quantize(values, scale, zero_point, 0, 255)
restored = dequantize(codes, scale, zero_point)
print(f"scale {scale:.4f}, zero point {zero_point:.0f}")
print("codes   ", codes.tolist())
print("restored", [round(value, 3) for value in restored.tolist()])
print(f"largest error {((restored - values).abs().max() / scale):.2f} steps")

# %% symmetric
scale = values.abs().max() / 127
codes = quantize(values, scale, 0, -127, 127)
print(f"scale {scale:.4f}, codes {codes.tolist()}")

# %% against-torch
scale, zero_point = affine(values)
by_hand = dequantize(quantize(values, scale, zero_point, 0, 255), scale, zero_point)
by_torch = torch.fake_quantize_per_tensor_affine(
    values,
    scale.item(),
    int(zero_point),
    0,
    255,
)
print("largest difference:", (by_hand - by_torch).abs().max().item())

# %% quantized-tensor warns="UserWarning"
quantized = torch.quantize_per_tensor(
    values,
    scale.item(),
    int(zero_point),
    dtype=torch.quint8,
)
print("codes ", quantized.int_repr().tolist())
print("stored", quantized.element_size(), "byte each")

# %% half-to-even
halves = torch.tensor([-1.5, -0.5, 0.5, 1.5, 2.5])
print("by hand", quantize(halves, 1.0, 0, -128, 127).tolist())
by_torch = torch.fake_quantize_per_tensor_affine(halves, 1.0, 0, -128, 127)
print("torch  ", by_torch.int().tolist())

# %% saturation
codes = torch.tensor([100, 127, 130, 300])
print("clamp, then int8:", codes.clamp(-128, 127).to(torch.int8).tolist())
print("int8 alone:      ", codes.to(torch.int8).tolist())

# %% per-channel
torch.manual_seed(0)
sizes = torch.tensor([[1.0], [0.1], [0.003]])
weight = torch.randn(3, 256) * sizes  # (out, in), rows of different size
per_tensor = weight.abs().max() / 127  # ()
per_channel = weight.abs().amax(dim=1, keepdim=True) / 127  # (out, 1)
for name, scale in {"per tensor": per_tensor, "per channel": per_channel}.items():
    codes = quantize(weight, scale, 0, -127, 127)
    error = (codes * scale - weight).norm(dim=1) / weight.norm(dim=1)
    distinct = [len(row.unique()) for row in codes]
    print(f"{name:11} error", [f"{e:.3f}" for e in error], "codes used", distinct)

by_torch = torch.fake_quantize_per_channel_affine(
    weight, per_channel.flatten(), torch.zeros(3, dtype=torch.int32), 0, -127, 127
)
print("largest difference:", (codes * scale - by_torch).abs().max().item())

# %% bits fold=true
import matplotlib.pyplot as plt

torch.manual_seed(0)
weight = torch.randn(64, 256) * torch.logspace(-1, 0, 64)[:, None]
kinds = {
    "per tensor": weight,
    "per channel": weight,
    "groups of 32": weight.view(-1, 32),
}
bits = list(range(2, 9))
fig, ax = plt.subplots(figsize=(5.2, 3.2))
print("bits        ", "".join(f"{b:8}" for b in bits))
for name, values in kinds.items():
    errors = []
    for b in bits:
        largest = 2 ** (b - 1) - 1
        reach = values.abs().max() if name == "per tensor" else values.abs().amax(1, keepdim=True)
        scale = reach / largest
        codes = quantize(values, scale, 0, -largest, largest)
        errors.append(((codes * scale - values).norm() / values.norm()).item())
    print(f"{name:12}", "".join(f"{error:8.4f}" for error in errors))
    assert all(4.5 > a / b > 1.5 for a, b in zip(errors[1:], errors[2:])), errors
    ax.semilogy(bits, errors, marker="o", label=name)
ax.set(xlabel="bits", ylabel="relative error")
ax.legend(frameon=False)

# %% integer-product
torch.manual_seed(0)
inputs, weight = torch.randn(4, 64), torch.randn(8, 64)
input_scale = inputs.abs().max() / 127
weight_scale = weight.abs().amax(dim=1) / 127  # (8,), one each output
input_codes = quantize(inputs, input_scale, 0, -127, 127)
weight_codes = quantize(weight, weight_scale[:, None], 0, -127, 127)

sums = input_codes @ weight_codes.T  # int32: an int8 would overflow
out = sums * (input_scale * weight_scale)
exact = inputs @ weight.T
print("largest sum:", sums.abs().max().item(), sums.dtype)
print(f"relative error: {((out - exact).norm() / exact.norm()):.4f}")

# %% outlier
torch.manual_seed(0)
activations = torch.randn(10_000)
activations[0] = 100.0  # one outlier
for name, reach in {
    "largest value": activations.abs().max(),
    "0.999 quantile": activations.abs().quantile(0.999),
}.items():
    scale = reach / 127
    codes = quantize(activations, scale, 0, -127, 127)
    error = (codes * scale - activations).abs()
    print(f"{name:14} median error {error.median():.4f}, outlier {error[0]:.1f}")

# %% bounds hidden=true
for seed in range(20):
    torch.manual_seed(seed)
    values = torch.randn(1000) * 10 ** torch.randn(()) + torch.randn(())
    scale, zero_point = affine(values)
    codes = quantize(values, scale, zero_point, 0, 255)
    assert ((dequantize(codes, scale, zero_point) - values).abs().max() / scale) < 0.51
    assert (dequantize(zero_point, scale, zero_point) == 0).all()
    by_torch = torch.fake_quantize_per_tensor_affine(values, scale.item(), int(zero_point), 0, 255)
    assert ((by_torch - values).abs().max() / scale) < 0.51

# %% ordinary-tensor hidden=true
values = torch.tensor([-1.0, -0.3, 0.0, 0.5, 1.1, 3.0])
scale, zero_point = affine(values)
codes = quantize(values, scale, zero_point, 0, 255)
generator = torch.Generator().manual_seed(0)
coarse = torch.randn(500, generator=generator).bfloat16()  # the arithmetic itself rounds
assert (dequantize(quantize(coarse, *affine(coarse), 0, 255), *affine(coarse)) - coarse).abs().max() > 0.51 * affine(
    coarse
)[0]
small = codes.to(torch.uint8)
assert small.element_size() == 1
assert torch.equal(dequantize(small, scale, zero_point), dequantize(codes, scale, zero_point))
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    nothing = torch.zeros(3, dtype=dtype)
    assert (dequantize(quantize(nothing, *affine(nothing), 0, 255), *affine(nothing)) == 0).all()

# %% wraps-around hidden=true
scale, zero_point = affine(values.float())
small = quantize(values, scale, zero_point, 0, 255).to(torch.uint8)
whole = int(zero_point)
restored = dequantize(small.int(), scale, whole)
assert (restored - values).abs().max() < 0.51 * scale
assert (dequantize(small, scale, whole) - values).abs().max() > 100 * scale  # uint8 has no -1

# %% signed-codes hidden=true
scale = values.abs().max() / 127
codes = quantize(values, scale, 0, -127, 127)
assert torch.equal(codes.to(torch.int8).int(), codes)
assert not torch.equal(codes.to(torch.uint8).int(), codes)  # -42 becomes 214

# %% product-with-zero-point hidden=true
inputs = torch.randn(4, 64, generator=generator).relu() - 0.2
weight = torch.randn(8, 64, generator=generator)
exact = inputs @ weight.T
input_scale, zero_point = affine(inputs)
weight_scale = weight.abs().amax(dim=1) / 127
input_codes = quantize(inputs, input_scale, zero_point, 0, 255)
weight_codes = quantize(weight, weight_scale[:, None], 0, -127, 127)
for offset, right in ((0, False), (int(zero_point), True)):
    out = (input_codes - offset) @ weight_codes.T * (input_scale * weight_scale)
    assert ((out - exact).norm() < 0.03 * exact.norm()) == right

# %% quantile-limits hidden=true
half = torch.randn(1000, generator=generator).bfloat16()
if torch.__version__ >= "2.13":
    for refused in (half, torch.zeros(1).expand(2**24 + 1)):
        try:
            refused.quantile(0.999)
        except RuntimeError as error:
            assert "float or double" in str(error) or "too large" in str(error), error
        else:
            raise AssertionError(refused.dtype)
assert half.float().quantile(0.999) <= half.float().max()

# %% step-by-bits hidden=true
steps = [weight.abs().max() / (2 ** (b - 1) - 1) for b in range(2, 9)]
ratios = [(coarse / fine).item() for coarse, fine in zip(steps, steps[1:])]
assert abs(ratios[0] - 3) < 1e-5  # 2 bits: -1, 0 and 1
assert all(2 < ratio < 2.4 for ratio in ratios[1:]), ratios

# %% codes-saturate hidden=true
import warnings

values = torch.tensor([-3.0, 0.0, 1.0, 30.0])
codes = (values / 0.1).round()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # deprecated, as the page shows
    unsigned = torch.quantize_per_tensor(values, 0.1, 10, torch.quint8).int_repr()
    signed = torch.quantize_per_tensor(values, 0.1, 0, torch.qint8).int_repr()
assert torch.equal(codes.clamp(-128, 127).to(torch.int8), signed)
codes += 10
assert torch.equal(codes.clamp(0, 255).to(torch.uint8), unsigned) and unsigned.tolist() == [0, 10, 20, 255]
assert codes.int().to(torch.uint8).tolist() == [236, 10, 20, 54]

# %% codes-of-torch hidden=true
import warnings

some = torch.linspace(-3, 3, 1001)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # deprecated, as the page shows
    stored = torch.quantize_per_tensor(some, 0.02, 128, torch.quint8).int_repr()
by_hand = ((some / 0.02).round() + 128).clamp(0, 255).to(torch.uint8)
assert (by_hand.int() - stored.int()).abs().max() <= 1  # at a half
assert ((some / 0.02 + 128).clamp(0, 255).to(torch.uint8) != stored).float().mean() > 0.2

"""torch.fft: spectra, frequencies, normalization, convolution."""

# %% rfft
import torch

rate = 100  # samples per second
time = torch.arange(200) / rate  # two seconds
turn = 2 * torch.pi * time
signal = torch.sin(5 * turn) + 0.5 * torch.sin(20 * turn)  # 5 Hz and 20 Hz
spectrum = torch.fft.rfft(signal)  # (101,), complex
frequency = torch.fft.rfftfreq(len(signal), d=1 / rate)
amplitude = spectrum.abs() * 2 / len(signal)

strongest = amplitude.topk(2)
print("frequencies:", frequency[strongest.indices])
print("amplitudes: ", strongest.values.round(decimals=3))

# %% spectrum-drawn fold=true
import matplotlib.pyplot as plt

fig, (left, right) = plt.subplots(1, 2, figsize=(7, 2.8))
left.plot(time[:100], signal[:100], color="C0")
left.set(xlabel="time in s", title="signal")
right.plot(frequency, amplitude, color="C1")
right.set(xlabel="frequency in Hz", title="amplitude")

# %% lengths
x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
print("fft: ", tuple(torch.fft.fft(x).shape), torch.fft.fftfreq(5))
print("rfft:", tuple(torch.fft.rfft(x).shape), torch.fft.rfftfreq(5))
print("shifted:", torch.fft.fftshift(torch.fft.fftfreq(5)))

# %% inverse
transformed = torch.fft.rfft(x)
print("irfft:      ", torch.fft.irfft(transformed).shape)
print("irfft(n=5): ", torch.fft.irfft(transformed, n=5).round(decimals=4))
print("ifft:       ", torch.fft.ifft(torch.fft.fft(x)).dtype)

# %% norm
for norm in ("backward", "ortho", "forward"):
    first = torch.fft.fft(x, norm=norm)[0].real
    energy = torch.fft.fft(x, norm=norm).abs().square().sum()
    print(f"{norm:8} first {first:6.3f}  sum of squares {energy:7.3f}")
print(f"signal: sum {x.sum():.3f}, sum of squares {x.square().sum():.3f}")

# %% filter
spectrum[frequency > 10] = 0
smooth = torch.fft.irfft(spectrum, n=len(signal))
error = (smooth - torch.sin(5 * turn)).abs().max()
print("the slow wave, to 4 digits:", (error < 1e-4).item())

# %% convolution
kernel = torch.tensor([1.0, 0.0, -1.0])


def convolve(signal, kernel, n):
    product = torch.fft.rfft(signal, n=n) * torch.fft.rfft(kernel, n=n)
    return torch.fft.irfft(product, n=n).round(decimals=4)


print("padded:  ", convolve(x, kernel, len(x) + len(kernel) - 1))
print("circular:", convolve(x, kernel, len(x)))

# %% conv1d
flipped = kernel.flip(0).view(1, 1, 3)
print(torch.nn.functional.conv1d(x.view(1, 1, 5), flipped, padding=2).flatten())

# %% two-dimensions
image = torch.zeros(4, 6)
image[1, 2] = 1.0
print("fft2: ", tuple(torch.fft.fft2(image).shape))
print("rfft2:", tuple(torch.fft.rfft2(image).shape))

# %% module-error raises="TypeError"
torch.fft(x)

# %% attribute-error raises="AttributeError"
torch.rfft(x, 1)

# %% module-right
pairs = torch.view_as_real(torch.fft.rfft(x))  # what torch.rfft returned
print(torch.fft.fft(x).dtype, tuple(pairs.shape))

# %% counter-cases hidden=true
assert torch.fft.rfft(x, norm="ortho").abs().square().sum() < x.square().sum() - 1
for half_type in (torch.float16, torch.bfloat16):
    try:
        torch.fft.rfft(x.to(half_type))
    except RuntimeError as error:
        assert "Unsupported dtype" in str(error), error
    else:
        raise AssertionError(f"the CPU transforms {half_type} now")
try:
    torch.fft.rfft(x + 0j)
except RuntimeError as error:
    assert "expects a real input" in str(error), error
else:
    raise AssertionError("rfft takes complex numbers now")
torch.manual_seed(0)
for size in (1, 2, 7, 8, 100):
    noise = torch.randn(3, size, dtype=torch.float64)
    full, half = torch.fft.fft(noise), torch.fft.rfft(noise)
    assert half.shape[-1] == size // 2 + 1
    torch.testing.assert_close(full[:, : half.shape[-1]], half)
    torch.testing.assert_close(torch.fft.irfft(half, n=size), noise)
    torch.testing.assert_close(torch.fft.ifft(full).real, noise)
    energy = torch.fft.fft(noise, norm="ortho").abs().square().sum()
    torch.testing.assert_close(energy, noise.square().sum())
t = torch.arange(200, dtype=torch.float64) / 100
constant, alternating = torch.full((200,), 3.0), torch.tensor([2.0, -2.0]).repeat(100)
assert torch.allclose(torch.fft.rfft(constant)[0].abs() / 200, torch.tensor(3.0))
assert torch.allclose(torch.fft.rfft(alternating)[-1].abs() / 200, torch.tensor(2.0))
between = torch.fft.rfft(torch.sin(2 * torch.pi * 5.25 * t)).abs() / 100  # 10.5 periods
assert (between > 0.05).sum() > 4

# %% half-on-gpu needs="cuda" raises="RuntimeError"
torch.fft.rfft(torch.ones(100, device="cuda", dtype=torch.float16))

# %% old-second-argument hidden=true
for transform in (torch.fft.fft, torch.fft.rfft):
    assert transform(x, 1).tolist() == [1]  # no error, and 4 of 5 values are gone
    assert transform(x).shape[-1] > 1

# %% rounded hidden=true
quiet = (1e-6 * x).requires_grad_()
rounded = convolve(quiet, kernel, 7)
rounded.sum().backward()
assert not rounded.any() and not quiet.grad.any()
exact = torch.fft.irfft(torch.fft.rfft(quiet, n=7) * torch.fft.rfft(kernel, n=7), n=7)
assert torch.allclose(exact * 1e6, convolve(x, kernel, 7), atol=1e-4)

# %% complex-is-not-for-float hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that the imaginary part is dropped
    assert not (1j * x).float().any()
assert torch.fft.fft(1j * x).shape == x.shape

# %% autocast hidden=true
with torch.autocast("cpu", dtype=torch.bfloat16):
    for transform in (torch.fft.fft, torch.fft.ifft, torch.fft.rfft, torch.fft.fft2):
        assert transform(image.bfloat16()).dtype == torch.complex64

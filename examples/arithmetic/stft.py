"""stft and istft: windows, frames, and back."""

# %% spectrogram
import torch

rate = 8000  # samples per second
time = torch.arange(rate // 2) / rate  # half a second
sound = torch.sin(2 * torch.pi * 1000 * time)  # 1000 Hz
window = torch.hann_window(256)
options = dict(n_fft=256, hop_length=64, window=window)
spectrum = torch.stft(sound, **options, return_complex=True)  # (frequency, frame)
print(spectrum.shape, spectrum.dtype)
loudest = spectrum.abs().mean(dim=1).argmax().item()
print("row", loudest, "is", loudest * rate / 256, "Hz")

# %% frames
print("centered:    ", 1 + len(sound) // 64)
inside = torch.stft(sound, **options, center=False, return_complex=True)
print("center=False:", inside.shape[1], 1 + (len(sound) - 256) // 64)

# %% back
restored = torch.istft(spectrum, **options)
print(restored.shape, torch.allclose(restored, sound[: len(restored)], atol=1e-5))
whole = torch.istft(spectrum, **options, length=len(sound))
print(whole.shape, torch.allclose(whole, sound, atol=1e-5))

# %% other-window
other = options | dict(window=torch.hamming_window(256))
wrong = torch.istft(spectrum, **other)
print(torch.allclose(wrong, sound[: len(wrong)], atol=1e-5))

# %% periodic
print(torch.hann_window(4), torch.hann_window(4, periodic=False))

# %% no-complex raises="RuntimeError"
torch.stft(sound, **options)

# %% no-window warns="UserWarning"
torch.stft(sound, n_fft=256, return_complex=True)

# %% leakage
tone = torch.sin(2 * torch.pi * 1016 * time)  # between two rows
for name, shape in (("rectangle", torch.ones(256)), ("hann", window)):
    flat = dict(window=shape, center=False, return_complex=True)
    power = torch.stft(tone, 256, **flat).abs().mean(dim=1)
    print(f"{name:9} at 2000 Hz {power[64] / power.max():.3f} of the peak")

# %% no-overlap raises="RuntimeError"
apart = dict(n_fft=256, hop_length=256, window=window)  # frames side by side
torch.istft(torch.stft(sound, **apart, return_complex=True), **apart)

# %% channels raises="RuntimeError"
batch = sound.expand(2, 1, -1)  # (batch, channel, time)
torch.stft(batch, **options, return_complex=True)

# %% channels-right
spectra = torch.stft(batch.flatten(0, 1), **options, return_complex=True)
print(spectra.unflatten(0, (2, 1)).shape)

# %% short raises="RuntimeError"
torch.stft(sound[:100], **options, return_complex=True)

# %% short-right
zeros = dict(pad_mode="constant", return_complex=True)
padded = torch.stft(sound[:100], **options, **zeros)
print(padded.shape)

# %% counter-cases hidden=true
noise = torch.randn(4000, generator=torch.Generator().manual_seed(0))
for shape in (window, torch.hamming_window(256), torch.ones(256)):
    for hop in (64, 128, 192):  # these overlap everywhere
        some = dict(n_fft=256, hop_length=hop, window=shape)
        back = torch.istft(torch.stft(noise, **some, return_complex=True), **some)
        assert torch.allclose(back, noise[: len(back)], atol=1e-4)
some = dict(n_fft=256, hop_length=256, window=torch.ones(256))  # no zeros, no overlap
torch.istft(torch.stft(noise, **some, return_complex=True), **some)
import warnings

import numpy as np

assert np.allclose(np.hanning(4), torch.hann_window(4, periodic=False))
try:  # a Hann window gives the first sample no weight, whatever the hop
    torch.istft(inside, **options, center=False)
except RuntimeError as error:
    assert "window overlap add min" in str(error)
else:
    raise AssertionError("center=False went back with a Hann window")
for hop in (64, 256):  # a Hamming window does, if both calls get center=False
    hamming = dict(n_fft=256, hop_length=hop, window=torch.hamming_window(256), center=False)
    spectrum = torch.stft(noise, **hamming, return_complex=True)
    back = torch.istft(spectrum, **hamming)
    assert torch.allclose(back, noise[: len(back)], atol=1e-4)
    back = torch.istft(spectrum, **hamming | dict(center=True))  # no error
    assert not torch.allclose(back, noise[: len(back)], atol=1)
long = options | dict(hop_length=192)  # 160 samples are left over, more than 128
spectrum = torch.stft(noise, **long, return_complex=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    back = torch.istft(spectrum, **long, length=4000)
assert "shorter than the length parameter" in str(caught[0].message)
assert torch.allclose(back[:3840], noise[:3840], atol=1e-4) and not back[3968:].any()
for count, fails in ((128, True), (129, False)):  # reflection
    try:
        torch.stft(sound[:count], **options, return_complex=True)
    except RuntimeError:
        assert fails
    else:
        assert not fails

# %% rounding hidden=true
torch.manual_seed(0)
noise = torch.randn(4000)
for hop, smallest, largest in ((64, 0, 1e-5), (128, 0, 1e-5), (250, 2e-5, 1e-3)):
    pieces = dict(n_fft=256, hop_length=hop, window=window)
    again = torch.istft(torch.stft(noise, **pieces, return_complex=True), **pieces, length=4000)
    assert smallest < (again - noise).abs().max() < largest, hop
for dtype in (torch.int16, torch.bfloat16):
    samples, shape = (1000 * sound).to(dtype), window if dtype is torch.int16 else window.to(dtype)
    try:
        torch.stft(samples, 256, 64, window=shape, return_complex=True)
    except RuntimeError:
        assert torch.stft(samples.float(), 256, 64, window=window, return_complex=True).isfinite().all()
    else:
        raise AssertionError(dtype)

# %% symmetric-windows hidden=true
torch.testing.assert_close(torch.signal.windows.hann(256), torch.hann_window(256, periodic=False))
twice = dict(n_fft=256, hop_length=255, window=torch.hann_window(256, periodic=False))  # 0 at both ends
try:
    torch.istft(torch.stft(noise, **twice, return_complex=True), **twice)
except RuntimeError as error:
    assert "window overlap add min" in str(error)
else:
    raise AssertionError("a hop of one sample less than the window went back")

# %% hop-of-one-call hidden=true
once = torch.stft(noise, 256, 256, window=window, return_complex=True)
assert len(torch.istft(once, 256, 64, window=window)) < len(noise) / 2  # a smaller hop in istft alone: no error
last = torch.randn(2, 3, 4000).transpose(1, 2)  # (batch, time, channels)
some = dict(n_fft=256, hop_length=64, window=window, return_complex=True)
rows = torch.stft(last.transpose(1, 2).flatten(0, 1), **some).unflatten(0, (2, 3))
torch.testing.assert_close(rows[1, 2], torch.stft(last[1, :, 2], **some), atol=1e-3, rtol=1e-3)

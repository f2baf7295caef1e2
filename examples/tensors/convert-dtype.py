"""float(), long(), to(dtype): what happens to the values."""

# %% ways
import torch

scores = torch.tensor([1.7, -1.7, 2.5])
print("long(): ", scores.long())
print("to():   ", scores.to(torch.int64))
print("float():", torch.tensor([1, 2]).float())

# %% round
print("round:", scores.round().long())
print("floor:", scores.floor().long())

# %% not-in-place
scores.long()
print(scores.dtype)

# %% to-bool
print("bool():", torch.tensor([0.0, 0.3, -2.0, float("nan")]).bool())
print("int(): ", torch.tensor([True, False]).int())

# %% wraps
pixels = torch.tensor([255, 256, 300, -1])
print("wrapped:", pixels.to(torch.uint8))
print("clamped:", pixels.clamp(0, 255).to(torch.uint8))

# %% float-limits
print("float16 of 70000:      ", torch.tensor(70000.0).half())
print("float32 of 16777217:   ", torch.tensor(16777217).float().long())
print("bfloat16 of 257:       ", torch.tensor(257).bfloat16())

# %% same-returns-self
print("same object:   ", scores.to(torch.float32) is scores)
print("with copy=True:", scores.to(torch.float32, copy=True) is scores)

# %% gradient asks=true
weight = torch.tensor([1.5, 2.5], requires_grad=True)
print("double():", weight.double().requires_grad)
print("long():  ", weight.long().requires_grad)

# %% like
ids = torch.tensor([1, 2])
print(ids.to(scores))  # dtype and device of scores

# %% numpy-scalars
import numpy as np

mean = np.ones(3).mean()  # a NumPy number, float64
print("torch.tensor(mean):       ", torch.tensor(mean).dtype)
print("torch.tensor(float(mean)):", torch.tensor(float(mean)).dtype)

# %% gradient-returns hidden=true
weight.double().sum().backward()
assert weight.grad.dtype is torch.float32
assert torch.finfo(torch.float16).max == 65504

# %% counter-cases hidden=true
methods = {"float": torch.float32, "double": torch.float64, "half": torch.float16, "bfloat16": torch.bfloat16}
methods |= {"long": torch.int64, "int": torch.int32, "short": torch.int16, "char": torch.int8, "byte": torch.uint8}
methods |= {"bool": torch.bool}
for start in methods.values():
    x = torch.tensor([0, 1, 2]).to(start)
    for name, dtype in methods.items():
        assert getattr(x, name)().dtype == dtype
        assert torch.equal(getattr(x, name)(), x.to(dtype))
        assert (getattr(x, name)() is x) == (dtype == start)  # a tensor of that dtype already

# %% clamp-in-float64 hidden=true
large = torch.tensor([1e20, 5.0])
assert large.double().clamp(max=2**31 - 1).int().tolist() == [2**31 - 1, 5]
assert large.clamp(max=2**31 - 1)[0] == 2**31  # rounded up: it does not fit

# %% limits-of-long hidden=true
far = torch.tensor([1e20, float("inf"), -1e20, float("nan"), 5.0])
limited = far.double().nan_to_num().clamp(-(2**63), 2**63 - 1024)
assert limited.long().tolist() == [2**63 - 1024, 2**63 - 1024, -(2**63), 0, 5]
assert far.double().clamp(max=2**63 - 1)[0] == 2.0**63  # rounded up: it does not fit
assert torch.nextafter(limited[0], far[1].double()) == 2.0**63  # the largest float64 that does

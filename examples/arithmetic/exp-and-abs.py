"""exp and abs: which inputs they take, where exp overflows, abs at the edges."""

# %% function-and-method
import torch

logits = torch.tensor([0.0, 1.0, 2.0])
print("function:", torch.exp(logits))
print("method:  ", logits.exp())

# %% number-is-no-tensor raises="TypeError"
torch.exp(0)

# %% list-is-no-tensor raises="TypeError"
torch.exp([0.0, 1.0])

# %% wrap-it
import math

print("tensor:", torch.exp(torch.tensor(0.0)), "number:", math.exp(0))

# %% integers-become-float
counts = torch.tensor([0, 1, 2])
print(counts.exp(), counts.exp().dtype)

# %% overflow
edge = torch.tensor([88.0, 89.0])
print("float32, inf:", edge.exp().isinf().tolist())
print("float64, inf:", edge.double().exp().isinf().tolist())

# %% overflow-in-softmax
print("by hand ", edge.exp() / edge.exp().sum())
print("built in", edge.softmax(dim=0))

# %% ranges
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    limit = math.log(torch.finfo(dtype).max)
    around = torch.tensor([limit * 0.99, limit * 1.01], dtype=dtype)
    below, above = around.exp().isinf().tolist()
    print(f"{str(dtype):15} {limit:6.2f}  inf below: {below}, above: {above}")

# %% autocast
activation = torch.tensor([12.0], dtype=torch.float16)
print("float16:", activation.exp(), "float32:", activation.float().exp().round())

# %% expm1
rate = torch.tensor(1e-8)
print("exp(x) - 1:", rate.exp() - 1)
print("expm1(x):  ", rate.expm1())

# %% abs-of-a-tensor
errors = torch.tensor([-1.5, 0.0, 2.0])
print("abs():", errors.abs(), "built in:", abs(errors), abs(-3))

# %% abs-of-a-number raises="TypeError"
torch.abs(-3)

# %% edges asks=true
print("int8:   ", torch.tensor([-128, -127], dtype=torch.int8).abs())
print("complex:", torch.tensor([3 + 4j]).abs())

# %% abs-gradient
residual = torch.tensor([-2.0, 0.0, 2.0], requires_grad=True)
residual.abs().sum().backward()
print(residual.grad)

# %% not-in-place hidden=true raises="RuntimeError"
counts.exp_()

# %% autocast-promotes hidden=true
from torch._subclasses.fake_tensor import FakeTensorMode  # autocast's rule for CUDA, without a GPU

with FakeTensorMode():
    fake = torch.ones(2, dtype=torch.float16, device="cuda:0")
    torch.set_autocast_enabled("cuda", True)
    assert fake.exp().dtype == fake.log().dtype == fake.softmax(0).dtype == torch.float32
    assert torch.nn.functional.mse_loss(fake, fake).dtype == torch.float32
    assert (fake * fake).dtype == torch.float16
    torch.set_autocast_enabled("cuda", False)

# %% number hidden=true
assert abs(-3) == 3

# %% back-to-half hidden=true
layer = torch.nn.Linear(1, 1).half()
large = activation.float().exp()
assert large.isfinite().all() and large.half().isinf().all()
try:
    layer(large)
except RuntimeError as error:
    assert "same" in str(error) or "expected" in str(error)
else:
    raise AssertionError("a float16 layer took float32")
assert activation.float().exp().log1p().half().isfinite().all()

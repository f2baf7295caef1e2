"""clamp limits values; outside the limits the gradient is zero."""

# %% three-ways
import torch

scores = torch.tensor([1, -2, 4, -7])
print("clamp:", torch.clamp(scores, 0, 1))
print("min:  ", scores.clamp(min=0))
print("max:  ", scores.clamp(max=2))
print("clip: ", scores.clip(0, 1))

# %% one-bound
print("clamp_min:", scores.clamp_min(0))
print("clamp_max:", torch.clamp_max(scores, 2))

# %% no-bound raises="RuntimeError"
scores.clamp()

# %% tensor-bounds
lower = torch.tensor([0, 0, 5, -5])
print("min:         ", scores.clamp(min=lower))
print("min and max: ", scores.clamp(min=lower, max=torch.tensor(3)))

# %% number-and-tensor raises="TypeError"
scores.clamp(min=lower, max=3)

# %% float-bound asks=true
print(scores.clamp(min=0.5))

# %% edges
print("min above max:", scores.clamp(min=2, max=1))

readings = torch.tensor([float("nan"), 2.0])
print("NaN:          ", readings.clamp(0, 1))
print("NaN replaced: ", readings.nan_to_num(0.0).clamp(0, 1))

# %% gradient
x = torch.tensor([-1.0, 0.25, 0.5, 0.75, 2.0], requires_grad=True)
x.clamp(0, 1).sum().backward()
print(x.grad)

# %% curve fold=true
import matplotlib.pyplot as plt

line = torch.linspace(-1, 2, 300, requires_grad=True)  # none on a bound
clamped = line.clamp(0, 1)
(slope,) = torch.autograd.grad(clamped.sum(), line)

figure, (left, right) = plt.subplots(1, 2, figsize=(5.2, 2.3))
left.plot(line.detach(), clamped.detach())
left.set(title="x.clamp(0, 1)", xlabel="x", xticks=range(-1, 3), yticks=(0, 1))
for value in slope.unique():
    part = slope.where(slope == value, torch.nan)
    right.plot(line.detach(), part, color="C1")
right.plot(x.detach(), x.grad, "o", color="C1")
right.set(title="x.grad", xlabel="x", xticks=range(-1, 3), yticks=(0, 1))

# %% on-the-bounds
bounds = torch.tensor([0.0, 1.0], requires_grad=True)
bounds.clamp(0, 1).sum().backward()
print(bounds.grad)

# %% stuck
level = torch.tensor(1.5, requires_grad=True)
optimizer = torch.optim.SGD([level], lr=0.1)
for step in range(100):
    optimizer.zero_grad()
    loss = (level.clamp(0, 1) - 0.3) ** 2
    loss.backward()
    optimizer.step()
print("level:", level.detach(), "gradient:", level.grad, "loss:", loss.detach())

# %% clamp-after-the-step
for step in range(100):
    optimizer.zero_grad()
    loss = (level - 0.3) ** 2
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        level.clamp_(0, 1)
print(level.detach())

# %% float-bound-in-place hidden=true raises="RuntimeError"
scores.clamp_(min=0.5)

# %% bound-that-does-not-fit hidden=true
assert torch.tensor([1, 5], dtype=torch.uint8).clamp(min=-1).tolist() == [255, 255]

# %% bound-is-rounded hidden=true
p = torch.tensor([0.0, 1.0])
assert (1 - p.clamp(1e-8, 1 - 1e-8)).log().isinf().any()  # 1 - 1e-8 is 1
assert torch.tensor(1e-8).half() == 0
for dtype in (torch.bfloat16, torch.float32, torch.float64):
    eps = torch.finfo(dtype).eps
    within = p.to(dtype).clamp(eps, 1 - eps).double()
    assert (within > 0).all() and (within < 1).all()
eps = torch.finfo(torch.float16).eps
assert 0 < torch.tensor(eps).half().item() and torch.tensor(1 - eps).half().item() < 1

# %% bound-of-float64 hidden=true
double, zeros = torch.ones(1, dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
assert double.clamp(zeros, torch.tensor(0.1)).item() > 0.1
assert double.clamp(zeros, torch.tensor(0.1, dtype=torch.float64)).item() == 0.1

"""Step 4: gradients in five lines."""

# %% spiral
import torch

torch.manual_seed(0)
arms, each = 3, 100
radius = torch.linspace(0.1, 1, each)  # (point,)
begin = torch.arange(arms)[:, None] * 2 * torch.pi / arms  # (arm, 1)
turn = begin + 4 * radius + 0.2 * torch.randn(arms, each)  # (arm, point)
place = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
points = place.flatten(0, 1)  # (sample, coordinate)
labels = torch.arange(arms).repeat_interleave(each)

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(4, 2.6))
ax.set(xlabel="radius", ylabel="turn")
for arm in range(arms):
    ax.plot(radius, turn[arm], ".", markersize=4)

# %% five-lines
speed = torch.tensor(0.0, requires_grad=True)
error = speed * radius - turn[0]  # (point,)
loss = (error**2).mean()
loss.backward()
print(f"loss {loss.item():.2f}, gradient {speed.grad.item():.2f}")

# %% one-step
with torch.no_grad():
    speed -= 0.5 * speed.grad
speed.grad = None
loss = ((speed * radius - turn[0]) ** 2).mean()
print(f"speed {speed.item():.2f}, loss {loss.item():.2f}")

# %% many-steps
for step in range(50):
    loss = ((speed * radius - turn[0]) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        speed -= 0.5 * speed.grad
    speed.grad = None
print(f"speed {speed.item():.1f}, loss {loss.item():.2f}")

# %% not-cleared asks=true
speed = torch.tensor(0.0, requires_grad=True)
for step in range(2):
    ((speed * radius - turn[0]) ** 2).mean().backward()
    print(f"{speed.grad.item():.1f}")

# %% plain asks=true raises="RuntimeError"
speed = torch.tensor(0.0)
((speed * radius - turn[0]) ** 2).mean().backward()

# %% too-far hidden=true
fast = torch.tensor(0.0, requires_grad=True)
for step in range(50):
    loss = ((fast * radius - turn[0]) ** 2).mean()
    (slope,) = torch.autograd.grad(loss, fast)
    with torch.no_grad():
        fast -= 5 * slope
assert fast.abs() > 1000

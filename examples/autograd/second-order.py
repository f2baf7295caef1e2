"""create_graph=True makes a gradient differentiable again."""

# %% cube
import torch

x = torch.tensor(3.0, requires_grad=True)
y = x**3

(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(f"3 x² = {first:g}   6 x = {second:g}")
print("first has a graph:", first.requires_grad, "  second:", second.requires_grad)

# %% without raises="RuntimeError"
(first,) = torch.autograd.grad(x**3, x)
torch.autograd.grad(first, x)

# %% penalty
torch.manual_seed(0)
critic = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=0.02)
points = torch.randn(16, 2).requires_grad_()  # the inputs


def slopes():
    """The norm of the critic's gradient at every point."""
    (gradient,) = torch.autograd.grad(critic(points).sum(), points, create_graph=True)
    return gradient.norm(dim=1)  # (16,)


print(f"mean slope before: {slopes().mean():.1f}")
for step in range(200):
    penalty = (slopes() - 1).square().mean()
    optimizer.zero_grad()
    penalty.backward()
    optimizer.step()
print(f"mean slope after:  {slopes().mean():.1f}")

# %% penalty-works hidden=true
assert (slopes() - 1).abs().mean() < 0.2

# %% zero raises="RuntimeError"
line = 3 * x
(slope,) = torch.autograd.grad(line, x, create_graph=True)
print("slope:", slope, "  requires_grad:", slope.requires_grad)
torch.autograd.grad(slope, x)

# %% backward-warns warns="UserWarning"
(x**3).backward(create_graph=True)
print(x.grad)

# %% reset hidden=true
x.grad = None  # breaks the cycle

"""A sum of signed errors has no minimum; a mean of squares has."""

# %% data
import torch

torch.manual_seed(0)
true_weight, true_bias = torch.tensor([2.0, -1.0]), 0.5
points = torch.randn(64, 2)  # (batch, features)
labels = points @ true_weight + true_bias  # (batch,)

weight = torch.zeros(2, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)

# %% signed-sum
for step in range(3):
    loss = (points @ weight + bias - labels).sum()
    loss.backward()
    slope = bias.grad.item()
    print(f"step {step}: sum {loss.item():.0f}, gradient of bias {slope:.0f}")
    with torch.no_grad():
        for param in (weight, bias):
            param -= 0.1 * param.grad
            param.grad = None

# %% cancels
errors = torch.tensor([100.0, -100.0])
print("sum:", errors.sum().item(), "  mean square:", errors.square().mean().item())

# %% line-and-parabola fold=true
import matplotlib.pyplot as plt

shifts = torch.linspace(true_bias - 2.5, true_bias + 2.5, 41)
errors = points @ true_weight + shifts[:, None] - labels  # (shifts, batch)
objectives = {"errors.sum()": errors.sum(1), "errors.square().mean()": errors.square().mean(1)}

fig, axes = plt.subplots(1, 2, figsize=(6.0, 2.6))
for ax, (name, values) in zip(axes, objectives.items(), strict=True):
    ax.plot(shifts, values)
    ax.axvline(true_bias, color="C1", linestyle=":")
    ax.set_title(name, fontsize=10)
    ax.set_xlabel("bias")
    ax.locator_params(nbins=5)
    ax.grid()

# %% away hidden=true
norm = torch.linalg.vector_norm
distance = norm(weight - true_weight) + norm(bias - true_bias)
assert distance > norm(true_weight) + abs(true_bias)  # of the zeros it began with
assert torch.equal(points.sum(0).sign(), -weight.sign())  # and it goes on

# %% counter-cases hidden=true
for scale in (1e-3, 1.0, 1e3):
    guess, truth = scale * torch.randn(50), scale * torch.randn(50)
    losses = [((guess - step * scale) - truth).sum() for step in range(5)]
    assert all(after < before for before, after in zip(losses, losses[1:]))

# %% below-zero hidden=true
labels, variance = torch.randn(200), torch.full((200,), 1e-4)
likelihood = torch.nn.functional.gaussian_nll_loss
good, bad = (likelihood(labels + off, labels, variance) for off in (0.01, 1.0))
assert good < 0 < bad

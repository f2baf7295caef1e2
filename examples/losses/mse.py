"""MSE divides by the number of elements; shapes that broadcast mislead it."""

# %% reductions
import torch
import torch.nn.functional as F

prediction = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])  # (3, 2)
target = torch.zeros(3, 2)
each = (prediction - target) ** 2
print("sum:  ", F.mse_loss(prediction, target, reduction="sum"))
print("mean: ", F.mse_loss(prediction, target))
print("sum / elements:", each.sum() / 6, "  sum / samples:", each.sum() / 3)

# %% gradient
prediction.requires_grad_()
(gradient,) = torch.autograd.grad(F.mse_loss(prediction, target), prediction)
print(gradient)
by_hand = 2 * (prediction - target).detach() / 6
print("equals the formula:", torch.allclose(gradient, by_hand))

# %% broadcast warns="UserWarning"
truth = torch.tensor([1.0, 2.0, 3.0])  # (3,)
column = truth[:, None]  # (3, 1): the same three numbers
print(F.mse_loss(column, truth))

# %% table
difference = column - truth  # (3, 1) - (3,) = (3, 3)
print(difference**2)
print("mean:", (difference**2).mean())

# %% picture fold=true
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgba

figure, axes = plt.subplots(figsize=(4.4, 2.3))
for row, values in enumerate((difference**2).tolist()):
    axes.text(-1, row, f"{column[row, 0]:g}", ha="center", va="center", color="C0")
    axes.text(row, -1, f"{truth[row]:g}", ha="center", va="center", color="C1")
    for place, value in enumerate(values):
        face = to_rgba("C2", 0.5) if place == row else to_rgba("C3", 0.12 * value)
        axes.add_patch(plt.Rectangle((place - 0.47, row - 0.47), 0.94, 0.94, facecolor=face))
        axes.text(place, row, f"{value:g}", ha="center", va="center")
axes.text(-1.4, 1, "column (3, 1)", ha="right", va="center", color="C0", family="monospace")
axes.text(2.6, -1, "truth (3,)", va="center", color="C1", family="monospace")
axes.set(xlim=(-4.2, 4.6), ylim=(2.6, -1.4))
axes.axis("off")

# %% proper
print("(3, 1) and (3, 1):", F.mse_loss(column, truth[:, None]))
print("(3,) and (3,):    ", F.mse_loss(column.squeeze(1), truth))

# %% per-sample hidden=true
assert torch.equal(F.mse_loss(prediction, target, reduction="none"), each)
assert each.sum(dim=1).mean() == each.sum() / 3

# %% learns-the-mean hidden=true
middle = torch.full((3, 1), truth.mean().item(), requires_grad=True)
(slope,) = torch.autograd.grad(((middle - truth) ** 2).mean(), middle)
assert torch.equal(slope, torch.zeros(3, 1))

# %% counter-cases hidden=true
import warnings

for left, right in (((3,), (3, 1)), ((3, 1), (3,)), ((2, 3), (3,)), ((1, 3), (4, 3)), ((4,), ())):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        F.mse_loss(torch.zeros(left), torch.ones(right))
    assert "different to the input size" in str(caught[0].message)

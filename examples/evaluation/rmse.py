"""RMSE as a loss and as a score: one root, at the very end."""

# %% loss
import torch
import torch.nn.functional as F

prediction = torch.tensor([2.0, 5.0, 9.0])
target = torch.tensor([1.0, 7.0, 9.0])
rmse = F.mse_loss(prediction, target).sqrt()
print(f"squared errors {(prediction - target).square().tolist()}")
print(f"RMSE {rmse:.4f}")

# %% sklearn needs="sklearn"
from sklearn.metrics import root_mean_squared_error

print(f"sklearn {root_mean_squared_error(target, prediction):.4f}")

# %% loader
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(100, 3)
noise = torch.linspace(0.1, 3, 100) * torch.randn(100)  # later samples are harder
targets = inputs.sum(dim=1, keepdim=True) + noise[:, None]
loader = DataLoader(TensorDataset(inputs, targets), batch_size=32)
net = torch.nn.Linear(3, 1)
with torch.no_grad():
    net.weight.fill_(1.0)
    net.bias.zero_()

squared, absolute, count, roots = 0.0, 0.0, 0, []
net.eval()
with torch.no_grad():
    for x, y in loader:
        error = (net(x) - y).double()  # float64 for long sums
        squared += error.square().sum().item()
        absolute += error.abs().sum().item()
        count += error.numel()
        roots.append(error.square().mean().sqrt().item())
    whole = (net(inputs) - targets).square().mean().sqrt()
print(f"mean of the batches' roots {sum(roots) / len(roots):.4f}")
print(f"root of all squares        {(squared / count) ** 0.5:.4f}")
print(f"in one batch               {whole:.4f}")
print(f"MAE                        {absolute / count:.4f}")

# %% r2
around_mean = (targets - targets.mean()).square().sum().item()
r2 = 1 - squared / around_mean
print(f"R² {r2:.4f}")

# %% r2-sklearn needs="sklearn"
from sklearn.metrics import r2_score

with torch.no_grad():
    print(f"sklearn {r2_score(targets, net(inputs)):.4f}")

# %% outputs
two = torch.tensor([[1.0, 100.0], [2.0, 300.0]])  # two outputs in other units
wanted = torch.tensor([[2.0, 110.0], [4.0, 280.0]])
each = (two - wanted).square().mean(dim=0).sqrt()
print("one per output:", [f"{value:.2f}" for value in each.tolist()])
print(f"over all:       {(two - wanted).square().mean().sqrt():.2f}")

# %% nan-gradient
perfect = target.clone().requires_grad_()
F.mse_loss(perfect, target).sqrt().backward()
print("gradient at a perfect prediction:", perfect.grad)

# %% eps
perfect.grad = None
(F.mse_loss(perfect, target) + 1e-8).sqrt().backward()
print("with 1e-8 under the root:", perfect.grad)

# %% loss-gradients
for scale in (1.0, 0.01):
    guess = (target + scale * torch.tensor([1.0, -2.0, 0.0])).requires_grad_()
    mse = F.mse_loss(guess, target)
    (of_mse,) = torch.autograd.grad(mse, guess, retain_graph=True)
    (of_rmse,) = torch.autograd.grad(mse.sqrt(), guess)
    print(f"error x {scale}: MSE {of_mse.norm():.3f}  RMSE {of_rmse.norm():.3f}")

# %% nan-only-if-all-are-perfect hidden=true
nearly = torch.tensor([2.0, 7.0, 9.0], requires_grad=True)
F.mse_loss(nearly, target).sqrt().backward()
assert nearly.grad.isfinite().all() and nearly.grad[2] == 0

# %% best-constant hidden=true
values = torch.tensor([0.0, 0.0, 0.0, 1.0, 9.0])
constants = torch.linspace(0, 9, 91)[:, None]
squares = (constants - values).square()  # (constants, samples)
assert constants[squares.mean(dim=1).sqrt().argmin()] == values.mean()
assert constants[squares.sqrt().mean(dim=1).argmin()] == values.median()  # batches of one

# %% counter-cases hidden=true
for sizes in ([4, 4, 4], [8, 8, 3], [1, 16]):
    error = torch.randn(sum(sizes), dtype=torch.float64)
    parts = error.split(sizes)
    total = sum(part.square().sum() for part in parts) / len(error)
    mean_of_roots = sum(part.square().mean().sqrt() for part in parts) / len(parts)
    torch.testing.assert_close(total.sqrt(), error.square().mean().sqrt())
    assert not torch.isclose(mean_of_roots, total.sqrt())
    if len(set(sizes)) == 1:
        assert mean_of_roots < total.sqrt()

# %% half hidden=true
for small, finite in ((1e-8, False), (1e-6, True)):
    same = torch.ones(3, dtype=torch.float16, requires_grad=True)
    (F.mse_loss(same, torch.ones(3, dtype=torch.float16)) + small).sqrt().backward()
    assert bool(same.grad.isfinite().all()) is finite

"""bias.item() takes the bias out of the graph; the repaired loop finds it."""

# %% data
import torch

torch.manual_seed(0)
true_weight, true_bias = torch.tensor([2.0, -1.0]), 0.5
points = torch.randn(64, 2)  # (batch, features)
labels = points @ true_weight + true_bias  # (batch,)

weight = torch.zeros(2, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)

# %% item-cuts
predictions = points @ weight + bias.item()  # (batch,)
loss = (predictions - labels).square().mean()
loss.backward()
print(weight.grad)
print(bias.grad)

# %% item-update raises="TypeError"
with torch.no_grad():
    bias -= bias.grad * 0.1

# %% repaired
weight.grad = None
losses = []
for step in range(120):
    predictions = points @ weight + bias  # (batch,) + (1,)
    loss = (predictions - labels).square().mean()
    loss.backward()
    with torch.no_grad():
        for param in (weight, bias):
            param -= 0.1 * param.grad
            param.grad = None
    losses.append(loss.item())

print(weight)
print(bias)
print(losses[0], losses[-1])

# %% loss-falls fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.2, 2.8))
ax.semilogy(losses)
ax.minorticks_off()
ax.set_xlabel("step")
ax.set_ylabel("loss")
ax.grid()

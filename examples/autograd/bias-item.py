""".item() takes a number out of the graph, and the gradient stops there."""

# %% data
import torch

points = torch.tensor([0.0, 1.0, 2.0])  # (batch,)
labels = 3 * points - 1  # weight 3, bias -1

weight = torch.zeros(1, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)

# %% item-cuts
predictions = points * weight + bias.item()
loss = (predictions - labels).square().mean()
loss.backward()
print("weight.grad:", weight.grad)
print("bias.grad:  ", bias.grad)

# %% item-update raises="TypeError"
with torch.no_grad():
    bias -= bias.grad * 0.1

# %% ways-out
total = (points * weight).sum()
results = {
    "total * 2": total * 2,
    "total.item() * 2": total.item() * 2,
    "torch.tensor(total.item()) * 2": torch.tensor(total.item()) * 2,
    "total.detach() * 2": total.detach() * 2,
}
for code, result in results.items():
    in_graph = getattr(result, "grad_fn", None) is not None
    print(f"{code:31}", "in the graph" if in_graph else "cut off")

# %% float-warns warns="UserWarning"
print(float(total))

# %% repaired
weight.grad = None
history = []
for step in range(300):
    predictions = points * weight + bias  # (3,) + (1,) broadcasts
    loss = (predictions - labels).square().mean()
    loss.backward()
    with torch.no_grad():
        for param in (weight, bias):
            param -= 0.1 * param.grad
            param.grad = None
    history.append(loss.item())  # a number for the records

print(f"weight {weight.item():.2f}, bias {bias.item():.2f}")

# %% number-or-tensor hidden=true
total = (points * weight).sum()
assert isinstance(total.item(), float) and total.requires_grad  # and no warning
assert torch.stack([total, total * 2]).requires_grad

# %% counter-cases hidden=true
for number in (lambda w: w.item(), lambda w: float(w.detach()), lambda w: w.tolist(), lambda w: w.detach().numpy()[()]):
    scale, shift = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    (scale * 5 + number(shift)).backward()
    assert shift.grad is None and scale.grad == 5

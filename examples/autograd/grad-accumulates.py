"""backward() adds to .grad."""

# %% adds
import torch

weight = torch.tensor([1.0], requires_grad=True)
for call in (1, 2, 3):
    (2 * weight).sum().backward()
    print(f"after call {call}:", weight.grad)

# %% cleared
weight.grad = None
(2 * weight).sum().backward()
print(weight.grad)

# %% grad-does-not
weight.grad = None
out = (2 * weight).sum()
for _ in range(3):
    print("returned:   ", torch.autograd.grad(out, weight, retain_graph=True))
print("weight.grad:", weight.grad)

# %% micro-batches
torch.manual_seed(0)
net = torch.nn.Linear(3, 1)
loss_fn = torch.nn.MSELoss()
features, targets = torch.randn(8, 3), torch.randn(8, 1)  # a batch of 8

loss_fn(net(features), targets).backward()
whole = net.weight.grad.clone()
print("whole batch:    ", whole)

net.zero_grad()
for x, y in zip(features.split(2), targets.split(2)):
    (loss_fn(net(x), y) / 4).backward()
print("4 micro-batches:", net.weight.grad)

# %% equal hidden=true
torch.testing.assert_close(net.weight.grad, whole)

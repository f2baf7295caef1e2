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

# %% grad-does-not
weight.grad = None
out = (2 * weight).sum()
for _ in range(3):
    print("returned:   ", torch.autograd.grad(out, weight, retain_graph=True))
print("weight.grad:", weight.grad)

# %% equal hidden=true
torch.testing.assert_close(net.weight.grad, whole)

# %% counter-cases hidden=true
import warnings

# It says that create_graph=True keeps a cycle alive.
warnings.filterwarnings("ignore", message="Using backward")
for create_graph in (False, True):
    for shape in ((), (3,), (2, 3)):
        parameter = torch.randn(shape, dtype=torch.float64, requires_grad=True)
        parts = []
        for power in (2, 3, 4):
            (part,) = torch.autograd.grad((parameter**power).sum(), parameter)
            parts.append(part)
            (parameter**power).sum().backward(create_graph=create_graph, inputs=[parameter])
            torch.testing.assert_close(parameter.grad.detach(), sum(parts))
        parameter.grad = None
table = torch.randn(5, 2, requires_grad=True)
for _ in range(2):  # sparse gradients add up, too
    torch.nn.functional.embedding(torch.tensor([1, 1, 4]), table, sparse=True).sum().backward()
assert table.grad.to_dense()[:, 0].tolist() == [0, 4, 0, 0, 2]

# %% sixteen-bits hidden=true
for dtype, largest in ((torch.bfloat16, 256), (torch.float16, 2048), (torch.float32, 3000)):
    parameter = torch.zeros(1, dtype=dtype, requires_grad=True)
    for _ in range(3000):
        parameter.sum().backward()
    assert parameter.grad == largest

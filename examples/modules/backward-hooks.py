"""register_full_backward_hook: the gradients at a layer's output and input."""

# %% norms
import torch
from torch import nn

torch.manual_seed(0)
layers = [layer for _ in range(4) for layer in (nn.Linear(16, 16), nn.Sigmoid())]
net = nn.Sequential(*layers, nn.Linear(16, 1))
image = torch.randn(32, 16, requires_grad=True)  # (batch, features)
norms = {}


def measure(name):
    def hook(module, grad_input, grad_output):
        norms[name] = torch.linalg.vector_norm(grad_output[0]).item()

    return hook


handles = [net[i].register_full_backward_hook(measure(i)) for i in (0, 2, 4, 6, 8)]
net(image).mean().backward()
for name, norm in norms.items():
    print(f"layer {name}: {norm:.1e}")
for handle in handles:
    handle.remove()


# %% what-it-gets
def show(module, grad_input, grad_output):
    print("grad_input ", [tuple(g.shape) for g in grad_input])
    print("grad_output", [tuple(g.shape) for g in grad_output])


handle = net[0].register_full_backward_hook(show)
net(image).mean().backward()
handle.remove()


# %% return
def zero(module, grad_input, grad_output):
    return (grad_input[0] * 0,)


handle = net[2].register_full_backward_hook(zero)
net.zero_grad()
net(image).mean().backward()
handle.remove()
for i in (0, 2, 4):
    print(f"layer {i}: gradient is zero: {not net[i].weight.grad.any()}")

# %% in-place raises="RuntimeError"
block = nn.Sequential(nn.Linear(16, 16), nn.ReLU(inplace=True))
handle = block[0].register_full_backward_hook(show)
block(image)

# %% not-in-place
block[1].inplace = False
block(image).mean().backward()

# %% no-input-gradient warns="UserWarning"
net.zero_grad()


def show(module, grad_input, grad_output):
    print("grad_input", grad_input)


handle = net[0].register_full_backward_hook(show)
net(image.detach()).mean().backward()

# %% remedies hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    layer = nn.Linear(3, 2)
    layer.register_full_backward_hook(lambda module, grad_input, grad_output: None)
    layer(torch.ones(1, 3, requires_grad=True)).sum().backward()

# %% by-keyword hidden=true
got = []
layer.register_full_backward_hook(lambda module, grad_input, grad_output: got.append(len(grad_input)))
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    layer(input=torch.ones(1, 3, requires_grad=True)).sum().backward()
assert got == [0] and "no inputs require gradients" in str(told[0].message)

"""One activation, up to four forms: module, function of F, function of torch, method."""

# %% table
import torch
import torch.nn.functional as F
from torch import nn

NAMES = "ReLU LeakyReLU ELU SELU GELU SiLU Mish Softplus Hardswish".split()
NAMES += "Sigmoid LogSigmoid Tanh Softmax LogSoftmax".split()
SPELLED = {"LeakyReLU": "leaky_relu", "LogSoftmax": "log_softmax"}

for name in NAMES:
    function = SPELLED.get(name, name.lower())
    forms = [f"nn.{name}()", f"F.{function}(x)"]
    if hasattr(torch, function):
        forms.append(f"torch.{function}(x)")
    if hasattr(torch.Tensor, function):
        forms.append(f"x.{function}()")
    print("".join(f"{form:21}" for form in forms).rstrip())

# %% no-attribute raises="AttributeError"
x = torch.linspace(-1, 1, 3)
x.silu()

# %% where-the-option-goes
x = torch.tensor([[-1.0, 0.0, 2.0], [1.0, 1.0, 1.0]])
print(nn.LeakyReLU(0.2)(x)[0], F.leaky_relu(x, 0.2)[0])
print("softmax:", torch.equal(nn.Softmax(dim=1)(x), x.softmax(dim=1)))

# %% sigmoid-dim raises="TypeError"
nn.Sigmoid(dim=1)

# %% sigmoid
print(nn.Sigmoid()(x)[0])

# %% gelu-by-erf
by_erf = x * 0.5 * (1 + torch.erf(x / 2**0.5))
print(torch.allclose(by_erf, F.gelu(x), atol=1e-6))

# %% functional hidden=true
assert F.silu(x).shape == x.shape

# %% same hidden=true
torch.manual_seed(0)
x = torch.randn(3, 4)
for name in NAMES:
    function = SPELLED.get(name, name.lower())
    options = dict(dim=1) if "Softmax" in name else {}
    expected = getattr(nn, name)(**options)(x)
    for place in (F, torch, torch.Tensor):
        if hasattr(place, function):
            torch.testing.assert_close(getattr(place, function)(x, **options), expected)

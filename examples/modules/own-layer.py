"""What authors of layers write: register_parameter and extra_repr."""

# %% optional-bias
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, width, bias=True):
        super().__init__()
        self.width = width
        self.weight = nn.Parameter(torch.ones(width))
        if bias:
            self.bias = nn.Parameter(torch.zeros(width))
        else:
            self.register_parameter("bias", None)

    def extra_repr(self):
        return f"{self.width}, bias={self.bias is not None}"

    def forward(self, x):
        x = x * self.weight
        return x if self.bias is None else x + self.bias


for layer in (Scale(3), Scale(3, bias=False)):
    print(layer, list(layer.state_dict()))

# %% assign-tensor raises="TypeError"
layer.bias = torch.zeros(3)


# %% plain-none
class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = None


plain = Plain()
plain.bias = torch.zeros(3)  # accepted, and no parameter
print("tensor:   ", list(plain.state_dict()), plain.double().bias.dtype)
plain = Plain()
plain.bias = nn.Parameter(torch.zeros(3))
print("Parameter:", list(plain.state_dict()), plain.double().bias.dtype)

# %% exists raises="KeyError"
Plain().register_parameter("bias", nn.Parameter(torch.zeros(3)))

# %% dot raises="KeyError"
layer.register_parameter("up.weight", nn.Parameter(torch.ones(3)))

# %% no-parameter raises="TypeError"
layer.register_parameter("shift", torch.zeros(3))


# %% repr-children
class Block(nn.Sequential):
    def extra_repr(self):
        return "dropped=0.1"


print(Block(Scale(3), Scale(3, bias=False)))

# %% looked-up
net = nn.Sequential(Scale(3), Scale(3, bias=False))
print(net.get_parameter("0.bias").shape, net[1].bias)

# %% without raises="AttributeError"
net.get_parameter("1.bias")

# %% counter-cases hidden=true
layer = Scale(3, bias=False)
layer.double().requires_grad_(False)  # what walks over the parameters leaves None alone
assert dict(layer.named_parameters()).keys() == {"weight"} and layer(torch.ones(3).double()).shape == (3,)
layer.bias = nn.Parameter(torch.zeros(3))  # a Parameter may come later, in both forms
assert list(layer.state_dict()) == ["weight", "bias"]
try:
    Scale(3, bias=False).load_state_dict(Scale(3).state_dict())
except RuntimeError as error:
    assert 'Unexpected key(s) in state_dict: "bias"' in str(error)
else:
    raise AssertionError("a bias was loaded into a layer without")
for some in (nn.Linear(3, 3, bias=False), nn.Conv2d(3, 3, 1, bias=False)):
    assert some._parameters["bias"] is None
again = Scale(3, bias=False)
again.register_parameter("bias", nn.Parameter(torch.zeros(3)))  # registered as None: allowed
assert list(again.state_dict()) == ["weight", "bias"]

# %% remedies hidden=true
layer = Scale(3, bias=False)
layer.bias = nn.Parameter(torch.zeros(3))
assert "bias" in layer.state_dict()
plain = Plain()
plain.bias = nn.Parameter(torch.zeros(3))  # one form: assigned only
assert list(plain.state_dict()) == ["bias"]
layer.up = nn.Module()
layer.up.register_parameter("weight", nn.Parameter(torch.ones(3)))
layer.register_parameter("up_weight", nn.Parameter(torch.ones(3)))
assert {"up.weight", "up_weight"} <= set(layer.state_dict())
layer.register_parameter("shift", nn.Parameter(torch.zeros(3)))
layer.register_buffer("offset", torch.zeros(3))
assert {"shift", "offset"} <= set(layer.state_dict())
assert "offset" not in dict(layer.named_parameters()) and net[1].bias is None

# %% computed-bias hidden=true
size = torch.ones(3, requires_grad=True)
linear = nn.Linear(2, 3)
linear.bias = nn.Parameter(2 * size)
linear(torch.ones(1, 2)).sum().backward()
assert size.grad is None
nn.functional.linear(torch.ones(1, 2), linear.weight, 2 * size).sum().backward()
assert size.grad.tolist() == [2, 2, 2]

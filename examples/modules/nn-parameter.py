"""nn.Parameter is a tensor that a module can find."""

# %% is-a-tensor
import torch
from torch import nn

weight = nn.Parameter(torch.ones(2, 3))
print("a tensor:", isinstance(weight, torch.Tensor), " leaf:", weight.is_leaf)
print(weight)

# %% used-directly
image = torch.tensor([1.0, 2.0, 3.0])
print("weight:     ", weight @ image)
print("weight.data:", weight.data @ image)

# %% results-are-tensors
print(type(weight * 0.1))

# %% shares-memory
values = torch.ones(3)
bias = nn.Parameter(values)
values[0] = 9
print(bias)

# %% integers raises="RuntimeError"
nn.Parameter(torch.tensor([1, 2, 3]))

# %% integers-without-gradient
print(nn.Parameter(torch.tensor([1, 2, 3]), requires_grad=False))

# %% assign-a-tensor raises="TypeError"
layer = nn.Linear(3, 2)
layer.weight = torch.zeros(2, 3)

# %% fill
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
held = optimizer.param_groups[0]["params"][0]

with torch.no_grad():
    layer.weight.copy_(torch.zeros(2, 3))
print("in the optimizer:", layer.weight is held)

# %% replace
layer.weight = nn.Parameter(torch.zeros(2, 3))
print("in the optimizer:", layer.weight is held)

layer(torch.ones(1, 3)).sum().backward()
optimizer.step()
print("gradient:", layer.weight.grad.tolist())
print("weight:  ", layer.weight.tolist())

# %% remove
layer.bias = None
print(layer)

# %% plural raises="AttributeError"
nn.Parameters(torch.ones(2, 3))

# %% moved-is-no-parameter hidden=true
module = nn.Module()
module.moved = nn.Parameter(values).to("meta")  # as if to a GPU
module.doubled = nn.Parameter(values).double()
module.same = nn.Parameter(values).to("cpu")  # changes nothing, so the parameter itself
assert [name for name, _ in module.named_parameters()] == ["same"]
embedding, head = nn.Embedding(4, 3), nn.Linear(3, 4, bias=False)
head.weight = embedding.weight
head.weight = nn.Parameter(torch.zeros(4, 3))
assert embedding.weight is not head.weight
with torch.no_grad():
    head.weight.copy_(torch.arange(3.0))  # fills each row, without an error
assert head.weight.tolist() == [[0, 1, 2]] * 4

# %% computed-values hidden=true
gain, direction = nn.Parameter(torch.ones(2, 1)), torch.randn(2, 3)
computed = nn.Linear(3, 2)
with torch.no_grad():
    computed.weight.copy_(gain * direction)
computed(torch.randn(1, 3)).sum().backward()
computed.weight = nn.Parameter(gain * direction)
computed(torch.randn(1, 3)).sum().backward()
assert gain.grad is None  # neither reaches it, without an error

# %% integers-to-train hidden=true
whole = torch.tensor([1, 2, 3])
assert nn.Parameter(whole.float()).requires_grad
fixed = nn.Parameter(whole, requires_grad=False)
assert not (fixed * torch.ones(3)).requires_grad  # no error, but nothing would be trained

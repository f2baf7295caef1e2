"""state_dict() maps names to parameters and persistent buffers."""

# %% contents
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(2)
        self.register_buffer("positions", torch.arange(2), persistent=False)
        self.width = 2


net = Net()
state = net.state_dict()
print(type(state).__name__, " is a dict:", isinstance(state, dict))
for name, tensor in state.items():
    print(f"{name:22} {tensor}")

# %% left-out
print("buffers:", [name for name, _ in net.named_buffers()])

# %% detached
print("in the state_dict:", state["bn.weight"].requires_grad)
print("in the model:     ", net.bn.weight.requires_grad)

# %% keep-vars
kept = net.state_dict(keep_vars=True)["bn.weight"]
print("the parameter itself:", kept is net.bn.weight)

# %% not-the-mode
evaluated = Net().eval()
print("modes:", net.training, evaluated.training)
print("same keys:", net.state_dict().keys() == evaluated.state_dict().keys())

# %% bytes
print(sum(tensor.nbytes for tensor in state.values()), "bytes")

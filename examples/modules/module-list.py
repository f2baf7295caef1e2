"""Modules in a Python list are invisible; ModuleList registers them."""

# %% stack
import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, container):
        super().__init__()
        self.layers = container([nn.Linear(2, 2), nn.Linear(2, 2)])

    def forward(self, hidden):
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden


print(Stack(list))
print(Stack(nn.ModuleList))

# %% works-at-first
image = torch.ones(1, 2)
print(Stack(list)(image).shape)

# %% empty raises="ValueError"
torch.optim.SGD(Stack(list).parameters(), lr=0.1)

# %% not-moved raises="RuntimeError"
stack = Stack(list).double()
stack(image.double())

# %% not-on-the-gpu needs="cuda" raises="RuntimeError" says="Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_addmm)" origin="aten/src/ATen/core/adaption.cpp"
stack = Stack(list).cuda()
stack(image.cuda())

# %% module-list
stack = Stack(nn.ModuleList).double()
print(stack(image.double()).dtype)
print([name for name, _ in stack.named_parameters()])

# %% module-dict
heads = nn.ModuleDict({"cat": nn.Linear(2, 1), "dog": nn.Linear(2, 1)})
print([name for name, _ in heads.named_parameters()])
print(heads["dog"](image).shape)

# %% no-forward raises="NotImplementedError"
nn.ModuleList([nn.Linear(2, 2)])(image)


# %% no-super raises="AttributeError"
class Forgetful(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)


Forgetful()


# %% no-super-parameter raises="AttributeError"
class Scale(nn.Module):
    def __init__(self):
        self.factor = nn.Parameter(torch.ones(2))


Scale()

# %% remedies hidden=true
torch.optim.SGD(Stack(nn.ModuleList).parameters(), lr=0.1)
moved = Stack(nn.ModuleList).to("meta")(image.to("meta"))  # as to a GPU
assert moved.is_meta
try:
    Stack(list).to("meta")(image.to("meta"))
except RuntimeError as error:
    assert "device" in str(error)
else:
    raise AssertionError("a list was moved")
assert nn.Sequential(nn.Linear(2, 2))(image).shape == Stack(nn.ModuleList)(image).shape


class Mindful(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)


assert len(list(Mindful().parameters())) == 2


# %% no-super-buffer raises="AttributeError"
class Offset(nn.Module):
    def __init__(self):
        self.register_buffer("offset", torch.zeros(2))


Offset()


# %% no-super-number raises="AttributeError"
class Width(nn.Module):
    def __init__(self):
        self.width = 2  # no error yet


Width().eval()


# %% super-twice
class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        super().__init__()  # empties the dicts


print("parameters:", list(Twice().parameters()))

# %% remedies-init hidden=true
import dataclasses


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 2
        self.register_buffer("offset", torch.zeros(2))
        self.factor = nn.Parameter(torch.ones(2))


assert len(Whole().eval().state_dict()) == 2


@dataclasses.dataclass(eq=False)
class Record(nn.Module):
    layer: nn.Module


class NoCall(nn.Module):
    def __init__(self):
        super().__init__  # noqa: B018
        self.layer = nn.Linear(1, 1)


for broken in (lambda: Record(nn.Linear(1, 1)), NoCall):
    try:
        broken()
    except AttributeError as error:
        assert "cannot assign module before Module.__init__() call" in str(error)
    else:
        raise AssertionError("registered before __init__")

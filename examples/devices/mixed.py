"""Every tensor of an operation must be on one device."""

# %% operands raises="RuntimeError"
import torch
from torch import nn

torch.ones(2) + torch.ones(2, device="meta")

# %% module raises="RuntimeError"
model = nn.Linear(2, 2).to("meta")
model(torch.ones(1, 2))

# %% gpu-operands needs="cuda" raises="RuntimeError" says="Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!" origin="aten/src/ATen/TensorIterator.cpp"
torch.ones(2) + torch.ones(2, device="cuda")

# %% gpu-module needs="cuda" raises="RuntimeError" says="Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)" origin="aten/src/ATen/core/adaption.cpp"
model = nn.Linear(2, 2).to("cuda")
model(torch.ones(1, 2))

# %% gpu-convolution needs="cuda" raises="RuntimeError" says="Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same" origin="aten/src/ATen/native/Convolution.cpp"
convolution = nn.Conv2d(1, 1, kernel_size=1)
convolution(torch.ones(1, 1, 2, 2, device="cuda"))

# %% one-device
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(2, 2).to(device)
batch = torch.ones(1, 2)
logits = model(batch.to(model.weight.device))
print("same device:", logits.device == model.weight.device)

# %% scalars
scaled = torch.ones(2, device="meta") * torch.tensor(3.0)  # (2,) and ()
print(scaled.device, tuple(scaled.shape))

# %% gpu-scalars needs="cuda"
table = torch.arange(4, device="cuda") * torch.tensor(10)  # (4,) and ()
print(table)
print(table[torch.tensor([1, 3])])  # a CPU index into a GPU tensor


# %% gpu-index needs="cuda" raises="RuntimeError" says="indices should be either on cpu or on the same device as the indexed tensor (cpu)" origin="aten/src/ATen/native/TensorAdvancedIndexing.cpp"
scores = torch.tensor([0.9, 0.2, 0.7])
keep = torch.tensor([True, False, True], device="cuda")
scores[keep]

# %% index-moved
scores = torch.tensor([0.9, 0.2, 0.7])
keep = torch.tensor([True, False, True], device=device)
print(scores[keep.to(scores.device)])


# %% attribute raises="RuntimeError"
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = torch.full((2,), 3.0)  # neither a parameter nor a buffer

    def forward(self, features):
        return features * self.factor


Scaled().to("meta")(torch.ones(2, device="meta"))


# %% buffer
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factor", torch.full((2,), 3.0))

    def forward(self, features):
        return features * self.factor


scaled = Scaled().to("meta")
print(scaled(torch.ones(2, device="meta")).device, list(scaled.state_dict()))

# %% exceptions hidden=true
elsewhere, number = torch.ones(3, device="meta"), torch.tensor(2.0)
for operation in (torch.add, torch.pow, torch.maximum, torch.gt, torch.atan2):
    assert operation(elsewhere, number).device == operation(number, elsewhere).device
    assert operation(elsewhere, number).device.type == "meta"
elsewhere[0] = number
elsewhere[:] = torch.ones(3)  # an assignment copies, whatever the devices
elsewhere.copy_(torch.ones(3))
for operation in (
    lambda: elsewhere + torch.ones(1),  # one element, but one dimension
    lambda: torch.stack([elsewhere[0], number]),
    lambda: torch.cat([elsewhere, number[None]]),
):
    try:
        operation()
    except RuntimeError:
        continue
    raise AssertionError("two devices, and no error")

# %% loaded hidden=true
import warnings

sketch, real = nn.Linear(2, 2, device="meta"), nn.Linear(2, 2)
sketch.load_state_dict(real.state_dict(), assign=True)
assert torch.equal(sketch(torch.ones(1, 2)), real(torch.ones(1, 2)))
assert (torch.ones(2) + torch.ones(2)).tolist() == [2, 2]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the warning that nothing was copied
    left = nn.Linear(2, 2, device="meta")
    left.load_state_dict(real.state_dict())
assert left.weight.is_meta  # without assign=True

# %% optimizer-of-meta hidden=true
for early in (True, False):
    late, known = torch.nn.Linear(2, 1, device="meta"), {"weight": torch.ones(1, 2), "bias": torch.ones(1)}
    optimizer = torch.optim.SGD(late.parameters(), lr=0.1)
    late.load_state_dict(known, assign=True)
    if not early:
        optimizer = torch.optim.SGD(late.parameters(), lr=0.1)
    late(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    assert (late.bias.item() == 1) == early

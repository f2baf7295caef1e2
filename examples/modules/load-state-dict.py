"""load_state_dict() copies values into the parameters that are there."""

# %% copies
import torch
from torch import nn

teacher, student = nn.Linear(3, 2), nn.Linear(3, 2)
print(student.load_state_dict(teacher.state_dict()))
print("same values:  ", torch.equal(student.weight, teacher.weight))
print("same memory:  ", student.weight.data_ptr() == teacher.weight.data_ptr())
print("requires_grad:", student.weight.requires_grad)

# %% independent
with torch.no_grad():
    teacher.weight.zero_()
counts = [layer.weight.count_nonzero().item() for layer in (teacher, student)]
print("nonzero:", *counts)

# %% same-parameter
weight = student.weight
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
student.load_state_dict(teacher.state_dict())
print("same parameter:", student.weight is weight)
print("in the optimizer:", optimizer.param_groups[0]["params"][0] is weight)

# %% dtype
half = nn.Linear(3, 2, dtype=torch.float16).state_dict()
student.load_state_dict(half)
print("file: ", half["weight"].dtype)
print("model:", student.weight.dtype)

# %% assign
student.load_state_dict(half, assign=True)
print("model:", student.weight.dtype)
print("same parameter:", student.weight is weight)
print("memory of the dict:", student.weight.data_ptr() == half["weight"].data_ptr())

# %% reassigned raises="TypeError"
model = student.load_state_dict(teacher.state_dict())
model(torch.ones(1, 3))

# %% name raises="AttributeError"
student.load_dict(teacher.state_dict())

# %% remedies hidden=true
model = nn.Linear(3, 2)
report = model.load_state_dict(teacher.state_dict())  # in place: the result is not the model
assert not report.missing_keys and torch.equal(model(torch.ones(1, 3)), teacher(torch.ones(1, 3)))

# %% marked hidden=true
import io

half.update(nn.Linear(3, 2).state_dict())  # it went through `assign=True` above
file = io.BytesIO()
torch.save(half, file)
file.seek(0)
for marked in (half, torch.load(file)):
    model = nn.Linear(3, 2)
    weight = model.weight
    model.load_state_dict(marked)
    assert model.weight is not weight and model.weight.data_ptr() == marked["weight"].data_ptr()
plain = dict(teacher.state_dict())  # as safetensors gives: no `_metadata`, so no mark
nn.Linear(3, 2).load_state_dict(plain, assign=True)
model = nn.Linear(3, 2)
weight = model.weight
model.load_state_dict(plain)
assert model.weight is weight

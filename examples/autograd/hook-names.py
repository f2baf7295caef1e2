"""A hook reads its loop's variable after the loop has ended."""

# %% setup
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
image = torch.ones(1, 2)

# %% late
seen = []
handles = []
for name, param in model.named_parameters():
    handles.append(param.register_hook(lambda grad: seen.append(name)))

model(image).sum().backward()
print(seen)

# %% name-now
name = "renamed"
seen.clear()
model(image).sum().backward()
print(seen)

# %% remove
for handle in handles:
    handle.remove()

seen.clear()
model(image).sum().backward()
print(seen)

# %% early
from functools import partial


def note(name, grad):
    seen.append((name, tuple(grad.shape)))


handles = []
for name, param in model.named_parameters():
    handles.append(param.register_hook(partial(note, name)))

model(image).sum().backward()
print(seen)

# %% default-argument
for handle in handles:
    handle.remove()

seen.clear()
for name, param in model.named_parameters():
    with_name = lambda grad, name=name: seen.append(name)
    handles.append(param.register_hook(with_name))

model(image).sum().backward()
print(seen)

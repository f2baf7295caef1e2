"""del removes a name; the memory goes with the last reference."""

# %% alias
import weakref

import torch
from torch import nn

model = nn.Linear(3, 2)
best = model  # a second name, no copy
alive = weakref.ref(model)

del model
print(alive() is not None)
del best
print(alive() is not None)

# %% dict
outputs = {}
image = torch.zeros(3, 32, 32)
outputs["image"] = image
alive = weakref.ref(image)

del image
print(alive() is not None)
outputs.clear()
print(alive() is not None)

# %% optimizer
model = nn.Linear(3, 2)
optimizer = torch.optim.AdamW(model.parameters())
module, weight = weakref.ref(model), weakref.ref(model.weight)

del model
print(module() is not None, weight() is not None)
del optimizer
print(module() is not None, weight() is not None)

# %% graph
weight = torch.ones(3, requires_grad=True)
hidden = weight * 2
loss = hidden.square().sum()  # saves hidden for backward
alive = weakref.ref(hidden)

history = [loss]
del hidden, loss
print(alive() is not None)
history = [loss.item() for loss in history]
print(alive() is not None)

# %% view
embeddings = torch.zeros(1000, 64)
row = embeddings[0]  # a view of one row

del embeddings
print(row.nbytes, row.untyped_storage().nbytes())
row = row.clone()
print(row.nbytes, row.untyped_storage().nbytes())

# %% cycle
import gc

gc.disable()
model = nn.Linear(3, 2)
model.note = [model]  # the module refers to itself
alive = weakref.ref(model)

del model
print(alive() is not None)
gc.collect()
print(alive() is not None)
gc.enable()

# %% gpu needs="cuda"
before = torch.cuda.memory_allocated()
images = torch.empty(4, 2**18, device="cuda")  # 4 MiB
kept = [images]
del images
print((torch.cuda.memory_allocated() - before) / 2**20)
kept.clear()
print((torch.cuda.memory_allocated() - before) / 2**20)

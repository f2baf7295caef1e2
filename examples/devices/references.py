"""del removes a name; the memory goes with the last reference."""

# %% alias
import weakref

import torch
from torch import nn


def alive(reference):
    return reference() is not None


model = nn.Linear(3, 2)
best = model  # a second name, no copy
reference = weakref.ref(model)

del model
print("del model:", alive(reference))
del best
print("del best: ", alive(reference))

# %% dict
image = torch.zeros(3, 32, 32)
outputs = {"image": image}
reference = weakref.ref(image)

del image
print("del image:      ", alive(reference))
outputs.clear()
print("outputs.clear():", alive(reference))

# %% optimizer
model = nn.Linear(3, 2)
optimizer = torch.optim.AdamW(model.parameters())
module, weight = weakref.ref(model), weakref.ref(model.weight)

del model
print("model:", alive(module), " weight:", alive(weight))
del optimizer
print("model:", alive(module), " weight:", alive(weight))

# %% graph
weight = torch.ones(3, requires_grad=True)


def step(backward):
    hidden = weight * 2
    loss = hidden.square().sum()  # saves hidden for the backward pass
    if backward:
        loss.backward()
    return loss, weakref.ref(hidden)


loss, reference = step(backward=False)
history = [loss]
del loss
print("without backward:", alive(reference))
history.clear()
print("list cleared:    ", alive(reference))

loss, reference = step(backward=True)
history.append(loss)
print("after backward:  ", alive(reference))

# %% view
embeddings = torch.zeros(1000, 64)
row = embeddings[0]  # a view of one row

del embeddings
print("row:  ", row.nbytes, "of", row.untyped_storage().nbytes(), "bytes kept")
row = row.clone()
print("clone:", row.nbytes, "of", row.untyped_storage().nbytes(), "bytes kept")

# %% cycle
import gc

gc.disable()
model = nn.Linear(3, 2)
model.note = [model]  # the module refers to itself
reference = weakref.ref(model)

del model
print("del model:   ", alive(reference))
gc.collect()
print("gc.collect():", alive(reference))
gc.enable()

# %% gpu needs="cuda"
before = torch.cuda.memory_allocated()
images = torch.empty(4, 2**18, device="cuda")  # 4 MiB
kept = [images]
del images
print("after del:  ", (torch.cuda.memory_allocated() - before) / 2**20, "MiB")
kept.clear()
print("after clear:", (torch.cuda.memory_allocated() - before) / 2**20, "MiB")


# %% item-and-detach hidden=true
def kept(take):
    hidden = weight * 2
    loss = hidden.square().sum()
    result = take(loss)
    return result, weakref.ref(hidden)


for take, stays in ((lambda loss: loss, True), (torch.Tensor.item, False), (torch.Tensor.detach, False)):
    result, reference = kept(take)
    assert alive(reference) is stays

# %% scheduler hidden=true
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
reference = weakref.ref(model.weight)
del model, optimizer
assert alive(reference)
del scheduler
gc.collect()
assert not alive(reference)

"""What takes the memory in training: parameters, gradients, optimizer states, activations."""

# %% parameters
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Linear(512, 512),
    nn.ReLU(),
    nn.Linear(512, 256),
    nn.ReLU(),
    nn.Linear(256, 10),
)
batch = torch.randn(64, 512)  # (batch, features)


def kib(tensors):
    return sum(tensor.nbytes for tensor in tensors) / 1024


print(f"parameters {kib(model.parameters()):6.1f} KiB")

# %% activations
kept = {}


def note(tensor):
    kept[tensor.untyped_storage().data_ptr()] = tensor
    return tensor.detach()  # not tensor: an output would keep itself alive


keep = torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor)
with keep:
    loss = model(batch).square().mean()

weights = {weight.untyped_storage().data_ptr() for weight in model.parameters()}
activations = [tensor for address, tensor in kept.items() if address not in weights]
print([tuple(tensor.shape) for tensor in activations])
size = sum(tensor.untyped_storage().nbytes() for tensor in activations)
print(f"activations {size / 1024:6.1f} KiB")

# %% no-grad
kept.clear()
with torch.no_grad(), keep:
    model(batch)
print(len(kept), "tensors saved")

# %% training-state
optimizer = torch.optim.AdamW(model.parameters())
loss.backward()
optimizer.step()

gradients = [p.grad for p in model.parameters() if p.grad is not None]
states = [value for state in optimizer.state.values() for value in state.values()]
print(f"gradients        {kib(gradients):6.1f} KiB")
print(f"optimizer states {kib(states):6.1f} KiB")

# %% peak needs="cuda"
hidden = torch.zeros(4, 2**18, device="cuda")  # 4 MiB
torch.cuda.reset_peak_memory_stats()
hidden = (hidden + 1) * 2  # the sum lives until the product is done
print(f"now  {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

# %% driver needs="cuda" varies=true
free, total = torch.cuda.mem_get_info()
print(f"free {free / 2**30:.1f} GiB of {total / 2**30:.1f} GiB")

# %% summary needs="cuda" varies=true
print(torch.cuda.memory_summary(abbreviated=True))

# %% snapshot needs="cuda" varies=true
import tempfile
from pathlib import Path

torch.cuda.empty_cache()
torch.cuda.memory._record_memory_history(stacks="python", max_entries=1000)
image = torch.zeros(32, 2**18, device="cuda")  # 32 MiB
del image
history = torch.cuda.memory._snapshot()["device_traces"][0]
with tempfile.TemporaryDirectory() as folder:  # for a real run, a place of yours
    torch.cuda.memory._dump_snapshot(f"{folder}/snapshot.pickle")
    print([file.name for file in Path(folder).iterdir()])
torch.cuda.memory._record_memory_history(enabled=None)

for event in history:
    if event["action"] != "snapshot":  # taking the snapshot is an event as well
        print(event["action"], event["size"] / 2**20, "MiB")

# %% summary-without-cuda needs="no-cuda" raises="KeyError"
torch.cuda.memory_summary()

# %% remedies hidden=true
if torch.cuda.is_available():
    assert "Allocated memory" in torch.cuda.memory_summary()

# %% views-and-frozen hidden=true
kept.clear()
with keep:
    gate, value = torch.zeros(10, 512, requires_grad=True).mul(1).chunk(2, dim=1)
    (gate * value).sum()
(view,) = kept.values()  # both views have one storage
assert kib([view]) == 10 and view.untyped_storage().nbytes() == 20 * 1024
model.zero_grad()
model[0].requires_grad_(False)
model(batch).sum().backward()
assert model[0].weight.grad is None
assert len([p.grad for p in model.parameters() if p.grad is not None]) == 4

"""Out of memory: read the message, catch it, try again with less."""

# %% type
import torch

print(torch.OutOfMemoryError.__mro__[:2])

# %% on-cpu raises="RuntimeError"
torch.empty(2**50)  # 4 PiB

# %% too-much needs="cuda" raises="OutOfMemoryError" varies=true
torch.empty(2**50, device="cuda")

# %% limit needs="cuda" raises="OutOfMemoryError" varies=true
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(300 * 2**20 / total)  # 300 MiB

images = torch.empty(128, 2**18, device="cuda")  # 128 MiB
copies = torch.empty(256, 2**18, device="cuda")  # 256 MiB more


# %% halve
def largest_batch(step, size):
    while size:
        try:
            step(size)
        except torch.OutOfMemoryError:
            print(f"{size:3} is too many")
        else:
            return size
        size //= 2  # outside of except: the failed step is gone
    raise RuntimeError("not even one sample fits")


# %% pretend
def small_memory(size):
    if size > 48:
        raise torch.OutOfMemoryError("pretend")


print(largest_batch(small_memory, 256))


# %% real needs="cuda"
def step(size):
    return torch.empty(size, 4, 2**18, device="cuda")  # 4 MiB a sample


images = None
print(largest_batch(step, 256))
torch.cuda.set_per_process_memory_fraction(1.0)

# %% frames-live
import weakref

seen = []


def failing_step():
    activations = torch.zeros(1000)
    seen.append(weakref.ref(activations))
    raise torch.OutOfMemoryError("pretend")


try:
    failing_step()
except torch.OutOfMemoryError as error:
    print(seen[-1]() is not None)  # error → traceback → frame → activations
print(seen[-1]() is not None)

# %% kept-error
errors = []
try:
    failing_step()
except torch.OutOfMemoryError as error:
    errors.append(error)
print(seen[-1]() is not None)
errors.clear()
print(seen[-1]() is not None)

# %% smaller-steps
from torch import nn

torch.manual_seed(0)
model, batch = nn.Linear(8, 1), torch.randn(64, 8)

model(batch).square().mean().backward()
whole = model.weight.grad.clone()

model.zero_grad()
for part in batch.split(16):
    (model(part).square().mean() / 4).backward()
print(torch.allclose(model.weight.grad, whole))

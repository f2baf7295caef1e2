"""Out of memory: read the message, catch it, try again with less."""

# %% type
import torch

print([kind.__name__ for kind in torch.OutOfMemoryError.__mro__[:2]])

# %% on-cpu raises="RuntimeError"
torch.empty(2**50)  # 4 PiB

# %% limit needs="cuda" raises="OutOfMemoryError" varies=true says="CUDA out of memory. Tried to allocate … MiB. GPU 0 has a total capacity of … GiB of which … GiB is free. Including non-PyTorch memory, this process has … MiB memory in use. … MiB allowed; Of the allocated memory … MiB is allocated by PyTorch, and … MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation. …" origin="c10/cuda/CUDACachingAllocator.cpp"
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


print(largest_batch(small_memory, 256), "fit")


# %% real needs="cuda"
def step(size):
    return torch.empty(size, 4, 2**18, device="cuda")  # 4 MiB per sample


images = None
print(largest_batch(step, 256), "fit")
torch.cuda.set_per_process_memory_fraction(1.0)

# %% frames-live
import weakref

seen = []


def failing_step():
    activations = torch.zeros(1000)
    seen.append(weakref.ref(activations))
    raise torch.OutOfMemoryError("pretend")


def alive():
    return seen[-1]() is not None


try:
    failing_step()
except torch.OutOfMemoryError as error:
    print("inside except:", alive())  # error → traceback → frame → activations
print("after it:     ", alive())

# %% kept-error
errors = []
try:
    failing_step()
except torch.OutOfMemoryError as error:
    errors.append(error)
print("error kept:   ", alive())
errors.clear()
print("error dropped:", alive())

# %% smaller-steps
from torch import nn

torch.manual_seed(0)
model, batch = nn.Linear(8, 1), torch.randn(64, 8)

model(batch).square().mean().backward()
whole = model.weight.grad.clone()

model.zero_grad()
for part in batch.split(16):
    (model(part).square().mean() / 4).backward()
print("same gradient:", torch.allclose(model.weight.grad, whole))


# %% parts-of-different-size hidden=true
def gradient(parts, weights):
    model.zero_grad()
    for part, weight in zip(parts, weights):
        (model(part).square().mean() * weight).backward()
    return model.weight.grad.clone()


for scale in (1, 1e3):
    inputs = batch * scale
    exact = gradient([inputs], [1])
    sizes = [40, 24]
    unequal = gradient(inputs.split(sizes), [1 / 2, 1 / 2])
    weighted = gradient(inputs.split(sizes), [size / 64 for size in sizes])
    close = dict(rtol=1e-3, atol=1e-3 * exact.abs().max().item())
    assert torch.allclose(weighted, exact, **close)
    assert not torch.allclose(unequal, exact, **close)

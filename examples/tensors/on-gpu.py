"""Make a tensor on the GPU, or in pinned memory on its way there."""

# %% device
import torch

found = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if found else "cpu"
weight = torch.zeros(2, device=device)  # on the GPU where there is one

# %% where-it-is hidden=true
assert weight.device.type == torch.device(device).type

# %% without-cuda needs="no-cuda" raises="AssertionError"
torch.randn(2, device="cuda:0")

# %% meta
print("meta:", torch.randn(2, device="meta"))
print("CPU: ", torch.zeros(2, device="cpu"))

# %% with-cuda needs="cuda"
print(torch.zeros(2, device="cuda:0"))

# %% pin-without-cuda needs="no-cuda" raises="RuntimeError"
torch.tensor([1.0], pin_memory=True)

# %% pageable
image = torch.rand(3, 4, 4)  # (channels, height, width)
print("pinned:", image.is_pinned())

# %% pinned needs="cuda"
batch = torch.rand(64, 3, 224, 224, pin_memory=True)
print("pinned:", batch.is_pinned(), batch.device)

on_gpu = batch.to("cuda", non_blocking=True)  # returns before the copy is done
print(on_gpu.device)
print("same values:", torch.equal(on_gpu, batch.to("cuda")))


# %% copy-times needs="cuda" varies=true
def copy_milliseconds(source):
    source.to("cuda")  # the first copy pays for the set-up
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    source.to("cuda", non_blocking=True)
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


pageable = torch.ones(64, 3, 224, 224)
print(f"pageable: {copy_milliseconds(pageable):.2f} ms")
print(f"pinned:   {copy_milliseconds(pageable.pin_memory()):.2f} ms")

# %% pin-where-possible needs="no-cuda"
batch = torch.rand(8, 3, pin_memory=torch.accelerator.is_available())
print("pinned:", batch.is_pinned())

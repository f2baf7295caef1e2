"""Make a tensor on the GPU, or in pinned memory on its way there."""

# %% without-cuda needs="no-cuda" raises="AssertionError"
import torch

torch.randn(2, device="cuda:0")

# %% meta
print(torch.randn(2, device="meta"))
print(torch.randn(2, device="cpu").device)

# %% with-cuda needs="cuda"
noise = torch.randn(2, device="cuda:0")
print(noise)
print(noise.device)

# %% seeds needs="cuda"
torch.manual_seed(0)
on_cpu = torch.randn(3)
torch.manual_seed(0)
on_gpu = torch.randn(3, device="cuda")
print(on_cpu, on_gpu)
print(torch.equal(on_cpu, on_gpu.cpu()))

# %% drawn-on-the-cpu needs="cuda"
torch.manual_seed(0)
moved = torch.randn(3).to("cuda")
print(torch.equal(on_cpu, moved.cpu()))

# %% pin-without-cuda needs="no-cuda" raises="RuntimeError"
torch.tensor([1.0], pin_memory=True)

# %% pageable
image = torch.rand(3, 4, 4)  # (channels, height, width)
print(image.is_pinned())

# %% pinned needs="cuda"
batch = torch.rand(64, 3, 224, 224, pin_memory=True)
print(batch.is_pinned(), batch.device)

on_gpu = batch.to("cuda", non_blocking=True)  # returns before the copy is done
print(on_gpu.device)
print(torch.equal(on_gpu, batch.to("cuda")))


# %% copy-times needs="cuda" varies=true
def copy_milliseconds(source):
    source.to("cuda")  # the first copy pays for the set-up
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    source.to("cuda", non_blocking=True)
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


pageable = torch.rand(64, 3, 224, 224)
print(f"pageable: {copy_milliseconds(pageable):.2f} ms")
print(f"pinned:   {copy_milliseconds(pageable.pin_memory()):.2f} ms")

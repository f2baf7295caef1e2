"""One GPU per process: device_count, LOCAL_RANK, set_device."""

# %% count
import torch

print("GPUs that this process sees:", torch.cuda.device_count())
print("any accelerator:            ", torch.accelerator.is_available())

# %% choose
import os


def my_device():
    """Return the device of this process, and make it the current one."""
    local_rank = int(os.environ.get("LOCAL_RANK", 0))  # 0 without torchrun
    if torch.cuda.device_count() == 0:
        return torch.device("cpu")
    torch.cuda.set_device(local_rank)  # "cuda" means this GPU from here on
    return torch.device("cuda", local_rank)


print(my_device())

# %% local-rank
per_machine, machines = 4, 2
for rank in range(per_machine * machines):
    machine, local_rank = divmod(rank, per_machine)
    device = torch.device("cuda", local_rank)
    print(f"RANK {rank} on machine {machine}: LOCAL_RANK {local_rank}, {device}")

# %% current needs="cuda"
torch.cuda.set_device(0)
print(torch.cuda.current_device(), torch.zeros(1, device="cuda").device)

# %% loaded needs="cuda"
import io

file = io.BytesIO()
torch.save(torch.ones(2, device="cuda:0"), file)
for place in (None, "cpu"):
    file.seek(0)
    print(f"map_location={place}:", torch.load(file, map_location=place).device)

# %% too-few needs="cuda" raises="AcceleratorError" varies=true says="CUDA error: invalid device ordinal" origin="CUDA 13.0: cudaGetErrorString(cudaErrorInvalidDevice)"
torch.cuda.set_device(torch.cuda.device_count())  # one more than there are

# %% without-cuda needs="no-cuda" raises="AttributeError"
torch.cuda.set_device(0)

# %% without-cuda-mended
print(my_device())

# %% no-accelerator hidden=true
if not torch.accelerator.is_available():
    assert torch.accelerator.current_accelerator(check_available=True) is None
    if torch.__version__.endswith("+cpu"):
        assert torch.accelerator.current_accelerator() is None
    try:
        torch.accelerator.set_device_index(0)
    except RuntimeError:
        pass
    else:
        raise AssertionError

# %% machines-of-different-sizes hidden=true
for gpus in ((4, 2), (3, 4), (2, 8, 1), (5, 3)):
    start = 0
    for count in gpus:  # consecutive ranks, on one machine
        assert {rank % count for rank in range(start, start + count)} == set(range(count))
        start += count

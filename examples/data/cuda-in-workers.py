"""CUDA and DataLoader workers: keep the dataset on the CPU."""

# %% message raises="RuntimeError"
from unittest import mock

import torch

# As in a process forked after CUDA was set up:
with mock.patch("torch.cuda._is_in_bad_fork", return_value=True):
    torch.cuda.init()

# %% in-a-worker needs="cuda"
from torch.utils.data import DataLoader, Dataset, TensorDataset


class OnTheGPU(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.full((3,), float(i)).to("cuda")


def first_batch(loader):
    try:
        print(next(iter(loader))[0].device)
    except RuntimeError as error:
        lines = str(error).splitlines()
        print(lines[0], lines[-1], sep="\n")


torch.zeros(1, device="cuda")  # from here on, this process uses CUDA
forked = dict(num_workers=1, multiprocessing_context="fork", timeout=20)
first_batch(DataLoader(OnTheGPU(), **forked))

# %% cuda-dataset needs="cuda" varies=true
images = torch.rand(4, 3, device="cuda")
first_batch(DataLoader(TensorDataset(images), **forked))

# %% no-workers needs="cuda"
first_batch(DataLoader(TensorDataset(images), num_workers=0))

# %% loop
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
pin = device.type == "cuda"
dataset = TensorDataset(torch.rand(4, 3), torch.tensor([0, 1, 0, 1]))
loader = DataLoader(dataset, batch_size=2, num_workers=1, pin_memory=pin)

for images, labels in loader:
    images = images.to(device, non_blocking=True)
    labels = labels.to(device, non_blocking=True)
    print(tuple(images.shape), labels.tolist(), images.device)


# %% remedies hidden=true
def after_cuda(worker_id):  # as in a process forked after CUDA was set up
    torch.cuda._is_in_bad_fork = lambda: True


class UsesCuda(TensorDataset):
    def __getitem__(self, i):
        torch.cuda.init()
        return super().__getitem__(i)


for kind in (UsesCuda, TensorDataset):
    here = DataLoader(kind(torch.rand(4, 3)), num_workers=1, multiprocessing_context="fork", worker_init_fn=after_cuda)
    try:
        moved = [images.to(device) for (images,) in here]
    except RuntimeError as error:
        assert kind is UsesCuda and "Cannot re-initialize CUDA" in str(error), error
    else:
        assert kind is TensorDataset and len(moved) == 4

# %% pinned needs="cuda"
images, labels = next(iter(loader))
print(images.device, images.is_pinned())

# %% start-method
from torch import multiprocessing

print(multiprocessing.get_start_method())

# %% spawn needs="cuda"
import runpy
import tempfile
from pathlib import Path

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("""
import torch
from torch.utils.data import DataLoader, Dataset

class OnTheGPU(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.full((3,), float(i)).to("cuda")

if __name__ == "__main__":
    loader = DataLoader(
        OnTheGPU(),
        batch_size=2,
        num_workers=1,
        multiprocessing_context="spawn",
        timeout=50,
    )
    for batch in loader:
        print(batch.device, batch.shape)
        del batch  # only now can the worker free its memory
""")
runpy.run_path(str(script), run_name="__main__")

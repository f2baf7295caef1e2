"""CUDNN_STATUS and CUBLAS_STATUS: four tests, one conclusion each."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import torch; print(torch.version.cuda, torch.backends.cudnn.version())")
python("import os; print(os.environ.get('LD_LIBRARY_PATH'))")

# %% model
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(100, 8), nn.Flatten(), nn.Linear(4 * 8, 3))


def step_on_cpu(ids, labels):
    """One step of a copy of the model where every message is exact."""
    twin = copy.deepcopy(model).cpu()
    F.cross_entropy(twin(ids.cpu()), labels.cpu()).backward()
    print("a step on the CPU works")


# %% indices raises="IndexError"
ids, labels = torch.tensor([[5, 17, 99, 100]]), torch.tensor([2])
step_on_cpu(ids, labels)

# %% indices-right
step_on_cpu(ids.clamp(max=99), labels)

# %% memory needs="cuda" varies=true
free, total = torch.cuda.mem_get_info()
print(f"{free / 2**30:.1f} of {total / 2**30:.1f} GiB free")

# %% one-sample
batch = torch.zeros(64, 4, dtype=torch.long)
print("whole batch:", tuple(model(batch).shape))
print("one sample: ", tuple(model(batch[:1]).shape))

# %% two-libraries
import importlib.metadata
import os
from pathlib import Path


def cudnn_files(folders):
    found = (Path(folder).glob("libcudnn.so*") for folder in folders)
    return [str(file) for files in found for file in files]


def cudnn_packages(path=None):
    packages = importlib.metadata.distributions(**({"path": path} if path else {}))
    named = [one for one in packages if one.name]  # a broken one has no name
    return [f"{one.name} {one.version}" for one in named if "cudnn" in one.name]


Path("cuda-11/lib64").mkdir(parents=True)
Path("cuda-11/lib64/libcudnn.so.8").touch()  # what an old installation left behind
print(cudnn_files("cuda-11/lib64:/nowhere".split(":")))

# %% this-machine varies=true
folders = os.environ.get("LD_LIBRARY_PATH", "").split(":")
print("packages:       ", cudnn_packages())
print("LD_LIBRARY_PATH:", cudnn_files(filter(None, folders)))

# %% without-cudnn
images, weight = torch.ones(1, 1, 4, 4), torch.ones(1, 1, 3, 3)
with torch.backends.cudnn.flags(enabled=False):
    print(F.conv2d(images, weight).flatten())

# %% counter-cases hidden=true
Path("broken-1.0.dist-info").mkdir()  # what an interrupted installation leaves: it has no name
assert cudnn_packages(["."]) == []
before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
step_on_cpu(torch.tensor([[0, 1, 2, 3]]), torch.tensor([2]))
assert all(parameter.grad is None for parameter in model.parameters())
assert all(torch.equal(tensor, model.state_dict()[name]) for name, tensor in before.items())

# %% one-sample-with-norm hidden=true
norm = nn.BatchNorm1d(3)
assert norm(torch.ones(2, 3)).shape == (2, 3) and norm.eval()(torch.ones(1, 3)).shape == (1, 3)
try:
    norm.train()(torch.ones(1, 3))
except ValueError as error:
    assert "more than 1 value per channel" in str(error)
else:
    raise AssertionError("it takes one sample")

"""Random numbers in workers: what is seeded for each worker, and what is not."""

# %% one-core hidden=true
import warnings

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% dataset
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Draws(Dataset):
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.rand(()), random.random(), np.random.rand(), self.rng.random()


def show(**options):
    loader = DataLoader(Draws(), batch_size=None, num_workers=2, **options)
    columns = zip(*loader)  # of the four samples
    for name, column in zip(("torch", "random", "np.random", "self.rng"), columns):
        print(f"{name:10}", *(f"{float(number):.2f}" for number in column))


# %% repeats
torch.manual_seed(0)
show()

# %% next-epoch
show()


# %% cure
def seed_generator(worker_id):
    worker = get_worker_info()
    worker.dataset.rng = np.random.default_rng(worker.seed)


torch.manual_seed(0)
show(worker_init_fn=seed_generator)


# %% reproducible
def epoch(seed, workers):
    torch.manual_seed(seed)
    loader = DataLoader(Draws(), None, shuffle=True, num_workers=workers)
    return [round(float(sample[0]), 2) for sample in loader]


print("seed 0, two workers:", epoch(0, 2))
print("seed 0, two workers:", epoch(0, 2))
print("seed 1, two workers:", epoch(1, 2))
print("seed 0, one worker: ", epoch(0, 1))

# %% generator
for _ in range(2):
    torch.rand(3)  # whatever else the program draws
    generator = torch.Generator().manual_seed(0)
    loader = DataLoader(range(8), None, shuffle=True, generator=generator)
    print(list(loader), list(loader))

# %% persistent hidden=true
options = dict(batch_size=None, num_workers=1, persistent_workers=True, worker_init_fn=seed_generator)
loader = DataLoader(Draws(), **options)
first, second = ([float(sample[3]) for sample in loader] for _ in range(2))
assert not {*first} & {*second}

# %% wrapped hidden=true
from torch.utils.data import random_split


def seed_inner(worker_id):
    worker = get_worker_info()
    worker.dataset.dataset.rng = np.random.default_rng(worker.seed)


subset, _ = random_split(Draws(), [4, 0])
for function, distinct in ((seed_generator, 2), (seed_inner, 4)):
    loader = DataLoader(subset, batch_size=None, num_workers=2, worker_init_fn=function)
    assert len({float(sample[3]) for sample in loader}) == distinct

# %% seeds-of-the-generator hidden=true
drawn = []
for seed in (0, 1):
    torch.manual_seed(seed)
    loader = DataLoader(Draws(), None, num_workers=1, generator=torch.Generator().manual_seed(0))
    drawn.append([float(sample[0]) for sample in loader])
assert drawn[0] == drawn[1]

# %% no-workers hidden=true
for workers, repeats in ((1, True), (0, False)):
    drawn = []
    for _ in range(2):
        torch.manual_seed(0)
        drawn.append([float(sample[2]) for sample in DataLoader(Draws(), None, num_workers=workers)])
    assert (drawn[0] == drawn[1]) is repeats

# %% ranks hidden=true
from torch.utils.data import DistributedSampler

drawn, validated = [], []
for rank in (0, 1):
    torch.manual_seed(0)  # of all processes the same, and so are their splits
    validated.append(random_split(range(20), [15, 5])[1].indices)
    sampler = DistributedSampler(range(4), num_replicas=2, rank=rank)
    generator = torch.Generator().manual_seed(rank)
    loader = DataLoader(Draws(), None, sampler=sampler, num_workers=1, generator=generator)
    drawn.append([float(number) for sample in loader for number in sample[:3]])
assert validated[0] == validated[1] and not {*drawn[0]} & {*drawn[1]}

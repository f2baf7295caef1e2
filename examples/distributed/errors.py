"""DDP: unused parameters, a process that others wait for."""

# %% hang
import tempfile
from datetime import timedelta

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, collective, folder, done):
    dist.init_process_group(
        "gloo",
        init_method=f"file://{folder}/meet",
        rank=rank,
        world_size=2,
        timeout=timedelta(seconds=2),  # 30 minutes unless you say so
    )
    if rank == 0:  # a condition that only one process meets
        try:
            collective()
        except RuntimeError as error:
            print(str(error).splitlines()[0].rpartition("] ")[2] or error)
        done.set()
    else:
        done.wait()  # busy with something else


def only_rank_0(collective):
    with tempfile.TemporaryDirectory() as folder:
        done = mp.get_context("fork").Event()
        args = collective, folder, done
        mp.start_processes(process, args=args, nprocs=2, start_method="fork")


only_rank_0(lambda: dist.all_reduce(torch.ones(1)))

# %% barrier
only_rank_0(lambda: dist.monitored_barrier(timeout=timedelta(seconds=1)))

# %% group
from torch import nn
from torch.nn.parallel import DistributedDataParallel

# One process is enough here.
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(2, 1)
        self.unused = nn.Linear(2, 1)

    def forward(self, x):
        return self.used(x)


x = torch.ones(4, 2)

# %% unused raises="RuntimeError"
model = DistributedDataParallel(Net())
for step in range(2):
    model(x).sum().backward()

# %% which
net = Net()
net(x).sum().backward()
names = [name for name, weight in net.named_parameters() if weight.grad is None]
print(names)

# %% find-unused
model = DistributedDataParallel(Net(), find_unused_parameters=True)
for step in range(3):
    model.zero_grad()
    model(x).sum().backward()
print(model.module.used.weight.grad, model.module.unused.weight.grad)

# %% end hidden=true
del model  # before its group
dist.destroy_process_group()

# %% frozen hidden=true
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = Net()
net.unused.requires_grad_(False)
model = DistributedDataParallel(net)
for step in range(3):
    model(x).sum().backward()
del model  # before its group
dist.destroy_process_group()


# %% second-group hidden=true
def with_second_group(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    check = dist.new_group(backend="gloo")
    dist.monitored_barrier(check)
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(with_second_group, args=(folder,), nprocs=2, start_method="fork")


# %% unused-output hidden=true
class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 1)
        self.second = nn.Linear(2, 1)

    def forward(self, x):
        return self.first(x), self.second(x)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(Two())
try:
    for step in range(2):
        model(x)[0].sum().backward()
except RuntimeError as error:
    assert "Expected to have finished reduction" in str(error)
else:
    raise AssertionError("no error for an output that the loss does not use")
del model  # before its group
dist.destroy_process_group()


# %% which-ranks hidden=true varies=true
def missing(rank, folder, every, done, messages):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=3)
    if rank == 0:
        try:
            dist.monitored_barrier(timeout=timedelta(seconds=1), wait_all_ranks=every)
        except RuntimeError as error:
            messages.put(str(error).splitlines()[0])
        done.set()
    else:
        done.wait()


context = mp.get_context("fork")
for every, expected in ((False, "Rank 1 failed"), (True, "Ranks 1, 2 failed")):
    with tempfile.TemporaryDirectory() as folder:
        done, messages = context.Event(), context.SimpleQueue()
        args = folder, every, done, messages
        mp.start_processes(missing, args=args, nprocs=3, start_method="fork")
        message = messages.get()
        assert expected in message, message


# %% output-of-an-own-class hidden=true
class Output:
    def __init__(self, scores):
        self.scores = scores


class Wrapped(Two):
    def forward(self, x):
        return Output(self.first(x) + self.second(x))


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(Wrapped(), find_unused_parameters=True)
try:
    for step in range(2):
        model(x).scores.sum().backward()
except RuntimeError as error:
    assert "mark a variable ready only once" in str(error), error
else:
    raise AssertionError("DDP looks into objects")
del model  # before its group
dist.destroy_process_group()

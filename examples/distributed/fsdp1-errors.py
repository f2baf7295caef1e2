"""Two messages of FSDP1: flat parameters must be uniform, and are empty outside forward."""

# %% processes fold=true
import pickle
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, work, folder, processes):
    meet = f"file://{folder}/meet"
    dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=processes)
    said = [None] * processes
    dist.all_gather_object(said, work(rank))
    if rank == 0:
        Path(folder, "said").write_bytes(pickle.dumps(said))
    dist.destroy_process_group()


def on(processes, work):
    """Run work(rank) in so many processes and return what each returns."""
    with tempfile.TemporaryDirectory() as folder:
        args = work, folder, processes
        mp.start_processes(process, args=args, nprocs=processes, start_method="fork")
        return pickle.loads(Path(folder, "said").read_bytes())


# %% inner-module raises="RuntimeError"
from torch import nn
from torch.distributed import fsdp

FSDP1 = fsdp.FullyShardedDataParallel
words = torch.tensor([[1, 2]])


def work(rank):
    net = nn.Sequential(nn.Embedding(6, 4), nn.Linear(4, 2))
    wrapped = FSDP1(net, device_id="cpu", use_orig_params=True)
    try:
        net(words)  # the inner model
    except RuntimeError as error:
        return [tuple(weight.shape) for weight in wrapped.parameters()], error


said = on(2, work)
for rank, (shapes, error) in enumerate(said):
    print(rank, shapes)
raise said[0][1]


# %% outer-module
def work(rank):
    net = nn.Sequential(nn.Embedding(6, 4), nn.Linear(4, 2))
    wrapped = FSDP1(net, device_id="cpu", use_orig_params=True)
    outer = wrapped(words)
    with FSDP1.summon_full_params(wrapped):  # a part of the model alone
        part = net[0](words)
    return tuple(outer.shape), tuple(part.shape)


print(on(2, work)[0])

# %% one-process fold=true
import warnings

# With one process nothing is sharded, and FSDP1 says so; here it is meant.
warnings.filterwarnings("ignore", message="FSDP is switching to use `NO_SHARD`")

# %% uniform-dtype raises="ValueError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def mixed():
    return nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2, dtype=torch.bfloat16))


FSDP1(mixed(), device_id="cpu")

# %% which-ones
kinds = {}
for name, weight in mixed().named_parameters():
    kinds.setdefault(weight.dtype, []).append(name)
print(kinds)

# %% one-dtype
half = fsdp.MixedPrecision(param_dtype=torch.bfloat16)
net = FSDP1(mixed().float(), device_id="cpu", mixed_precision=half)
print(net(torch.randn(3, 4)).dtype, {weight.dtype for weight in net.parameters()})


# %% uniform-requires-grad raises="ValueError"
def frozen():
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    net[0].requires_grad_(False)
    return net


FSDP1(frozen(), device_id="cpu")

# %% frozen-and-trained
net = FSDP1(frozen(), device_id="cpu", use_orig_params=True)
net(torch.randn(3, 4)).sum().backward()
for name, weight in net.module.named_parameters():
    print(name, weight.grad is not None)

# %% fully-shard-dtypes raises="AssertionError" varies=true
from torch.distributed.device_mesh import init_device_mesh

mesh = init_device_mesh("cpu", (1,))
net = fsdp.fully_shard(mixed(), mesh=mesh)
net(torch.randn(3, 4))

# %% fully-shard-each
net = mixed()
for part in (net[0], net[1], net):
    fsdp.fully_shard(part, mesh=mesh)
hidden = net[0](torch.randn(3, 4))
print(hidden.dtype, net[1](hidden.bfloat16()).dtype)

# %% counter-cases hidden=true
net = fsdp.fully_shard(frozen(), mesh=mesh)  # FSDP2 takes frozen parameters as they are
net(torch.randn(3, 4)).sum().backward()
assert [weight.grad is not None for weight in net.parameters()] == [False, False, True, True]
policy = fsdp.wrap.ModuleWrapPolicy({nn.Linear})
net = FSDP1(frozen(), device_id="cpu", auto_wrap_policy=policy)  # each layer uniform in itself
net(torch.randn(3, 4)).sum().backward()
assert [weight.grad is not None for weight in net.parameters()] == [False, True]
FSDP1(mixed(), device_id="cpu", auto_wrap_policy=policy)
try:
    FSDP1(mixed(), device_id="cpu", use_orig_params=True)
except ValueError as error:  # use_orig_params is no remedy here
    assert "uniform dtype" in str(error)
else:
    raise AssertionError("mixed dtypes in one flat parameter")
dist.destroy_process_group()


# %% part-in-training hidden=true
def work(rank):
    net = nn.Sequential(nn.Embedding(6, 4), nn.Linear(4, 2))
    wrapped = FSDP1(net, device_id="cpu", use_orig_params=True)
    optimizer = torch.optim.SGD(wrapped.parameters(), lr=1.0)
    with FSDP1.summon_full_params(wrapped):
        net[0](words).sum().backward()
    try:
        optimizer.step()
    except RuntimeError as error:  # the gradient of a whole weight, for a piece
        return "size of tensor" in str(error)


assert all(on(2, work))

"""torch.distributed.checkpoint: save on four ranks, load on two and on one."""

# %% processes fold=true
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, work, folder, processes):
    meet = f"file://{folder}/meet"
    dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=processes)
    said = [None] * processes
    dist.all_gather_object(said, work(rank))
    if rank == 0:
        print(*said, sep="\n")  # in the order of the ranks
    dist.destroy_process_group()


def on(processes, work):
    """Run work(rank) in so many processes and print what each returns."""
    with tempfile.TemporaryDirectory() as folder:
        args = work, folder, processes
        mp.start_processes(process, args=args, nprocs=processes, start_method="fork")


# %% save
from torch import nn
from torch.distributed import checkpoint as dcp
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

path = tempfile.mkdtemp() + "/epoch-3"
torch.manual_seed(1)
data = torch.randn(8, 4)


def sharded(seed):
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
    if dist.is_initialized():
        fully_shard(net, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
    return net, torch.optim.AdamW(net.parameters(), lr=0.1)


def step(net, optimizer):
    optimizer.zero_grad()
    net(data).square().mean().backward()
    optimizer.step()
    return [weight.detach() for weight in net.parameters()]


def save(rank):
    net, optimizer = sharded(seed=0)
    step(net, optimizer)
    model_state, optimizer_state = get_state_dict(net, optimizer)
    state = {"model": model_state, "optimizer": optimizer_state, "epoch": 3}
    dcp.save(state, checkpoint_id=path)  # every rank calls it
    return f"{rank=} has rows {tuple(net[0].weight.to_local().shape)} of (6, 4)"


on(4, save)

# %% files
import os

for name in sorted(os.listdir(path)):
    print(name)


# %% load
def load(net, optimizer):
    model_state, optimizer_state = get_state_dict(net, optimizer)
    state = {"model": model_state, "optimizer": optimizer_state, "epoch": 0}
    dcp.load(state, checkpoint_id=path)  # fills the tensors of state in place
    set_state_dict(
        net,
        optimizer,
        model_state_dict=state["model"],
        optim_state_dict=state["optimizer"],
    )
    return state["epoch"]


def resume(rank):
    net, optimizer = sharded(seed=rank + 7)  # other weights, to be replaced
    epoch = load(net, optimizer)
    weights = [weight.full_tensor() for weight in step(net, optimizer)]
    uninterrupted = uninterrupted_run()
    equal = all(map(torch.allclose, weights, uninterrupted))
    rows = tuple(net[0].weight.to_local().shape)
    return f"{rank=} {epoch=} rows {rows}, next step equal: {equal}"


def uninterrupted_run():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    step(net, optimizer)
    return step(net, optimizer)


on(2, resume)

# %% alone warns="UserWarning"
net, optimizer = sharded(seed=7)  # no process group: one process
print("epoch", load(net, optimizer))
equal = map(torch.allclose, step(net, optimizer), uninterrupted_run())
print("next step equal:", all(equal))

# %% to-one-file
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save

dcp_to_torch_save(path, path + ".pt")
state = torch.load(path + ".pt")
print(list(state), list(state["model"]))


# %% async
def save_while_training(rank):
    net, optimizer = sharded(seed=0)
    before = net[0].weight.full_tensor()
    state = {"model": net.state_dict()}
    group = dist.new_group(backend="gloo")  # for saving only
    saving = dcp.async_save(
        state, checkpoint_id=path + "-async", process_group=group
    )  # copies, then writes in a thread
    step(net, optimizer)  # goes on meanwhile
    saving.result()  # before the next save, and before the end

    net, _ = sharded(seed=7)
    state = {"model": net.state_dict()}
    dcp.load(state, checkpoint_id=path + "-async")
    saved = net[0].weight.full_tensor()
    return f"{rank=} saved as before the step: {torch.equal(saved, before)}"


on(2, save_while_training)

# %% missing-key raises="CheckpointException"
head = torch.zeros(3, 2)
dcp.load({"model": {"head.weight": head}}, checkpoint_id=path)

# %% what-is-there
metadata = dcp.FileSystemReader(path).read_metadata()
for name, entry in metadata.state_dict_metadata.items():
    if name.startswith("model"):
        print(name, tuple(entry.size))

# %% partial
planner = dcp.DefaultLoadPlanner(allow_partial_load=True)
bias = torch.zeros(2)
state = {"model": {"head.weight": head, "2.bias": bias}}
dcp.load(state, checkpoint_id=path, planner=planner)
print("head:", head.abs().sum(), " bias read:", bool(bias.abs().sum() > 0))

# %% no-exception
from torch.distributed.checkpoint import CheckpointException

print("caught by `except Exception`:", issubclass(CheckpointException, Exception))

# %% partial-hides-a-prefix hidden=true
wrong = {"model": {f"module.{name}": torch.zeros(size) for name, size in (("0.bias", 6), ("2.bias", 2))}}
dcp.load(wrong, checkpoint_id=path, planner=dcp.DefaultLoadPlanner(allow_partial_load=True))
assert not any(bias.any() for bias in wrong["model"].values())

# %% after-backward hidden=true
import warnings

net, optimizer = sharded(seed=7)
net(data).sum().backward()
with warnings.catch_warnings(action="ignore"):
    load(net, optimizer)
assert not optimizer.state  # without a word
optimizer.zero_grad()
with warnings.catch_warnings(action="ignore"):
    load(net, optimizer)
assert len(optimizer.state) == 4

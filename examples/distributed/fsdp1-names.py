"""FullyShardedDataParallel (FSDP1) and fully_shard (FSDP2): the same training, other names."""

# %% two-processes fold=true
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, work, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    said = [None, None]
    dist.all_gather_object(said, work(rank))
    if rank == 0:
        print(*said, sep="\n")  # in the order of the ranks
    dist.destroy_process_group()


def on_two(work):
    """Run work(rank) in two processes and print what each returns."""
    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(process, args=(work, folder), nprocs=2, start_method="fork")


# %% both
from torch import nn
from torch.distributed import fsdp
from torch.distributed.device_mesh import init_device_mesh


def plain():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))


def first():  # FSDP1
    policy = fsdp.wrap.ModuleWrapPolicy({nn.Linear})
    options = dict(auto_wrap_policy=policy, device_id="cpu")
    return fsdp.FullyShardedDataParallel(plain(), **options)


def second():  # FSDP2
    net, mesh = plain(), init_device_mesh("cpu", (2,))
    for layer in net[0], net[2], net:
        fsdp.fully_shard(layer, mesh=mesh)
    return net


def work(rank):
    lines = []
    for net in first(), second():
        name, weight = next(net.named_parameters())
        here = weight.to_local() if hasattr(weight, "to_local") else weight
        kind = f"{type(weight).__name__} {tuple(weight.shape)}"
        lines += [f"{rank=} {type(net).__name__}", f"    {name}"]
        lines += [f"    {kind}, here {tuple(here.shape)}"]
    return "\n".join(lines)


on_two(work)

# %% equal
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
)

data = torch.randn(8, 4)


def trained(net, batch):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(batch).square().mean().backward()
    optimizer.step()
    return net


def work(rank):
    whole = StateDictOptions(full_state_dict=True)
    states = []
    for net in first(), second():
        trained(net, data[rank * 4 : rank * 4 + 4])
        states.append(get_model_state_dict(net, options=whole))
    one, two = states
    same = all(torch.allclose(one[name], two[name], atol=1e-6) for name in two)
    keys = list(one) == list(two)
    return f"{rank=} {list(two)} same keys: {keys}, same numbers: {same}"


on_two(work)

# %% missing raises="AttributeError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = fsdp.fully_shard(plain(), mesh=init_device_mesh("cpu", (1,)))
net(data).sum().backward()
net.clip_grad_norm_(1.0)

# %% clip
norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
print(type(norm).__name__, norm.full_tensor().shape)

# %% old-state-dict warns="FutureWarning" raises="KeyError"
FSDP1 = fsdp.FullyShardedDataParallel
with FSDP1.state_dict_type(net, fsdp.StateDictType.FULL_STATE_DICT):
    net.state_dict()

# %% new-state-dict
full = get_model_state_dict(net, options=StateDictOptions(full_state_dict=True))
print(type(full["0.weight"]).__name__)

# %% no-accelerator needs="no-cuda" raises="RuntimeError"
fsdp.FullyShardedDataParallel(nn.Linear(4, 2))

# %% names hidden=true
import inspect

options = set(inspect.signature(fsdp.fully_shard).parameters)
assert {"reshard_after_forward", "mp_policy", "offload_policy", "mesh", "ignored_params"} <= options
for name in "set_requires_gradient_sync", "unshard", "reshard", "set_modules_to_forward_prefetch":
    assert hasattr(fsdp.FSDPModule, name), name
for name in "FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD":
    assert hasattr(fsdp.ShardingStrategy, name), name
for name in "no_sync", "clip_grad_norm_", "summon_full_params", "state_dict_type":
    assert hasattr(fsdp.FullyShardedDataParallel, name), name
    assert not hasattr(fsdp.FSDPModule, name), name
assert "buffer_dtype" in inspect.signature(fsdp.MixedPrecision).parameters
assert "buffer_dtype" not in inspect.signature(fsdp.MixedPrecisionPolicy).parameters
assert "broadcast_from_rank0" in inspect.signature(StateDictOptions).parameters
fsdp.CPUOffload(offload_params=True), fsdp.CPUOffloadPolicy(), fsdp.FullStateDictConfig()
dist.destroy_process_group()

"""A full checkpoint into a sharded model, with the optimizer, and back."""

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


# %% load-full
from torch import nn
from torch.distributed.checkpoint import state_dict as dcp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def plain():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))


def sharded(net):
    mesh = init_device_mesh("cpu", (2,))
    for layer in (net[0], net[2]):
        fully_shard(layer, mesh=mesh)
    return fully_shard(net, mesh=mesh)


checkpoint = plain().state_dict()  # as torch.load gives it
with torch.no_grad():
    checkpoint["0.weight"].fill_(0.5)


def work(rank):
    with torch.device("meta"):
        net = sharded(plain())  # no memory yet
    net.to_empty(device="cpu")  # memory for the parts only
    whole = dict(full_state_dict=True, broadcast_from_rank0=True)
    options = dcp.StateDictOptions(**whole)
    file = checkpoint if rank == 0 else {}  # only rank 0 has read the file
    dcp.set_model_state_dict(net, file, options=options)
    part = net[0].weight.to_local()
    return f"{rank=} here {tuple(part.shape)}, all 0.5: {bool((part == 0.5).all())}"


on_two(work)


# %% optimizer-state
import copy

torch.manual_seed(1)
data = torch.randn(8, 4)


def train(net, optimizer):
    optimizer.zero_grad()
    net(data).square().mean().backward()
    optimizer.step()


Options = dcp.StateDictOptions
full = Options(full_state_dict=True, cpu_offload=True)
from_rank0 = Options(full_state_dict=True, broadcast_from_rank0=True)


def work(rank):
    net = sharded(plain())
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    train(net, optimizer)
    state = dcp.get_state_dict(net, optimizer, options=full)
    model_state, optim_state = copy.deepcopy(state)  # in place of a file
    names = list(optim_state.get("state", {}))  # rank 0 has all of them
    train(net, optimizer)

    again = sharded(plain())  # the second run
    optimizer = torch.optim.AdamW(again.parameters(), lr=0.1)
    dcp.set_model_state_dict(again, model_state, options=from_rank0)
    dcp.set_optimizer_state_dict(again, optimizer, optim_state, options=from_rank0)
    train(again, optimizer)
    pairs = zip(net.parameters(), again.parameters())
    equal = all(torch.equal(a.to_local(), b.to_local()) for a, b in pairs)
    return f"{rank=} state of {names}; as uninterrupted: {equal}"


on_two(work)


# %% weights-only
def work(rank):
    net = sharded(plain())
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    train(net, optimizer)
    state = dcp.get_model_state_dict(net, options=full)
    train(net, optimizer)

    again = sharded(plain())
    optimizer = torch.optim.AdamW(again.parameters(), lr=0.1)  # a fresh state
    dcp.set_model_state_dict(again, state, options=from_rank0)
    train(again, optimizer)
    difference = (net[0].weight - again[0].weight).abs().max().full_tensor()
    return f"{rank=} as uninterrupted: {bool(difference < 1e-6)}"


on_two(work)

# %% plain-state-dict raises="RuntimeError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = fully_shard(plain(), mesh=init_device_mesh("cpu", (1,)))
net.load_state_dict(plain().state_dict())

# %% plain-state-dict-loaded
options = dcp.StateDictOptions(full_state_dict=True)
print(dcp.set_model_state_dict(net, plain().state_dict(), options=options))

# %% wrap fold=true
import warnings

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import StateDictType

warnings.filterwarnings("ignore", ".*NO_SHARD", UserWarning)  # one process has nothing to shard
wrapped = FSDP(plain(), device_id=torch.device("cpu"))

# %% state-dict-type warns="FutureWarning"
with FSDP.state_dict_type(wrapped, StateDictType.FULL_STATE_DICT):
    old = wrapped.state_dict()

# %% state-dict-type-now
new = dcp.get_model_state_dict(wrapped, options=options)
print("equal:", all(torch.equal(old[name], new[name]) for name in old))
dist.destroy_process_group()


# %% other-states hidden=true
def work(rank):
    net = sharded(plain())
    file = {name: value.clone() for name, value in checkpoint.items()}
    for passed, kind in ((dict(file), "Tensor"), (file, "DTensor")):  # a copy; the dictionary itself
        dcp.set_model_state_dict(net, passed, options=from_rank0)
        kinds = {type(value).__name__ for value in file.values()}
        assert kinds == {kind}, kinds

    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # no momentum: it has no state
    train(net, optimizer)
    state = dcp.get_optimizer_state_dict(net, optimizer, options=full)
    try:
        dcp.set_optimizer_state_dict(net, optimizer, state, options=from_rank0)
    except AssertionError as error:
        assert "Expected device to be set" in str(error), error
    else:
        raise AssertionError("loaded")

    momentum = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    train(net, momentum)
    state = dcp.get_optimizer_state_dict(net, momentum, options=full)
    dcp.set_optimizer_state_dict(net, momentum, state, options=from_rank0)
    return f"{rank=}"


on_two(work)


# %% gradients-are-there hidden=true
def work(rank):
    net = sharded(plain())
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    train(net, optimizer)
    state = dcp.get_optimizer_state_dict(net, optimizer, options=full)
    fresh = torch.optim.AdamW(net.parameters(), lr=0.1)
    try:
        dcp.set_optimizer_state_dict(net, fresh, copy.deepcopy(state), options=from_rank0)
    except AssertionError as error:
        assert "Expected device to be set" in str(error), error
    else:
        raise AssertionError("loaded beside gradients")
    fresh.zero_grad()
    dcp.set_optimizer_state_dict(net, fresh, state, options=from_rank0)
    return f"{rank=}"


on_two(work)


# %% whole-on-every-rank hidden=true
def work(rank):
    wrapped = FSDP(plain(), device_id=torch.device("cpu"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # shown above
        with FSDP.state_dict_type(wrapped, StateDictType.FULL_STATE_DICT):
            old = wrapped.state_dict()
    new = dcp.get_model_state_dict(wrapped, options=options)
    assert list(old) == list(new) and all(torch.equal(old[name], new[name]) for name in old)
    return f"{rank=} {len(new)}"


on_two(work)


# %% missing-key hidden=true
def work(rank):
    net = sharded(plain())
    before = net[0].weight.to_local().clone()
    some = {name: value for name, value in checkpoint.items() if name != "0.weight"}
    found = dcp.set_model_state_dict(net, dict(some), options=options)
    assert not found.missing_keys and torch.equal(net[0].weight.to_local(), before)
    try:
        dcp.set_model_state_dict(net, some if rank == 0 else {}, options=from_rank0)
    except RuntimeError as error:
        assert "Missing key(s)" in str(error), error
    else:
        raise AssertionError("a missing key was loaded")
    return f"{rank=}"


on_two(work)


# %% part-alone hidden=true
def work(rank):
    net = sharded(plain())
    part = dcp.get_model_state_dict(net)["0.weight"]
    whole = dcp.get_model_state_dict(net, options=Options(full_state_dict=True))["0.weight"]
    assert part.to_local().numel() < part.numel() == whole.numel() and type(whole) is torch.Tensor
    return f"{rank=}"


on_two(work)


# %% loaded-into-the-old-wrapper hidden=true
def work(rank):
    def new():
        net = FSDP(plain(), device_id=torch.device("cpu"), use_orig_params=True)
        return net, torch.optim.AdamW(net.parameters(), lr=0.1)

    net, optimizer = new()
    train(net, optimizer)
    model_state, optim_state = copy.deepcopy(dcp.get_state_dict(net, optimizer, options=options))
    train(net, optimizer)
    again, optimizer = new()
    states = dict(model_state_dict=model_state, optim_state_dict=optim_state)
    dcp.set_state_dict(again, optimizer, **states, options=options)
    train(again, optimizer)
    first, second = (dcp.get_model_state_dict(one, options=options) for one in (net, again))
    assert list(first) == list(model_state)
    assert all(torch.allclose(first[name], second[name]) for name in first)
    return f"{rank=}"


on_two(work)

"""FullyShardedDataParallel (FSDP1) and fully_shard (FSDP2): the same training, other names."""

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


# %% both
from torch import nn
from torch.distributed import fsdp
from torch.distributed.device_mesh import init_device_mesh


def plain():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))


def first(**options):  # FSDP1
    policy = fsdp.wrap.ModuleWrapPolicy({nn.Linear})
    options = dict(auto_wrap_policy=policy, device_id="cpu") | options
    return fsdp.FullyShardedDataParallel(plain(), **options)


def second(**options):  # FSDP2
    net, mesh = plain(), options.pop("mesh", None) or init_device_mesh("cpu", (2,))
    for layer in net[0], net[2], net:
        fsdp.fully_shard(layer, mesh=mesh, **options)
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


on(2, work)

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


on(2, work)

# %% rows hidden=true
import warnings

from torch.distributed.checkpoint.state_dict import set_model_state_dict
from torch.nn.parallel import DistributedDataParallel


def whole(net):
    return get_model_state_dict(net, options=StateDictOptions(full_state_dict=True))


def same(one, two):
    one, two = (net if isinstance(net, dict) else whole(net) for net in (one, two))
    for name in one.keys() | two.keys():
        torch.testing.assert_close(one[name], two[name], atol=1e-6, rtol=1e-5)


def rows(rank):
    Strategy = fsdp.ShardingStrategy
    part = data[rank * 4 : rank * 4 + 4]
    pairs = (Strategy.FULL_SHARD, True, 0, "DTensor"), (Strategy.SHARD_GRAD_OP, False, 120, "Parameter")
    for strategy, reshard, size, kind in pairs:  # bytes of the whole flat parameter after forward
        one, two = first(sharding_strategy=strategy), second(reshard_after_forward=reshard)
        losses = one(part).sum(), two(part).sum()
        padded = one.module[0]._handle.flat_param._full_param_padded
        assert padded.untyped_storage().size() == size
        assert {type(weight).__name__ for weight in two.parameters()} == {kind}
        for loss in losses:
            loss.backward()
        same(trained(one, part), trained(two, part))
    one, two = first(sharding_strategy=Strategy.NO_SHARD), DistributedDataParallel(plain())
    assert [tuple(weight.shape) for weight in one.parameters()] == [(30,), (14,)]
    same(trained(one, part), trained(two, part).module.state_dict())

    types = dict(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    one = first(mixed_precision=fsdp.MixedPrecision(**types))
    two = second(mp_policy=fsdp.MixedPrecisionPolicy(**types))
    same(trained(one, part), trained(two, part))
    assert one(part).dtype == two(part).dtype == torch.bfloat16
    assert next(two.parameters()).grad.dtype == torch.float32

    one, two = first(), second()
    with one.no_sync():
        one(part[:2]).square().mean().backward()
    two.set_requires_gradient_sync(False)
    two(part[:2]).square().mean().backward()
    assert all(weight.grad is None for weight in two.parameters())
    two.set_requires_gradient_sync(True)
    same(trained(one, part[2:]), trained(two, part[2:]))

    one, two = first(), second()
    for net in one, two:
        net(part).sum().backward()
    norms = one.clip_grad_norm_(0.5), nn.utils.clip_grad_norm_(two.parameters(), 0.5).full_tensor()
    torch.testing.assert_close(*norms)

    with fsdp.FullyShardedDataParallel.summon_full_params(one):
        weight = one.module[0].weight
        assert torch.equal(weight, two[0].weight.full_tensor())
        two.unshard()  # of the whole model: not what belongs to its layers
        assert type(two[0].weight).__name__ == "DTensor"
        two[0].unshard()
        assert type(two[0].weight) is nn.Parameter and torch.equal(weight, two[0].weight)

    two = second(offload_policy=fsdp.CPUOffloadPolicy(pin_memory=False))
    same(trained(two, part), trained(second(), part))
    try:
        first(sync_module_states=True)
    except ValueError as error:
        assert "requires them to be on GPU" in str(error)
    else:
        raise AssertionError("sync_module_states works on a CPU")
    filled = {name: value + 1 for name, value in plain().state_dict().items()}
    two = second()
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    set_model_state_dict(two, filled if rank == 0 else {}, options=options)
    same(two, {name: value + 1 for name, value in plain().state_dict().items()})

    one, Kind = first(), fsdp.StateDictType.FULL_STATE_DICT
    with warnings.catch_warnings(action="ignore"):  # deprecated
        with fsdp.FullyShardedDataParallel.state_dict_type(one, Kind, fsdp.FullStateDictConfig()):
            same(dict(one.state_dict()), second())

    saved, two = whole(trained(first(), part)), second()
    copies = {name: value.clone() for name, value in saved.items()}
    set_model_state_dict(two, dict(saved), options=StateDictOptions(full_state_dict=True))
    same(two, copies)
    same(saved, copies)
    set_model_state_dict(two, saved, options=StateDictOptions(full_state_dict=True))
    same(two, copies)
    assert {type(value).__name__ for value in saved.values()} == {"DTensor"}  # changed


def hybrid(rank):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("copies", "parts"))
    one = first(sharding_strategy=fsdp.ShardingStrategy.HYBRID_SHARD, device_mesh=mesh)
    two = second(mesh=mesh)
    assert two[0].weight.to_local().shape == (3, 4) and next(one.parameters()).shape == (15,)
    part = data[rank * 2 : rank * 2 + 2]
    same(trained(one, part), trained(two, part))


on(2, rows)
on(4, hybrid)

# %% shared-steps hidden=true
from torch.distributed.checkpoint.state_dict import get_optimizer_state_dict, set_optimizer_state_dict


def steps(net, optimizer):
    for _ in range(3):
        net(data).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def work(rank):
    full = StateDictOptions(full_state_dict=True)
    one = first()
    optimizer = torch.optim.AdamW(one.parameters(), lr=0.01)
    steps(one, optimizer)
    saved, weights = get_optimizer_state_dict(one, optimizer, options=full), whole(one)
    weights = {name: weight.clone() for name, weight in weights.items()}
    steps(one, optimizer)
    counts = []
    for apart in False, True:
        two = second()
        set_model_state_dict(two, dict(weights), options=full)
        optimizer = torch.optim.AdamW(two.parameters(), lr=0.01)
        if apart:
            for state in saved["state"].values():
                state["step"] = torch.full_like(state["step"], 3)
        set_optimizer_state_dict(two, optimizer, saved, options=full)
        steps(two, optimizer)
        counts.append({state["step"].item() for state in optimizer.state.values()})
    assert counts == [{9.0}, {6.0}], counts  # weight and bias share the step of their flat parameter
    same(one, two)


on(2, work)

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
added = {name for name in set(dir(FSDP1)) - set(dir(nn.Module)) if not name.startswith("_")}
assert not added & set(dir(fsdp.FSDPModule))


# %% written hidden=true
def work(rank):
    one, two = first(), second()
    summon = fsdp.FullyShardedDataParallel.summon_full_params
    with torch.no_grad():
        with summon(one):
            one.module[0].weight.fill_(7)
        with summon(one):
            assert one.module[0].weight.eq(7).all()
        two[0].weight.full_tensor().fill_(7)
        two[0].unshard()
        two[0].weight.fill_(7)
        two[0].reshard()
        assert not two[0].weight.full_tensor().eq(7).any()
        two[0].weight.fill_(7)
    assert two[0].weight.full_tensor().eq(7).all()


on(2, work)


# %% after-an-evaluation hidden=true
def work(rank):
    net = second(reshard_after_forward=False)
    with torch.no_grad():
        net(data)  # no backward pass: the layers stay gathered
        assert not hasattr(net[0].weight, "full_tensor")
        net[0].weight.fill_(7)
        net[0].reshard()
        assert not net[0].weight.full_tensor().eq(7).any()
        net[0].weight.fill_(7)
    assert net[0].weight.full_tensor().eq(7).all()

    def normed():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Linear(6, 2))

    policy = fsdp.wrap.ModuleWrapPolicy({nn.Linear})
    options = dict(auto_wrap_policy=policy, device_id="cpu")
    mixed = fsdp.MixedPrecision(param_dtype=torch.bfloat16)
    one = fsdp.FullyShardedDataParallel(normed(), mixed_precision=mixed, **options)
    assert one(data).isfinite().all()  # leaves BatchNorm in float32 by itself
    types = fsdp.MixedPrecisionPolicy(param_dtype=torch.bfloat16)
    mesh = init_device_mesh("cpu", (2,))
    for alone in False, True:
        two = normed()
        if alone:
            fsdp.fully_shard(two[1], mesh=mesh)
        for layer in two[0], two[2], two:
            fsdp.fully_shard(layer, mesh=mesh, mp_policy=types)
        try:
            assert two(data).isfinite().all()
        except RuntimeError:
            assert not alone
        else:
            assert alone


on(2, work)


# %% remaining-rows hidden=true
def work(rank):
    part, mesh = data[rank * 4 : rank * 4 + 4], init_device_mesh("cpu", (2,))
    nets, options = [plain() for _ in range(3)], dict(device_id="cpu", use_orig_params=True)
    wrapped = [
        FSDP1(nets[0], ignored_modules=[nets[0][0]], **options),
        FSDP1(nets[1], ignored_states=list(nets[1][0].parameters()), **options),
        fsdp.fully_shard(nets[2], mesh=mesh, ignored_params=set(nets[2][0].parameters())),
    ]
    for inner in nets[:2]:
        assert sum(weight.numel() for weight in inner[2].parameters()) < 14  # in parts
    assert type(nets[2][2].weight).__name__ == "DTensor"
    for net, inner in zip(wrapped, nets):
        assert inner[0].weight.shape == (6, 4) and type(inner[0].weight) is nn.Parameter  # whole
        torch.testing.assert_close(net(part), plain()(part))

    one, two = first(forward_prefetch=True), second()
    two[0].set_modules_to_forward_prefetch([two[2]])
    for _ in range(2):
        torch.testing.assert_close(one(part), two(part))

    def halves(module):
        module.to_empty(device="cpu", recurse=False)
        for weight in module.parameters(recurse=False):
            nn.init.constant_(weight, 0.5)

    with torch.device("meta"):
        one, two = plain(), plain()
    one = FSDP1(one, auto_wrap_policy=fsdp.wrap.ModuleWrapPolicy({nn.Linear}), device_id="cpu", param_init_fn=halves)
    for layer in two[0], two[2], two:
        fsdp.fully_shard(layer, mesh=mesh)
    two.to_empty(device="cpu")
    filled = {name: torch.full_like(value, 0.5) for name, value in plain().state_dict().items()}
    set_model_state_dict(two, filled, options=StateDictOptions(full_state_dict=True))
    same(one, two)


on(2, work)


# %% item-of-a-norm hidden=true
def work(rank):
    norms = []
    for net in second(), plain():
        for weight in net.parameters():
            weight.grad = weight.detach().clone()  # a gradient, without a backward pass
        norms.append(nn.utils.clip_grad_norm_(net.parameters(), 1.0, norm_type=torch.inf))
    norm, expected = norms
    assert torch.equal(norm.full_tensor(), expected)
    said = [None, None]
    dist.all_gather_object(said, norm.item())
    assert said[0] != said[1] or not torch.__version__.startswith("2.13."), said  # each of its own part


on(2, work)

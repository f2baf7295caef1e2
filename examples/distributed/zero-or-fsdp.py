"""ZeroRedundancyOptimizer, fully_shard or plain DDP: what each rank keeps in memory."""

# %% four-processes fold=true
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, work, folder):
    meet = f"file://{folder}/meet"
    dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=4)
    said = [None] * 4
    dist.all_gather_object(said, work(rank))
    if rank == 0:
        print(*dict.fromkeys(said), sep="\n")  # what all ranks say, once
    dist.destroy_process_group()


def on_four(work):
    """Run work(rank) in four processes and print what each returns."""
    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(process, args=(work, folder), nprocs=4, start_method="fork")


# %% ways
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel


def ddp(net):
    return DistributedDataParallel(net), torch.optim.AdamW(net.parameters())


def zero(net):
    optimizer = ZeroRedundancyOptimizer(net.parameters(), torch.optim.AdamW)
    return DistributedDataParallel(net), optimizer


def sharded(net, reshard):
    mesh = init_device_mesh("cpu", (4,))
    for layer in [*net, net]:
        fully_shard(layer, mesh=mesh, reshard_after_forward=reshard)
    return net, torch.optim.AdamW(net.parameters())


ways = {
    "DDP": ddp,
    "DDP + ZeroRedundancyOptimizer": zero,
    "fully_shard, no reshard": lambda net: sharded(net, False),
    "fully_shard": lambda net: sharded(net, True),
}


# %% counted
def kib(tensors):
    """What these tensors take on this rank, in KiB."""
    held = [t for t in tensors if t is not None]  # a frozen weight has no gradient
    here = [t.to_local() if isinstance(t, DTensor) else t for t in held]
    return sum(tensor.nbytes for tensor in here) / 1024


def state(optimizer):
    inner = getattr(optimizer, "optim", optimizer)  # ZeroRedundancyOptimizer's own
    return [value for group in inner.state.values() for value in group.values()]


def kept(way, rank):
    torch.manual_seed(0)
    net = nn.Sequential(*[nn.Linear(64, 64) for _ in range(8)])
    whole = []

    def look(layer, inputs, output):
        whole.append(kib(w for w in net.parameters() if not isinstance(w, DTensor)))

    for layer in net:
        layer.register_forward_hook(look)
    model, optimizer = way(net)
    for _ in range(2):
        model(data[2 * rank : 2 * rank + 2]).square().mean().backward()
        optimizer.step()
    gradients = kib(weight.grad for weight in net.parameters())
    sizes = [kib(net.parameters()), gradients, kib(state(optimizer))]
    return [*sizes, sum(sizes), max(whole)]


def work(rank):
    columns = ["weights", "gradients", "state", "sum", "gathered"]
    rows = [" " * 30 + "".join(f"{column:>10}" for column in columns)]
    for name, way in ways.items():
        numbers = kept(way, rank)
        rows.append(f"{name:30}" + "".join(f"{number:10.0f}" for number in numbers))
    return "\n".join(rows)


data = torch.randn(8, 64, generator=torch.manual_seed(1))
on_four(work)


# %% one-large-tensor
def work(rank):
    torch.manual_seed(0)
    said = [f"{rank=}"]
    for name in ("DDP + ZeroRedundancyOptimizer", "fully_shard"):
        net = nn.Sequential(nn.Embedding(1000, 16), nn.Linear(16, 4))
        model, optimizer = ways[name](net)
        model(torch.tensor([1, 2])).sum().backward()
        optimizer.step()
        said.append(f"{name}: {kib(state(optimizer)):.1f} KiB")
    return "  ".join(said)


on_four(work)


# %% not-consolidated raises="RuntimeError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.Linear(4, 2)
model, optimizer = zero(net)
model(torch.ones(3, 4)).sum().backward()
optimizer.step()
optimizer.state_dict()

# %% consolidated
optimizer.consolidate_state_dict(to=0)  # all ranks call it
if dist.get_rank() == 0:
    saved = optimizer.state_dict()
    plain = torch.optim.AdamW(net.parameters())
    plain.load_state_dict(saved)
    print("parameters with a state:", len(plain.state))
dist.destroy_process_group()


# %% equal hidden=true
def trained(way, rank):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 33), nn.Tanh(), nn.Linear(33, 5))
    model, optimizer = way(net)
    for _ in range(4):
        optimizer.zero_grad()
        model(data[2 * rank : 2 * rank + 2]).square().mean().backward()
        optimizer.step()
    whole = [w.full_tensor() if isinstance(w, DTensor) else w for w in net.parameters()]
    return [weight.detach() for weight in whole]


def work(rank):
    linears = dict(ways)
    for name in ("fully_shard, no reshard", "fully_shard"):
        reshard = name == "fully_shard"

        def without_tanh(net, reshard=reshard):
            mesh = init_device_mesh("cpu", (4,))
            for layer in (net[0], net[2], net):
                fully_shard(layer, mesh=mesh, reshard_after_forward=reshard)
            return net, torch.optim.AdamW(net.parameters())

        linears[name] = without_tanh
    results = [trained(way, rank) for way in linears.values()]
    for result in results[1:]:
        assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(result, results[0]))
    return "equal"


on_four(work)


# %% consolidated-on-four hidden=true
def work(rank):
    optimizers = []
    for way in (ddp, zero):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(64, 33), nn.Linear(33, 5))
        model, optimizer = way(net)
        for _ in range(3):
            optimizer.zero_grad()
            model(data[2 * rank : 2 * rank + 2]).square().mean().backward()
            optimizer.step()
        optimizers.append(optimizer)
    plain, dealt = optimizers
    dealt.consolidate_state_dict(to=1)
    if rank != 1:
        try:
            dealt.state_dict()
        except RuntimeError as error:
            assert "has not been consolidated on this rank" in str(error), error
        else:
            raise AssertionError("another rank has the state, too")
    else:
        saved = dealt.state_dict()["state"]
        assert len(saved) == len(plain.state) == 4
        for number, weight in enumerate(plain.param_groups[0]["params"]):
            for name, value in plain.state[weight].items():
                assert torch.allclose(saved[number][name], value, atol=1e-6), name
                assert saved[number][name].device.type == "cpu"
    dist.barrier()
    return "consolidated"


on_four(work)


# %% other-sizes hidden=true
def work(rank):
    for optimizer_class, times in ((torch.optim.AdamW, 2), (torch.optim.SGD, 1)):
        options = {"momentum": 0.9} if optimizer_class is torch.optim.SGD else {}
        for dtype in (torch.float32, torch.float64):
            net = nn.Sequential(nn.Linear(48, 48, bias=False), nn.Linear(48, 48, bias=False)).to(dtype)
            all_weights = kib(net.parameters())
            dealt = ZeroRedundancyOptimizer(net.parameters(), optimizer_class, lr=0.1, **options)
            net(torch.ones(2, 48, dtype=dtype)).sum().backward()
            dealt.step()
            mine = kib(t for t in state(dealt) if t.dim())
            assert mine == (times * all_weights / 2 if rank < 2 else 0)  # two tensors, four ranks
    dist.barrier()
    return "counted"


on_four(work)


# %% buckets hidden=true
def work(rank):
    for view in (False, True):
        net = nn.Sequential(nn.Linear(48, 48), nn.Linear(48, 48))
        model = DistributedDataParallel(net, gradient_as_bucket_view=view)
        for _ in range(2):
            model(torch.ones(2, 48)).sum().backward()
        storages = {weight.grad.untyped_storage().data_ptr() for weight in net.parameters()}
        assert (len(storages) == 1) is view
    return "buckets"


on_four(work)


# %% resumed hidden=true
def work(rank):
    import copy

    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 33), nn.Linear(33, 5))
    model, optimizer = zero(net)

    def step(optimizer):
        optimizer.zero_grad()
        model(data[2 * rank : 2 * rank + 2]).square().mean().backward()
        optimizer.step()
        return [weight.detach().clone() for weight in net.parameters()]

    start = step(optimizer)
    optimizer.consolidate_state_dict(to=0)
    saved = [None]
    if rank == 0:
        shared = optimizer.state_dict()
        saved = [copy.deepcopy(shared)]
    dist.broadcast_object_list(saved)
    after = step(optimizer)
    if rank == 0:
        moved = [(shared["state"][i]["exp_avg"] != saved[0]["state"][i]["exp_avg"]).any() for i in range(4)]
        assert any(moved) and not all(moved), moved  # those of rank 0
    with torch.no_grad():
        for weight, value in zip(net.parameters(), start):
            weight.copy_(value)
    again = ZeroRedundancyOptimizer(net.parameters(), torch.optim.AdamW)
    again.load_state_dict(saved[0])
    for one, other in zip(step(again), after):
        torch.testing.assert_close(one, other)
    assert kib(state(again)) == kib(state(optimizer))
    return "resumed"


on_four(work)


# %% frozen hidden=true
def work(rank):
    for way in (ddp, zero):
        net = nn.Sequential(nn.Linear(64, 64, bias=False).requires_grad_(False), nn.Linear(64, 64, bias=False))
        model, optimizer = way(net)
        model(data).sum().backward()
        optimizer.step()
        assert kib(weight.grad for weight in net.parameters()) == 16 == kib(net.parameters()) / 2
    return "frozen"


on_four(work)


# %% consolidated-anew hidden=true
def work(rank):
    net = nn.Sequential(nn.Linear(64, 33), nn.Linear(33, 5))
    model, optimizer = zero(net)
    seen = []
    for anew in (True, False, True):
        optimizer.zero_grad()
        model(data[2 * rank : 2 * rank + 2]).square().mean().backward()
        optimizer.step()
        if anew:
            optimizer.consolidate_state_dict(to=0)
        if rank == 0:
            seen.append({int(one["step"]) for one in optimizer.state_dict()["state"].values()})
    dist.barrier()
    if rank == 0:
        assert seen == [{1}, {1, 2}, {3}], seen
    return "anew"


on_four(work)

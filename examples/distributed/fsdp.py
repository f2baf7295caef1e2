"""fully_shard: each process holds a part of the parameters."""

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


# %% shards
from torch import nn
from torch.distributed.checkpoint import state_dict as dcp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def sharded():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
    mesh = init_device_mesh("cpu", (2,))
    for layer in net:
        if isinstance(layer, nn.Linear):
            fully_shard(layer, mesh=mesh)
    return fully_shard(net, mesh=mesh)


def work(rank):
    net = sharded()
    held, shapes = 0, []
    for name, weight in net.named_parameters():
        part = weight.to_local()
        held += part.numel()
        shapes.append(f"{name} {tuple(weight.shape)} -> {tuple(part.shape)}")
    total = sum(weight.numel() for weight in net.parameters())
    return f"{rank=} holds {held} of {total} numbers: " + ", ".join(shapes)


on_two(work)

# %% step
data = torch.randn(8, 4)


def train(net, batch):  # after fully_shard
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    net(batch).square().mean().backward()
    optimizer.step()
    return optimizer


def work(rank):
    net = sharded()
    optimizer = train(net, data[rank * 4 : rank * 4 + 4])
    weight = net[0].weight
    momentum = optimizer.state[weight]["momentum_buffer"]
    parts = [tuple(t.to_local().shape) for t in (weight, weight.grad, momentum)]
    whole = f"{rank=} {type(weight).__name__} {tuple(weight.shape)}"
    return f"{whole}, here: weight, gradient, momentum {parts}"


on_two(work)


# %% equal
def work(rank):
    net = sharded()
    train(net, data[rank * 4 : rank * 4 + 4])
    sharded_weight = net[0].weight.full_tensor()  # every process must call it

    torch.manual_seed(0)
    plain = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))
    train(plain, data)
    same = torch.allclose(sharded_weight, plain[0].weight, atol=1e-5)
    return f"{rank=} as on one process: {same}"


on_two(work)


# %% state-dict
def work(rank):
    net = sharded()
    own = net.state_dict()["0.weight"]
    options = dcp.StateDictOptions(full_state_dict=True, cpu_offload=True)
    full = dcp.get_model_state_dict(net, options=options)  # every rank calls it
    shapes = {name: tuple(value.shape) for name, value in full.items()}
    here = f"{type(own).__name__}, here {tuple(own.to_local().shape)}"
    return f"{rank=} state_dict(): {here}; full: {shapes}"


on_two(work)


# %% optimizer-first
def work(rank):
    net = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # too early
    fully_shard(net, mesh=init_device_mesh("cpu", (2,)))
    before = net.weight.to_local().clone()
    net(torch.ones(1, 4)).sum().backward()
    optimizer.step()
    return f"{rank=} trained: {not torch.equal(net.weight.to_local(), before)}"


on_two(work)


# %% odd-sizes hidden=true
def work(rank):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 7), nn.BatchNorm1d(7), nn.Linear(7, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    net(data).square().mean().backward()
    optimizer.step()  # the optimizer has a state, the parameters have gradients

    fully_shard(net, mesh=init_device_mesh("cpu", (2,)))
    before = [weight.to_local().clone() for weight in net.parameters()]
    net(data).square().mean().backward()
    optimizer.step()
    after = [weight.to_local() for weight in net.parameters()]
    assert all(torch.equal(one, other) for one, other in zip(before, after))

    rows = [len(part) for part in after]
    assert rows == ([4, 4, 4, 4, 1, 1] if rank == 0 else [3, 3, 3, 3, 0, 0]), rows
    assert [tuple(buffer.shape) for buffer in net.buffers()] == [(7,), (7,), ()]

    options = dcp.StateDictOptions(full_state_dict=True, cpu_offload=True)
    full = dcp.get_model_state_dict(net, options=options)
    assert bool(full) is (rank == 0)
    if rank == 0:
        plain = nn.Sequential(nn.Linear(4, 7), nn.BatchNorm1d(7), nn.Linear(7, 1))
        plain.load_state_dict(full)


on_two(work)


# %% tied hidden=true
def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    for together in (True, False):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5, bias=False))
        net[1].weight = net[0].weight
        try:
            for part in [[net[0], net[1]]] if together else net:
                fully_shard(part, mesh=mesh)
            fully_shard(net, mesh=mesh)
            net(torch.tensor([1, 2])).sum().backward()
        except ValueError as error:
            assert not together and "is shared with a parameter" in str(error), error
        else:
            assert together and net[0].weight is net[1].weight
    for shape in ((1,), ()):
        net = nn.Linear(2, 2)
        net.temperature = nn.Parameter(torch.ones(shape))
        try:
            fully_shard(net, mesh=mesh)
        except ValueError as error:
            assert shape == () and "scalar parameters" in str(error), error
        else:
            assert shape == (1,)


on_two(work)


# %% own-parts hidden=true
from torch.distributed.fsdp import register_fsdp_forward_method


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 4)

    def forward(self, x):
        return self.layer(x)

    def generate(self, x):
        return self.layer(x)


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    torch.manual_seed(rank)  # another model on each rank
    net = nn.Linear(2, 4)
    own = net.weight.detach().clone()
    whole = fully_shard(net, mesh=mesh).weight.full_tensor()
    mine = slice(2 * rank, 2 * rank + 2)
    assert torch.equal(whole[mine], own[mine]) and not torch.equal(whole, own)

    x = torch.ones(1, 2)
    writer = fully_shard(Writer(), mesh=mesh)
    for call in (writer.generate, writer.layer):
        try:
            call(x)
        except RuntimeError as error:
            assert "got mixed torch.Tensor and DTensor" in str(error), error
        else:
            raise AssertionError(f"{call} gathered")
    register_fsdp_forward_method(writer, "generate")
    assert torch.equal(writer.generate(x), writer(x))
    inside = Writer()
    fully_shard(inside.layer, mesh=mesh)
    fully_shard(inside, mesh=mesh).generate(x)


on_two(work)


# %% after-an-evaluation hidden=true
def work(rank):
    x = torch.ones(1, 4)
    for resharded in (False, True):
        net = fully_shard(nn.Linear(4, 2), mesh=init_device_mesh("cpu", (2,)))
        with torch.no_grad():
            net(x)  # no backward pass follows
        if resharded:
            net.reshard()
        assert hasattr(net.weight, "full_tensor") is resharded
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net(x).sum().backward()
        before = net.weight.to_local().clone()
        optimizer.step()
        assert torch.equal(net.weight.to_local(), before) is not resharded


on_two(work)


# %% gathers-by-a-call hidden=true
class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 4)
        self.words = nn.Embedding(5, 2)

    def forward(self, x):
        return self.layer(x)

    def generate(self, x):
        return self(x)

    def generate_by_forward(self, x):
        return self.forward(x)


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    x = torch.ones(1, 2)
    assert type(fully_shard(Sampler(), mesh=mesh).generate(x)) is torch.Tensor
    try:
        fully_shard(Sampler(), mesh=mesh).generate_by_forward(x)
    except RuntimeError as error:
        assert "got mixed torch.Tensor and DTensor" in str(error), error
    else:
        raise AssertionError("forward alone gathered")
    row = fully_shard(Sampler(), mesh=mesh).words(torch.tensor([1]))
    assert type(row) is not torch.Tensor  # no error, a DTensor
    for reshards in (False, True):
        net = fully_shard(Sampler(), mesh=mesh)
        optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
        net(x).sum().backward()
        with torch.no_grad():
            before = net(x).clone()  # stays gathered
        assert type(net.layer(x)) is torch.Tensor
        if reshards:
            net.reshard()
        optimizer.step()
        assert torch.equal(net(x), before) != reshards  # the old weights


on_two(work)


# %% tokens-alone hidden=true
def work(rank):
    words = fully_shard(Sampler(), mesh=init_device_mesh("cpu", (2,))).words
    try:
        words(torch.tensor([1, 2]))
    except RuntimeError as error:
        assert "got mixed torch.Tensor and DTensor" in str(error), error
    else:
        raise AssertionError("two tokens raise nothing")


on_two(work)


# %% samples-together hidden=true
import copy


def work(rank):
    for middle in (nn.ReLU(), nn.BatchNorm1d(4), nn.Dropout(0.5)):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(4, 4), middle, nn.Linear(4, 2))
        plain = copy.deepcopy(net)
        fully_shard(net, mesh=init_device_mesh("cpu", (2,)))
        for model, batch in ((net, data[rank * 4 : rank * 4 + 4]), (plain, data)):
            torch.manual_seed(1)
            model(batch).square().mean().backward()
        same = torch.allclose(net[0].weight.grad.full_tensor(), plain[0].weight.grad, atol=1e-5)
        assert same is isinstance(middle, nn.ReLU), middle


on_two(work)


# %% generates-first hidden=true
def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    net, x = Sampler(), torch.ones(1, 2)
    for part in (net.layer, net.words, net):
        fully_shard(part, mesh=mesh)
    net.generate_by_forward(x)  # before the first net(x)
    try:
        net(x)
    except RuntimeError as error:
        assert "already been lazily initialized" in str(error), error
    else:
        raise AssertionError("the call passes")


on_two(work)

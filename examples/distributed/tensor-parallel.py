"""Tensor parallelism: DeviceMesh, DTensor, parallelize_module."""

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


# %% parallelize
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)  # every process starts with the same weights
        self.up = nn.Linear(4, 8)
        self.down = nn.Linear(8, 4)

    def forward(self, x):
        return self.down(nn.functional.gelu(self.up(x)))


plan = {"up": ColwiseParallel(), "down": RowwiseParallel()}


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    net = parallelize_module(MLP(), mesh, plan)
    lines = [f"{rank=}"]
    for name, weight in net.named_parameters():
        whole, here = tuple(weight.shape), tuple(weight.to_local().shape)
        lines.append(f"  {name:11} {whole} -> {here} {weight.placements}")
    return "\n".join(lines)


on(2, work)

# %% equal
torch.manual_seed(1)
batch = torch.randn(3, 4)  # the same on all ranks


def step(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    before = net(batch)
    before.square().sum().backward()
    optimizer.step()
    return before, net(batch)


def work(rank):
    parallel = step(parallelize_module(MLP(), init_device_mesh("cpu", (2,)), plan))
    plain = step(MLP())
    equal = [torch.allclose(*pair, atol=1e-5) for pair in zip(parallel, plain)]
    return f"{rank=} equal before the step: {equal[0]}, after it: {equal[1]}"


on(2, work)

# %% dtensor
from torch.distributed.tensor import Replicate, Shard, distribute_tensor


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    x = distribute_tensor(torch.arange(6.0).view(2, 3), mesh, [Shard(0)])
    total = x.sum()  # each rank has added up its own row
    whole = x.redistribute(placements=[Replicate()])
    return (
        f"{rank=} row {x.to_local().tolist()}, sum {total.to_local().item():.0f} "
        f"{total.placements}, full_tensor {total.full_tensor().item():.0f}, "
        f"redistributed {tuple(whole.to_local().shape)}"
    )


on(2, work)

# %% mixed raises="RuntimeError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
alone = init_device_mesh("cpu", (1,))  # one process is enough for the error
net = parallelize_module(MLP(), alone, plan)
net.up.weight + torch.ones(8, 4)

# %% not-mixed
ones = distribute_tensor(torch.ones(8, 4), alone, [Replicate()])
total = net.up.weight + ones
print(type(total).__name__, tuple(total.shape))
dist.destroy_process_group()


# %% heads
class Heads(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(8, 8)

    def forward(self, x):
        return self.query(x).view(*x.shape[:-1], self.heads, 2)


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    lines = []
    for heads in (4, -1):  # those of the whole; those of this process
        net = parallelize_module(Heads(heads), mesh, {"query": ColwiseParallel()})
        try:
            lines.append(f"{rank=} {heads=:2} {tuple(net(torch.ones(3, 8)).shape)}")
        except RuntimeError as error:
            lines.append(f"{rank=} {heads=:2} RuntimeError: {error}")
    return "\n".join(lines)


on(2, work)

# %% sequence
from torch.distributed.tensor.parallel import SequenceParallel, loss_parallel


class Model(MLP):
    def __init__(self):
        super().__init__()
        self.norm, self.head = nn.LayerNorm(4), nn.Linear(4, 6)

    def forward(self, x):
        return self.head(super().forward(self.norm(x)))


split = Shard(1)  # along the sequence
whole_plan = {
    "norm": SequenceParallel(),
    "up": ColwiseParallel(input_layouts=split),
    "down": RowwiseParallel(output_layouts=split),
    "head": ColwiseParallel(
        input_layouts=split,
        output_layouts=Shard(-1),  # by class
        use_local_output=False,
    ),
}
tokens = torch.randn(2, 6, 4)  # (batch, sequence, features)
labels = torch.randint(6, (2, 6))


def loss_of(logits):
    return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())


def work(rank):
    net = parallelize_module(Model(), init_device_mesh("cpu", (2,)), whole_plan)
    mine = tokens.chunk(2, dim=1)[rank]
    logits = net(mine)
    with loss_parallel():  # backward() inside, too
        loss = loss_of(logits)
        loss.backward()
    plain = Model()
    expected = loss_of(plain(tokens))
    expected.backward()
    equal = [torch.allclose(loss.full_tensor(), expected)]
    for name, weight in net.named_parameters():
        gradient = plain.get_parameter(name).grad
        equal.append(torch.allclose(weight.grad.full_tensor(), gradient, atol=1e-6))
    shapes = f"{tuple(mine.shape)} logits {tuple(logits.to_local().shape)}"
    return f"{rank=} {shapes}, loss and gradients equal: {all(equal)}"


on(2, work)

# %% block
from torch.distributed.tensor.debug import CommDebugMode
from torch.distributed.tensor.parallel import PrepareModuleInput


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(4, 4) for _ in range(3))
        self.out = nn.Linear(4, 4)

    def forward(self, x):
        parts = [layer(x) for layer in (self.query, self.key, self.value)]
        heads = [part.unflatten(-1, (-1, 2)).transpose(1, 2) for part in parts]
        out = nn.functional.scaled_dot_product_attention(*heads, is_causal=True)
        return self.out(out.transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.norm, self.attention = nn.LayerNorm(4), Attention()

    def forward(self, x):
        return x + self.attention(self.norm(x))


whole = (Replicate(),)
once = PrepareModuleInput(input_layouts=(split,), desired_input_layouts=whole)
block_plan = {
    "norm": SequenceParallel(),
    "attention": once,
    "attention.query": ColwiseParallel(),
    "attention.key": ColwiseParallel(),
    "attention.value": ColwiseParallel(),
    "attention.out": RowwiseParallel(output_layouts=split),
}


def work(rank):
    net = parallelize_module(Block(), init_device_mesh("cpu", (2,)), block_plan)
    with CommDebugMode() as counter:
        out = net(tokens.chunk(2, dim=1)[rank])
    equal = torch.allclose(out, Block()(tokens).chunk(2, dim=1)[rank], atol=1e-6)
    calls = counter.get_total_counts()
    return f"{rank=} {tuple(out.shape)} equal: {equal}, collectives: {calls}"


on(2, work)

# %% context
from torch.distributed.tensor import DTensor, Partial
from torch.nn.functional import scaled_dot_product_attention

# (query, key or value; batch, heads, time, size)
heads = torch.randn(3, 1, 2, 8, 4, requires_grad=True)


def gathered(part, mesh):
    whole = DTensor.from_local(part, mesh, [Shard(2)])
    return whole.full_tensor(grad_placements=[Partial()])


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    mine = slice(rank * 4, rank * 4 + 4)  # four of eight tokens
    part = heads.detach()[..., mine, :].clone().requires_grad_()
    q, k, v = part
    alone = scaled_dot_product_attention(q, k, v, is_causal=True)
    places = torch.arange(8)  # in the whole text
    seen = places <= places[mine, None]
    k, v = gathered(k, mesh), gathered(v, mesh)
    whole = scaled_dot_product_attention(q, k, v, attn_mask=seen)
    whole.square().sum().backward()
    expected = scaled_dot_product_attention(*heads, is_causal=True)
    expected.square().sum().backward()  # a fork after it may raise
    pairs = (alone, expected[:, :, mine]), (whole, expected[:, :, mine])
    pairs = *pairs, (part.grad, heads.grad[..., mine, :])
    equal = [torch.allclose(*pair, atol=1e-5) for pair in pairs]
    return f"{rank=} own keys {equal[0]}, all keys {equal[1]}, gradients {equal[2]}"


on(2, work)

# %% context-cpu
from torch.distributed.tensor.experimental import context_parallel


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    parts = list(heads.detach().clone())  # q, k, v
    with context_parallel(mesh, buffers=parts, buffer_seq_dims=[2, 2, 2]):
        out = scaled_dot_product_attention(*parts, is_causal=True)
        own = [part.clone() for part in parts]
    alone = scaled_dot_product_attention(*own, is_causal=True)
    return f"{rank=} {tuple(out.shape)}, own part alone: {torch.equal(out, alone)}"


on(2, work)

# %% mesh
from torch.distributed.fsdp import fully_shard


def work(rank):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "tensor"))
    net = parallelize_module(MLP(), mesh["tensor"], plan)  # inside a machine
    fully_shard(net, mesh=mesh["data"])  # between machines
    weight = net.up.weight
    data, tensor = mesh.get_coordinate()
    here = tuple(weight.to_local().shape)
    return f"{rank=} {data=} {tensor=} up.weight {tuple(weight.shape)} -> {here}"


on(4, work)

# %% collectives-count hidden=true
import logging


def work(rank):
    from torch.distributed.tensor.debug import CommDebugMode

    net = parallelize_module(MLP(), init_device_mesh("cpu", (2,)), plan)
    with CommDebugMode() as mode:
        net(batch)
    assert mode.get_total_counts() == 1, mode.get_comm_counts()
    with CommDebugMode() as mode:
        net(batch.clone().requires_grad_()).square().sum().backward()
    assert mode.get_total_counts() == 2, mode.get_comm_counts()
    net = MLP()
    net.up, net.down = nn.Linear(4, 7), nn.Linear(7, 4)
    logging.disable()  # it logs the traceback, too
    try:
        parallelize_module(net, init_device_mesh("cpu", (2,)), plan)(batch)
    except RuntimeError as error:
        assert "a and b must have same reduction dim" in str(error), error
    else:
        raise AssertionError("seven hidden values on two ranks")


on(2, work)


# %% shares-and-styles hidden=true
def work(rank):
    from torch.distributed.tensor.debug import CommDebugMode

    mesh = init_device_mesh("cpu", (2,))
    total = distribute_tensor(torch.arange(6.0).view(3, 2) - 2, mesh, [Shard(0)]).sum()
    assert total.item() == (-2 if rank == 0 else 5) and total.full_tensor() == 3

    for requires_grad in (False, True):
        pair = {"up": ColwiseParallel(), "down": RowwiseParallel()}
        net = parallelize_module(MLP(), mesh, pair)
        out = net(torch.ones(3, 4, requires_grad=requires_grad))
        with CommDebugMode() as counter:
            out.sum().backward()
        assert counter.get_total_counts() == requires_grad

    torch.manual_seed(rank)
    alone = nn.Sequential(nn.Linear(4, 7))  # 7 outputs, uneven, gathered
    parallelize_module(alone, mesh, {"0": ColwiseParallel(output_layouts=Replicate())})
    torch.manual_seed(0)
    first = nn.Linear(4, 7)
    assert torch.allclose(alone(torch.ones(1, 4)), first(torch.ones(1, 4)))
    for layer in (nn.Conv1d(2, 2, 1), nn.LayerNorm(4)):
        try:
            parallelize_module(nn.Sequential(layer), mesh, {"0": ColwiseParallel()})
        except NotImplementedError as error:
            assert "only support nn.Linear and nn.Embedding" in str(error)
        else:
            raise AssertionError(layer)


on(2, work)

# %% what-is-not-checked hidden=true
import os


def odd(rank, folder):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # gloo says why on stderr
    process(rank, lambda rank: parallelize_module(Model(), init_device_mesh("cpu", (2,)), whole_plan)(
        torch.randn(2, 5, 4).chunk(2, dim=1)[rank]), folder, 2)  # fmt: skip


logging.disable()  # of the process that is ended
with tempfile.TemporaryDirectory() as folder:
    try:
        mp.start_processes(odd, args=(folder,), nprocs=2, start_method="fork")
    except Exception as error:
        assert "terminated" in str(error), error
    else:
        raise AssertionError("five tokens on two ranks")


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    net = parallelize_module(Model(), mesh, whole_plan)
    assert net(tokens).shape == (2, 12, 6)  # the whole text on each rank: twice as long
    logits = net(tokens.chunk(2, dim=1)[rank])
    plain = Model()(tokens).flatten(0, 1)
    some = labels.masked_fill(labels == 0, -100)
    for target, options in (
        (labels, {"weight": torch.arange(1.0, 7)}),
        (labels, {"reduction": "sum"}),
        (labels, {"reduction": "none"}),
        (some, {}),
    ):
        with loss_parallel():
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten(), **options)
            expected = nn.functional.cross_entropy(plain, target.flatten(), **options)
        loss = loss.full_tensor() if hasattr(loss, "full_tensor") else loss
        torch.testing.assert_close(loss, expected)
    with loss_parallel():
        smooth = {"label_smoothing": 0.1}
        loss = loss_of(logits)
        raising = (
            loss.backward,
            lambda: nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), **smooth),
        )
    logging.disable()  # it logs the traceback, too
    for call in raising:  # outside of the block
        try:
            call()
        except RuntimeError as error:
            assert "got mixed torch.Tensor and DTensor" in str(error), error
        else:
            raise AssertionError(call)
    net = Model()
    with torch.no_grad():
        net.norm.weight.add_(rank)
        net.up.weight.add_(rank)
    parallelize_module(net, mesh, whole_plan)
    torch.testing.assert_close(net.up.weight.full_tensor(), MLP().up.weight)  # of rank 0
    assert net.norm.weight.full_tensor().mean() == 1 + rank  # of each


on(2, work)


# %% each-gathers hidden=true
def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    each = {name: style for name, style in block_plan.items() if name != "attention"}
    for name in ("query", "key", "value"):
        each[f"attention.{name}"] = ColwiseParallel(input_layouts=split)
    net = parallelize_module(Block(), mesh, each)
    with CommDebugMode() as counter:
        net(tokens.chunk(2, dim=1)[rank])
    assert counter.get_total_counts() == 4, counter.get_comm_counts()
    net, plain = parallelize_module(Block(), mesh, block_plan), Block()
    net(tokens.chunk(2, dim=1)[rank]).square().sum().backward()
    plain(tokens).square().sum().backward()
    for name, weight in net.named_parameters():
        torch.testing.assert_close(weight.grad.full_tensor(), plain.get_parameter(name).grad)


on(2, work)


# %% plain-gradients hidden=true
def work(rank):
    net = parallelize_module(Model(), init_device_mesh("cpu", (2,)), plan)  # neither norm nor head
    net(tokens).square().sum().backward()
    logging.disable()  # it logs the traceback, too
    try:
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    except RuntimeError as error:
        assert "got mixed torch.Tensor and DTensor" in str(error), error
    else:
        raise AssertionError("gradients of both kinds")
    torch.manual_seed(rank)
    out = nn.functional.dropout(net(tokens))
    both = [torch.empty_like(out) for _ in range(2)]
    dist.all_gather(both, out.detach())
    assert not torch.equal(*both)  # each rank drops others
    net = parallelize_module(Model(), init_device_mesh("cpu", (2,)), whole_plan)
    logits = net(tokens.chunk(2, dim=1)[rank])
    with loss_parallel():
        loss_of(logits).backward()
    plain = Model()
    loss_of(plain(tokens)).backward()
    norms = [nn.utils.clip_grad_norm_(each.parameters(), 1.0) for each in (net, plain)]
    torch.testing.assert_close(norms[0].full_tensor(), norms[1])


on(2, work)


# %% optimizer-and-ties hidden=true
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = nn.Linear(4, 8), nn.Linear(4, 8)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.first(x) * self.second(2 * x)


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    net = MLP()
    early = torch.optim.SGD(net.parameters(), lr=0.1)
    parallelize_module(net, mesh, plan)
    net(batch).square().sum().backward()
    for optimizer, moves in ((early, False), (torch.optim.SGD(net.parameters(), lr=0.1), True)):
        before = net.up.weight.to_local().detach().clone()
        optimizer.step()
        assert torch.equal(net.up.weight.to_local(), before) is not moves

    plain, found = step(Tied()), []
    both = {name: ColwiseParallel(output_layouts=Replicate()) for name in ("first", "second")}
    for tie in (False, True):
        net = parallelize_module(Tied(), mesh, both)
        assert net.second.weight is not net.first.weight
        if tie:
            net.second.weight = net.first.weight
        found.append([torch.allclose(*pair, atol=1e-4) for pair in zip(step(net), plain)])
    assert found == [[True, False], [True, True]]  # before the step, after it


on(2, work)


# %% values-of-rank-0 hidden=true
def work(rank):
    from torch.distributed.tensor import DTensor

    mesh = init_device_mesh("cpu", (2,))
    own = torch.full((1, 2), float(rank))
    sent = distribute_tensor(own.repeat(2, 1), mesh, [Shard(0)]).full_tensor()
    kept = DTensor.from_local(own, mesh, [Shard(0)]).full_tensor()
    assert sent.tolist() == [[0, 0], [0, 0]] and kept.tolist() == [[0, 0], [1, 1]]
    copies = DTensor.from_local(own, mesh)  # without placements
    assert copies.shape == own.shape and torch.equal(copies.full_tensor(), own)


on(2, work)

# %% size-left-open hidden=true
# What rank 0 of two has of the query above: with -1 for the size nothing raises, and no head is one of the whole's
whole = torch.arange(24.0).view(3, 8)
mine = whole[:, :4]
assert torch.equal(mine.reshape(3, -1, 2), whole.view(3, 4, 2)[:, :2])
assert mine.reshape(3, 4, -1).shape == (3, 4, 1)

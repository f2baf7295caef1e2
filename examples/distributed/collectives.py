"""all_reduce, broadcast, gather: what both ranks hold before and after."""

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


# %% all-reduce
def work(rank):
    x = torch.tensor([1.0, 2.0]) * (rank + 1)
    before = x.tolist()
    dist.all_reduce(x)  # in place, the sum
    return f"{rank=} {before} -> {x.tolist()}"


on_two(work)


# %% column
def work(rank):
    table = torch.ones(3, 2) * (rank + 1)
    copy = table[:, 0].contiguous()
    dist.all_reduce(table[:, 0])  # a view with gaps
    dist.all_reduce(copy)
    return f"{rank=} column {table[:, 0].tolist()}, its copy {copy.tolist()}"


on_two(work)


# %% broadcast
def work(rank):
    x = torch.full((2,), rank + 5)
    before = x.tolist()
    dist.broadcast(x, src=0)  # in place
    return f"{rank=} {before} -> {x.tolist()}"


on_two(work)


# %% gather
def work(rank):
    x = torch.tensor([rank * 10, rank * 10 + 1])
    parts = [torch.empty_like(x) for _ in range(2)]
    dist.all_gather(parts, x)  # each gets all
    return f"{rank=} {x.tolist()} -> {[part.tolist() for part in parts]}"


on_two(work)


# %% reduce-scatter
def work(rank):
    x = torch.arange(4.0) + rank * 10
    mine = torch.empty(2)
    dist.reduce_scatter_tensor(mine, x)  # the sum, in pieces
    return f"{rank=} {x.tolist()} -> {mine.tolist()}"


on_two(work)


# %% objects
def work(rank):
    names = [None, None]
    dist.all_gather_object(names, {"rank": rank, "files": ["cat.png"] * rank})
    return f"{rank=} {names}"


on_two(work)


# %% accuracy
def work(rank):
    right, seen = (9, 10) if rank == 0 else (1, 2)  # the last batch is short
    counts = torch.tensor([right, seen])
    dist.all_reduce(counts)
    rate = torch.tensor(right / seen)
    dist.all_reduce(rate)
    return f"{rank=} right {counts[0] / counts[1]:.3f}, wrong {rate / 2:.3f}"


on_two(work)

# %% not-initialized raises="ValueError"
dist.all_reduce(torch.ones(2))

# %% alone hidden=true
assert not dist.is_initialized()


# %% mean hidden=true
def work(rank):
    count = torch.tensor([float(rank), 3.0])
    dist.all_reduce(count)
    assert (count / dist.get_world_size()).tolist() == [0.5, 3.0]
    largest = torch.tensor([rank])
    dist.all_reduce(largest, op=dist.ReduceOp.MAX)
    return f"{rank=} {largest.item()}"


on_two(work)


# %% kinds hidden=true
def work(rank):
    generator = torch.Generator().manual_seed(rank)
    kinds = torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.uint8
    for dtype in kinds:
        for shape in ((), (0,), (6,), (2, 4)):
            x = torch.randint(0, 9, shape, generator=generator).to(dtype)
            x = x.t() if len(shape) == 2 else x  # not contiguous
            parts = [torch.empty_like(x) for _ in range(2)]
            dist.all_gather(parts, x.clone())
            total = x.clone()
            dist.all_reduce(total)
            assert torch.equal(total, parts[0] + parts[1]), (dtype, shape)
            copied = x.clone()
            dist.broadcast(copied, src=1)
            assert torch.equal(copied, parts[1]), (dtype, shape)

    x = torch.rand(6, generator=generator, dtype=torch.float64)
    mine = torch.empty(3, dtype=torch.float64)
    dist.reduce_scatter_tensor(mine, x)
    pieces = torch.empty(6, dtype=torch.float64)
    dist.all_gather_into_tensor(pieces, mine)
    dist.all_reduce(x)
    assert torch.allclose(pieces, x)

    try:
        dist.all_gather_object([None, None], lambda: rank)
    except (AttributeError, TypeError):  # cannot be pickled
        return f"{rank=}"
    raise AssertionError("a lambda was sent")


on_two(work)

# %% no-backend raises="RuntimeError"
alone = dict(store=dist.HashStore(), rank=0, world_size=1)
dist.init_process_group("cuda:gloo", **alone)
dist.all_reduce(torch.ones(1))

# %% both-backends
dist.destroy_process_group()  # that one
alone = dict(store=dist.HashStore(), rank=0, world_size=1)
dist.init_process_group("cpu:gloo,cuda:gloo", **alone)
x = torch.ones(1)
dist.all_reduce(x)
print(x)

# %% end hidden=true
dist.destroy_process_group()


# %% not-compared hidden=true
def work(rank):
    x = torch.ones(2) if rank == 0 else torch.zeros(2, dtype=torch.int32)
    dist.broadcast(x, src=0)
    assert x.tolist() == ([1.0, 1.0] if rank == 0 else [1065353216] * 2)

    table = torch.arange(6.0).view(3, 2) * (rank + 1)
    parts = [torch.zeros(3) for _ in range(2)]
    dist.all_gather(parts, table[:, 0])
    assert [part.tolist() for part in parts] == [[0, 2, 4], [0, 4, 8]]
    dist.reduce(table[:, 0], dst=0)
    assert rank == 1 or table[:, 0].tolist() != [0, 6, 12]


on_two(work)


# %% loss hidden=true
import warnings


def work(rank):
    weight = torch.tensor(2.0, requires_grad=True)
    loss = weight * (rank + 1)
    total = loss.detach().clone()
    dist.all_reduce(total)
    assert total == 6 and loss == 2 * (rank + 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dist.all_reduce(loss)
        loss.backward()
    assert loss == 6 and weight.grad == rank + 1
    assert any("autograd kernel was not registered" in str(one.message) for one in caught)


on_two(work)

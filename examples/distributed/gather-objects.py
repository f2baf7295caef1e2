"""broadcast_object_list, gather_object, all_gather_object: anything that can be pickled."""

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


# %% all-gather
def work(rank):
    wrong = [{"file": f"cat{n}.png", "label": n} for n in range(rank + 1)]
    gathered = [None] * dist.get_world_size()  # one place for each process
    dist.all_gather_object(gathered, wrong)
    merged = [sample["file"] for part in gathered for sample in part]
    return f"{rank=} had {len(wrong)}, now {merged}"


on_two(work)


# %% gather
def work(rank):
    gathered = [None, None] if rank == 0 else None  # only the receiver has a list
    dist.gather_object({"rank": rank}, gathered, dst=0)
    return f"{rank=} {gathered}"


on_two(work)


# %% broadcast
def work(rank):
    settings = [{"name": "run-7", "lr": 0.1} if rank == 0 else None]  # a list
    dist.broadcast_object_list(settings, src=0)
    share = [None]
    parts = [["a"], ["b", "c"]] if rank == 0 else None
    dist.scatter_object_list(share, parts, src=0)
    return f"{rank=} broadcast: {settings[0]}, scattered: {share[0]}"


on_two(work)


# %% reduce-op
def work(rank):
    results = [f"{rank=}"]
    for name in ("SUM", "AVG", "PRODUCT", "MIN", "MAX"):
        x = torch.tensor([rank + 2.0, 5.0])
        dist.all_reduce(x, op=getattr(dist.ReduceOp, name))
        results.append(f"{name} {x.tolist()}")
    bits = torch.tensor([rank + 2])  # 2 is 0b10, 3 is 0b11
    dist.all_reduce(bits, op=dist.ReduceOp.BAND)
    found = torch.tensor(rank == 1)  # only rank 1 has found it
    dist.all_reduce(found, op=dist.ReduceOp.MAX)
    return ", ".join([*results, f"BAND {bits.tolist()}, any {found.item()}"])


on_two(work)

# %% bitwise raises="RuntimeError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(torch.tensor([2.0, 5.0]), op=dist.ReduceOp.BOR)

# %% bitwise-booleans
flags = torch.tensor([2.0, 5.0]) > 3
dist.all_reduce(flags, op=dist.ReduceOp.BOR)
print(flags)
dist.destroy_process_group()


# %% both
def main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def mean(value, device="cpu"):  # with nccl: "cuda"
    """Return the mean over all processes, or the value itself in one process."""
    if not dist.is_initialized():
        return value
    total = torch.tensor(float(value), dtype=torch.float64, device=device)
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()


def work(rank):
    return f"{rank=} {mean(float(rank))=} {main_process()=}"


on_two(work)
print(f"alone  {mean(3.0)=} {main_process()=}")

# %% wrong-length raises="IndexError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.all_gather_object([], "hello")

# %% right-length
gathered = [None] * dist.get_world_size()
dist.all_gather_object(gathered, "hello")
print(gathered)
dist.destroy_process_group()


# %% pickle-risk
class Innocent:
    def __reduce__(self):  # what pickle is to call when it loads the object
        return print, ("this call was chosen by rank 1",)


def work(rank):
    gathered = [None, None]
    dist.all_gather_object(gathered, Innocent() if rank == 1 else "hello")
    return f"{rank=} {gathered}"


on_two(work)


# %% any-number hidden=true
def work(rank):
    numbers = True, 3, 1e300, torch.tensor(2.0, requires_grad=True), torch.tensor(2.0, dtype=torch.bfloat16)
    assert [mean(number) for number in numbers] == [1, 3, 1e300, 2, 2]
    assert mean(rank == 0) == 0.5  # not whether any is true
    assert mean(torch.tensor([rank])) == 0.5
    return f"{rank=}"


on_two(work)

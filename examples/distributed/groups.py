"""new_group: collectives among some of the processes."""

# %% processes fold=true
import os
import tempfile
import warnings

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, work, folder, processes):
    meet = f"file://{folder}/meet"
    dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=processes)
    said = [None] * processes
    dist.all_gather_object(said, work(rank))
    if rank == 0:
        print(*filter(None, said), sep="\n")  # in the order of the ranks
    dist.destroy_process_group()


def on(processes, work):
    """Run work(rank) in so many processes and print what each returns."""
    with tempfile.TemporaryDirectory() as folder:
        args = work, folder, processes
        mp.start_processes(process, args=args, nprocs=processes, start_method="fork")


def quiet():
    """Drop what this process writes to stderr: gloo logs, now and then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


# %% new-group
def work(rank):
    group = dist.new_group([1, 3])  # every process calls it, members or not
    with warnings.catch_warnings(record=True) as caught:
        x = torch.tensor([10.0**rank])
        dist.all_reduce(x, group=group)
    where = f"{dist.get_rank(group):2} of {dist.get_world_size(group):2}"
    return f"{rank=} in group: {where}, sum {x.item():6}, warnings: {len(caught)}"


on(4, work)


# %% not-all
from datetime import timedelta

limit = timedelta(seconds=1)  # 30 minutes unless you say so


def work(rank):
    quiet()
    try:
        if rank == 0:  # only the member calls it
            dist.new_group([0], timeout=limit)
        dist.new_group([0, 1], timeout=limit)
    except RuntimeError as error:
        return f"{rank=} RuntimeError: {error}" if rank == 0 else None


def local(rank):
    dist.new_group([0, 1])  # what all make, first
    if rank == 0:
        dist.new_group([0], use_local_synchronization=True)
        return f"{rank=} made both groups"


on(2, work)
on(2, local)


# %% both-ways
def work(rank):
    group = dist.new_group([1, 3])
    members = dist.get_process_group_ranks(group)
    ranks = [dist.get_group_rank(group, member) for member in members]
    last = dist.get_global_rank(group, 1)
    line = f"{members=} -> {ranks}, rank 1 of the group is {last}"
    return line if rank == 0 else None  # non-members may ask, too


on(4, work)


# %% source
def work(rank):
    group = dist.new_group([1, 3])
    x = torch.tensor([float(rank)])
    if rank in (1, 3):
        try:
            dist.broadcast(x, src=0, group=group)  # src is a rank among all
        except ValueError as error:
            message = str(error).split(" <")[0]
        dist.broadcast(x, group_src=0, group=group)
        return f"{rank=} {x.tolist()} {message}"
    return f"{rank=} {x.tolist()}"


on(4, work)

# %% begin
print("available:", dist.is_available(), "initialized:", dist.is_initialized())
alone = dict(store=dist.HashStore(), rank=0, world_size=1)  # one process
dist.init_process_group("gloo", **alone)
print("backend:", dist.get_backend(), "initialized:", dist.is_initialized())

# %% twice raises="ValueError"
dist.init_process_group("gloo", **alone)

# %% once
if not dist.is_initialized():
    dist.init_process_group("gloo", **alone)
print("processes:", dist.get_world_size())

# %% non-member warns="UserWarning"
outside = dist.GroupMember.NON_GROUP_MEMBER  # what new_group returns to non-members
dist.all_reduce(torch.ones(1), group=outside)

# %% asked-before hidden=true
with warnings.catch_warnings():
    warnings.simplefilter("error")
    for group in (outside, dist.group.WORLD):
        if dist.get_rank(group) >= 0:
            dist.all_reduce(torch.ones(1), group=group)
assert dist.get_rank(outside) == -1 and dist.get_rank(dist.group.WORLD) == 0

# %% end
dist.destroy_process_group()
print("initialized:", dist.is_initialized())

# %% end-twice raises="AssertionError"
dist.destroy_process_group()

# %% again
if dist.is_initialized():
    dist.destroy_process_group()
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.destroy_process_group()


# %% nothing-else hidden=true
def work(rank):
    group = dist.new_group([1, 3])
    if rank in (1, 3):
        return f"{rank=}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page shows it: does not belong to the group
        for x in (torch.full((2,), 7.0), torch.arange(4)):
            kept = x.clone()
            assert dist.all_reduce(x, group=group) is None
            assert dist.broadcast(x, group_src=0, group=group) is None
            assert dist.barrier(group=group) is None
            assert torch.equal(x, kept)
        said = [None, None]
        dist.all_gather_object(said, 1, group=group)
        assert said == [None, None]
    return f"{rank=}"


on(4, work)


# %% default-timeout hidden=true
alone = dict(store=dist.HashStore(), rank=0, world_size=1, timeout=timedelta(seconds=7))
dist.init_process_group("gloo", **alone)
options = dist.new_group([0])._get_backend(torch.device("cpu")).options
assert options._timeout == timedelta(minutes=30), options._timeout
dist.destroy_process_group()


# %% local-needs-equal-counts hidden=true
def make_pair(rank, owners, limit):
    quiet()
    if rank in owners:
        dist.new_group([rank], use_local_synchronization=True)
    dist.new_group([0, 1], timeout=limit, use_local_synchronization=True)
    return f"{rank=}"


def work(rank):
    try:
        make_pair(rank, [0], timedelta(milliseconds=200))  # rank 0 is in one group more
    except RuntimeError:
        return f"{rank=} alone"
    raise AssertionError


def outside(rank):
    said = make_pair(rank, [0, 1], timedelta(minutes=1))
    group = dist.new_group([0], use_local_synchronization=True)
    assert rank == 0 or (group is None and dist.get_rank(group) == rank)
    return said


on(2, work)
on(2, outside)

"""DeviceMesh: ranks in rows and columns, a group for each."""

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


# %% mesh
from torch.distributed.device_mesh import init_device_mesh


def work(rank):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "tensor"))
    group = mesh.get_group("data")
    x = torch.tensor(10.0**rank)
    dist.all_reduce(x, group=group)
    ranks = dist.get_process_group_ranks(group)
    here = f"{mesh.get_local_rank('data')} of {mesh['data'].size()}"
    return f"{rank=} {mesh.get_coordinate()} {ranks=}, here {here}, sum {x.item()}"


on(4, work)


# %% slice
def work(rank):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "tensor"))
    x = torch.tensor(10.0**rank)
    dist.all_reduce(x, group=mesh["tensor"].get_group())  # one name: one dimension
    whole = init_device_mesh("cpu", (4,))
    names = ("pipe", "data", "tensor")
    two = init_device_mesh("cpu", (1, 2, 2), mesh_dim_names=names)["data", "tensor"]
    sizes = f"{mesh.shape=} {mesh.size()=} {two.shape=}"
    return f"{rank=} sum {x.item():6}, {sizes}, {whole.get_local_rank()=}"


on(4, work)


# %% six-processes hidden=true
def work(rank):
    mesh = init_device_mesh("cpu", (2, 3)), init_device_mesh("cpu", (2, dist.get_world_size() // 2))
    assert mesh[0].shape == mesh[1].shape == (2, 3)
    named = init_device_mesh("cpu", (2, 3), mesh_dim_names=("data", "tensor"))
    assert named["data", "tensor"].shape == (2, 3)
    try:
        named["tensor", "data"]
    except KeyError as error:
        assert "ascending order" in str(error), error
    else:
        raise AssertionError("names in another order")
    return rank


on(6, work)

# %% alone
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1), mesh_dim_names=("data", "tensor"))
print(mesh.mesh_dim_names, mesh.shape)

# %% which-dimension raises="RuntimeError"
mesh.get_group()

# %% no-such-dimension raises="KeyError"
mesh["pipeline"]

# %% nameless raises="RuntimeError"
init_device_mesh("cpu", (1, 1))["data"]

# %% too-large raises="RuntimeError"
init_device_mesh("cpu", (2, 3))

# %% remedies hidden=true
assert dist.get_process_group_ranks(mesh.get_group("data")) == [0]
assert dist.get_process_group_ranks(mesh["data"].get_group()) == [0]
named = init_device_mesh("cpu", (1, 1), mesh_dim_names=("data", "tensor"))
assert named["data"].mesh_dim_names == ("data",)
assert dist.get_process_group_ranks(init_device_mesh("cpu", (1, 1)).get_group(0)) == [0]

# %% end hidden=true
dist.destroy_process_group()

"""torch.distributed.rpc: call functions and keep objects in another process."""

# %% rpc
import tempfile

import torch
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp


class Counter:
    def __init__(self):
        self.count = 0

    def add(self, number):
        self.count += number
        return self.count


def worker(rank, folder):
    options = rpc.TensorPipeRpcBackendOptions(init_method=f"file://{folder}/rpc")
    name = f"worker{rank}"
    rpc.init_rpc(name, rank=rank, world_size=2, rpc_backend_options=options)
    if rank == 0:
        print("sum:", rpc.rpc_sync("worker1", torch.add, args=(torch.ones(2), 2)))
        later = rpc.rpc_async("worker1", torch.mul, args=(torch.ones(2), 5))
        print("product:", later.wait())
        counter = rpc.remote("worker1", Counter)  # an RRef: the object stays there
        print("owner:", counter.owner().name)
        print("count:", counter.rpc_sync().add(2), counter.rpc_sync().add(3))
    rpc.shutdown()  # waits until all are done


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(worker, args=(folder,), nprocs=2, start_method="fork")


# %% failing varies=true
def no_images():
    raise ValueError("no images in data/train")


def worker(rank, folder):
    options = rpc.TensorPipeRpcBackendOptions(init_method=f"file://{folder}/rpc")
    name = f"worker{rank}"
    rpc.init_rpc(name, rank=rank, world_size=2, rpc_backend_options=options)
    if rank == 0:
        try:
            rpc.rpc_sync("worker1", no_images)
        except ValueError as error:
            where, what, *_ = str(error).splitlines()
            print(where, what)
    rpc.shutdown()


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(worker, args=(folder,), nprocs=2, start_method="fork")


# %% other-types hidden=true varies=true
def raised(kind):
    raise kind("no images in data/train")


class NoImages(ValueError):
    pass


def undecodable():
    b"\xff".decode()  # a ValueError that a text alone cannot make


def expect(kind, call):
    try:
        call()
    except Exception as error:
        assert type(error) is kind, error
    else:
        raise AssertionError(kind)


def worker(rank, folder):
    options = rpc.TensorPipeRpcBackendOptions(init_method=f"file://{folder}/rpc")
    rpc.init_rpc(f"worker{rank}", rank=rank, world_size=2, rpc_backend_options=options)
    if rank == 0:
        for kind, base in ((TypeError, TypeError), (NoImages, ValueError), (KeyError, RuntimeError)):
            expect(base, lambda: rpc.rpc_sync("worker1", raised, args=(kind,)))
            expect(kind, lambda: rpc.remote("worker1", raised, args=(kind,)).to_here())
        expect(RuntimeError, lambda: rpc.rpc_sync("worker1", undecodable))
        expect(RuntimeError, lambda: rpc.remote("worker1", undecodable).to_here())
    rpc.shutdown()


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(worker, args=(folder,), nprocs=2, start_method="fork")

"""A method called through .module bypasses DDP."""

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


# %% bypass
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def forward(self, x):
        return self.fc(x)

    def loss(self, x):
        return self(x).square().mean()


def gradient(net, loss):
    net.zero_grad()
    loss.backward()
    return " ".join(f"{value:5.2f}" for value in net.fc.weight.grad[0])


def work(rank):
    torch.manual_seed(0)
    net = Net()
    model = DistributedDataParallel(net)
    x = torch.tensor([[1.0, 2.0]]) * (rank + 1)
    through_wrapper = gradient(net, model(x).square().mean())
    through_module = gradient(net, model.module.loss(x))
    gradients = through_wrapper, through_module
    return f"{rank=} model(x) %s   model.module.loss(x) %s" % gradients


on_two(work)


# %% cure
class WithLoss(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net.loss(x)


def work(rank):
    torch.manual_seed(0)
    net = Net()
    model = DistributedDataParallel(WithLoss(net))
    x = torch.tensor([[1.0, 2.0]]) * (rank + 1)
    return f"{rank=} {gradient(net, model(x))}"


on_two(work)


# %% inference
def work(rank):
    torch.manual_seed(0)
    model = DistributedDataParallel(Net())
    x = torch.tensor([[1.0, 2.0]])
    with torch.no_grad():
        return f"{rank=} same output: {torch.equal(model(x), model.module(x))}"


on_two(work)

# %% data-parallel raises="AttributeError"
parallel = nn.DataParallel(Net())
parallel.loss(torch.ones(4, 2))

# %% whole-batch
calls = []
net = parallel.module
net.register_forward_hook(lambda net, args, out: calls.append(len(args[0])))
parallel.module.loss(torch.ones(4, 2))
print("batch sizes that forward() saw:", calls)


# %% own-statistics hidden=true
def work(rank):
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)))
    model(torch.randn(8, 2) + 5 * rank).square().mean().backward()
    model.eval()
    x = torch.tensor([[1.0, 2.0]])
    with torch.no_grad():
        own = model.module(x)
        assert torch.equal(own, model(x)) is (rank == 0)  # model(x) sends rank 0's statistics
        assert torch.equal(model.module(x), model(x))


on_two(work)


# %% several-methods hidden=true
class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(2, 1), nn.Linear(2, 1)

    def forward(self, x, name):
        return getattr(self, name)(x)


def work(rank):
    x = torch.tensor([[1.0, 2.0]]) * (rank + 1)
    for finds in (False, True):
        net = Two()
        model = DistributedDataParallel(net, find_unused_parameters=finds)
        try:
            for name in ("encode", "decode", "encode"):
                net.zero_grad()
                model(x, name).sum().backward()
        except RuntimeError as error:
            assert not finds and "Expected to have finished reduction" in str(error), error
        else:
            assert finds
    for part in (net.encode, net.decode):  # each by itself
        net.zero_grad()
        alone = DistributedDataParallel(part)
        alone(x).sum().backward()
        assert part.weight.grad.tolist() == [[1.5, 3.0]]


on_two(work)


# %% one-backward hidden=true
class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.decode = nn.Linear(2, 1), nn.Linear(2, 1)

    def forward(self, x, names):
        return sum(getattr(self, name)(x) for name in names)


def work(rank):
    x = torch.tensor([[1.0, 2.0]]) * (rank + 1)
    names = "encode", "decode"
    net = Several()
    model = DistributedDataParallel(net)
    model(x, names).sum().backward()  # all in one forward
    assert all(getattr(net, name).weight.grad.tolist() == [[1.5, 3.0]] for name in names)
    net = Several()
    model = DistributedDataParallel(net)
    out = model(x, names[:1])  # what gets the wrapper's output is averaged, too
    (out + model.module.decode(x)).sum().backward()
    assert all(getattr(net, name).weight.grad.tolist() == [[1.5, 3.0]] for name in names)
    model = DistributedDataParallel(Several(), find_unused_parameters=True)
    try:
        sum(model(x, [name]) for name in names).sum().backward()  # two calls, one backward
    except RuntimeError as error:
        assert "Expected to mark a variable ready only once" in str(error), error
    else:
        raise AssertionError("two calls before one backward")


on_two(work)

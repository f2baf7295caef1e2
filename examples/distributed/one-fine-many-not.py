"""Training that works in one process and not in several: step 1 compared, mistake by mistake."""

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


# %% whole
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
data, target = torch.randn(8, 3), torch.randn(8, 1)
start = nn.Linear(3, 1).state_dict()


def make():
    net = nn.Linear(3, 1)
    net.load_state_dict(start)  # the same weights everywhere
    return net


def one_step(forward, parameters, inputs, wanted):
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    nn.functional.mse_loss(forward(inputs), wanted).backward()
    optimizer.step()


alone = make()
one_step(alone, alone.parameters(), data, target)  # one process, all eight samples
expected = alone.weight.detach()


# %% compare
def compare(name, rank, net):
    both = [None, None]
    dist.all_gather_object(both, net.weight.tolist())
    as_one = torch.allclose(net.weight, expected, atol=1e-6)
    moved = not torch.equal(net.weight, start["weight"])
    equal = both[0] == both[1]
    answer = f"as one: {as_one!s:5}  ranks equal: {equal!s:5}  moved: {moved}"
    return f"{name:20} {answer}" if rank == 0 else ""


def work(rank):
    mine = slice(rank * 4, rank * 4 + 4)
    net, lines = make(), []
    model = DistributedDataParallel(net)
    one_step(model, model.parameters(), data[mine], target[mine])
    lines.append(compare("right", rank, net))

    net = make()
    model = DistributedDataParallel(net)
    one_step(model.module, model.parameters(), data[mine], target[mine])
    lines.append(compare("calls model.module", rank, net))

    net = make()
    model = DistributedDataParallel(net)
    one_step(model, model.parameters(), data[:4], target[:4])
    lines.append(compare("no sampler", rank, net))

    net = make()
    model = DistributedDataParallel(net)
    one_step(model, make().parameters(), data[mine], target[mine])
    lines.append(compare("optimizer has others", rank, net))
    return "\n".join(filter(None, lines))


on_two(work)

# %% sampler
from torch.utils.data import DistributedSampler

before = None
for epoch in range(2):
    orders = []
    for rank in (0, 1):
        sampler = DistributedSampler(range(8), num_replicas=2, rank=rank, seed=0)
        orders.append(list(sampler))  # without set_epoch
    print(f"epoch {epoch}: shares apart: {not set(orders[0]) & set(orders[1])}")
    same, before = orders == before, orders
print("the same order again:", same, " samples for each:", len(orders[0]))


# %% loss
def work(rank):
    torch.manual_seed(0)
    mine = slice(rank * 4, rank * 4 + 4)
    loss = nn.functional.mse_loss(make()(data[mine]), target[mine]).detach()
    mean = loss.clone()
    dist.all_reduce(mean, op=dist.ReduceOp.SUM)
    return f"{rank=} own loss {loss:.3f}, mean of both {mean / 2:.3f}"


on_two(work)
print(f"one process         {nn.functional.mse_loss(make()(data), target):.3f}")

# %% without-sampler hidden=true
from torch.utils.data import DataLoader

seen = []
for rank in (0, 1):
    torch.manual_seed(0)  # the same in both processes
    seen.append([batch.tolist() for batch in DataLoader(range(8), batch_size=4, shuffle=True)])
assert seen[0] == seen[1]  # both go through the same batches
assert sorted(sum(seen[0], [])) == list(range(8))  # and through all of the data

# %% adam-magnifies-rounding hidden=true
import copy

torch.manual_seed(0)
attention = nn.MultiheadAttention(32, 4, batch_first=True)  # its key bias has no gradient but rounding
tokens = torch.randn(64, 12, 32)


def stepped(optimizer, shares):
    net = copy.deepcopy(attention)
    for share in shares:
        loss = 1000 * net(share, share, share)[0].square().mean()  # rounding far above Adam's eps on any processor
        (loss / len(shares)).backward()
    optimizer(net.parameters(), lr=1e-3).step()
    return torch.cat([parameter.detach().flatten() for parameter in net.parameters()])


for optimizer in (torch.optim.SGD, torch.optim.Adam):
    largest = (stepped(optimizer, [tokens]) - stepped(optimizer, tokens.split(32))).abs().max().item()
    assert (largest < 1e-6) == (optimizer is torch.optim.SGD), (optimizer, largest)

"""When DDP does not give the gradient of the big batch."""

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


# %% setup
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
net = nn.Linear(3, 1)
data, target = torch.randn(8, 3), torch.randn(8, 1)


def gradient(model, start, stop):
    net.weight.grad = None
    nn.functional.mse_loss(model(data[start:stop]), target[start:stop]).backward()
    return " ".join(f"{value:6.3f}" for value in net.weight.grad[0])


# %% overview
def gradient_of(net, start, stop, reduction):
    net.zero_grad()
    out = net(data[start:stop])
    nn.functional.mse_loss(out, target[start:stop], reduction=reduction).backward()
    return next(net.parameters()).grad.clone()


def work(rank):
    lines = []
    for name, layer, split, reduction in (
        ("equal shares, mean", nn.Tanh(), 4, "mean"),
        ("shares of 6 and 2", nn.Tanh(), 6, "mean"),
        ("summed loss", nn.Tanh(), 4, "sum"),
        ("BatchNorm", nn.BatchNorm1d(3), 4, "mean"),
        ("Dropout", nn.Dropout(), 4, "mean"),
    ):
        torch.manual_seed(0)
        plain = nn.Sequential(nn.Linear(3, 3), layer, nn.Linear(3, 1))
        whole = gradient_of(plain, 0, 8, reduction)
        mine = (0, split) if rank == 0 else (split, 8)
        averaged = gradient_of(DistributedDataParallel(plain), *mine, reduction)
        equal = torch.allclose(averaged, whole, atol=1e-6)
        lines.append(f"{name:20} {'equal' if equal else 'not equal'}")
    return "\n".join(lines) if rank == 0 else "(the same on rank 1)"


on_two(work)


# %% masks
def work(rank):
    torch.manual_seed(0)  # on each rank, as most scripts do
    equal = nn.functional.dropout(torch.ones(8)).int().tolist()
    torch.manual_seed(0 + rank)  # after the model is built
    own = nn.functional.dropout(torch.ones(8)).int().tolist()
    return f"{rank=} seed 0 {equal}  seed 0 + rank {own}"


on_two(work)

# %% augmentation
from torch.utils.data import DataLoader


class Angles(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.randint(-30, 31, ()).item()  # degrees of a random rotation


def angles_of(seed):
    torch.manual_seed(seed)
    return torch.cat(list(DataLoader(Angles(), num_workers=1))).tolist()


def work(rank):
    return f"{rank=} seed 0 {angles_of(0)}  seed 0 + rank {angles_of(0 + rank)}"


on_two(work)


# %% uneven
def work(rank):
    mine = (0, 6) if rank == 0 else (6, 8)
    return f"{rank=} with DDP {gradient(DistributedDataParallel(net), *mine)}"


on_two(work)
print("big batch      ", gradient(net, 0, 8))


# %% weighted
def weighted(model, start, stop):
    net.weight.grad = None
    share = 2 * (stop - start) / 8  # number of processes × mine / all
    loss = nn.functional.mse_loss(model(data[start:stop]), target[start:stop])
    (share * loss).backward()
    return " ".join(f"{value:6.3f}" for value in net.weight.grad[0])


def work(rank):
    mine = (0, 6) if rank == 0 else (6, 8)
    return f"{rank=} weighted {weighted(DistributedDataParallel(net), *mine)}"


on_two(work)

# %% ignored
torch.manual_seed(0)
classifier = nn.Linear(3, 4)
labels = torch.randint(4, (8,))
labels[:3] = -100  # all of them in the share of rank 0
nn.functional.cross_entropy(classifier(data), labels).backward()
whole = classifier.weight.grad.clone()


def work(rank):
    mine = slice(rank * 4, rank * 4 + 4)
    model = DistributedDataParallel(classifier)
    logits = model(data[mine])
    loss = nn.functional.cross_entropy(logits, labels[mine], reduction="sum")
    counted = (labels[mine] != -100).sum()
    dist.all_reduce(counted)  # of all processes
    classifier.weight.grad = None
    (loss * dist.get_world_size() / counted).backward()
    equal = torch.allclose(classifier.weight.grad, whole, atol=1e-6)
    return f"{rank=} equal: {equal}"


on_two(work)


# %% batchnorm
def first_gradient(model, start, stop, reduction="mean"):
    net.zero_grad()
    out = model(data[start:stop])
    nn.functional.mse_loss(out, target[start:stop], reduction=reduction).backward()
    return " ".join(f"{value:6.3f}" for value in net[0].weight.grad[0])


def work(rank):
    mine = rank * 4, rank * 4 + 4
    return f"{rank=} with DDP {first_gradient(DistributedDataParallel(net), *mine)}"


torch.manual_seed(0)
for layer in (nn.Tanh(), nn.BatchNorm1d(3)):
    net = nn.Sequential(nn.Linear(3, 3), layer, nn.Linear(3, 1))
    print(type(layer).__name__)
    on_two(work)
    print("big batch      ", first_gradient(net, 0, 8))


# %% summed
def work(rank):
    mine = rank * 4, rank * 4 + 4
    model = DistributedDataParallel(net)
    return f"{rank=} with DDP, loss summed {first_gradient(model, *mine, 'sum')}"


net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
on_two(work)
print("big batch, loss summed      ", first_gradient(net, 0, 8, "sum"))


# %% join
def work(rank):
    model = DistributedDataParallel(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = data.split(2)[: 3 if rank == 0 else 1]  # rank 1 has fewer
    with model.join():  # waits at its end, and answers the others meanwhile
        for batch in batches:
            optimizer.zero_grad()
            model(batch).square().mean().backward()
            optimizer.step()
    weight = model.module.weight.detach()[0]
    weight = " ".join(f"{value:6.3f}" for value in weight)
    return f"{rank=} {len(batches)} steps, weight {weight}"


on_two(work)

# %% seeds-of-ranks hidden=true
masks = []
for rank in range(64):
    torch.manual_seed(rank)
    masks.append(tuple(nn.functional.dropout(torch.ones(256)).tolist()))
assert len(set(masks)) == 64


def work(rank):
    from torch.utils.data import DistributedSampler

    from torch.distributed.fsdp import fully_shard

    torch.manual_seed(0 + rank)
    sharded = nn.Linear(3, 2)
    own = sharded.weight[rank].tolist()
    fully_shard(sharded, mesh=torch.distributed.device_mesh.init_device_mesh("cpu", (2,)))
    assert sharded.weight.to_local()[0].tolist() == own  # of this rank, nothing is made equal
    model = DistributedDataParallel(nn.Linear(3, 1))  # unequal weights, made equal by the wrapper
    shares = list(DistributedSampler(range(8)))
    both = [None, None]
    dist.all_gather_object(both, (shares, model.module.weight.tolist()))
    assert sorted(both[0][0] + both[1][0]) == list(range(8)), both  # the sampler has a seed of its own
    assert both[0][1] == both[1][1]
    train, _ = torch.utils.data.random_split(range(8), [4, 4])
    dist.all_gather_object(both, sorted(train.indices))
    assert both[0] != both[1], both  # another split on each rank
    train, _ = torch.utils.data.random_split(range(8), [4, 4], generator=torch.Generator().manual_seed(0))
    dist.all_gather_object(both, sorted(train.indices))
    assert both[0] == both[1], both
    generator = torch.Generator().manual_seed(0)  # of the loader
    drawn = torch.cat(list(DataLoader(Angles(), num_workers=1, generator=generator))).tolist()
    dist.all_gather_object(both, drawn)
    assert both[0] == both[1], both  # a generator with the same seed undoes it


on_two(work)


# %% summed-times-processes hidden=true
def work(rank):
    mine = slice(rank * 4, rank * 4 + 4)
    net.zero_grad()
    nn.functional.mse_loss(net(data), target, reduction="sum").backward()
    whole = net[0].weight.grad.clone()
    net.zero_grad()
    model = DistributedDataParallel(net)  # kept until backward() is done
    loss = nn.functional.mse_loss(model(data[mine]), target[mine], reduction="sum")
    (loss * dist.get_world_size()).backward()
    assert torch.allclose(net[0].weight.grad, whole, atol=1e-4)


on_two(work)


# %% join-optimizer hidden=true
def work(rank):
    torch.manual_seed(0)
    net = nn.Linear(3, 1)
    model = DistributedDataParallel(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    with model.join():
        for batch in data.split(2)[: 3 if rank == 0 else 1]:
            optimizer.zero_grad()
            model(batch).square().mean().backward()
            optimizer.step()

    def agree(value):
        both = [None, None]
        dist.all_gather_object(both, value)
        return both[0] == both[1]

    assert agree(net.weight.tolist())
    assert not agree(optimizer.state[net.weight]["exp_avg"].tolist())
    optimizer.zero_grad()
    model(data).square().mean().backward()
    optimizer.step()
    assert agree(net.weight.grad.tolist()) and not agree(net.weight.tolist())


on_two(work)

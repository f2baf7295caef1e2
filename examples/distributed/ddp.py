"""What DistributedDataParallel does to gradients."""

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


# %% averages
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
net = nn.Linear(3, 1)
data, target = torch.randn(8, 3), torch.randn(8, 1)


def gradient(model, start, stop):
    net.weight.grad = None
    nn.functional.mse_loss(model(data[start:stop]), target[start:stop]).backward()
    return " ".join(f"{value:6.3f}" for value in net.weight.grad[0])


def work(rank):
    mine = rank * 4, rank * 4 + 4  # half of the batch
    alone = gradient(net, *mine)
    averaged = gradient(DistributedDataParallel(net), *mine)
    return f"{rank=} alone {alone}   with DDP {averaged}"


on_two(work)
print("big batch", gradient(net, 0, 8))


# %% same-start
def work(rank):
    torch.manual_seed(rank)
    other = nn.Linear(3, 1)
    before = other.bias.item()
    DistributedDataParallel(other)
    return f"{rank=} bias {before:6.3f}, wrapped {other.bias.item():6.3f}"


on_two(work)


# %% stay-equal
def work(rank):
    model = DistributedDataParallel(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(20):
        optimizer.zero_grad()
        batch = torch.randn(4, 3) + rank
        model(batch).square().mean().backward()
        optimizer.step()
    both = [None, None]
    dist.all_gather_object(both, model.module.weight.tolist())
    return f"{rank=} after 20 steps equal: {both[0] == both[1]}"


on_two(work)

# %% steps-of-an-epoch
from torch.utils.data import DataLoader, DistributedSampler

samples = range(1000)
share = DistributedSampler(samples, num_replicas=4, rank=0)  # one of 4 processes
for sampler in (None, share):
    loader = DataLoader(samples, batch_size=10, sampler=sampler)
    print(type(sampler).__name__, len(loader), "steps")

# %% bytes-sent
layer = nn.Linear(4096, 4096, bias=False)
for batch_size in (1, 16):
    layer.weight.grad = None
    layer(torch.ones(batch_size, 4096)).sum().backward()
    sent = layer.weight.grad.nbytes // 2**20
    print(f"batch of {batch_size:2}: {sent} MiB of gradients")

# %% no-group raises="ValueError"
DistributedDataParallel(net)


# %% buffers hidden=true
def work(rank):
    torch.manual_seed(rank)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    for step in range(5):
        optimizer.zero_grad()
        model(torch.randn(4, 3) + rank).square().mean().backward()
        optimizer.step()
    layers = model.module
    mine = [weight.tolist() for weight in layers.parameters()], layers[1].running_mean.tolist()
    both = [None, None]
    dist.all_gather_object(both, mine)
    assert both[0][0] == both[1][0]  # parameters
    assert both[0][1] != both[1][1]  # statistics of BatchNorm
    with torch.no_grad():
        model(torch.ones(2, 3))  # the next forward starts with those of rank 0
    dist.all_gather_object(both, layers[1].num_batches_tracked.item())
    model.eval()(torch.ones(2, 3))
    dist.all_gather_object(both, layers[1].running_mean.tolist())
    assert both[0] == both[1]
    for replaced in (True, False):  # the second time, the forward before was under no_grad()
        layers.train()(torch.randn(4, 3) + rank)  # of the bare model
        with torch.no_grad():
            model.eval()(torch.ones(2, 3))
        dist.all_gather_object(both, layers[1].running_mean.tolist())
        assert (both[0] == both[1]) is replaced


on_two(work)


# %% ignored-labels hidden=true
def work(rank):
    torch.manual_seed(0)
    classifier = nn.Linear(3, 4)
    inputs, labels = torch.randn(8, 3), torch.randint(4, (8,))
    mine = slice(rank * 4, rank * 4 + 4)
    for ignored in (0, 3):  # of the first share
        labels[:ignored] = -100
        classifier.weight.grad = None
        nn.functional.cross_entropy(classifier(inputs), labels).backward()
        whole = classifier.weight.grad.clone()
        classifier.weight.grad = None
        model = DistributedDataParallel(classifier)
        nn.functional.cross_entropy(model(inputs[mine]), labels[mine]).backward()
        same = torch.allclose(classifier.weight.grad, whole, atol=1e-6)
        assert same is (ignored == 0)


on_two(work)


# %% backward-alone hidden=true
def work(rank):
    model = DistributedDataParallel(nn.Linear(3, 1))
    weight = model.module.weight
    inputs = torch.ones(4, 3) * (rank + 1)
    (own,) = torch.autograd.grad(model(inputs).square().mean(), weight)
    model(inputs).square().mean().backward()
    both = [None, None]
    for gradient, equal in ((own, False), (weight.grad, True)):
        dist.all_gather_object(both, gradient.tolist())
        assert (both[0] == both[1]) is equal


on_two(work)


# %% once-a-forward hidden=true
def agree(tensor):
    both = [None, None]
    dist.all_gather_object(both, tensor.tolist())
    return both[0] == both[1]


def work(rank):
    net = nn.Linear(1, 1)
    model = DistributedDataParallel(net)
    x = torch.full((1, 1), rank + 1.0)

    loss = model(x).sum()
    loss.backward(retain_graph=True)
    assert agree(net.weight.grad)
    loss.backward()
    assert not agree(net.weight.grad)

    net.zero_grad()
    first, second = model(x).sum(), model(x).sum()
    first.backward()
    assert agree(net.weight.grad)
    second.backward()
    assert not agree(net.weight.grad)

    net.zero_grad()
    (model(x).sum() + model(x).sum()).backward()  # added up
    assert agree(net.weight.grad)
    for _ in range(2):  # one after each forward pass
        model(x).sum().backward()
    assert agree(net.weight.grad)


on_two(work)


# %% unfrozen hidden=true
def work(rank):
    net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    net[0].requires_grad_(False)
    model = DistributedDataParallel(net)
    net[0].requires_grad_(True)
    for wrapped, equal in ((model, False), (DistributedDataParallel(net), True)):
        net.zero_grad()
        wrapped(torch.full((1, 1), rank + 1.0)).sum().backward()
        assert agree(net[0].weight.grad) is equal and agree(net[1].weight.grad)


on_two(work)


# %% not-averaged hidden=true
def work(rank):
    x = torch.full((1, 1), rank + 1.0)
    net = nn.Linear(1, 1)
    DistributedDataParallel(net)(x).sum().backward()  # the wrapper is gone before backward()
    assert net.weight.grad.item() == rank + 1
    net.zero_grad()
    model = DistributedDataParallel(net)
    model(x).sum().backward()
    assert net.weight.grad.item() == 1.5
    other = nn.Linear(1, 1)
    model = DistributedDataParallel(other)
    model(x).sum().backward(inputs=[other.weight])
    assert other.weight.grad.item() == rank + 1


on_two(work)


# %% wrapper-passed-by hidden=true
def work(rank):
    net = nn.Linear(1, 1)
    model = DistributedDataParallel(net)
    for called, equal in ((net, False), (model.module, False), (model, True)):
        net.zero_grad()
        called(torch.full((1, 1), rank + 1.0)).sum().backward()
        assert agree(net.weight.grad) is equal


on_two(work)


# %% drifts-apart hidden=true
def work(rank):
    for alone in (None, "rate", "state"):
        torch.manual_seed(0)
        net = nn.Linear(3, 1)
        model = DistributedDataParallel(net)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)

        def step():
            optimizer.zero_grad()
            model(torch.ones(2, 3) * (rank + 1)).square().mean().backward()
            optimizer.step()

        step()
        saved = optimizer.state_dict()
        if alone == "state":  # a new optimizer, loaded by rank 0 alone
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
            if rank == 0:
                optimizer.load_state_dict(saved)
        for epoch in range(3):
            loss = torch.tensor(10.0 + (5 * epoch if rank else -epoch))  # of rank 1 it rises
            if alone != "rate":
                dist.all_reduce(loss)
            scheduler.step(loss.item())
            step()
        assert agree(net.weight) is (alone is None)


on_two(work)


# %% evaluated-by-one hidden=true
def work(rank):
    model = DistributedDataParallel(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)))
    for _ in range(2):
        model.train()
        model(torch.ones(4, 3) * (rank + 1)).sum().backward()
        if rank == 0:  # the others go on meanwhile
            with torch.no_grad():
                assert model.module.eval()(torch.ones(5, 3)).shape == (5, 3)
    assert agree(model.module[0].weight.grad)


on_two(work)


# %% backward-inputs hidden=true
def work(rank):
    for names, equal in ((("weight",), False), (("weight", "bias"), True)):
        net = nn.Linear(1, 1)
        model = DistributedDataParallel(net)
        inputs = [net.get_parameter(name) for name in names]
        model(torch.full((1, 1), rank + 1.0)).sum().backward(inputs=inputs)
        assert agree(net.weight.grad) is equal


on_two(work)


# %% changed-in-one hidden=true
def work(rank):
    net = nn.Linear(3, 1)
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    with torch.no_grad():
        net.weight += rank  # in one process only
    both = [None, None]
    for _ in range(4):
        optimizer.zero_grad()
        model(torch.ones(2, 3) * (rank + 1)).square().mean().backward()
        optimizer.step()
        dist.all_gather_object(both, net.weight.detach())
        assert torch.allclose(both[1] - both[0], torch.ones(1, 3), atol=1e-3)  # neither more nor less


on_two(work)

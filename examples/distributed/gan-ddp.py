"""Two models under DDP, as in a GAN; the moving average (EMA) of a model under DDP."""

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


# %% one-wrapper raises="RuntimeError"
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.generator, self.judge = nn.Linear(2, 2), nn.Linear(2, 1)

    def forward(self, x):
        return self.judge(x)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
both = DistributedDataParallel(Both())  # one process is enough for the error
for step in range(2):
    both(torch.ones(4, 2)).mean().backward()  # the step of the discriminator

# %% two-wrappers
from torch.nn.functional import softplus

dist.destroy_process_group()
torch.manual_seed(0)
real, noise = torch.randn(8, 2) + 3, torch.randn(8, 2)


def build():
    torch.manual_seed(0)
    judge = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    nets = nn.Linear(2, 2), judge
    return nets, [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]


def train(generator, judge, optimizers, share):
    for step in range(3):
        fake = generator(noise[share])
        optimizers[1].zero_grad()
        wrong = softplus(-judge(real[share])) + softplus(judge(fake.detach()))
        wrong.mean().backward()  # averages the gradients of the judge
        optimizers[1].step()

        optimizers[0].zero_grad()
        judge.requires_grad_(False)  # not needed for this step, so not averaged
        softplus(-judge(fake)).mean().backward()  # averages the generator's
        judge.requires_grad_(True)
        optimizers[0].step()


def work(rank):
    nets, optimizers = build()
    wrapped = [DistributedDataParallel(net) for net in nets]
    train(*wrapped, optimizers, slice(rank * 4, rank * 4 + 4))
    alone, optimizers = build()
    train(*alone, optimizers, slice(0, 8))
    equal = []
    for net, whole in zip(nets, alone):
        pairs = zip(net.parameters(), whole.parameters())
        equal.append(all(torch.allclose(*pair, atol=1e-6) for pair in pairs))
    return f"{rank=} generator and discriminator equal to one process: {equal}"


on_two(work)

# %% ema
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def equal_on_both(tensors):
    both = [None, None]
    dist.all_gather_object(both, [tensor.tolist() for tensor in tensors])
    return both[0] == both[1]


def work(rank):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    average = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    for step in range(3):
        optimizer.zero_grad()
        model(real[rank * 4 : rank * 4 + 4]).square().mean().backward()
        optimizer.step()
        average.update_parameters(net)  # on each rank, nothing is sent
    weights = equal_on_both(average.parameters())
    buffers = equal_on_both(average.buffers())
    for buffer in average.module.buffers():
        dist.broadcast(buffer, src=0)
    after = equal_on_both(average.buffers())
    return f"{rank=} parameters equal {weights}, buffers {buffers}, then {after}"


on_two(work)


# %% counter-cases hidden=true
def work(rank):
    share = slice(rank * 4, rank * 4 + 4)
    # not frozen, the discriminator's gradients are averaged in the generator's step, too, and in the way
    nets, optimizers = build()
    generator, judge = (DistributedDataParallel(net) for net in nets)
    softplus(-judge(generator(noise[share]))).mean().backward()
    assert nets[1][0].weight.grad.abs().sum() > 0
    assert equal_on_both([nets[1][0].weight.grad])
    # frozen through the wrapper or around it: no error in the next step, either
    for through in (judge, judge.module):
        for _ in range(2):
            judge.zero_grad()
            judge.requires_grad_(False)
            softplus(-through(generator(noise[share]))).mean().backward()
            judge.requires_grad_(True)
            assert all(parameter.grad is None for parameter in nets[1].parameters())
            judge(real[share]).mean().backward()
            assert equal_on_both([parameter.grad for parameter in nets[1].parameters()])
    # one wrapper with find_unused_parameters=True averages right
    torch.manual_seed(0)
    both = DistributedDataParallel(Both(), find_unused_parameters=True)
    for _ in range(2):
        both(real[share]).mean().backward()
    assert both.module.generator.weight.grad is None
    try:  # nothing to average: DDP refuses it
        DistributedDataParallel(nn.Linear(2, 2).requires_grad_(False))
    except RuntimeError as error:
        assert "doesn't have any parameter that requires a gradient" in str(error), error
    else:
        raise AssertionError("a frozen model was wrapped")
    # an average made of the wrapper has its prefix in the names
    names = list(AveragedModel(both).state_dict())
    assert all(name.startswith("module.module.") for name in names if name != "n_averaged"), names


on_two(work)


# %% frozen-part hidden=true
def work(rank):
    nets, optimizers = build()
    nets[1][0].requires_grad_(False)  # as a pretrained part of the discriminator
    train(*(DistributedDataParallel(net) for net in nets), optimizers, slice(rank * 4, rank * 4 + 4))
    assert nets[1][0].weight.requires_grad  # the loop has made it trainable
    return f"{rank=}"


on_two(work)

# %% counter-on-cpu hidden=true
average = AveragedModel(nn.BatchNorm1d(2, device="meta"))  # as if on a GPU
assert average.n_averaged.device.type == "cpu"  # NCCL would refuse to send it
assert {buffer.device.type for buffer in average.module.buffers()} == {"meta"}


# %% other-buffers hidden=true
def work(rank):
    torch.manual_seed(0)
    norm = nn.InstanceNorm1d(2, track_running_stats=True)  # no BatchNorm, yet buffers
    net = nn.Sequential(norm, nn.Flatten(), nn.Linear(8, 1))
    average = AveragedModel(net)
    DistributedDataParallel(net)(torch.randn(4, 2, 4) + rank).sum().backward()
    average.update_parameters(net)
    assert equal_on_both(average.parameters())
    assert not equal_on_both(average.buffers())
    return f"{rank=}"


on_two(work)

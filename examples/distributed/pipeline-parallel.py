"""Pipeline parallelism: stages, micro-batches, schedules."""

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


# %% stages
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe


def whole_net():
    torch.manual_seed(0)
    first, last = nn.Linear(4, 8), nn.Linear(8, 2)
    return nn.Sequential(first, nn.Tanh(), nn.Linear(8, 8), last)


def my_stage(rank):
    net = whole_net()
    layers = net[:2] if rank == 0 else net[2:]
    return PipelineStage(layers, rank, num_stages=2, device=torch.device("cpu"))


torch.manual_seed(1)
data, target = torch.randn(8, 4), torch.randn(8, 2)


def train(schedule, rank):
    """Do forward and backward for one batch; return the loss on the last stage."""
    if rank == 0:
        schedule.step(data)  # the first stage gets the data
        return None
    losses = []  # of each micro-batch
    schedule.step(target=target, losses=losses)
    return torch.stack(losses).mean().item()


def work(rank):
    stage = my_stage(rank)
    schedule = ScheduleGPipe(stage, n_microbatches=4, loss_fn=nn.MSELoss())
    loss = train(schedule, rank)
    names = ", ".join(type(layer).__name__ for layer in stage.submod)
    return f"{rank=} {names}: " + (f"{loss=:.4f}" if rank else "no loss here")


on_two(work)


# %% equal
def work(rank):
    stage = my_stage(rank)
    schedule = ScheduleGPipe(stage, n_microbatches=4, loss_fn=nn.MSELoss())
    optimizer = torch.optim.SGD(stage.submod.parameters(), lr=0.1)
    loss = train(schedule, rank)
    optimizer.step()

    plain = whole_net()
    plain_optimizer = torch.optim.SGD(plain.parameters(), lr=0.1)
    plain_loss = nn.functional.mse_loss(plain(data), target)
    plain_loss.backward()
    plain_optimizer.step()

    part = plain[:2] if rank == 0 else plain[2:]
    pairs = zip(stage.submod.parameters(), part.parameters())
    same = all(torch.allclose(one, other, atol=1e-6) for one, other in pairs)
    here = f"{loss:.4f}" if rank else "-"
    return f"{rank=} loss {here}, plain {plain_loss:.4f}; weights equal: {same}"


on_two(work)

# %% schedules
from torch.distributed.pipelining import Schedule1F1B


class Watched(nn.Module):
    """Note when forward and backward of this stage run."""

    def __init__(self, layers):
        super().__init__()
        self.layers, self.order = layers, []

    def forward(self, x):
        out = self.layers(x)
        if out.requires_grad:
            number = sum(step.startswith("F") for step in self.order)
            self.order.append(f"F{number}")
            out.register_hook(lambda gradient: self.order.append(f"B{number}"))
        return out


def work(rank):
    lines = []
    for kind in (ScheduleGPipe, Schedule1F1B):
        net = whole_net()
        layers = Watched(net[:2] if rank == 0 else net[2:])
        stage = PipelineStage(layers, rank, 2, torch.device("cpu"))
        schedule = kind(stage, n_microbatches=4, loss_fn=nn.MSELoss())
        train(schedule, rank)  # the first time, a trial run finds the shapes
        layers.order.clear()
        train(schedule, rank)
        lines.append(f"{rank=} {kind.__name__:13} {' '.join(layers.order)}")
    return "\n".join(lines)


on_two(work)


# %% summed
def work(rank):
    summed = nn.MSELoss(reduction="sum")
    plain = whole_net()
    summed(plain(data), target).backward()
    expected = (plain[0] if rank == 0 else plain[2]).weight.grad
    ratios = []  # of the gradients to those of one process
    for scale in (True, False):
        stage = my_stage(rank)
        schedule = ScheduleGPipe(stage, 4, loss_fn=summed, scale_grads=scale)
        train(schedule, rank)
        ratio = stage.submod[0].weight.grad.norm() / expected.norm()
        ratios.append(f"scale_grads={scale}: {ratio:.2f}")
    return f"{rank=} " + ", ".join(ratios)


on_two(work)


# %% not-divisible raises="AssertionError"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(whole_net(), 0, 1, torch.device("cpu"))  # a single stage
schedule = ScheduleGPipe(stage, n_microbatches=16, loss_fn=nn.MSELoss())
schedule.step(data, target=target)  # 8 samples

# %% divisible
stage = PipelineStage(whole_net(), 0, 1, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=8, loss_fn=nn.MSELoss())
print(tuple(schedule.step(data, target=target).shape))
dist.destroy_process_group()

# %% pipeline
from torch.distributed.pipelining import SplitPoint, pipeline


def work(rank):
    micro_batch = data[:2]
    split = {"2": SplitPoint.BEGINNING}  # a new stage begins before layer 2
    pipe = pipeline(whole_net(), mb_args=(micro_batch,), split_spec=split)
    stage = pipe.build_stage(rank, torch.device("cpu"))
    schedule = ScheduleGPipe(stage, 4, loss_fn=nn.MSELoss())
    loss = train(schedule, rank)
    names = [name for name, _ in stage.submod.named_parameters()]
    return f"{rank=} {names}" + (f" {loss=:.4f}" if rank else "")


on_two(work)


# %% forward-only hidden=true
def work(rank):
    stage = my_stage(rank)
    schedule = ScheduleGPipe(stage, 4, loss_fn=nn.MSELoss())
    with torch.no_grad():
        out = schedule.eval(data) if rank == 0 else schedule.eval(target=target)
    assert rank == 0 or torch.allclose(out, whole_net()(data), atol=1e-6)
    assert all(weight.grad is None for weight in stage.submod.parameters())
    assert stage.submod.training  # eval() of the schedule is not that of the layers
    train(schedule, rank)
    first = next(stage.submod.parameters()).grad.clone()
    with torch.no_grad():
        schedule.eval(data) if rank == 0 else schedule.eval(target=target)
    assert torch.allclose(next(stage.submod.parameters()).grad, first / 4)  # divided once more


on_two(work)


# %% fewer-samples hidden=true
def work(rank):
    stage = my_stage(rank)
    schedule = ScheduleGPipe(stage, 4, loss_fn=nn.MSELoss())
    train(schedule, rank)
    if rank == 0:
        schedule.step(data[:4])
    else:
        schedule.step(target=target[:4])


import logging

logging.getLogger("torch.multiprocessing.spawn").setLevel(logging.ERROR)  # process numbers
try:
    on_two(work)
except mp.ProcessRaisedException as error:
    assert "Failed to run stage backward" in str(error), error
else:
    raise AssertionError("a step of another size is no error")


# %% fewer-samples-in-eval hidden=true
def work(rank):
    schedule = ScheduleGPipe(my_stage(rank), 4)
    expected = whole_net()(data)
    filled = torch.cat([data[4:], data[:1].expand(4, -1)])  # four samples, and four more
    with torch.no_grad():
        for batch in (data, data[4:], filled):
            out = schedule.eval(batch) if rank == 0 else schedule.eval()
            if rank and batch is filled:
                torch.testing.assert_close(out[:4], expected[4:], atol=1e-5, rtol=1e-5)
            elif rank and batch is not data:
                assert len(out) == 8  # of four samples, and no error
                torch.testing.assert_close(out[::2], expected[4:], atol=1e-5, rtol=1e-5)
                torch.testing.assert_close(out[1::2], expected[1::2], atol=1e-5, rtol=1e-5)  # of the batch before


on_two(work)


# %% three-stages hidden=true
def middle(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=3)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 8), nn.Linear(8, 2))
    nn.functional.mse_loss(net(data), target).backward()
    expected = net[rank].weight.grad.clone()
    net.zero_grad()
    stage = PipelineStage(net[rank], rank, 3, torch.device("cpu"))
    schedule = ScheduleGPipe(stage, n_microbatches=4, loss_fn=nn.MSELoss())
    schedule.step() if rank == 1 else train(schedule, rank)
    torch.testing.assert_close(net[rank].weight.grad, expected)
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(middle, args=(folder,), nprocs=3, start_method="fork")

# %% counts-tokens hidden=true
labels = torch.tensor([0, 1, 0, 1, 1, -100, -100, 0])


def gradient(loss_fn, **options):
    stage = PipelineStage(whole_net(), 0, 1, torch.device("cpu"))
    ScheduleGPipe(stage, 4, loss_fn=loss_fn, **options).step(data, target=labels)
    return stage.submod[0].weight.grad


def over_all_tokens(logits, labels_here):
    return nn.functional.cross_entropy(logits, labels_here, reduction="sum") / 6


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
plain = whole_net()
nn.functional.cross_entropy(plain(data), labels).backward()
expected = plain[0].weight.grad
assert not torch.allclose(gradient(nn.CrossEntropyLoss()), expected, rtol=0.1)
torch.testing.assert_close(gradient(over_all_tokens, scale_grads=False), expected)
weights = torch.tensor([1.0, 4.0])  # of the classes: divide by their sum, not by the tokens
plain = whole_net()
nn.functional.cross_entropy(plain(data), labels, weights).backward()
total = weights[labels[labels >= 0]].sum()
summed = nn.CrossEntropyLoss(weights, reduction="sum")
found = gradient(lambda *pair: summed(*pair) / total, scale_grads=False)
torch.testing.assert_close(found, plain[0].weight.grad)
assert not torch.allclose(gradient(lambda *pair: summed(*pair) / 6, scale_grads=False), found, rtol=0.1)
dist.destroy_process_group()


# %% trial-run-and-batchnorm hidden=true
def work(rank):
    norm = nn.BatchNorm1d(8)
    layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh()) if rank == 0 else nn.Sequential(norm, nn.Linear(8, 2))
    stage = PipelineStage(layers, rank, 2, torch.device("cpu"))
    schedule = ScheduleGPipe(stage, n_microbatches=4, loss_fn=nn.MSELoss())
    train(schedule, rank)
    recent = torch.__version__ >= "2.13"  # earlier ones are not asked whether they try
    trial = int(torch.__version__.startswith("2.13."))  # 2.14 leaves BatchNorm out of it
    assert rank == 0 or not recent or norm.num_batches_tracked == 4 + trial  # and four micro-batches
    norm.reset_running_stats()
    train(schedule, rank)
    assert rank == 0 or norm.num_batches_tracked == 4 and norm.running_var.max() < 2
    validation = ScheduleGPipe(PipelineStage(layers, rank, 2, torch.device("cpu")), n_microbatches=4)
    for used, counted in ((validation, 4), (validation, 4), (schedule, 4 + trial)) if recent else ():
        before = norm.num_batches_tracked.item()
        layers.eval()
        with torch.no_grad():
            used.eval(data) if rank == 0 else used.eval(target=target) if used is schedule else used.eval()
        layers.train()
        train(schedule, rank)
        assert rank == 0 or norm.num_batches_tracked == before + counted


on_two(work)


# %% eval-of-traced-stages hidden=true
import warnings

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.BatchNorm1d(8))
with warnings.catch_warnings(action="ignore"):
    pipe = pipeline(net, mb_args=(data[:2],), split_spec={"2": SplitPoint.BEGINNING})
first, last = (pipe.get_stage_module(stage).eval() for stage in range(2))
assert (first(data[:2]) == 0).any()  # dropped
before = {name: value.clone() for name, value in last.named_buffers()}
last(torch.randn(2, 8))
assert any(not torch.equal(value, before[name]) for name, value in last.named_buffers())

"""One rank skips a batch, or is out of memory: all ranks skip it."""

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


# %% bad-batch
from torch import nn
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel


def on_all_ranks(fact):
    """True if it is true on every rank: a collective, so all must call it."""
    flag = torch.tensor(float(bool(fact)))  # with NCCL, on the GPU
    dist.all_reduce(flag, op=dist.ReduceOp.MIN)
    return flag.item() == 1


def build():
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Linear(3, 1))
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def batches_of(rank):
    torch.manual_seed(rank)
    batches = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(4)]
    if rank == 1:
        batches[2] = torch.empty(0, 3), torch.empty(0, 1)  # no image could be read
    return batches


def work(rank):
    model, optimizer = build()
    taken = []
    for step, (x, target) in enumerate(batches_of(rank)):
        if not on_all_ranks(len(x) > 0):
            continue  # all ranks, or none
        optimizer.zero_grad()
        mse_loss(model(x), target).backward()
        optimizer.step()
        taken.append(step)
    return f"{rank=} steps {taken}, weight {model.module.weight[0, 0]:.4f}"


on_two(work)


# %% not-finite
def work(rank):
    model, optimizer = build()
    taken = []
    for step, (x, target) in enumerate(batches_of(0)):
        if rank == 1 and step == 1:
            x = x * float("nan")
        optimizer.zero_grad()
        loss = mse_loss(model(x), target)
        loss.backward()  # averages: the NaN of one rank is now in all
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        if not norm.isfinite():
            continue  # the same on all ranks
        optimizer.step()
        taken.append(step)
    return f"{rank=} steps {taken}, weight {model.module.weight[0, 0]:.4f}"


on_two(work)


# %% out-of-memory
class TooLarge(torch.autograd.Function):
    """Stands for a batch that does not fit, and fails in the backward pass."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        raise torch.OutOfMemoryError("CUDA out of memory.")


def compute(model, x, target, too_large):
    """Leave the gradients of this rank in .grad, and say whether it went well."""
    try:
        with model.no_sync():  # backward() waits for nobody
            out = model(x)
            mse_loss(TooLarge.apply(out) if too_large else out, target).backward()
    except torch.OutOfMemoryError:
        return False
    return True


def work(rank):
    model, optimizer = build()
    taken = []
    for step, (x, target) in enumerate(batches_of(0)):
        optimizer.zero_grad()
        fits = compute(model, x, target, too_large=rank == 1 and step == 3)
        if not on_all_ranks(fits):
            optimizer.zero_grad()  # here torch.cuda.empty_cache(), too
            continue
        for parameter in model.parameters():
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
        optimizer.step()
        taken.append(step)
    return f"{rank=} steps {taken}, weight {model.module.weight[0, 0]:.4f}"


on_two(work)


# %% counter-cases hidden=true
def work(rank):
    for value, expected in ((True, True), (2 + rank, True), (rank, False), (rank == 0, False), (False, False)):
        assert on_all_ranks(value) is expected
    # averaged by hand, the gradients are those that DDP averages
    model, _ = build()
    x, target = batches_of(rank)[0]
    mse_loss(model(x), target).backward()
    expected = [parameter.grad.clone() for parameter in model.parameters()]
    model.zero_grad()
    assert compute(model, x, target, too_large=False)
    for parameter, gradient in zip(model.parameters(), expected):
        dist.all_reduce(parameter.grad)
        torch.testing.assert_close(parameter.grad / 2, gradient)
    # a forward pass whose loss is thrown away does no harm to the next step
    model.zero_grad()
    model(x)
    mse_loss(model(x), target).backward()
    for parameter, gradient in zip(model.parameters(), expected):
        torch.testing.assert_close(parameter.grad, gradient)
    # what is not finite on one rank is not finite on all after the mean: NaN, inf, and inf with -inf
    for here in (float("nan"), float("inf"), float("inf") if rank == 0 else float("-inf")):
        model.zero_grad()
        (model(x).mean() * (here if rank == 0 or here < 0 else 1.0)).backward()
        assert not model.module.weight.grad.isfinite().all()
    # a loss that is not finite, with a gradient that is
    for bad in (float("nan"), float("inf")):
        model.zero_grad()
        loss = nn.functional.l1_loss(model(x), torch.full_like(target, bad))
        loss.backward()
        assert not loss.isfinite() and model.module.weight.grad.isfinite().all()
    # BatchNorm keeps the NaN of rank 0, and all get it; in no_sync() nothing is sent
    for bad in (0, 1):
        norm = nn.BatchNorm1d(3)
        model = DistributedDataParallel(norm)
        model(x * (float("nan") if rank == bad else 1.0)).sum().backward()
        model(x).sum().backward()
        assert norm.running_mean.isfinite().all() == (bad == 1)
    before = []
    norm = nn.BatchNorm1d(3)
    norm.register_forward_pre_hook(lambda norm, args: before.append(norm.running_mean.tolist()))
    for synchronized, equal in ((True, True), (False, False)):
        model = DistributedDataParallel(norm)
        for _ in range(3):
            if synchronized:
                model(x).sum().backward()
            else:
                with model.no_sync():
                    model(x).sum().backward()
        both = [None, None]
        dist.all_gather_object(both, before[-1])
        assert (both[0] == both[1]) is equal


on_two(work)


# %% first-forward-fails hidden=true
class FailsFirst(nn.BatchNorm1d):
    def forward(self, x):
        if x.isnan().any():
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return super().forward(x)


def work(rank):
    for options in ({}, {"broadcast_buffers": False}):
        model = DistributedDataParallel(FailsFirst(3), **options)
        x, target = torch.randn(4, 3), torch.randn(4, 3)
        bad = x * float("nan") if rank == 1 else x
        assert compute(model, bad, target, too_large=False) == (rank == 0)
        if options:  # without it, one rank would send its buffers and the other would not
            assert compute(model, x, target, too_large=False)
        else:
            assert model.require_forward_param_sync == (rank == 1)


on_two(work)

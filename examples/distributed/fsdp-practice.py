"""fully_shard in practice: clipping, accumulation, mixed precision, offload."""

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
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

torch.manual_seed(1)
data = torch.randn(8, 4)


def plain():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))


def sharded(net, **options):
    mesh = init_device_mesh("cpu", (2,))
    for layer in (net[0], net[2]):
        fully_shard(layer, mesh=mesh, **options)
    return fully_shard(net, mesh=mesh, **options)


def backward(net, batch):
    net(batch).square().mean().backward()


# %% clip
def work(rank):
    net = sharded(plain())
    backward(net, data[rank * 4 : rank * 4 + 4])
    norm = nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.1)
    after = nn.utils.get_total_norm([weight.grad for weight in net.parameters()])

    whole = plain()
    backward(whole, data)
    expected = nn.utils.clip_grad_norm_(whole.parameters(), max_norm=0.1)
    return (
        f"{rank=} {type(norm).__name__} here {norm.to_local():.4f}, "
        f"whole {norm.full_tensor():.4f}, in one process {expected:.4f}, "
        f"after clipping {after.full_tensor():.4f}"
    )


on_two(work)


# %% accumulate
def work(rank):
    net = sharded(plain())
    mine = data[rank * 4 : rank * 4 + 4].split(1)  # four parts of one sample
    for number, part in enumerate(mine):
        last = number == len(mine) - 1
        net.set_requires_gradient_sync(last)  # reduce once, after the last part
        (net(part).square().mean() / len(mine)).backward()

    whole = plain()
    backward(whole, data)
    gradient = net[0].weight.grad.full_tensor()
    equal = torch.allclose(gradient, whole[0].weight.grad, atol=1e-6)
    return f"{rank=} as one batch in one process: {equal}"


on_two(work)


# %% accumulate-without hidden=true
def work(rank):
    net, whole = sharded(plain()), plain()
    for part in data[rank * 4 : rank * 4 + 4].split(1):
        (net(part).square().mean() / 4).backward()
    backward(whole, data)
    gradient = net[2].weight.grad.full_tensor()
    assert torch.allclose(gradient, whole[2].weight.grad, atol=1e-6)


on_two(work)


# %% mixed-precision
def work(rank):
    policy = MixedPrecisionPolicy(
        param_dtype=torch.bfloat16,  # gathered and computed in bfloat16
        reduce_dtype=torch.float32,  # gradients are averaged in float32
    )
    net = sharded(plain(), mp_policy=policy)
    seen = []

    def look(layer, inputs):
        seen.extend([layer.weight.dtype, inputs[0].dtype])

    net[0].register_forward_pre_hook(look)
    out = net(data)
    out.float().square().mean().backward()
    weight = net[0].weight
    return (
        f"{rank=} stored {weight.dtype}, in forward {seen[0]}, input {seen[1]}, "
        f"output {out.dtype}, gradient {weight.grad.dtype}"
    )


on_two(work)


# %% policy-is-no-autocast hidden=true
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 3)

    def forward(self, x):
        logits = self.layer(x)
        kinds = [logits.softmax(1).dtype, nn.functional.cross_entropy(logits, labels).dtype]
        return logits, kinds


labels = torch.zeros(8, dtype=torch.long)


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    for output_dtype in (None, torch.float32):
        policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, output_dtype=output_dtype)
        logits, kinds = fully_shard(Classifier(), mesh=mesh, mp_policy=policy)(data)
        assert kinds == [torch.bfloat16] * 2, kinds
        assert logits.dtype == (output_dtype or torch.bfloat16)
    with torch.autocast("cpu"):
        logits, kinds = Classifier()(data)
    assert logits.dtype == torch.bfloat16 and kinds[1] == torch.float32, kinds


on_two(work)


# %% batchnorm hidden=true
def work(rank):
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
    for alone in (False, True):
        net = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Linear(6, 2))
        mesh = init_device_mesh("cpu", (2,))
        if alone:
            fully_shard(net[1], mesh=mesh)
        fully_shard(net, mesh=mesh, mp_policy=policy)
        try:
            net(data).float().sum().backward()
        except RuntimeError as error:
            assert not alone and "expected scalar type BFloat16 but found Float" in str(error), error
        else:
            assert alone and net[1].running_mean.dtype == torch.float32

    half = nn.Sequential(nn.Linear(4, 6), nn.Linear(6, 2))
    fully_shard(half[0], mesh=mesh)
    backward(half, data)
    try:
        nn.utils.clip_grad_norm_(half.parameters(), max_norm=0.1)
    except RuntimeError as error:
        assert "got mixed torch.Tensor and DTensor" in str(error), error
    else:
        raise AssertionError("clipped sharded and unsharded gradients together")


on_two(work)


# %% never-sent hidden=true
def work(rank):
    net, whole = sharded(plain()), plain()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
    before = [weight.to_local().clone() for weight in net.parameters()]
    mine = data[rank * 4 : rank * 4 + 4]
    net.set_requires_gradient_sync(False)
    backward(net, mine)
    assert all(weight.grad is None for weight in net.parameters())
    optimizer.step()
    assert all(torch.equal(old, weight.to_local()) for old, weight in zip(before, net.parameters()))

    optimizer.zero_grad()
    net.set_requires_gradient_sync(True)
    backward(net, mine)
    backward(whole, data)
    gradient = net[0].weight.grad.full_tensor()
    assert torch.allclose(gradient, 2 * whole[0].weight.grad, atol=1e-5)  # both backward passes


on_two(work)

# %% offload needs="cuda"
from torch.distributed.fsdp import CPUOffloadPolicy

store = dist.HashStore()
torch.cuda.set_device(0)  # its own GPU, before the mesh is made
dist.init_process_group("cpu:gloo,cuda:nccl", store=store, rank=0, world_size=1)
mesh = init_device_mesh("cuda", (1,))
net = fully_shard(nn.Linear(4, 2), mesh=mesh, offload_policy=CPUOffloadPolicy())
print("stored on", net.weight.device)  # the root is whole after forward
out = net(torch.ones(3, 4, device="cuda"))
print("computed on", out.device)
dist.destroy_process_group()

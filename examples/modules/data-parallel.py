"""DataParallel wraps a model: its attributes are behind one .module."""

# %% forward
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.classes = ["cat", "dog"]

    def forward(self, image):
        return self.fc(image)

    def predict(self, image):
        return self.fc(image).argmax(dim=1)


device = "cuda" if torch.cuda.is_available() else "cpu"
net = Classifier().to(device)
parallel = nn.DataParallel(net)
print(parallel(torch.randn(4, 3, device=device)).shape)

# %% without-gpu needs="no-cuda"
print("GPUs used:", parallel.device_ids)

# %% with-gpu needs="cuda" varies=true
print("GPUs:", torch.cuda.device_count(), " used:", parallel.device_ids)

# %% missing-attribute raises="AttributeError"
parallel.classes

# %% module
print("the same object:", parallel.module is net)
print(parallel.module.classes)

# %% names
print("wrapped:", list(parallel.state_dict()))
print("inside: ", list(parallel.module.state_dict()))

# %% load-fails raises="RuntimeError"
checkpoint = parallel.state_dict()
Classifier().load_state_dict(checkpoint)

# %% strip-prefix
plain = {name.removeprefix("module."): value for name, value in checkpoint.items()}
print(list(plain))
print(Classifier().load_state_dict(plain))

# %% method raises="AttributeError"
parallel.predict(torch.randn(4, 3, device=device))

# %% method-of-module
print(parallel.module.predict(torch.randn(4, 3, device=device)).shape)

# %% distributed
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

# torchrun starts one process per GPU; here there is one in all
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
distributed = DistributedDataParallel(Classifier())
dataset = torch.randn(6, 3)
sampler = DistributedSampler(dataset)  # a share for each process
loader = DataLoader(dataset, batch_size=3, sampler=sampler)
for epoch in range(2):
    sampler.set_epoch(epoch)  # another order each epoch
    for image in loader:
        distributed(image).square().mean().backward()
if dist.get_rank() == 0:  # one process saves, without the wrapper
    print(list(distributed.module.state_dict()))
dist.destroy_process_group()

# %% shares
for rank in range(2):
    sampler = DistributedSampler(range(8), num_replicas=2, rank=rank)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        print(f"{rank=} {epoch=}", list(sampler))

# %% shares-are-disjoint hidden=true
shares = [set(DistributedSampler(range(8), num_replicas=2, rank=rank)) for rank in range(2)]
assert not shares[0] & shares[1]


# %% either
def unwrap(model):
    wrappers = nn.DataParallel, DistributedDataParallel
    return model.module if isinstance(model, wrappers) else model


print(unwrap(parallel).classes, unwrap(net).classes)


# %% loss-inside
class WithLoss(nn.Module):
    """Computes the loss on each GPU, so that only numbers are gathered."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, inputs, labels):
        logits = self.net(inputs).flatten(0, -2)
        return nn.functional.cross_entropy(logits, labels.flatten()).unsqueeze(0)


head = nn.Linear(64, 50_000, device="meta")  # sizes only, no numbers
hidden = torch.empty(32, 512, 64, device="meta")  # (batch, tokens, features)
labels = torch.empty(32, 512, dtype=torch.long, device="meta")
logits, loss = head(hidden), WithLoss(head)(hidden, labels)
print(f"logits: {logits.nbytes / 2**30:.1f} GiB, a loss: {loss.nbytes} bytes")

# %% gather-scalars warns="UserWarning"
from unittest import mock

from torch.nn.parallel import comm, scatter_gather


def join(parts, dim, device):
    return torch.cat(parts, dim)


def gather(outputs):
    """What DataParallel does with the outputs of its GPUs; here without GPUs."""
    with mock.patch.object(comm, "gather", join):
        return scatter_gather.gather(outputs, target_device=0)


print(gather([torch.zeros((), device="meta") for _ in range(2)]).shape)

# %% gather-vectors
print(gather([torch.zeros(1, device="meta") for _ in range(2)]).shape)

# %% unequal-shares
losses = torch.tensor([0.5, 2.25, 0.75, 1.5, 3.0])  # one a sample
shares = losses.chunk(2)  # as DataParallel cuts a batch of 5
print([len(share) for share in shares])
print("mean of the means:", torch.stack([share.mean() for share in shares]).mean())
print("mean of all:      ", losses.mean())
print("sums, then divided:", sum(share.sum() for share in shares) / len(losses))


# %% imbalance warns="UserWarning"
def gpus(gib):
    """Makes DataParallel believe in GPUs with so much memory."""
    cores = dict(multi_processor_count=80)
    sizes = [mock.Mock(total_memory=size * 2**30, **cores) for size in gib]
    module = nn.DataParallel.__init__.__globals__
    return mock.patch.dict(
        module,
        _get_available_device_type=lambda: "cuda",
        _get_devices_properties=lambda ids: [sizes[number] for number in ids],
    )


with gpus([8, 24, 24]):
    nn.DataParallel(Classifier(), device_ids=[0, 1, 2])

# %% balanced
with gpus([8, 24, 24]):
    print(nn.DataParallel(Classifier(), device_ids=[1, 2]).device_ids)
with gpus([18, 24, 24]):  # exactly three quarters
    print(nn.DataParallel(Classifier(), device_ids=[0, 1, 2]).device_ids)

# %% not-on-first raises="RuntimeError"
with gpus([24, 24]):
    parallel = nn.DataParallel(Classifier(), device_ids=[0, 1])
parallel(torch.randn(4, 3))  # the model is still on the CPU

# %% gone-counter-cases hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for outputs in ([1, 1], [3, 2], [1, 1, 1]):
            made = gather([torch.zeros(size, dtype=dtype, device="meta") for size in outputs])
            assert made.shape == (sum(outputs),) and made.dtype == dtype
    for gib in ([24, 24], [18, 24], [19, 24]):
        with gpus(gib):
            nn.DataParallel(Classifier(), device_ids=[0, 1])
for gib in ([17, 24], [24, 17]):
    with gpus(gib), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        nn.DataParallel(Classifier(), device_ids=[0, 1])
    assert "There is an imbalance between your GPUs" in str(said[0].message)
for samples in range(1, 12):
    parts = torch.rand(samples).chunk(2)
    assert len(parts) == min(samples, 2) and len(parts[0]) >= len(parts[-1])

# %% classes-last hidden=true
for shape in ((4, 5), (4, 6, 5)):
    logits, labels = torch.randn(shape), torch.randint(5, shape[:-1])
    expected = nn.functional.cross_entropy(logits.movedim(-1, 1), labels)
    torch.testing.assert_close(WithLoss(nn.Identity())(logits, labels)[0], expected)
logits, labels = torch.randn(4, 5, 5, 5), torch.randint(5, (4, 5, 5))  # images: silent where the sizes fit
assert not torch.allclose(WithLoss(nn.Identity())(logits, labels), nn.functional.cross_entropy(logits, labels))

# %% ignored-labels hidden=true
logits, labels = torch.randn(4, 3, 5), torch.randint(5, (4, 3))
labels[0, 1:] = -100  # padding: the shares have equally many samples, but not losses
ours = WithLoss(nn.Identity())
whole = ours(logits, labels)
means = torch.cat([ours(logits[half], labels[half]) for half in (slice(2), slice(2, 4))])
assert not torch.allclose(means.mean(), whole)
sums = sum(nn.functional.cross_entropy(row, label, reduction="sum") for row, label in zip(logits, labels))
torch.testing.assert_close(sums / (labels != -100).sum(), whole[0])
labels = torch.tensor([0, 0, 0, 1])  # class weights: equally many losses, but not equal weights
weights, logits = torch.tensor([1.0, 5.0]), torch.tensor([[0.0, 0.0]] * 2 + [[0.0, 1.0]] * 2)
halves = [nn.functional.cross_entropy(logits[half], labels[half], weights) for half in (slice(2), slice(2, 4))]
whole = nn.functional.cross_entropy(logits, labels, weights)
assert not torch.allclose(torch.stack(halves).mean(), whole)
total = nn.functional.cross_entropy(logits, labels, weights, reduction="sum")
torch.testing.assert_close(total / weights[labels].sum(), whole)

"""DDP with activation checkpointing, and what static_graph=True promises."""

# %% net
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

# One process is enough here.
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


class Net(nn.Module):
    def __init__(self, use_reentrant, calls=1):
        super().__init__()
        self.first, self.block = nn.Linear(2, 2), nn.Linear(2, 2)
        self.use_reentrant, self.calls = use_reentrant, calls

    def forward(self, x):
        x = self.first(x)
        for _ in range(self.calls):  # the same block each time
            x = checkpoint(self.block, x, use_reentrant=self.use_reentrant)
        return x


x = torch.ones(4, 2)

# %% ready-twice raises="RuntimeError"
model = DistributedDataParallel(Net(use_reentrant=True, calls=2))
model(x).sum().backward()

# %% needless hidden=true
# PyTorch warns once a process that no parameter was unused: here, not in a cell that is shown.
net = Net(use_reentrant=False)
model = DistributedDataParallel(net, find_unused_parameters=True)
model(x).sum().backward()


# %% compare
def trains(net, steps=3, **options):
    model = DistributedDataParallel(net, **options)
    try:
        for _ in range(steps):
            model(x).sum().backward()
    except RuntimeError:
        return "error"
    return "ok"


for use_reentrant in (True, False):
    for calls in (1, 2):
        results = [
            trains(Net(use_reentrant, calls)),
            trains(Net(use_reentrant, calls), find_unused_parameters=True),
            trains(Net(use_reentrant, calls), static_graph=True),
        ]
        print(f"{use_reentrant=!s:5} {calls=}:", *results)


# %% two-outputs
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(2, 1), nn.Linear(2, 1)

    def forward(self, x):
        return self.first(x), self.second(x)


# %% unused-output raises="RuntimeError"
model = DistributedDataParallel(Heads(), static_graph=True)
for step in range(3):
    model(x)[0].sum().backward()  # the loss leaves the second output out

# %% find-unused
model = DistributedDataParallel(Heads(), find_unused_parameters=True)
for step in range(3):
    model(x)[0].sum().backward()
print(model.module.second.weight.grad)


# %% changes raises="RuntimeError"
class OneOfTwo(Heads):
    def forward(self, x, name):
        return getattr(self, name)(x)


model = DistributedDataParallel(OneOfTwo(), static_graph=True)
for name in ("first", "second"):
    model(x, name).sum().backward()

# %% changes-found hidden=true
model = DistributedDataParallel(OneOfTwo(), find_unused_parameters=True)
for name in ("first", "second", "first"):
    model(x, name).sum().backward()

model = DistributedDataParallel(OneOfTwo(), static_graph=True)
for _ in range(3):
    model(x, "first").sum().backward()  # never the second: static_graph finds that by itself


# %% outside-forward hidden=true
class Outside(Heads):
    def forward(self, x):
        return self.first(x)


model = DistributedDataParallel(Outside(), find_unused_parameters=True)
try:
    (model(x) + model.module.second(x)).sum().backward()
except RuntimeError as error:
    assert "mark a variable ready only once" in str(error)
else:
    raise AssertionError
model = DistributedDataParallel(Heads(), find_unused_parameters=True)
for step in range(3):
    sum(model(x)).sum().backward()  # inside forward

# %% same-gradients hidden=true
for use_reentrant, option in ((True, {"static_graph": True}), (False, {})):
    torch.manual_seed(0)
    net = Net(use_reentrant, calls=2)
    net(x).sum().backward()
    alone = net.block.weight.grad.clone()
    net.zero_grad()
    model = DistributedDataParallel(net, **option)
    for _ in range(3):
        model.zero_grad()
        model(x).sum().backward()
        assert torch.allclose(net.block.weight.grad, alone)

# %% accumulates hidden=true
for sent_first in (True, False):
    model = DistributedDataParallel(nn.Linear(2, 1), static_graph=True)
    if sent_first:
        model(x).sum().backward()
    try:
        with model.no_sync():
            model(x).sum().backward()
        model(x).sum().backward()
    except RuntimeError as error:
        assert not sent_first and "expect_autograd_hooks_ INTERNAL ASSERT FAILED" in str(error), error
    else:
        assert sent_first

# %% end hidden=true
del model  # before its group
dist.destroy_process_group()


# %% fewer hidden=true
class Both(Heads):
    def forward(self, x, second):
        return self.first(x) + self.second(x) if second else self.first(x)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(Both(), static_graph=True)
for second in (True, False):
    model(x, second).sum().backward()  # no error in the step that uses fewer
try:
    model(x, True).sum().backward()
except RuntimeError as error:
    assert "Expected to have finished reduction" in str(error), error
else:
    raise AssertionError
del model  # before its group
dist.destroy_process_group()

# %% without-checkpoints hidden=true
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def twice(model):
    return (model(x, "first") + model(x, "second")).sum()


def penalty(model):
    return model(x, "first").sum() + sum(weight.square().sum() for weight in model.module.parameters())


for loss in (twice, penalty):
    model = DistributedDataParallel(OneOfTwo())
    for _ in range(3):
        loss(model).backward()
    model = DistributedDataParallel(OneOfTwo(), find_unused_parameters=True)
    try:
        loss(model).backward()
    except RuntimeError as error:
        assert "mark a variable ready only once" in str(error), error
    else:
        raise AssertionError
del model  # before its group
dist.destroy_process_group()


# %% backward-twice hidden=true
class Trunk(Heads):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(2, 2)

    def forward(self, x):
        return super().forward(self.trunk(x))


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(Trunk())
one, other = model(x)
one.sum().backward(retain_graph=True)
try:
    other.sum().backward()
except RuntimeError as error:
    assert "mark a variable ready only once" in str(error), error
else:
    raise AssertionError
model = DistributedDataParallel(Trunk())
sum(model(x)).sum().backward()
del model  # before its group
dist.destroy_process_group()

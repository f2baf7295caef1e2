"""After eval(), dropout and batch norm stay in eval mode until train() is called."""

# %% stays-off
import torch
from torch import nn

torch.manual_seed(0)
dropout = nn.Dropout(0.5)
hidden = torch.ones(1, 8)
print("training:  ", dropout(hidden))

dropout.eval()
with torch.no_grad():
    dropout(hidden)  # validation

print("next epoch:", dropout(hidden), dropout.training)

dropout.train()
print("train():   ", dropout(hidden))

# %% batch-norm
norm = nn.BatchNorm1d(2)
batch = torch.randn(16, 2)
norm(batch)
norm.eval()
norm(batch)  # still in eval mode: counts nothing, learns no statistics
print("batches counted in eval mode: ", norm.num_batches_tracked.item())
norm.train()
norm(batch)
print("batches counted after train():", norm.num_batches_tracked.item())

# %% loop
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
for epoch in range(2):
    net.train()
    recording = torch.is_grad_enabled()
    print(epoch, f"train  training={net.training!s:5}  {recording=}")
    net.eval()
    with torch.no_grad():
        recording = torch.is_grad_enabled()
        print(epoch, f"valid  training={net.training!s:5}  {recording=}")

# %% restore
from contextlib import contextmanager


def modes(net):
    return {name or "net": module.training for name, module in net.named_modules()}


@contextmanager
def evaluating(net):
    before = {module: module.training for module in net.modules()}
    net.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module in sorted(before, key=lambda m: -len(list(m.modules()))):
            module.train(before[module])  # the outer ones first


net.train()
net[1].eval()  # one layer is kept in eval mode on purpose
with evaluating(net):
    print("inside", modes(net))
print("after ", modes(net))

# %% validated-in-the-middle hidden=true
for again in (False, True):
    used = []
    for epoch in range(2):
        net.train()
        for step in range(4):
            used.append(net.training)
            if step == 1:
                net.eval()  # validation
                net.train(again)
    assert used == 2 * [True, True, again, again]


# %% merged-weights hidden=true
class Merging(nn.Linear):
    """Adds a part to its weight for evaluation, as some LoRA layers do."""

    merged = False

    def train(self, mode=True):
        self.merged = not mode
        return super().train(mode)


net = nn.Sequential(nn.Sequential(Merging(2, 2), nn.Dropout(0.5)), nn.Dropout(0.5))
net[0].eval()
net[0][0].train()  # an outer module off, an inner one on
before = modes(net)
with evaluating(net):
    assert net[0][0].merged and not any(modes(net).values())
assert modes(net) == before and not net[0][0].merged

# %% shared-layer hidden=true
shared = nn.Dropout(0.5)
net = nn.Sequential(nn.Sequential(shared), nn.Sequential(nn.Linear(2, 2), shared))
for inner in (False, True):  # not the mode of the second module that holds it
    net.train()
    net[1].train(not inner)
    shared.train(inner)
    before = modes(net)
    with evaluating(net):
        assert not any(modes(net).values())
    assert modes(net) == before and shared.training is inner

"""Resume exactly: after a restart, the same weights as without one."""

# %% training
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
dataset = TensorDataset(torch.randn(40, 4), torch.randn(40, 1))


class Training:
    def __init__(self):
        torch.manual_seed(1)
        layers = nn.Linear(4, 16), nn.Dropout(0.5), nn.Linear(16, 1)
        self.net = nn.Sequential(*layers)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 4)
        self.scaler = torch.amp.GradScaler("cpu", growth_interval=10)
        self.order = torch.Generator().manual_seed(2)
        order = dict(shuffle=True, generator=self.order)
        self.loader = DataLoader(dataset, batch_size=8, **order)

    def epoch(self):
        for batch, targets in self.loader:
            loss = nn.functional.mse_loss(self.net(batch), targets)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        self.scheduler.step()


# %% save-and-load
PARTS = ("net", "optimizer", "scheduler", "scaler")


def save(training, path):
    state = {name: getattr(training, name).state_dict() for name in PARTS}
    state["torch_rng"] = torch.get_rng_state()  # what dropout draws from
    state["order"] = training.order.get_state()
    torch.save(state, path)


def load(training, path, without=None):
    state = torch.load(path)
    for name in PARTS:
        if name != without:
            getattr(training, name).load_state_dict(state[name])
    if without != "torch_rng":
        torch.set_rng_state(state["torch_rng"])
    if without != "order":
        training.order.set_state(state["order"])


# %% interrupted
path = Path(tempfile.mkdtemp()) / "checkpoint.pt"

straight = Training()
for epoch in range(6):
    straight.epoch()
    if epoch == 2:
        save(straight, path)


def resumed(without=None):
    training = Training()  # as in a new process
    load(training, path, without)
    for epoch in range(3, 6):
        training.epoch()
    return training


def difference(training):
    pairs = zip(training.net.parameters(), straight.net.parameters())
    return max((a - b).abs().max().item() for a, b in pairs)


print("resumed with everything:", difference(resumed()))

# %% left-out
for part in ("net", "optimizer", "scheduler", "torch_rng", "order"):
    print(f"without {part:9} off by {difference(resumed(part)):.2f}")

# %% scaler
scales = [run.scaler.get_scale() for run in (straight, resumed())]
print("scale: {} resumed: {}".format(*scales))
print("without the scaler's state:", resumed("scaler").scaler.get_scale())

# %% rng-on-another-device raises="TypeError"
state = torch.load(path, map_location="meta")  # moves every tensor, as "cuda" would
torch.set_rng_state(state["torch_rng"])

# %% remedies hidden=true
state = torch.load(path, map_location="cpu")
torch.set_rng_state(state["torch_rng"])
torch.set_rng_state(state["torch_rng"].cpu())

# %% persistent-workers hidden=true
from torch.utils.data import RandomSampler


def orders(own_generator, stop=None):
    sampler_draws, loader_draws = torch.Generator().manual_seed(2), torch.Generator()
    persistent = dict(batch_size=4, num_workers=1, persistent_workers=True)

    def loader():
        if own_generator:
            sampler = RandomSampler(range(12), generator=sampler_draws)
            return DataLoader(range(12), sampler=sampler, generator=loader_draws, **persistent)
        return DataLoader(range(12), shuffle=True, generator=sampler_draws, **persistent)

    current, found = loader(), []
    for epoch in range(3):
        if epoch == stop:
            current = loader()  # as in a new process
        found.append(torch.cat(list(current)).tolist())
    return found


assert orders(True, stop=1) == orders(True)
assert orders(False, stop=1) != orders(False)


# %% states-of-ranks hidden=true
def mask():
    return nn.functional.dropout(torch.ones(100))


states, masks = [], []
for rank in range(2):
    torch.manual_seed(rank)
    states.append(torch.get_rng_state())
    masks.append(mask())
for state, expected in zip(states, masks):
    torch.set_rng_state(state)
    assert torch.equal(mask(), expected)
torch.set_rng_state(states[0])
assert not torch.equal(mask(), masks[1])  # rank 1 with the state of rank 0

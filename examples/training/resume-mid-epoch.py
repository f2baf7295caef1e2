"""Resume in the middle of an epoch: the rest of the same order."""

# %% order
import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler

dataset = torch.arange(12)
generator = torch.Generator().manual_seed(0)


def order(done=0):  # the batches of one epoch, without the first ones
    start = generator.get_state()  # before the epoch's order is drawn
    sampler = RandomSampler(dataset, generator=generator)
    return start, list(BatchSampler(sampler, batch_size=3, drop_last=False))[done:]


# %% interrupted
start, batches = order()
loader = DataLoader(dataset, batch_sampler=batches, generator=generator)
for done, batch in enumerate(loader, start=1):
    print("trained on", batch.tolist())
    if done == 2:
        checkpoint = {"order": start, "done": done}  # beside model and optimizer
        break
print("not reached:", batches[2:])
next_epoch = order()[1]

# %% resumed
generator = torch.Generator()  # as in a new process
generator.set_state(checkpoint["order"])
start, batches = order(checkpoint["done"])
for batch in DataLoader(dataset, batch_sampler=batches, generator=generator):
    print("resumed on ", batch.tolist())
print("next epoch the same:", order()[1] == next_epoch)

# %% too-late
generator = torch.Generator().manual_seed(0)
loader = DataLoader(dataset, batch_size=3, shuffle=True, generator=generator)
start = generator.get_state()
iterator = iter(loader)
seen = [next(iterator).tolist() for _ in range(2)]  # the order is drawn here
middle = generator.get_state()
rest = [batch.tolist() for batch in iterator]

for name, state in {"start": start, "middle": middle}.items():
    generator.set_state(state)
    again = [batch.tolist() for batch in loader][2:]  # skip what was done
    print(f"state of the {name}: the same rest: {again == rest}")


# %% augmented
class Noisy(torch.utils.data.Dataset):
    def __init__(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return len(dataset)

    def __getitem__(self, index):
        own = torch.Generator().manual_seed(self.epoch * len(self) + index)
        return dataset[index] + torch.rand((), generator=own)


generator.set_state(start)
whole = list(DataLoader(Noisy(epoch=3), batch_sampler=order()[1]))
generator.set_state(start)
tail = list(DataLoader(Noisy(epoch=3), batch_sampler=order(done=2)[1]))
print("same noise:", all(torch.equal(a, b) for a, b in zip(whole[2:], tail)))

# %% default-generator hidden=true
for own in (generator, None):
    generator.set_state(start)
    batches = order()[1]
    numbers = []
    for done, _ in enumerate(DataLoader(dataset, batch_sampler=batches, generator=own)):
        if done == 2:
            default = torch.get_rng_state()
        numbers.append(torch.rand(()).item())  # as dropout does
    torch.set_rng_state(default)
    generator.set_state(start)
    loader = DataLoader(dataset, batch_sampler=order(done=2)[1], generator=own)
    assert ([torch.rand(()).item() for _ in loader] == numbers[2:]) == (own is generator)

# %% workers hidden=true
for workers in (0, 1):
    generator.set_state(start)
    tail = list(DataLoader(Noisy(epoch=3), batch_sampler=order(done=2)[1], num_workers=workers))
    assert len(tail) == 2 and all(torch.equal(a, b) for a, b in zip(whole[2:], tail))
assert not torch.equal(Noisy(3)[0], Noisy(4)[0])

# %% distributed hidden=true
from torch.utils.data import DistributedSampler

orders = []
for _ in range(2):  # the second one as in a new process
    sampler = DistributedSampler(dataset, num_replicas=2, rank=1, seed=7)
    sampler.set_epoch(3)
    orders.append(list(sampler))
assert orders[0] == orders[1]


# %% skipping hidden=true
class Default(Noisy):
    def __getitem__(self, index):
        return dataset[index] + torch.rand(())  # the default generator


def drawn(loader, done=0, state=None, early=True):
    numbers = []
    if early and state is not None:
        torch.set_rng_state(state)
    for number, batch in enumerate(loader, start=1):
        if number == done and not early:
            torch.set_rng_state(state)
        if number > done:
            numbers.append((batch.tolist(), torch.rand(()).item()))
        if number == 2:
            drawn.middle = torch.get_rng_state()
    return numbers


loader = DataLoader(Default(epoch=3), batch_size=3, shuffle=True, generator=generator)
generator.set_state(start)
whole = drawn(loader)
middle = drawn.middle
for early in (True, False):
    generator.set_state(start)
    assert (drawn(loader, 2, middle, early) == whole[2:]) is not early

# %% without-generator hidden=true
numbers = []
for before in (1, 2):
    torch.manual_seed(before)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(7)
        numbers.append(torch.rand(()).item())
assert numbers[0] == numbers[1]

# %% interrupted-again hidden=true
for count_on in (True, False):
    generator = torch.Generator().manual_seed(0)
    checkpoint, trained = {"order": generator.get_state(), "done": 0}, []
    for _ in range(3):  # after one batch, after another one, not at all
        generator.set_state(checkpoint["order"])
        start, batches = order(checkpoint["done"])
        loader = DataLoader(dataset, batch_sampler=batches, generator=generator)
        for done, batch in enumerate(loader, start=checkpoint["done"] + 1 if count_on else 1):
            trained.append(batch.tolist())
            if len(trained) < 3:
                checkpoint = {"order": start, "done": done}
                break
    generator.manual_seed(0)
    assert (trained == order()[1]) is count_on

# %% persistent-workers hidden=true
options = {"batch_size": 3, "shuffle": True, "num_workers": 1, "persistent_workers": True}
for epochs in (0, 1):
    first, resumed = (DataLoader(dataset, generator=torch.Generator().manual_seed(0), **options) for _ in range(2))
    for _ in range(epochs):
        list(first)
    resumed.generator.set_state(first.generator.get_state())
    whole, again = ([batch.tolist() for batch in loader] for loader in (first, resumed))
    assert (again == whole) is (epochs == 0)

# %% into-the-next-epoch hidden=true
generator = torch.Generator().manual_seed(0)
epochs = (DataLoader(dataset, batch_sampler=order()[1], generator=generator) for _ in range(2))
whole = [batch.tolist() for loader in epochs for batch in loader]
for from_one in (True, False):
    generator = torch.Generator().manual_seed(0)
    checkpoint, trained = {"order": generator.get_state(), "done": 0}, []
    for left in (3, 3, 8):  # the second job reaches the second epoch, and is interrupted there
        generator.set_state(checkpoint["order"])
        skip = count = checkpoint["done"]
        while left and len(trained) < len(whole):
            start, batches = order(skip)
            loader = DataLoader(dataset, batch_sampler=batches, generator=generator)
            for done, batch in enumerate(loader, start=count + 1):
                trained.append(batch.tolist())
                checkpoint, left = {"order": start, "done": done}, left - 1
                if not left:
                    break
            skip, count = 0, 0 if from_one else count
    assert (trained == whole) is from_one

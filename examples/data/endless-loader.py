"""A DataLoader that never ends."""

# %% not-an-iterator raises="TypeError"
import torch
from torch.utils.data import DataLoader

torch.manual_seed(0)
loader = DataLoader(range(4), batch_size=2, shuffle=True)
next(loader)

# %% iterable
batches = iter(loader)
print(type(batches).__name__, hasattr(batches, "__next__"))
print(type(loader).__name__, hasattr(loader, "__next__"))
print(next(batches))

# %% next-method raises="AttributeError"
batches = iter(DataLoader(range(4), batch_size=2, num_workers=1))
batches.next()

# %% next-function
print(next(batches))

# %% stops raises="StopIteration"
batches = iter(loader)
print("first ", next(batches))
print("second", next(batches))
next(batches)

# %% forever
from itertools import islice


def forever(loader):
    while True:
        yield from loader  # a new epoch, shuffled anew


torch.manual_seed(1)
print([batch.tolist() for batch in islice(forever(loader), 6)])

# %% cycle
from itertools import cycle

print([batch.tolist() for batch in islice(cycle(loader), 6)])

# %% next-iter
in_order = DataLoader(range(4), batch_size=2)
print(next(iter(in_order)), next(iter(in_order)))

# %% sampler
from torch.utils.data import RandomSampler

sampler = RandomSampler(range(4), replacement=True, num_samples=10)
loader = DataLoader(range(4), batch_size=4, sampler=sampler)
print([batch.tolist() for batch in loader])

# %% counter-cases hidden=true
import itertools

torch.manual_seed(0)
shuffled = torch.utils.data.DataLoader(range(20), batch_size=20, shuffle=True)
replayed = list(itertools.islice(itertools.cycle(shuffled), 6))
assert all(torch.equal(batch, replayed[0]) for batch in replayed)


def forever(loader):
    while True:
        yield from loader


fresh = list(itertools.islice(forever(shuffled), 6))
assert not any(torch.equal(batch, fresh[0]) for batch in fresh[1:])

# %% two-lengths hidden=true
longer, shorter = DataLoader(range(5)), DataLoader(range(2))
assert [int(other) for _, other in zip(longer, forever(shorter))] == [0, 1, 0, 1, 0]

# %% remedies hidden=true
batches = iter(in_order)
came = []
for _ in range(5):
    try:
        came.append(next(batches).tolist())
    except StopIteration:
        batches = iter(in_order)
assert came == [[0, 1], [2, 3], [0, 1], [2, 3]], came

# %% one-generator hidden=true
ordered = DataLoader(range(6), batch_size=2)
anew = [[batch.tolist() for batch in islice(forever(ordered), 2)] for _ in range(2)]
assert anew == [[[0, 1], [2, 3]]] * 2  # the third batch never comes
once = forever(ordered)
assert [[batch.tolist() for batch in islice(once, 2)] for _ in range(2)] == [[[0, 1], [2, 3]], [[4, 5], [0, 1]]]

# %% none-missing hidden=true
torch.manual_seed(0)
assert {*RandomSampler(range(4), replacement=True, num_samples=100)} == {0, 1, 2, 3}

# %% no-batches hidden=true
empty = DataLoader(range(2), batch_size=4, drop_last=True)
assert next(iter(empty), None) is None and next(iter(empty), None) is None  # again and again

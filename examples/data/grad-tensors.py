"""A dataset whose tensors are still in the graph."""

# %% one-process
import torch
from torch.utils.data import DataLoader

weight = torch.ones(3, requires_grad=True)
features = [weight * i for i in range(4)]  # each has a grad_fn

batch = next(iter(DataLoader(features, batch_size=2)))
print(batch)


# %% collate
def try_worker(samples):
    loader = DataLoader(samples, batch_size=2, num_workers=1, timeout=20)
    try:
        print(next(iter(loader)))
    except RuntimeError as error:
        first, *_, last = str(error).splitlines()
        print(first, last, sep="\n")


try_worker(features)

# %% worker-ended hidden=true
import gc

from torch.utils.data.dataloader import _MultiProcessingDataLoaderIter

# The failed iterator is kept alive by its error; end its worker here, not in a process forked later.
for item in gc.get_objects():
    if type(item) is _MultiProcessingDataLoaderIter:
        item._shutdown_workers()

# %% no-collate raises="RuntimeError"
import sys
import tempfile
from pathlib import Path

log = Path(tempfile.mkdtemp()) / "worker.txt"


def errors_to_file(worker_id):
    sys.stderr = open(log, "w", buffering=1)


loader = DataLoader(
    features,
    batch_size=None,
    num_workers=1,
    timeout=1,
    worker_init_fn=errors_to_file,
)
next(iter(loader))

# %% worker-said
print(log.read_text().splitlines()[-1])

# %% worker-ended-again hidden=true
for item in gc.get_objects():
    if type(item) is _MultiProcessingDataLoaderIter:
        item._shutdown_workers()

# %% detached
try_worker([feature.detach() for feature in features])

# %% leaf
leaves = [torch.ones(3, requires_grad=True) for _ in range(4)]
loader = DataLoader(leaves, batch_size=None, num_workers=1, timeout=20)
sample = next(iter(loader))
print(sample)

sample.sum().backward()
print("the copy", sample.grad, "the original", leaves[0].grad)

# %% leaf-collate
try_worker(leaves)

# %% remedies hidden=true
with torch.no_grad():
    computed = [weight * i for i in range(4)]
for samples in ([feature.detach() for feature in features], computed, [leaf.detach() for leaf in leaves]):
    for size in (None, 2):
        assert len(list(DataLoader(samples, batch_size=size, num_workers=1, timeout=60))) == (2 if size else 4)

# %% second-backward hidden=true
try:
    for batch in [*DataLoader(features, batch_size=2)] * 2:
        batch.square().sum().backward()
except RuntimeError as error:
    assert "backward through the graph a second time" in str(error), error
else:
    raise AssertionError("features with a graph were trained on twice")

# %% a-layer-in-the-dataset hidden=true
words, head = torch.nn.Embedding(3, 2), torch.nn.Linear(2, 1)
for batch in DataLoader([words.weight[i].detach() for i in range(3)], batch_size=3):
    head(batch).sum().backward()
assert words.weight.grad is None and head.weight.grad is not None
for batch in DataLoader(range(3), batch_size=3):
    head(words(batch)).sum().backward()
assert words.weight.grad is not None

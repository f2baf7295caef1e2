"""How many bytes a tensor takes, and how many it keeps alive."""

# %% bytes
import sys

import torch

features = torch.zeros(1000, 1000)  # float32: 4 bytes a number
print("nbytes:         ", features.nbytes)
print("size times count:", features.element_size() * features.nelement())
print("storage:        ", features.untyped_storage().nbytes())

# %% dtypes
for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.bool):
    print(f"{str(dtype):15} {features.to(dtype).nbytes:>8,}")

# %% view
head = features[:10]
print("nbytes: ", head.nbytes)
print("storage:", head.untyped_storage().nbytes())

# %% getsizeof varies=true
print("a million elements:", sys.getsizeof(features))
print("two elements:      ", sys.getsizeof(torch.zeros(2)))

# %% typed-storage warns="UserWarning" varies=true
print("storage():", sys.getsizeof(head.storage()))
print("nbytes:   ", head.nbytes)

# %% expanded
row = torch.zeros(1, 1000).expand(1000, 1000)
print("nbytes: ", row.nbytes)
print("storage:", row.untyped_storage().nbytes())

# %% same-object-size hidden=true
assert sys.getsizeof(features) == sys.getsizeof(torch.zeros(2)) < 1000

# %% sparse hidden=true
sparse = torch.eye(100).to_sparse().coalesce()
try:
    sparse.nbytes
except RuntimeError:
    pass
else:
    raise AssertionError
assert sparse.indices().nbytes + sparse.values().nbytes == 100 * (2 * 8 + 4)

# %% sparse-csr hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # CSR is in beta state
    rows = torch.eye(100).to_sparse_csr()
assert rows.nbytes == torch.eye(100).nbytes == 40_000
assert sum(part.nbytes for part in (rows.crow_indices(), rows.col_indices(), rows.values())) == 101 * 8 + 100 * 12

# %% sparse-not-coalesced hidden=true
table = torch.nn.Embedding(4, 2, sparse=True)
table(torch.tensor([1, 1])).sum().backward()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    gradient = table.weight.grad  # two entries for one row
    try:
        gradient.indices()
    except RuntimeError as error:
        assert "uncoalesced" in str(error)
    else:
        raise AssertionError
    joined = gradient.coalesce()
assert joined.indices().nbytes + joined.values().nbytes == 8 + 2 * 4

# %% counted-in-bytes hidden=true
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that TypedStorage is deprecated, which the page shows
    assert len(head.storage()) == 1_000_000 and len(head.untyped_storage()) == 4_000_000

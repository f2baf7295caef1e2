"""How many bytes a tensor takes, and how many it keeps alive."""

# %% bytes
import sys

import torch

features = torch.zeros(1000, 1000)  # float32: 4 bytes a number
print(features.nbytes)
print(features.element_size() * features.nelement())
print(features.untyped_storage().nbytes())

# %% dtypes
for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.bool):
    print(f"{str(dtype):15} {features.to(dtype).nbytes:>8,}")

# %% getsizeof
print(sys.getsizeof(features), sys.getsizeof(torch.zeros(2)))
print(sys.getsizeof(features.untyped_storage()))

# %% typed-storage warns="UserWarning"
print(sys.getsizeof(features.storage()))

# %% view
head = features[:10]
print("nbytes:   ", head.nbytes)
print("storage:  ", head.untyped_storage().nbytes())
print("getsizeof:", sys.getsizeof(head), sys.getsizeof(head.untyped_storage()))

# %% expanded
row = torch.zeros(1, 1000).expand(1000, 1000)
print(row.nbytes, row.untyped_storage().nbytes())

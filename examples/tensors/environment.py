"""Which PyTorch this is, and what hardware it can use."""

# %% versions varies=true
import torch

print("version:    ", torch.__version__)
print("CUDA build: ", torch.version.cuda)
print("CUDA usable:", torch.cuda.is_available())
print("accelerator:", torch.accelerator.is_available())  # CUDA, MPS, XPU, …

# %% around-it varies=true
import platform

import numpy as np

print("Python: ", platform.python_version())
print("NumPy:  ", np.__version__)
print("threads:", torch.get_num_threads())

# %% with-a-gpu needs="cuda" varies=true
print("version:    ", torch.__version__)
print("CUDA build: ", torch.version.cuda)
print("CUDA usable:", torch.cuda.is_available())
print("accelerator:", torch.accelerator.current_accelerator())
print("GPU:        ", torch.cuda.get_device_name())

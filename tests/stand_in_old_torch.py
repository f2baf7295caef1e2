"""Stands in for torch 1.13: `VERBATIM_PRELOAD=tests.stand_in_old_torch` takes away what the engine can do without."""

from __future__ import annotations

import sys

import torch

del torch.backends.cpu.get_cpu_capability
sys.modules["torch._dynamo"] = None  # importing it raises, as where it does not exist
del torch.accelerator

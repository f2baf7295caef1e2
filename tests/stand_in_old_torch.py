"""Stands in for torch 1.13: `VERBATIM_PRELOAD=tests.stand_in_old_torch` takes away what the engine can do without."""

from __future__ import annotations

import atexit
import sys
import tempfile

import torch

#: As torch 2.6 does when it is imported: gone when the fork server ends, and not when a script does.
FOLDER = tempfile.TemporaryDirectory()
PLACE = FOLDER.name
atexit.register(FOLDER.cleanup)  # torch 2.2 to 2.8

del torch.backends.cpu.get_cpu_capability
sys.modules["torch._dynamo"] = None  # importing it raises, as where it does not exist
del torch.accelerator

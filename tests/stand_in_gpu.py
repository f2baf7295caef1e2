"""Stands in for GPUs where there are none: `VERBATIM_PRELOAD=tests.stand_in_gpu`.

Tensors asked for on "cuda" are made on the CPU and counted as memory taken on the GPU. `VERBATIM_STAND_IN_GPUS` says how many
there are; `VERBATIM_STAND_IN_BROKEN` is what torch says where its driver does not fit.
"""

from __future__ import annotations

import os
import types
import warnings
import weakref

import torch

taken = 0
held = 0


def _count() -> int:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    there = int(os.environ.get("VERBATIM_STAND_IN_GPUS", "1"))
    return there if visible is None else min(there, len([n for n in visible.split(",") if n]))


def _available() -> bool:
    if broken := os.environ.get("VERBATIM_STAND_IN_BROKEN"):
        warnings.warn(broken, stacklevel=2)
        return False
    return _count() > 0


def _on_gpu(make):
    def made(*sizes, device=None, **options):
        if str(device).startswith("cuda"):
            if not _available():
                raise RuntimeError("No CUDA GPUs are available")
            global taken, held
            taken, held = taken + 1, held + 1
            tensor = make(*sizes, **options)
            weakref.finalize(tensor, _release)
            return tensor
        return make(*sizes, **options)

    return made


def _release() -> None:
    global held
    held -= 1


torch.ones, torch.zeros = _on_gpu(torch.ones), _on_gpu(torch.zeros)
torch.version.cuda = "13.0"
torch.cuda.is_available = _available
torch.cuda.device_count = _count
torch.cuda.is_initialized = lambda: _count() > 0
torch.cuda.memory_stats = lambda device=0: {"allocation.all.allocated": taken, "allocated_bytes.all.current": held}
torch.cuda.get_device_properties = lambda device=0: types.SimpleNamespace(name="Stand-in 1", major=9, minor=0)

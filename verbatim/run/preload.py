"""Imported once by the fork server, so that every script starts with its imports done.

PyTorch's compiler is imported besides where a script needs it (`needs_compiler` in `worker.py`).

Nothing here may start a thread or touch a GPU: what a process does that way does not survive a fork.
"""

import gc

import matplotlib

matplotlib.use("agg")

import matplotlib.backends.backend_svg
import matplotlib.pyplot
import numpy
import torch
import torch.utils.data

import verbatim.run.worker  # noqa: F401 (else every process would import it)
from verbatim.run import confine
from verbatim.run.gpus import load_stand_ins

torch.set_num_threads(1)

# Warm what is built on first use, not on import: the font list and the text layout.
matplotlib.font_manager.findfont("DejaVu Sans")
numpy.random.seed(0)

# The same for tensors: printing, a layer, a loss. No backward(), whose threads would not survive a fork, and no
# optimizer's step(), which asks for GPUs.
repr(torch.ones(2, requires_grad=True))
torch.nn.functional.cross_entropy(torch.nn.Linear(2, 2)(torch.ones(2, 2)), torch.arange(2))
load_stand_ins()

# Asked once, here: every script's process inherits the answers.
confine.version()
confine.own_memory()

# What is here stays: a collection in a script's process need not look at it, nor copy the memory it lies in.
gc.collect()
gc.freeze()

"""Imported once by the fork server, so that every script starts with its imports done.

What few scripts need is imported besides where one of them does (`LATE` in `isolate.py`).

Nothing here may start a thread or touch a GPU: what a process does that way does not survive a fork.
"""

import gc
import linecache

import torch
import torch.utils.data

from verbatim.run import confine, elsewhere, forks, isolate, worker
from verbatim.run.gpus import load_stand_ins

torch.set_num_threads(1)

# Warm what is built on first use, not on import: printing, a layer, a loss. No backward(), whose threads would not
# survive a fork, and no optimizer's step(), which asks for GPUs.
repr(torch.ones(2, requires_grad=True))
torch.nn.functional.cross_entropy(torch.nn.Linear(2, 2)(torch.ones(2, 2)), torch.arange(2))
with torch.autograd.profiler.record_function("optimizers"):
    pass

# Seeding notes the stack as text, for GPUs that are used later: Python then reads the file of each of its lines.
for module in (forks, worker):
    linecache.getlines(str(module.__file__))
load_stand_ins()
worker.environment()

isolate.prepare()
confine.prepare()
elsewhere.seed(0)

# What is here stays: a collection in a script's process need not look at it, nor copy the memory it lies in.
gc.collect()
gc.freeze()

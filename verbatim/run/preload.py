"""Imported once by the fork server, so that every script starts with torch imported and warmed up.

Modules that few scripts need are in `isolate.LATE`.

Nothing here may start a thread or use a GPU, because neither survives a fork.
"""

import gc
import linecache

import torch
import torch.utils.data

from verbatim.run import confine, forks, isolate, perturb, worker
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
perturb.seed(0)

# Garbage collections in a script's process then skip these objects, and need not copy their memory.
gc.collect()
gc.freeze()

"""Imported once by the fork server, so that every script starts with its imports done.

Nothing here may start a thread or touch a GPU: what a process does that way does not survive a fork.
"""

import matplotlib

matplotlib.use("agg")

import matplotlib.backends.backend_svg
import matplotlib.pyplot
import numpy
import torch
import torch._dynamo  # the first optimizer a process makes imports it: 1 to 2 s
import torch.utils.data

from verbatim.devices import load_stand_ins

torch.set_num_threads(1)

# Warm what is built on first use, not on import: the font list and the text layout.
matplotlib.font_manager.findfont("DejaVu Sans")
numpy.random.seed(0)
load_stand_ins()

"""Warnings: which cost nothing, which line they come from, how to silence one of them."""

# %% three-kinds
import warnings

import torch
from torch.nn import functional as F


def told(code):
    """The category and the beginning of each warning that code gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        code()
    return [(one.category.__name__, str(one.message)[:45]) for one in caught]


target = torch.tensor([1.0, 2.0, 3.0])
prediction = target[:, None]  # perfect
print(told(lambda: torch.eye(2).to_sparse_csr()))
print(told(lambda: F.mse_loss(prediction, target)))
print(told(lambda: torch.range(0, 3)))

# %% what-each-costs
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # shown above
    sparse = torch.eye(2).to_sparse_csr()
    wrong = F.mse_loss(prediction, target)  # 3 × 3 differences
    old_range = torch.range(0, 3)
right = F.mse_loss(prediction, target[:, None])
print("sparse:", torch.equal(sparse.to_dense(), torch.eye(2)))
print(f"loss:   {wrong.item():.2f} instead of {right.item():.2f}")
print("range: ", torch.equal(old_range, torch.arange(0.0, 4.0)))

# %% which-line
import traceback

with warnings.catch_warnings():
    warnings.filterwarnings("error", message="Using a target size")
    try:
        F.mse_loss(prediction, target)
    except UserWarning as warning:
        frames = traceback.extract_tb(warning.__traceback__)
        print([frame.name for frame in frames])


# %% silence-one
import re


def count(code, message):
    """How many warnings are left when those that begin so are ignored."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", message=message)  # the rest is counted
        code()
    return len(caught)


def both():
    F.mse_loss(prediction, target)
    torch.range(0, 3)


print("nothing ignored:  ", count(both, "no such message"))
print("its beginning:    ", count(both, "Using a target size"))
print("its middle:       ", count(both, "broadcasting"))
print(".* before that:   ", count(both, "(?s).*broadcasting"))
print("with brackets:    ", count(both, "Using a target size (torch.Size([3]))"))
whole = re.escape("Using a target size (torch.Size([3]))")
print("brackets escaped: ", count(both, whole))

# %% children
import os
import subprocess
import sys

program = "import torch; torch.range(0, 3)"


def lines(**variables):
    child = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONWARNINGS": ""} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return sum("Warning" in line for line in child.stderr.splitlines())


print("as usual:", lines())
print("ignored: ", lines(PYTHONWARNINGS="ignore:torch.range"))

# %% once
print("again:          ", told(lambda: torch.eye(2).to_sparse_csr()))
torch.set_warn_always(True)
print("set_warn_always:", told(lambda: torch.eye(2).to_sparse_csr()))
torch.set_warn_always(False)

# %% limits hidden=true
program = """\
import torch
for size in (1, 2, 3, 3):
    torch.nn.functional.mse_loss(torch.ones(size, 1), torch.ones(size + 1))
"""
assert lines() == 3 and lines(PYTHONWARNINGS="ignore:torch.range,ignore:Using a target") == 0  # each text once
assert lines(PYTHONWARNINGS="ignore:a target size") == 3  # from the beginning
assert lines(PYTHONWARNINGS="ignore:Using.*") == 3  # literally

# %% launched hidden=true
from torch.distributed.run import config_from_args, parse_args

_, _, arguments = config_from_args(parse_args(["train.py"]))
assert arguments == ["-u", "train.py"], arguments  # torchrun hands on no -W

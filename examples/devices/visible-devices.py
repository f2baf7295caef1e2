"""CUDA_VISIBLE_DEVICES chooses the GPUs that a process sees, and numbers them anew."""

# %% helper
import os
import subprocess
import sys


def python(code, **variables):
    command, environment = [sys.executable, "-c", code], os.environ | variables
    pipes = dict(capture_output=True, text=True)
    result = subprocess.run(command, env=environment, **pipes)
    print(result.stdout, end="")


# %% subprocess needs="no-cuda"
python(
    """
import os, torch
print("variable:   ", os.environ["CUDA_VISIBLE_DEVICES"])
print("GPUs:       ", torch.cuda.device_count())
print("initialized:", torch.cuda.is_initialized())
""",
    CUDA_VISIBLE_DEVICES="1",
)

# %% parsed
from unittest.mock import patch

import torch


def visible(setting):
    with patch.dict(os.environ, CUDA_VISIBLE_DEVICES=setting):
        return torch.cuda._parse_visible_devices()  # private


for number, card in enumerate(visible("2,0")):
    print(f"cuda:{number} is card {card}")

# %% odd-values
for setting in ("", "-1", "0,oops,1", "1,1"):
    print(f"{setting!r:10} cards {visible(setting)}")

# %% before needs="cuda"
python("""
import os, torch
os.environ["CUDA_VISIBLE_DEVICES"] = ""
print("GPUs:", torch.cuda.device_count(), torch.cuda.is_available())
""")

# %% after needs="cuda"
python("""
import os, torch
on_gpu = torch.zeros(1, device="cuda")  # initializes CUDA
os.environ["CUDA_VISIBLE_DEVICES"] = ""
print("still:", torch.zeros(1, device="cuda").device)
""")

# %% renumbered needs="cuda"
card = torch.cuda.get_device_properties(0).uuid
python(
    f"""
import torch
print("GPUs:", torch.cuda.device_count(), torch.zeros(1, device="cuda").device)
print("same card:", str(torch.cuda.get_device_properties(0).uuid) == "{card}")
""",
    CUDA_VISIBLE_DEVICES=f"GPU-{card}",
)

# %% missing-card needs="cuda"
python(
    """
import torch
print("GPUs:", torch.cuda.device_count(), torch.cuda.is_available())
""",
    CUDA_VISIBLE_DEVICES="99",
)

# %% twice needs="cuda"
python(
    """
import warnings
import torch
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(torch.cuda.is_available())
for warning in caught:
    print(str(warning.message).split(". ")[0])
""",
    CUDA_VISIBLE_DEVICES="0,0",
)

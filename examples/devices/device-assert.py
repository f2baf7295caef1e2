"""device-side assert triggered: find the line that is to blame."""

# %% on-cpu raises="IndexError"
import torch
from torch.nn import functional as F

logits = torch.zeros(3, 4)  # (batch, classes)
labels = torch.tensor([0, 1, 4])  # classes are 0 to 3
F.cross_entropy(logits, labels)

# %% embedding raises="IndexError"
F.embedding(torch.tensor([0, 5]), torch.zeros(4, 2))

# %% look-first
print(labels.min().item(), labels.max().item(), logits.shape[1])
print(((labels < 0) | (labels >= logits.shape[1])).nonzero())

# %% blame needs="cuda" varies=true
import os
import re
import subprocess
import sys
from pathlib import Path

program = """\
import torch
logits = torch.zeros(3, 4, device="cuda")
labels = torch.tensor([0, 1, 4], device="cuda")
loss = torch.nn.functional.cross_entropy(logits, labels)
scaled = loss * 2
print(scaled.item())
"""
Path("train.py").write_text(program)


def blamed(**variables):
    command, environment = [sys.executable, "train.py"], os.environ | variables
    child = subprocess.run(command, env=environment, capture_output=True, text=True)
    number = int(re.search(r'train\.py", line (\d+)', child.stderr)[1])
    print(f"line {number}: {program.splitlines()[number - 1]}")
    return child.stderr


message = blamed()

# %% blocking needs="cuda" varies=true
blamed(CUDA_LAUNCH_BLOCKING="1")

# %% messages needs="cuda" varies=true
for line in message.splitlines():
    if "Assertion" in line or "CUDA error" in line:
        print(line[line.find("block:") :] if "block:" in line else line)

# %% poisoned needs="cuda" varies=true
program = """\
import torch
try:
    print(torch.zeros(4, device="cuda")[torch.tensor([9], device="cuda")].item())
except RuntimeError as error:
    print("first: ", str(error).splitlines()[0])
try:
    torch.zeros(1, device="cuda").item()
except RuntimeError as error:
    print("second:", str(error).splitlines()[0])
"""
command = [sys.executable, "-c", program]
child = subprocess.run(command, capture_output=True, text=True)
print(child.stdout)

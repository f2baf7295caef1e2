"""device-side assert triggered: find the line that is to blame."""

# %% on-cpu raises="IndexError"
import torch
import torch.nn.functional as F

logits = torch.zeros(3, 4)  # (batch, classes)
labels = torch.tensor([0, 1, 4])  # classes are 0 to 3
F.cross_entropy(logits, labels)

# %% embedding raises="IndexError"
F.embedding(torch.tensor([0, 5]), torch.zeros(4, 2))

# %% look-first
print("labels from", labels.min().item(), "to", labels.max().item())
print("classes    ", logits.shape[1])
wrong = (labels != -100) & ((labels < 0) | (labels >= logits.shape[1]))
print("wrong at   ", wrong.nonzero().flatten().tolist())

# %% blame needs="cuda" varies=true
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

program = """\
import torch
logits = torch.zeros(3, 4, device="cuda")
labels = torch.tensor([0, 1, 4], device="cuda")
loss = torch.nn.functional.cross_entropy(logits, labels)
scaled = loss * 2
print(scaled.item())
"""


def blamed(**variables):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(program)
        command = [sys.executable, "train.py"]
        options = dict(cwd=folder, env=os.environ | variables, text=True)
        child = subprocess.run(command, capture_output=True, **options)
    if found := re.search(r'train\.py", line (\d+)', child.stderr):
        number = int(found[1])
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

# %% asserts needs="cuda" raises="AcceleratorError" varies=true says="CUDA error: device-side assert triggered" origin="c10/cuda/CUDAException.cpp"
print(F.cross_entropy(logits.to("cuda"), labels.to("cuda")))

# %% embedding-messages needs="cuda" varies=true
for count in (3, 20):
    program = f"""\
import torch
ids = torch.full(({count},), 9, device="cuda")
print(torch.nn.functional.embedding(ids, torch.zeros(4, 8, device="cuda")))
"""
    command = [sys.executable, "-c", program]
    child = subprocess.run(command, capture_output=True, text=True)
    if found := re.search("Assertion `.*` failed", child.stderr):
        print(f"{count:2} ids: {found[0]}")

# %% remedies hidden=true
from_one = torch.tensor([1, 2, 4])
assert F.cross_entropy(logits, from_one - 1).isfinite()
assert F.cross_entropy(torch.zeros(3, 5), labels).isfinite()
ids = torch.tensor([0, 5])
assert F.embedding(ids, torch.zeros(int(ids.max()) + 1, 2)).shape == (2, 2)

"""What torch.compile made of a function: its graphs, its kernels, its logs."""

# %% script
import os
import re
import subprocess
import sys
from pathlib import Path

Path("step.py").write_text("""
import torch

def scaled(x):
    y = torch.relu(x * 2 + 1)
    if y.sum() > 0:
        y = y / y.sum()
    return y

torch.compile(scaled, backend="aot_eager")(torch.ones(4))
""")


def log(**variables):
    """Run step.py with environment variables; return what it logs, line by line."""
    command, env = [sys.executable, "step.py"], {**os.environ, **variables}
    text = subprocess.run(command, env=env, capture_output=True, text=True).stderr
    text = re.sub(r"^[A-Z]\d{4} .*?\] ", "", text, flags=re.M)  # time, file
    return [line for line in text.splitlines() if line.rpartition("]")[2].strip()]


# %% breaks
print(*log(TORCH_LOGS="graph_breaks")[:4], sep="\n")

# %% graphs
for line in log(TORCH_LOGS="graph_code"):
    if " = " in line or "return" in line:
        print(line.partition("] ")[2].split(";")[0])

# %% unknown
lines = log(TORCH_LOGS="graph_break")
print(*[line[:70] for line in lines if "graph_break" in line], sep="\n")

# %% trace
log(TORCH_TRACE="trace")
file = max(Path("trace").iterdir(), key=os.path.getmtime)  # the newest
parts = re.findall(r'\] \{"(\w+)"', file.read_text())
print(sorted({name for name in parts if "graph" in name or "guards" in name}))

# %% kernel needs="compiler"
import torch
from torch._inductor import config
from torch._inductor.utils import get_code


def fused(x):
    return torch.relu(x * 2 + 1)


options = {"cpp.simdlen": 0, "cpp.threads": 1, "fx_graph_cache": False}
with config.patch(options):  # no vectors, no cache
    code = get_code(torch.compile(fused), torch.ones(1000))[0]
kernel = code[code.index('extern "C"') : code.index("''')")]
print(*[line for line in kernel.splitlines() if "error" not in line], sep="\n")

# %% wrapper needs="compiler"
call = code[code.index("def call") : code.index("runner =")]
print(call)

# %% debug-folder hidden=true
log(TORCH_COMPILE_DEBUG="1")
assert any(Path("torch_compile_debug").rglob("*.log"))

# %% twice hidden=true needs="compiler"
with config.patch(options):  # with the cache, the second call raises
    assert "cpp_fused_add_mul_relu_0" in get_code(torch.compile(fused), torch.ones(1000))[0]

"""Ascend NPU: torch_npu is a package of its own that registers the device npu."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import importlib.metadata as m; print(m.version('torch'))")
python("import importlib.util as u; print(bool(u.find_spec('torch_npu')))")

# %% no-device raises="RuntimeError"
import torch

torch.device("npu")

# %% no-module raises="AttributeError"
torch.npu.is_available()

# %% which-versions
from packaging.requirements import Requirement

wanted = Requirement("torch==2.14.0.*")  # in the metadata of torch_npu 2.14.0
for torch_version in ("2.14.0+cpu", "2.14.1", "2.13.0"):
    print(f"{torch_version:12}", wanted.specifier.contains(torch_version))

# %% stand-in fold=true
import os
from pathlib import Path

# a package that registers itself as torch_npu does, without CANN on this machine
folder = Path("packages")
info = folder / "stand_in-1.0.dist-info"
info.mkdir(parents=True)
(info / "METADATA").write_text("Metadata-Version: 2.1\nName: stand-in\nVersion: 1.0\n")
(info / "entry_points.txt").write_text("[torch.backends]\ntorch_npu = stand_in:load\n")
(folder / "stand_in.py").write_text("""\
import ctypes
def load():
    ctypes.CDLL("libhccl.so")
""")


def last_line(program, **variables):
    paths = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    variables = os.environ | {"PYTHONPATH": paths} | variables
    command = [sys.executable, "-c", program]
    child = subprocess.run(command, env=variables, capture_output=True, text=True)
    return (child.stdout + child.stderr).strip().splitlines()[-1]


# %% autoload
print(last_line("import torch"))

# %% no-autoload
use = "import torch; print(torch.ones(2).sum().item())"
print(last_line(use, TORCH_DEVICE_BACKEND_AUTOLOAD="0"))

# %% shadowed
Path("torch_npu").mkdir()  # as in a checkout of its source
Path("torch_npu", "__init__.py").write_text("import torch_npu._C\n")
print(last_line("import torch_npu"))

# %% elsewhere
where = "import importlib.util as u; print(u.find_spec('torch_npu') is None)"
Path("elsewhere").mkdir()
os.chdir("elsewhere")
print("not found by its folder any more:", last_line(where))
os.chdir("..")

# %% code-of-an-error
parts = ("PTA", "OPS", "DIST", "GRAPH", "PROF")
kinds = {
    5: "internal error",
    6: "memory error",
    7: "feature not supported",
    11: "timeout error",
    100: "call acl api failed",
    200: "call hccl api failed",
    300: "call ge api failed",
}


def explain(code):
    part, kind = int(code[3:5]), int(code[5:])
    where = parts[part] if part < len(parts) else "part unknown"
    return f"{code}: {where}, {kinds.get(kind, 'another kind')}"


print(explain("ERR01005"))
print(explain("ERR00100"))
print(explain("ERR02200"))

# %% one-program
device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()  # npu, cuda, mps, xpu
model = torch.nn.Linear(2, 1).to(device)
with torch.autocast(device.type, dtype=torch.bfloat16):
    out = model(torch.ones(3, 2, device=device))
print(out.dtype, out.device.type == device.type)

# %% proofs hidden=true
reason = last_line("import torch")
assert reason.startswith("RuntimeError: Failed to load the backend extension: torch_npu."), reason
kept = (folder / "stand_in.py").read_text()
(folder / "stand_in.py").write_text("def load():\n    pass\n")  # as if CANN were there
assert last_line(use) == "2.0"
(folder / "stand_in.py").write_text(kept)
assert explain("ERR02011") == "ERR02011: DIST, timeout error" and explain("ERR03300").endswith("ge api failed")
assert explain("ERR99999") == "ERR99999: part unknown, another kind"

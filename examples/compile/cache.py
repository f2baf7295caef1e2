"""What torch.compile keeps on disk, and what another process finds there."""

# %% first
import os
import subprocess
import sys
from pathlib import Path

os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path("cache").absolute())

module = Path("products.py")
module.write_text("""
import torch
from torch._dynamo.utils import counters

def product(x):
    return x @ x.T

def compile_and_run(function, *size):
    torch.compiler.reset()  # forget everything that is in memory
    counters.clear()
    torch.compile(function)(torch.ones(size))
    for name in ("hit", "miss"):
        print(name, counters["inductor"][f"fxgraph_cache_{name}"], end="  ")
    print("graphs recorded:", counters["stats"]["unique_graphs"])
""")
sys.path.insert(0, "")
import torch
from products import compile_and_run, counters, product

compile_and_run(product, 3, 2)

# %% process
command = "from products import *; compile_and_run(product, 3, 2)"
out = subprocess.check_output([sys.executable, "-c", command], text=True)
print("in another process:", out.strip())

# %% folder
kept = [path.name for path in Path("cache").iterdir() if len(path.name) > 2]
print("kept:", sorted(kept))
os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path("another").absolute())
compile_and_run(product, 3, 2)


# %% key
def renamed(tensor):
    return tensor @ tensor.T


def doubled(x):
    return x @ x.T @ x


for function, size in ((renamed, (3, 2)), (product, (4, 2)), (doubled, (3, 2))):
    print(f"{function.__name__:8} {size} ", end="")
    compile_and_run(function, *size)

# %% save
data, info = torch.compiler.save_cache_artifacts()
Path("artifacts.bin").write_bytes(data)
print("larger than 10 kB:", len(data) > 10_000, sorted(info.artifacts))

# %% load
os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path("other-machine").absolute())
torch.compiler.load_cache_artifacts(Path("artifacts.bin").read_bytes())
compile_and_run(product, 3, 2)

# %% cold
os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(Path("empty").absolute())
compile_and_run(product, 3, 2)

# %% off hidden=true
import warnings

warnings.simplefilter("ignore")  # it says once that other caches are off, too
with torch.compiler.config.patch(force_disable_caches=True):
    compile_and_run(product, 3, 2)
assert counters["inductor"]["fxgraph_cache_hit"] == 0
assert counters["inductor"]["fxgraph_cache_miss"] == 0  # nothing was looked up

# %% default hidden=true
import getpass
import tempfile

from torch._inductor.runtime import cache_dir_utils

default = cache_dir_utils.default_cache_dir()
assert default.startswith(tempfile.gettempdir()), default
assert getpass.getuser() in default, default

"""What torchrun reports when a process fails, and which line of it is the cause."""

# %% raises raises="ChildFailedError" varies=true
import tempfile
from pathlib import Path

from torch.distributed.run import main as torchrun

folder = Path(tempfile.mkdtemp())
script = folder / "train.py"
script.write_text("""
import os
import time

if os.environ["RANK"] == "1":
    raise ValueError("no images in data/train")
time.sleep(60)  # the others work on
""")
torchrun(["--standalone", "--nproc-per-node=2", str(script)])

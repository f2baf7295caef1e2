"""torch.distributed.launch passed --local-rank; torchrun sets LOCAL_RANK instead."""

# %% unrecognized
import subprocess
import sys
import tempfile
from pathlib import Path

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("""
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
args = parser.parse_args()
print("local rank", args.local_rank)
""")


def start(module):
    command = [sys.executable, "-m", module, "--nproc_per_node=1", script]
    run = subprocess.run(command, capture_output=True, text=True)
    print(run.stdout, end="")
    for line in run.stderr.splitlines():
        if "train.py: error" in line:
            print(line)


start("torch.distributed.launch")

# %% both-spellings
old = '"--local_rank"'
script.write_text(script.read_text().replace(old, '"--local-rank", "--local_rank"'))
start("torch.distributed.launch")

# %% environment
script.write_text("""
import os

print("local rank", int(os.environ["LOCAL_RANK"]))
""")
start("torch.distributed.run")  # torchrun

# %% both-ways
script.write_text("""
import argparse
import os

parser = argparse.ArgumentParser()
local_rank = int(os.environ.get("LOCAL_RANK", 0))
parser.add_argument("--local-rank", "--local_rank", type=int, default=local_rank)
print("local rank", parser.parse_args().local_rank)
""")
start("torch.distributed.launch")
start("torch.distributed.run")

# %% deprecated warns="FutureWarning"
from torch.distributed import launch

launch.main(["--nproc_per_node=1", str(script)])

# %% use-env hidden=true
script.write_text('import os, sys\nprint(os.environ["LOCAL_RANK"], len(sys.argv))\n')
for options in ([], ["--use_env"]):
    command = [sys.executable, "-m", "torch.distributed.launch", *options, "--nproc_per_node=1", script]
    run = subprocess.run(command, capture_output=True, text=True)
    # launch sets the variable as well; with --use-env it passes no option
    assert run.stdout.split() == ["0", "1" if options else "2"], run

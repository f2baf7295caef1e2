"""Spawned workers run the script again: why it needs a main guard."""

# %% no-guard
import tempfile
from pathlib import Path

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("""
from torch.utils.data import DataLoader

loader = DataLoader(
    range(4), batch_size=2, num_workers=1, multiprocessing_context="spawn"
)
print(list(loader))
""")

# %% run-it varies=true
import re
import subprocess
import sys

command = [sys.executable, script]
run = subprocess.run(command, capture_output=True, text=True)
for line in run.stderr.splitlines():
    if re.search("An attempt|bootstrapping|DataLoader worker", line):
        print(line.strip())

# %% guard
import runpy

script.write_text("""
from torch.utils.data import DataLoader

print("top level of", __name__)

if __name__ == "__main__":
    loader = DataLoader(
        range(4), batch_size=2, num_workers=1, multiprocessing_context="spawn"
    )
    print(list(loader))
""")
runpy.run_path(str(script), run_name="__main__")  # as `python train.py` does

# %% lambda raises="PicklingError"
import pickle

pickle.dumps(lambda samples: samples)  # as spawn does with a collate_fn

# %% local-lambda warns="UserWarning" raises="AttributeError"
from torch.utils.data import DataLoader


def main():
    options = dict(num_workers=1, multiprocessing_context="spawn")
    return list(DataLoader(range(4), collate_fn=lambda samples: samples, **options))


main()

# %% top-level
script.write_text("""
from functools import partial

import torch
from torch.utils.data import DataLoader


def collate(samples, scale):
    return scale * torch.tensor(samples)


if __name__ == "__main__":
    options = dict(num_workers=1, multiprocessing_context="spawn")
    times_ten = partial(collate, scale=10)
    loader = DataLoader(range(4), batch_size=2, collate_fn=times_ten, **options)
    print(list(loader))
""")
runpy.run_path(str(script), run_name="__main__")

# %% fork

loader = DataLoader(range(4), num_workers=1, multiprocessing_context="fork")
print(list(loader))

# %% partial hidden=true
from functools import partial

assert pickle.loads(pickle.dumps(partial(max, key=abs)))(-3, 2) == -3

# %% open-file hidden=true
with open(script) as opened:
    try:
        pickle.dumps(opened)  # as spawn does with a dataset that holds it
    except TypeError as error:
        assert "cannot pickle" in str(error)
    else:
        raise AssertionError("an open file was pickled")


# %% what-is-pickled hidden=true
class Pickled:
    def __reduce__(self):
        return str, ("was pickled",)


held = [Pickled()]
options = dict(batch_size=None, num_workers=1, multiprocessing_context="fork")
assert list(DataLoader(held, collate_fn=lambda sample: type(sample).__name__, **options)) == ["Pickled"]
assert list(DataLoader(held, **options)) == ["was pickled"]
try:
    pickle.dumps(number for number in range(3))  # as spawn does with a dataset that holds it
except TypeError as error:
    assert "cannot pickle" in str(error)
else:
    raise AssertionError("a Python generator was pickled")

# %% generators-in-workers hidden=true
import torch
from torch.utils.data import get_worker_info


class Drawn:
    def __init__(self):
        self.own, self.numbers = None, None

    def __len__(self):
        return 2

    def __getitem__(self, index):
        if self.own is None:
            self.own = torch.Generator().manual_seed(get_worker_info().seed)
            self.numbers = (number for number in range(4))
        return torch.rand(()).item(), torch.rand((), generator=self.own).item(), next(self.numbers)


for worker in range(2):  # of one epoch each
    drawn, own, numbers = zip(*DataLoader(Drawn(), **options))
    assert drawn == own  # the worker's seed gives the numbers of torch once more
    assert numbers == (0, 1)

"""More of what torch.load and torch.save say about files: newer pickles, full disks."""

# %% in-a-folder fold=true
import os
import shutil
import tempfile

folder = tempfile.mkdtemp()
os.chdir(folder)

# %% protocol raises="UnpicklingError" warns="UserWarning"
import torch

features = {"image": torch.ones(2)}
torch.save(features, "newer.pt", pickle_protocol=4)
torch.load("newer.pt")

# %% save-again
features = torch.load("newer.pt", weights_only=False)  # a file that you trust
torch.save(features, "features.pt")
print(torch.load("features.pt"))

# %% frame
import pickle
import pickletools

print("149 is", pickletools.code2op[chr(149)].name)
for protocol in range(1, 6):
    content = pickle.dumps({"step": 100}, protocol)
    names = [operation.name for operation, _, _ in pickletools.genops(content)]
    print(protocol, "FRAME" in names)

# %% pickled raises="RuntimeError"
from pathlib import Path

Path("features.pkl").write_bytes(pickle.dumps(features))
torch.load("features.pkl", weights_only=False)

# %% pickle-load
print(pickle.loads(Path("features.pkl").read_bytes()))  # runs code, too

# %% old-format raises="RuntimeError"
weight = torch.ones(1000)
torch.save(weight, "old.pt", _use_new_zipfile_serialization=False)
content = Path("old.pt").read_bytes()
Path("cut.pt").write_bytes(content[:-500])
torch.load("cut.pt")

# %% which-format
for name in ("features.pt", "old.pt"):
    print(f"{name:12}", Path(name).read_bytes()[:2])
print(torch.load("old.pt").shape)

# %% not-a-script raises="RuntimeError"
torch.jit.load("features.pt")

# %% no-folder raises="RuntimeError"
torch.save(features, "runs/first/features.pt")

# %% make-folder
path = Path("runs/first/features.pt")
path.parent.mkdir(parents=True, exist_ok=True)
torch.save(features, path)
print(path.exists())

# %% full raises="RuntimeError"
import resource


def small_disk(size):  # a limit for the size of files stands in for a full disk
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


before = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
small_disk(300_000)
try:
    torch.save(torch.ones(100_000), "large.pt")
finally:
    small_disk(before)

# %% what-is-left
print("complete:", Path("large.pt").stat().st_size > 400_000)
try:
    torch.load("large.pt")
except RuntimeError as error:
    print("central directory" in str(error))

# %% full-small raises="RuntimeError"
small_disk(300)
try:
    torch.save(torch.ones(10), "small.pt")
finally:
    small_disk(before)

# %% space

free = shutil.disk_usage(".").free
needed = torch.ones(100_000).nbytes
print("enough:", free > needed)
torch.save(torch.ones(100_000), "large.pt")
print(torch.load("large.pt").shape)

# %% both-protocols hidden=true warns="UserWarning"
for protocol in (4, 5):
    torch.save(features, "newer.pt", pickle_protocol=protocol)
    try:
        torch.load("newer.pt")
    except pickle.UnpicklingError as error:
        assert "Unsupported operand 149" in str(error)
    else:
        raise AssertionError(protocol)
    assert torch.load("newer.pt", weights_only=False)["image"].equal(torch.ones(2))

# %% by-default hidden=true warns="UserWarning"
for protocol in (2, 4):
    Path("step.pkl").write_bytes(pickle.dumps({"step": 100}, protocol))
    try:
        torch.load("step.pkl")
    except (RuntimeError, pickle.UnpicklingError) as error:
        known = "Invalid magic number" if protocol == 2 else "Unsupported operand 149"
        assert known in str(error), error
    else:
        raise AssertionError(protocol)

# %% code-runs-first hidden=true
ran = []


class Note:
    def __reduce__(self):
        return exec, ("import __main__; __main__.ran.append(1)",)


Path("note.pkl").write_bytes(pickle.dumps(Note()))
try:
    torch.load("note.pkl", weights_only=False)
except RuntimeError as error:
    assert "magic number" in str(error) and ran == [1]
else:
    raise AssertionError

# %% read-with-load hidden=true
assert torch.load("features.pt")["image"].equal(torch.ones(2))

# %% full-device hidden=true
if os.path.exists("/dev/full"):  # a device of Linux that is always full
    for size, words in ((100_000, "unexpected pos"), (10, "iostream error")):
        try:
            torch.save(torch.ones(size), "/dev/full")
        except RuntimeError as error:
            assert words in str(error), error
        else:
            raise AssertionError(size)

# %% cut-earlier hidden=true
for weights_only, some in (
    (True, {"EOFError", "IndexError", "UnpicklingError", "error"}),
    (False, {"EOFError", "UnpicklingError"}),
):
    kinds = set()
    for size in range(0, len(content) - weight.nbytes - 8, 3):
        Path("cut.pt").write_bytes(content[:size])
        try:
            torch.load("cut.pt", weights_only=weights_only)
        except Exception as error:
            kinds.add(type(error).__name__)
            assert not (weights_only and "data was truncated" in str(error)), error
            assert weights_only or kinds <= some, error
        else:
            raise AssertionError(size)
    assert kinds >= some, kinds

# %% clean-up hidden=true
os.chdir("/")
shutil.rmtree(folder, ignore_errors=True)

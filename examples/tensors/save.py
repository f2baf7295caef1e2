"""Save and load tensors: torch.save, torch.load, weights_only, mmap."""

# %% in-a-folder hidden=true
import os
import shutil
import tempfile

folder = tempfile.mkdtemp()
os.chdir(folder)

# %% save-and-load
import torch

features = {"image": torch.arange(6.0).view(2, 3), "label": torch.tensor([0, 1])}
torch.save(features, "features.pt")
print(torch.load("features.pt"))

# %% map-location
loaded = torch.load("features.pt", map_location="cpu")
print(loaded["image"].device)

# %% view
import os

big = torch.zeros(1000, 1000)
torch.save(big[0], "view.pt")
torch.save(big[0].clone(), "copy.pt")
for name in ("view.pt", "copy.pt"):
    print(f"{name}: {os.path.getsize(name) / 1e6:.2f} MB")

# %% shared
table = torch.zeros(2, 3)
torch.save({"table": table, "row": table[0]}, "both.pt")
both = torch.load("both.pt")
both["row"] += 1
print(both["table"])

# %% own-class raises="UnpicklingError"
from dataclasses import dataclass


@dataclass
class Sample:
    image: torch.Tensor


torch.save(Sample(torch.zeros(2)), "sample.pt")
torch.load("sample.pt")

# %% safe-globals
with torch.serialization.safe_globals([Sample]):
    print(torch.load("sample.pt"))

# %% pointer-by-default raises="UnpicklingError"
from pathlib import Path

Path("download.pt").write_text("version https://git-lfs.github.com/spec/v1\n")
torch.load("download.pt")

# %% lfs-pointer raises="UnpicklingError"
Path("weights.pt").write_text("version https://git-lfs.github.com/spec/v1\n")
torch.load("weights.pt", weights_only=False)

# %% text raises="UnpicklingError"
Path("notes.pt").write_text("no tensors here")
torch.load("notes.pt")

# %% look-inside
for name in ("features.pt", "notes.pt", "weights.pt"):
    print(f"{name:12}", Path(name).read_bytes()[:4])

# %% what-it-is
import re

contents = {
    "Git LFS pointer": "version https://git-lfs.github.com/spec/v1",
    "HTML page": "<!DOCTYPE html><html>",
    "JSON": '{"error": "not found"}',
    "message": "Not Found",
}
for kind, content in contents.items():
    Path("download.pt").write_text(content)
    for weights_only in (True, False):
        try:
            torch.load("download.pt", weights_only=weights_only)
        except Exception as error:
            words = r"Unsupported operand \d+|invalid load key, '.'|could .*"
            print(f"{kind:16}", re.search(words, str(error))[0])

# %% cut-off raises="RuntimeError"
whole = Path("features.pt").read_bytes()
Path("cut.pt").write_bytes(whole[: len(whole) // 2])
torch.load("cut.pt")

# %% empty raises="EOFError"
Path("empty.pt").touch()
torch.load("empty.pt")

# %% write-then-rename
torch.save(features, "features.pt.new")
os.replace("features.pt.new", "features.pt")  # the old file, or the new one
print(torch.load("features.pt")["label"])

# %% damaged-inside
table = {"table": torch.ones(10_000)}
torch.save(table, "good.pt")
content = bytearray(Path("good.pt").read_bytes())
content[20_000:21_000] = bytes(1000)  # zeros, as in a hole of a copy
Path("damaged.pt").write_bytes(content)

loaded = torch.load("damaged.pt")  # no error
print("values changed:", (loaded["table"] != table["table"]).sum().item())

# %% checked
from zipfile import ZipFile

for name in ("good.pt", "damaged.pt"):
    print(name, ZipFile(name).testzip())  # the first part whose checksum is wrong

# %% mmap asks=true
torch.save(big, "big.pt")
mapped = torch.load("big.pt", mmap=True)
print(mapped[999, :3])  # only now is this part of the file read
mapped[0, 0] = 7
again = torch.load("big.pt")
print("in memory:", mapped[0, 0].item(), "in the file:", again[0, 0].item())

# %% first-bytes hidden=true
for text, number in (("<!DOCTYPE html>", 60), ('{"message": ""}', 123), ("version https", 118)):
    Path("page.pt").write_text(text)
    for safely in (True, False):
        try:
            torch.load("page.pt", weights_only=safely)
        except Exception as error:
            expected = str(number) if safely else f"invalid load key, '{text[0]}'"
            assert expected in str(error), error
        else:
            raise AssertionError(text)

import numpy as np

np.save("array.npy", np.ones(3))
header = b'{"__metadata__": {}}    '  # a file of safetensors
Path("renamed.pt").write_bytes(len(header).to_bytes(8, "little") + header)
for name, number in (("array.npy", 147), ("renamed.pt", len(header))):
    try:
        torch.load(name)
    except Exception as error:
        assert f"Unsupported operand {number}" in str(error), error
    else:
        raise AssertionError(name)

try:
    torch.load("empty.pt", weights_only=False)
except EOFError as error:
    assert str(error) == "Ran out of input"

# %% not-rewound hidden=true
import io

for into in (io.BytesIO(), open("rewound.pt", "w+b")):
    with into:
        torch.save(features, into)
        try:
            torch.load(into)
        except EOFError:
            pass
        else:
            raise AssertionError("loading begins at the end")
        into.seek(0)
        assert torch.equal(torch.load(into)["label"], features["label"])

# %% clean-up hidden=true
del mapped
os.chdir("/")
shutil.rmtree(folder, ignore_errors=True)

# %% save-over-mapped hidden=true
import inspect
import sys

if "mmap" in inspect.signature(torch.load).parameters:
    folder = tempfile.mkdtemp()
    path, other = os.path.join(folder, "mapped.pt"), os.path.join(folder, "other.pt")
    torch.save(torch.zeros(100_000), path)
    mapped = torch.load(path, mmap=True)
    mapped[0] = 7
    if os.name == "posix":  # elsewhere a mapped file may not be replaced
        torch.save(mapped, other)
        os.replace(other, path)
        assert torch.load(path)[0] == 7 and mapped[-1] == 0
    if sys.platform == "linux":
        child = os.fork()  # in a child, since it is killed
        if not child:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                torch.save(torch.load(path, mmap=True), path)
            finally:
                os._exit(0)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1]) and not os.path.getsize(path)
    del mapped
    shutil.rmtree(folder, ignore_errors=True)

"""Many small files in tar shards, read as a stream by several workers."""

# %% one-core fold=true
import warnings

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% write
import io
import json
import tarfile
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

folder = Path(tempfile.mkdtemp())


def add(shard, name, content):
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    shard.addfile(entry, io.BytesIO(content))


for number in range(4):  # 4 shards with 6 samples each
    with tarfile.open(folder / f"train-{number:04}.tar", "w") as shard:
        for key in range(6 * number, 6 * number + 6):
            png = io.BytesIO()
            Image.fromarray(np.full((8, 8, 3), key, "uint8")).save(png, "png")
            add(shard, f"{key:06}.png", png.getvalue())
            add(shard, f"{key:06}.json", json.dumps({"label": key % 3}).encode())

shards = sorted(folder.glob("*.tar"))
with tarfile.open(shards[0]) as shard:
    print(len(shards), "shards:", shard.getnames()[:4], "…")

# %% read
import random

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


def samples(path):
    """Yield one sample after the other: {"png": bytes, "json": bytes}."""
    key, sample = None, {}
    with tarfile.open(path, "r|") as shard:  # front to back, without seeking
        for entry in shard:
            if not entry.isfile():  # a folder
                continue
            place, _, file = entry.name.rpartition("/")
            stem, _, extension = file.partition(".")
            name = f"{place}/{stem}"
            if name != key and sample:
                yield sample
                sample = {}
            key = name
            sample[extension] = shard.extractfile(entry).read()
    if sample:
        yield sample


def decode(sample):
    pixels = np.array(Image.open(io.BytesIO(sample["png"])).convert("RGB"))
    image = torch.from_numpy(pixels).permute(2, 0, 1)  # (channel, height, width)
    return image, json.loads(sample["json"])["label"]


class Shards(IterableDataset):
    def __init__(self, paths, rank=0, ranks=1):
        self.paths, self.rank, self.ranks, self.epoch = paths, rank, ranks, 0

    def __iter__(self):
        order = random.Random(self.epoch).sample(self.paths, len(self.paths))
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for path in order[self.rank :: self.ranks][first::step]:
            yield from map(decode, samples(path))


def keys(loader):
    return [int(image[0, 0, 0]) for images, _ in loader for image in images]


dataset = Shards(shards)
images, labels = next(iter(DataLoader(dataset, batch_size=4)))
print(tuple(images.shape), images.dtype, labels)

# %% epochs
for workers in (0, 2):
    loader = DataLoader(dataset, batch_size=6, num_workers=workers)
    for epoch in range(2):
        dataset.epoch = epoch
        print(f"{workers} workers, epoch {epoch}:", keys(loader))

# %% persistent
loader = DataLoader(dataset, batch_size=6, num_workers=2, persistent_workers=True)
for epoch in range(2):
    dataset.epoch = epoch  # does not reach the copies in the workers
    print(f"epoch {epoch}:", keys(loader))

# %% shares
shares = []
for rank in range(2):
    loader = DataLoader(Shards(shards, rank, 2), 6, num_workers=2)
    shares.append(sorted(keys(loader)))
print(*shares, sep="\n")
print("together:", sorted(sum(shares, [])) == list(range(24)))

# %% idle
from collections import Counter


class Owners(Shards):
    def __iter__(self):
        for _ in super().__iter__():
            yield get_worker_info().id


for paths in (shards, shards[:3]):
    owners = DataLoader(Owners(paths), batch_size=None, num_workers=4)
    print(len(paths), "shards:", dict(sorted(Counter(owners).items())))

# %% unsorted raises="KeyError"
with tarfile.open(folder / "unsorted.tar", "w") as shard:
    for extension in ("json", "png"):  # all of one kind, then all of the other
        for key in range(2):
            add(shard, f"{key:06}.{extension}", b"")
for sample in samples(folder / "unsorted.tar"):
    print(sorted(sample))
    sample["png"]

# %% webdataset needs="webdataset"
import webdataset as wds

stream = wds.WebDataset([str(path) for path in shards], shardshuffle=False)
stream = stream.decode("torchrgb8").to_tuple("png", "json")
image, about = next(iter(stream))
print(tuple(image.shape), image.dtype, about)

# %% remedies hidden=true
assert [sorted(sample) for path in shards for sample in samples(path)] == [["json", "png"]] * 24
loose = folder / "loose.d"
loose.mkdir()
for key in range(3):
    for extension in ("png", "seg.png", "json"):
        (loose / f"{key:06}.{extension}").write_bytes(b"content")
for place in (".", "loose.d"):  # as tar --sort=name packs a folder
    with tarfile.open(folder / "loose.tar", "w") as shard:
        shard.add(loose, arcname=place)
    packed = [sorted(sample) for sample in samples(folder / "loose.tar")]
    assert packed == [["json", "png", "seg.png"]] * 3, packed
for workers in (1, 2, 3, 4):
    assert sorted(keys(DataLoader(dataset, 5, num_workers=workers))) == list(range(24))

# %% from-a-pipe hidden=true
import subprocess
import sys

code = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())"  # as a program that downloads it
program = subprocess.Popen([sys.executable, "-c", code, shards[0]], stdout=subprocess.PIPE)
with program, tarfile.open(fileobj=program.stdout, mode="r|") as shard:
    assert len([shard.extractfile(entry).read() for entry in shard]) == 12

# %% steps-per-epoch hidden=true
sizes = {"a": 1, "b": 1, "c": 6, "d": 6}  # unequal shards: the smallest share is another one each epoch
smallest = set()
for epoch in range(9):
    order = random.Random(epoch).sample(list(sizes), len(sizes))
    smallest.add(min(sum(sizes[path] for path in order[rank::2]) for rank in range(2)))
assert smallest == {2, 7}, smallest


class Share(IterableDataset):
    def __init__(self, sizes):
        self.sizes = sizes

    def __iter__(self):
        yield from range(self.sizes[get_worker_info().id])


batches = [len(list(DataLoader(Share(sizes), 6, num_workers=2))) for sizes in ((7, 7), (12, 3))]
assert batches == [4, 3], batches  # 14 samples, and 15: count the batches, not the samples


# %% broken-pipe hidden=true
code = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read()[:2048]); sys.stdout.flush(); sys.exit(1)"
program = subprocess.Popen([sys.executable, "-c", code, shards[0]], stdout=subprocess.PIPE)
with tarfile.open(fileobj=program.stdout, mode="r|") as shard:
    found = [entry.name for entry in shard]  # breaks off between two files: no error
assert len(found) == 2 and program.returncode is None
program.communicate()
assert program.returncode == 1

# %% rest-of-pipe hidden=true
code = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read() + bytes(10**6))"
program = subprocess.Popen([sys.executable, "-c", code, shards[0]], stdout=subprocess.PIPE)
with tarfile.open(fileobj=program.stdout, mode="r|") as shard:
    assert len(list(shard)) == 12  # stops at the end mark, before the end of the pipe
try:
    program.wait(0.1)
except subprocess.TimeoutExpired:
    program.communicate()  # reads the rest
else:
    raise AssertionError("wait() did not wait for the rest to be read")
assert program.returncode == 0

"""Training data in an object store: many requests at once, fewer requests, retries, a cache."""

# %% store fold=true
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

folder = Path(tempfile.mkdtemp())
(folder / "store.py").write_text("""
import http.server
import json
import os
import struct
import sys
import threading
import time

lock = threading.Lock()
counts = {"requests": 0, "now": 0, "most": 0, "last": 0.0}
failed = set()


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        key = self.path[1:]
        if key == "counts":  # since the last time
            with lock:
                counted = [counts["requests"], counts["most"]]
                counts.update(requests=0, most=0)
            return self.answer(200, json.dumps(counted).encode())
        with lock:
            counts["requests"] += 1
            counts["now"] += 1
            counts["most"] = max(counts["most"], counts["now"])
            counts["last"] = time.monotonic()
        while time.monotonic() - counts["last"] < 0.1:  # until no other comes
            time.sleep(0.01)
        with lock:
            counts["now"] -= 1
            busy = "busy" in key and key not in failed
            failed.add(key)
        if busy:  # once for each such key
            return self.answer(503, b"")
        kind, _, number = key.partition("/")
        count = 16 if kind == "shards" else 1
        first = int(number) * count
        body = b"".join(struct.pack("4f", *[first + n] * 4) for n in range(count))
        part = self.headers.get("Range")
        if part:
            start, end = map(int, part.removeprefix("bytes=").split("-"))
            return self.answer(206, body[start : end + 1])
        self.answer(200, body)

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128


def end():
    sys.stdin.read()  # until the program that started it ends
    os._exit(0)


threading.Thread(target=end, daemon=True).start()
server = Server(("127.0.0.1", 0), Store)
print(server.server_port, flush=True)
server.serve_forever()
""")
pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
store = subprocess.Popen([sys.executable, folder / "store.py"], **pipes)
url = f"http://127.0.0.1:{store.stdout.readline().strip()}"

# %% dataset
import urllib.request

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy


def fetch(key):
    with opener.open(f"{url}/{key}", timeout=30) as answer:
        return answer.read()


def decode(content):
    return torch.from_numpy(np.frombuffer(content, np.float32).copy())


class Stored(Dataset):
    def __init__(self, keys, get=fetch):
        self.keys, self.get = keys, get

    def __len__(self):
        return len(self.keys)

    def __getitem__(self, index):
        return decode(self.get(self.keys[index]))


keys = [f"samples/{number}" for number in range(64)]
print(next(iter(DataLoader(Stored(keys), batch_size=2))))

# %% at-once
from concurrent.futures import ThreadPoolExecutor


class Threaded(Stored):
    """Fetches the samples of a batch at the same time."""

    def __getitems__(self, indices):
        with ThreadPoolExecutor(16) as threads:
            return list(threads.map(self.__getitem__, indices))


def counts():
    """Requests since the last call, and how many waited at the same time."""
    return json.loads(fetch("counts"))


def at_once(loader, epochs=3):
    counts()
    samples = sum(len(batch) for _ in range(epochs) for batch in loader)
    requests, most = counts()
    return f"{samples} samples, {requests} requests, at most {most} at once"


few = keys[:16]
print("plain:             ", at_once(DataLoader(Stored(few[:8]), 4), epochs=1))
workers = dict(num_workers=4, persistent_workers=True)
print("4 workers:         ", at_once(DataLoader(Stored(few), 4, **workers)))
print("threads:           ", at_once(DataLoader(Threaded(few), 8)))
workers = dict(num_workers=2, persistent_workers=True)
print("2 workers, threads:", at_once(DataLoader(Threaded(few), 8, **workers)))

# %% prefetched
import time


def ahead(expected, **options):
    """The requests made while the loop is still busy with its first batch."""
    counts()
    batches = iter(DataLoader(Threaded(keys), batch_size=4, **options))
    next(batches)
    requests, end = 0, time.monotonic() + 30
    while requests < expected and time.monotonic() < end:
        time.sleep(0.05)
        requests += counts()[0]
    time.sleep(0.3)
    return requests + counts()[0]  # and no more come


print("no worker:                   ", ahead(4))
print("2 workers:                   ", ahead(20, num_workers=2))
print("2 workers, prefetch_factor=4:", ahead(36, num_workers=2, prefetch_factor=4))

# %% shards
shards = [f"shards/{number}" for number in range(4)]  # 16 samples each
counts()
whole = torch.cat([decode(fetch(key)) for key in shards]).reshape(64, 4)
print("64 samples,", counts()[0], "requests", whole[-1])

ask = urllib.request.Request(f"{url}/shards/3", headers={"Range": "bytes=240-255"})
with opener.open(ask, timeout=30) as answer:  # the last 16 bytes of a shard
    print(answer.status, decode(answer.read()))

# %% busy raises="HTTPError"
busy = [f"busy/{number}" for number in range(4)]  # each fails at first
next(iter(DataLoader(Stored(busy), batch_size=4)))

# %% retried
import http.client
import random


def patient(key, tries=5, wait=0.05):
    for attempt in range(tries):
        try:
            return fetch(key)
        except (OSError, http.client.HTTPException) as error:
            code = getattr(error, "code", 500)  # of an HTTP answer
            passes = code >= 500 or code in (408, 429)
            if not passes or attempt == tries - 1:
                raise
        time.sleep(wait * 2**attempt * (0.5 + random.random()))


print(next(iter(DataLoader(Stored(busy, patient), batch_size=4))))

# %% cached
import os
import threading

cache = folder / "cache"


def cached(key):
    path = cache / key
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
        part.write_bytes(patient(key))
        part.replace(path)  # whole, or not there
    return path.read_bytes()


loader = DataLoader(Threaded(few, cached), batch_size=8, num_workers=2)
for epoch in range(2):
    counts()
    samples = sum(len(batch) for batch in loader)
    print(f"{epoch=} {samples} samples, {counts()[0]} requests")

# %% client raises="TypeError"
import pickle
import ssl


class WithClient(Stored):
    def __init__(self, keys):
        super().__init__(keys)
        self.client = ssl.create_default_context()  # a part of every https client


pickle.dumps(WithClient(keys))  # as a worker started by spawn gets it

# %% client-later
from functools import cached_property


class ClientLater(Stored):
    @cached_property
    def client(self):  # made by each worker when it first needs it
        return ssl.create_default_context()


print(len(pickle.loads(pickle.dumps(ClientLater(keys)))))

# %% in-workers hidden=true
for number, get in enumerate((fetch, patient, cached)):
    for dataset in (Stored(keys, get), Threaded(keys, get)):
        for options in ({}, {"num_workers": 2}):
            loader = DataLoader(dataset, batch_size=9, **options)
            assert torch.equal(torch.cat(list(loader)), whole), (number, options)
try:
    next(iter(DataLoader(Stored(["busy/41"]), num_workers=1)))
except RuntimeError as error:
    assert "Caught HTTPError in DataLoader worker process 0" in str(error)
else:
    raise AssertionError("no error in the worker")
assert decode(patient("busy/40")).tolist() == [40.0] * 4

# %% wrapped hidden=true
from torch.utils.data import ConcatDataset, Subset


class Doubled(Dataset):
    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return 2 * self.data[index]


some = Threaded(few[:4])
for data, hidden in (
    (some, False),
    (Subset(some, range(4)), False),
    (ConcatDataset([some]), True),
    (Doubled(some), True),
):
    assert at_once(DataLoader(data, 4)).endswith("at most 1 at once") is hidden, data

# %% stacked hidden=true
import torch.utils.data as joined

if hasattr(getattr(joined, "StackDataset", None), "__getitems__"):  # not in old releases
    stacked = joined.StackDataset(some, range(4))
    assert not at_once(DataLoader(stacked, 4)).endswith("at most 1 at once")

# %% closed hidden=true
store.terminate()
store.wait()

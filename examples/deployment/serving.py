"""A small server: requests of many clients become batches."""

# %% batcher
import queue
import threading
import time
from concurrent.futures import Future

import torch
from torch import nn


class Batcher:
    """Runs the requests of many threads as batches, in one thread."""

    def __init__(self, model, most=16, wait=0.005):
        self.model, self.most, self.wait = model.eval(), most, wait
        self.requests, self.sizes = queue.Queue(), []
        threading.Thread(target=self.work, daemon=True).start()

    def predict(self, x):
        future = Future()
        self.requests.put((x, future))
        return future.result()

    def collect(self):
        waiting = [self.requests.get()]
        end = time.monotonic() + self.wait  # from the first request on
        while len(waiting) < self.most:
            try:
                left = max(0, end - time.monotonic())
                waiting.append(self.requests.get(timeout=left))
            except queue.Empty:
                break
        return zip(*waiting)

    @torch.inference_mode()
    def work(self):
        while True:
            inputs, futures = self.collect()
            self.sizes.append(len(inputs))
            try:
                rows = self.model(torch.stack(inputs)).unbind()  # a tensor each
            except Exception as error:  # for every client; the thread goes on
                for future in futures:
                    future.set_exception(error)
            else:
                for future, row in zip(futures, rows):
                    future.set_result(row)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)).eval()
batcher = Batcher(net)
batcher.predict(torch.zeros(64))  # warm-up, before the first client

# %% server
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            x = torch.tensor(json.loads(body), dtype=torch.float32)
            if x.shape != (64,):
                raise ValueError(f"64 numbers expected, got {tuple(x.shape)}")
        except (ValueError, TypeError, OverflowError) as error:
            return self.answer(400, str(error))
        try:
            row = batcher.predict(x)
        except Exception:
            return self.answer(500, "the model failed")
        self.answer(200, row.tolist())

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)  # 0: any free port
threading.Thread(target=server.serve_forever, daemon=True).start()

# %% client
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection


def ask(content):
    connection = HTTPConnection(*server.server_address)
    connection.request("POST", "/", json.dumps(content))
    response = connection.getresponse()
    return response.status, json.loads(response.read())


inputs = torch.randn(64, 64)  # (requests, features)
with ThreadPoolExecutor(4) as clients:
    answers = list(clients.map(ask, inputs.tolist()))
served = torch.tensor([row for status, row in answers])
one_by_one = torch.stack([net(x) for x in inputs])
print("statuses:", {status for status, row in answers})
print("difference < 1e-5:", ((served - one_by_one).abs().max() < 1e-5).item())

# %% bad-request
print(ask([1.0, 2.0]))
print(ask(inputs[0].tolist())[0])

# %% batches
patient = Batcher(net, most=8, wait=60)  # seconds, so that every batch fills up
with ThreadPoolExecutor(32) as clients:
    list(clients.map(patient.predict, inputs[:32]))
print("sizes of the batches:", patient.sizes)


# %% latency varies=true
def timed(content):
    start = time.perf_counter()
    ask(content)
    return time.perf_counter() - start


with ThreadPoolExecutor(4) as clients:
    times = torch.tensor(list(clients.map(timed, inputs.tolist() * 4)))
median, tail = times.quantile(torch.tensor([0.5, 0.99])).tolist()
print(f"99th percentile: {tail / median:.1f} times the median")

# %% figure fold=true
import random

import matplotlib.pyplot as plt


def tail_of_latency(rate, most, count=20_000):
    """99th percentile in ms, when a batch of n takes 4 + 0.1 n ms."""
    draw, clock, arrivals = random.Random(0), 0.0, []
    for _ in range(count):
        clock += draw.expovariate(rate / 1000)
        arrivals.append(clock)
    free, first, latencies = 0.0, 0, []
    while first < count:
        start = max(free, arrivals[first])
        last = first
        while last < count and last - first < most and arrivals[last] <= start:
            last += 1
        free = start + 4 + 0.1 * (last - first)
        latencies += [free - arrival for arrival in arrivals[first:last]]
        first = last
    return sorted(latencies)[int(0.99 * count)]


rates = range(20, 521, 20)
fig, ax = plt.subplots(figsize=(6, 3.4), layout="tight")
for most, color in ((1, "C1"), (16, "C0")):
    tails = [tail_of_latency(rate, most) for rate in rates]
    ax.plot(rates, tails, color=color, label=f"most={most}")
ax.set(xlabel="requests / s", ylabel="p99 latency / ms", yscale="log")
ax.legend()

# %% from-coroutines hidden=true
import asyncio


async def ask_all(predict):
    return await asyncio.gather(*map(predict, inputs[:8]))


async def blocking(x):
    return slow.predict(x)


async def in_a_thread(x):
    return await asyncio.to_thread(pair.predict, x)


slow, pair = Batcher(net, most=8, wait=0.01), Batcher(net, most=2, wait=60)
asyncio.run(ask_all(blocking))
asyncio.run(ask_all(in_a_thread))
assert slow.sizes == [1] * 8 and pair.sizes == [2] * 4, (slow.sizes, pair.sizes)

# %% bad-in-batch hidden=true
pair = Batcher(net, most=2, wait=60)
with ThreadPoolExecutor(2) as clients:
    futures = [clients.submit(pair.predict, x) for x in (torch.zeros(64), torch.zeros(2))]
assert all(isinstance(future.exception(), RuntimeError) for future in futures)
with ThreadPoolExecutor(2) as clients:
    assert len(list(clients.map(pair.predict, inputs[:2]))) == 2  # the thread is still there


# %% several-outputs hidden=true
class Two(nn.Module):
    def forward(self, x):
        return x, x + 1


try:
    Batcher(Two()).predict(inputs[0])
except AttributeError:
    pass  # and not the first output of the whole batch
else:
    raise AssertionError("a tuple was handed out as rows")

# %% answers hidden=true
for content in ({"x": 1}, None, "text", [1, [2]], [10**400]):
    assert ask(content)[0] == 400, content
batcher.model = nn.Linear(3, 3).eval()
assert ask(inputs[0].tolist()) == (500, "the model failed")
batcher.model = net
assert ask(inputs[0].tolist())[0] == 200

# %% modes-of-threads hidden=true
with torch.inference_mode(), ThreadPoolExecutor(1) as other:
    assert torch.is_inference_mode_enabled()
    assert not other.submit(torch.is_inference_mode_enabled).result()

# %% figure-says hidden=true
assert tail_of_latency(500, 16) < 15 < 1000 < tail_of_latency(300, 1)
assert tail_of_latency(100, 1) < 30

# %% stop hidden=true
server.shutdown()
server.server_close()


# %% threads-of-the-batcher hidden=true
class Threads(nn.Module):
    def forward(self, x):
        x @ x.T  # a thread takes the number when it computes for the first time
        return torch.full((len(x), 1), float(torch.get_num_threads()))


batchers = []
for count in (2, 1):
    torch.set_num_threads(count)
    batchers.append(Batcher(Threads(), wait=0))
    batchers[-1].predict(inputs[0])
assert [one.predict(inputs[0]).item() for one in batchers] == [2, 1]  # too late for the first one

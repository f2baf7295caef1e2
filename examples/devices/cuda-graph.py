"""A CUDA graph records launches once and plays them again, on the same memory."""

# %% recorded
import torch

static_input = torch.zeros(3)
static_output = torch.zeros(3)
tape = [
    (torch.mul, (static_input, 2)),
    (torch.add, (static_output, 1)),
]


def replay():
    for function, arguments in tape:
        function(*arguments, out=static_output)


replay()
print(static_output)

# %% copy-in
static_input.copy_(torch.tensor([1.0, 2.0, 3.0]))
replay()
print(static_output)

# %% rebinding
static_input = torch.tensor([10.0, 20.0, 30.0])  # the tape has the old one
replay()
print(static_output)


# %% many-launches
from torch.overrides import TorchFunctionMode


def steps(features):
    for _ in range(20):
        features = (features * 0.5).tanh()
    return features


class Count(TorchFunctionMode):
    calls = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.calls += 1
        return function(*args, **(kwargs or {}))


features = torch.ones(3)
with Count() as count:
    steps(features)
print(count.calls)

# %% capture needs="cuda"
static_input = torch.ones(1000, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):  # warm-up, off the default stream
    for _ in range(3):
        steps(static_input)
torch.cuda.current_stream().wait_stream(side)

graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    static_output = steps(static_input)

# %% play needs="cuda"
features = torch.linspace(-1, 1, 1000, device="cuda")
static_input.copy_(features)
graph.replay()
print(torch.allclose(static_output, steps(features)))

# %% overwrites needs="cuda"
first = static_output
kept = static_output.clone()
static_input.fill_(0)
graph.replay()
print(first.abs().max().item() == 0, kept.abs().max().item() == 0)

# %% times needs="cuda" varies=true
import time


def milliseconds(function):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(100):
        function()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 10


print(f"40 launches  {milliseconds(lambda: steps(static_input)):.3f} ms")
print(f"one replay   {milliseconds(graph.replay):.3f} ms")

"""A CUDA graph captures launches once and replays them, on the same memory."""

# %% many-launches
import torch
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
print(count.calls, "operations")

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
print("same result:", torch.allclose(static_output, steps(features)))

# %% rebinding needs="cuda"
captured = static_input  # the graph reads this memory: keep it alive
static_input = torch.full((1000,), 5.0, device="cuda")
before = static_output.clone()
graph.replay()
print("unchanged:", torch.equal(static_output, before))

# %% overwrites needs="cuda"
kept = static_output.clone()
static_output.fill_(7.0)
graph.replay()
print("static_output is back:", torch.equal(static_output, kept))

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

# %% failed-capture needs="cuda"
try:
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        static_input.sum().item()  # waits for a result
except RuntimeError as error:
    print(str(error).splitlines()[0])

# %% random-afterwards needs="cuda" raises="RuntimeError"
torch.manual_seed(0)
torch.rand(2, device="cuda")

# %% random-again needs="cuda"
own = torch.Generator("cuda")
print("own generator:", torch.rand(2, device="cuda", generator=own).shape)
with torch.cuda.graph(torch.cuda.CUDAGraph()):
    static_input * 2
print("as before:    ", torch.rand(2, device="cuda").shape)

# %% python-runs-once needs="cuda" hidden=true
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.5)).cuda()
rows, factor = torch.ones(64, 8, device="cuda"), 2.0
with torch.no_grad():
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        net(rows) * factor
    torch.cuda.current_stream().wait_stream(side)
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        result = net(rows) * factor


def dropped():
    """The share of zeros, and whether two replays drop others."""
    recorded.replay()
    first = result.clone()
    recorded.replay()
    return 0.3 < (result == 0).double().mean().item() < 0.7 and not torch.equal(first, result)


assert dropped()
net.eval()
assert dropped()  # dropout is still on
factor = 0.0
assert dropped()  # not all zeros
zeros = {name: torch.zeros_like(value) for name, value in net.state_dict().items()}
kept_weights = list(net.parameters())  # the graph reads their memory
net.load_state_dict(zeros, assign=True)
assert dropped()
net.load_state_dict({name: value + 1 for name, value in zeros.items()})
for parameter in kept_weights:  # in place, it reads the new values
    parameter.data.zero_()
recorded.replay()
assert not result.any()
rows.copy_(torch.arange(8.0))  # a batch of one is broadcast
assert torch.equal(rows[63], torch.arange(8.0, device="cuda"))

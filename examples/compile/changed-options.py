"""Options of torch.compile that take effect after a reset only, and fullgraph=True with nothing compiled."""

# %% setup
import torch
from torch._dynamo.utils import counters


def scaled(x):
    y = x.sin()
    if y.sum() > 0:  # the value decides: two graphs
        y = y * 2
    return y.cos()


def doubled(x):
    return 2 * x


def new_graphs(function, **options):
    """Compile with these options, call it, and count the graphs that this made."""
    before = counters["stats"]["unique_graphs"]
    torch.compile(function, **options)(x)
    return counters["stats"]["unique_graphs"] - before


x = torch.linspace(0, 1, 4)

# %% options
print("first:       ", new_graphs(scaled, backend="eager"))
print("as before:   ", new_graphs(scaled, backend="eager"))
print("backend:     ", new_graphs(scaled, backend="aot_eager"))
print("dynamic=True:", new_graphs(scaled, backend="eager", dynamic=True))
print("fullgraph:   ", new_graphs(scaled, backend="eager", fullgraph=True))

# %% reset
torch.compiler.reset()
try:
    new_graphs(scaled, backend="eager", fullgraph=True)
except torch._dynamo.exc.Unsupported as error:
    print("Unsupported:", str(error).splitlines()[0])

# %% modes needs="compiler"
print("first:   ", new_graphs(doubled))
print("mode:    ", new_graphs(doubled, mode="max-autotune-no-cudagraphs"))
print("options: ", new_graphs(doubled, options={"epilogue_fusion": False}))
print("as first:", new_graphs(doubled))

# %% log fold=true
import logging

logging.getLogger("torch._dynamo").setLevel(logging.ERROR)  # it warns of item()


# %% settings
def shifted(x):
    return x + x.sum().item()


print("first:     ", new_graphs(shifted, backend="eager"))
torch._dynamo.config.capture_scalar_outputs = True
print("set:       ", new_graphs(shifted, backend="eager"))
torch.compiler.reset()
print("after reset", new_graphs(shifted, backend="eager"))
torch._dynamo.config.capture_scalar_outputs = False

# %% two-backends
ran = []


def noting(name):
    def backend(graph_module, example_inputs):
        def run(*inputs):
            ran.append(name)
            return graph_module(*inputs)

        return run

    return backend


one = torch.compile(doubled, backend=noting("one"))
other = torch.compile(doubled, backend=noting("other"))
for function in (one, other, one):
    function(x)
print(ran)

# %% under-a-mode
from torch.utils.flop_counter import FlopCounterMode

whole = torch.compile(doubled, backend="eager", fullgraph=True)
torch.compiler.reset()
with FlopCounterMode(display=False):
    try:
        whole(x)
    except RuntimeError as error:
        print(*[line for line in str(error).splitlines() if "doubled" in line])

# %% no-frames raises="RuntimeError"
whole(x)

# %% reset-again
torch.compiler.reset()
print(whole(x))

# %% causes
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # of torch.jit.trace


def graphs_of(function):
    torch.compiler.reset()
    return new_graphs(function, backend="eager")


class Net(torch.nn.Module):
    def forward(self, x):
        return 2 * x


kept_out = Net()
kept_out.forward = torch.compiler.disable(kept_out.forward)
print("as it is:          ", graphs_of(Net()))
print("forward disabled:  ", graphs_of(kept_out))
print("traced:            ", graphs_of(torch.jit.trace(Net(), x)))
with torch._dynamo.config.patch(disable=True):  # as TORCH_COMPILE_DISABLE=1
    print("compiling disabled:", graphs_of(Net()))
with FlopCounterMode(display=False):
    print("FLOPs are counted: ", graphs_of(doubled))
print("afterwards:        ", new_graphs(doubled, backend="eager"))

# %% older-names hidden=true
from torch._dynamo.testing import CompileCounter

torch.compiler.reset()
for isolated in (False, True):  # fullgraph=True takes what is there
    torch.compiler.reset()
    assert new_graphs(scaled, backend="eager") == 2
    assert new_graphs(scaled, backend="eager", fullgraph=True, isolate_recompiles=isolated) == 0
torch.compiler.reset()
both = [torch.compile(function, backend="eager") for function in (doubled, shifted)]
for function in both:
    function(x)
torch.compiler.reset()  # of all functions
before = counters["stats"]["unique_graphs"]
for function in both:
    function(x)
assert counters["stats"]["unique_graphs"] - before == 3
torch.compiler.reset()
backend = CompileCounter()
for _ in range(3):  # the same object: compiled once
    torch.compile(doubled, backend=backend)(x)
assert backend.frame_count == 1
torch.compiler.reset()
made = []
for _ in range(12):
    made.append(CompileCounter())
    torch.compile(doubled, backend=made[-1])(x)
assert sum(one.frame_count for one in made) == 8  # the limit of variants

# %% environment hidden=true
import os
import subprocess
import sys

code = """
import torch
print(torch.compile(lambda x: 2 * x, backend="eager", fullgraph=True)(torch.ones(2)).tolist())
"""
for name, wanted in (("TORCH_COMPILE_DISABLE", "Dynamo tracing is disabled"), ("TORCHDYNAMO_DISABLE", "[2.0, 2.0]")):
    child = subprocess.run([sys.executable, "-c", code], env=os.environ | {name: "1"}, capture_output=True, text=True)
    assert wanted in child.stdout + child.stderr, (name, child.stderr)

# %% stance hidden=true
torch.compiler.reset()
whole = torch.compile(doubled, backend="eager", fullgraph=True)
with torch.compiler.set_stance("force_eager"):
    whole(x)
assert new_graphs(doubled, backend="eager") == 1

# %% count-the-original hidden=true
torch.compiler.reset()
compiled = torch.compile(Net(), backend="eager")
with FlopCounterMode(display=False):
    compiled._orig_mod(x)
before = counters["stats"]["unique_graphs"]
compiled(x)
assert counters["stats"]["unique_graphs"] - before == 1

# %% inductor-settings hidden=true needs="compiler"
from torch._inductor import config

torch.compiler.reset()
dropout, ones = torch.nn.functional.dropout, torch.ones(64)


def drawn(function):
    torch.manual_seed(0)
    return function(ones)


was = drawn(torch.compile(dropout))
with config.patch(fallback_random=True):
    assert torch.equal(drawn(torch.compile(dropout)), was)
    torch.compiler.reset()
    assert torch.equal(drawn(torch.compile(dropout)), drawn(dropout))
torch.compiler.reset()
assert torch.equal(drawn(torch.compile(dropout)), was)
assert torch.equal(drawn(torch.compile(dropout, options={"fallback_random": True})), drawn(dropout))


# %% shared-and-checked hidden=true
def times(factor):
    def scale(x):
        return x * factor

    return scale


def fresh(*changes, **options):
    """New graphs of the first call, and of one after each change."""
    torch.compiler.reset()
    made = [new_graphs(doubled, backend="eager", **options)]
    for change in changes:
        change()
        made.append(new_graphs(doubled, backend="eager", **options))
    return made


torch.compiler.reset()
assert [new_graphs(times(2), backend="eager") for _ in range(2)] == [1, 0]
assert [new_graphs(lambda x: x + 1, backend="eager") for _ in range(3)] == [1, 0, 0]
assert [new_graphs(Net(), backend="eager") for _ in range(3)] == [1, 0, 0]
assert fresh(lambda: torch.set_grad_enabled(False), lambda: torch.set_grad_enabled(True)) == [1, 1, 0]
assert fresh(lambda: torch.set_default_dtype(torch.float64), lambda: torch.set_default_dtype(torch.float32)) == [
    1,
    1,
    0,
]
assert fresh(
    lambda: torch.set_float32_matmul_precision("high"), lambda: torch.set_float32_matmul_precision("highest")
) == [1, 1, 0]
assert fresh(lambda: torch.use_deterministic_algorithms(True), lambda: torch.use_deterministic_algorithms(False)) == [
    1,
    1,
    0,
]
torch.compiler.reset()
assert [new_graphs(doubled, backend="eager", dynamic=kind) for kind in (None, True, False, None)] == [1, 1, 1, 0]

"""torch.compile: the same numbers, one slow first call, faster ones after it."""

# %% setup
import torch


def gelu(x):
    return 0.5 * x * (1 + torch.tanh(0.79788456 * (x + 0.044715 * x**3)))


x = torch.linspace(-3, 3, 2_000_000)

# %% same-numbers needs="compiler" varies=true
import os


def processor_seconds():  # other programs do not count; the C++ compiler does
    return sum(os.times()[:4])


fast_gelu = torch.compile(gelu)  # returns at once: nothing is compiled yet
start = processor_seconds()
out = fast_gelu(x)  # the first call compiles, then runs
first = processor_seconds() - start
print("same as eager:", torch.allclose(out, gelu(x), atol=1e-5))
print(f"first call: {first:.1f} s of processor time")

# %% cost needs="compiler" varies=true
import time

from torch.utils.benchmark import Timer


def fastest(statement):
    names = {"gelu": gelu, "fast_gelu": fast_gelu, "x": x}
    timer = Timer(statement, globals=names, timer=time.process_time)
    return min(timer.timeit(1).mean for _ in range(10))


eager, later = fastest("gelu(x)"), fastest("fast_gelu(x)")
print(f"later calls: eager {eager * 1e3:.1f} ms, compiled {later * 1e3:.1f} ms")

# %% fused needs="compiler"
from torch._inductor import metrics

print("operations captured:", torch._dynamo.explain(gelu)(x).op_count)
print("loops generated:", metrics.generated_kernel_count)


# %% lazy
def counting(graph_module, example_inputs):  # a backend: graph in, function out
    print("compiling")
    return graph_module.forward


lazy = torch.compile(gelu, backend=counting)
print("nothing is compiled yet")
for step in range(3):
    print("call", step)
    lazy(x)

# %% training
layers = torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1)
net = torch.nn.Sequential(*layers)
compiled = torch.compile(net, backend="aot_eager")  # needs no C++ compiler
batch = torch.ones(4, 2)
(expected,) = torch.autograd.grad(net(batch).sum(), net[0].weight)
(gradient,) = torch.autograd.grad(compiled(batch).sum(), net[0].weight)
print("same gradient:", torch.allclose(gradient, expected))
pairs = zip(net.parameters(), compiled.parameters())
print("same parameters:", all(a is b for a, b in pairs))

# %% stance
with torch.compiler.set_stance("force_eager"):  # for debugging
    print("same as eager:", torch.equal(lazy(x[:7]), gelu(x[:7])))
print("back to compiled code")
out = lazy(x[:7])

# %% no-compiler raises="torch._inductor.exc.InductorError"
from torch._inductor import config

with config.patch({"cpp.cxx": (None, "no-such-compiler")}):  # none is installed
    torch.compile(torch.nn.Softplus())(x)

# %% dropout needs="compiler"
from torch.nn.functional import dropout

ones = torch.ones(8)
torch.manual_seed(0)
print("eager:                ", dropout(ones).tolist())
torch.manual_seed(0)
print("compiled:             ", torch.compile(dropout)(ones).tolist())

torch.compiler.reset()
with config.patch(fallback_random=True):
    torch.manual_seed(0)
    print("with fallback_random: ", torch.compile(dropout)(ones).tolist())

# %% cached hidden=true needs="compiler"
from pathlib import Path

from torch._inductor.runtime.runtime_utils import cache_dir

assert any(Path(cache_dir()).rglob("*.cpp"))

# %% state hidden=true needs="compiler"
import copy

layers = torch.nn.Linear(6, 8), torch.nn.BatchNorm1d(8), torch.nn.GELU(), torch.nn.Linear(8, 1)
eager = torch.nn.Sequential(*layers)
eager(torch.randn(16, 6) * 3 + 1)  # statistics that are not those of the beginning
twin = copy.deepcopy(eager)
twin_compiled = torch.compile(twin)
for scale in (1, 1e3):
    samples = torch.randn(16, 6) * scale
    results = []
    for model, call in ((eager, eager), (twin, twin_compiled)):
        model.zero_grad()
        out = call(samples)
        out.square().mean().backward()
        gradients = [weight.grad for weight in model.parameters()]
        results.append([out, *gradients, *(value.float() for value in model.buffers())])
    for one, other in zip(*results):
        largest = one.abs().max().clamp(min=1e-2).item()
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-4 * largest), (scale, one, other)

# %% follows-seed hidden=true needs="compiler"
torch.compiler.reset()
compiled_dropout = torch.compile(dropout)
draws = []
for seed in (0, 0, 1):
    torch.manual_seed(seed)
    draws.append(compiled_dropout(torch.ones(64)))
assert torch.equal(draws[0], draws[1]) and not torch.equal(draws[0], draws[2])

# %% without-compiler hidden=true
torch.compiler.reset()
with config.patch({"cpp.cxx": (None, "no-such-compiler")}):
    out = torch.compile(gelu, backend="aot_eager")(x)
assert torch.allclose(out, gelu(x), atol=1e-5)

# %% disabled hidden=true
import subprocess
import sys
from os import environ

code = """
import torch

def fails(graph_module, example_inputs):
    raise AssertionError("compiled")

print(torch.compile(torch.sin, backend=fails)(torch.zeros(1)).item())
"""
environment = environ | {"TORCH_COMPILE_DISABLE": "1"}
assert subprocess.check_output([sys.executable, "-c", code], env=environment, text=True) == "0.0\n"

# %% sixteen-bits hidden=true needs="compiler"


def there_and_back(x):
    return (x * x).sqrt()


half = torch.tensor([300.0, 1000.0], dtype=torch.float16)
for emulated in (False, True):
    torch.compiler.reset()
    with config.patch(emulate_precision_casts=emulated):
        out = torch.compile(there_and_back)(half)
    assert torch.equal(out, there_and_back(half) if emulated else half), out

# %% unchecked hidden=true needs="compiler"
loss = torch.nn.functional.binary_cross_entropy
outside = torch.tensor([1.5]), torch.tensor([1.0])
assert torch.compile(loss)(*outside).isnan()
try:
    loss(*outside)
except RuntimeError as error:
    assert "between 0 and 1" in str(error)
else:
    raise AssertionError


# %% two-outputs hidden=true
def two_outputs(x):
    return x.sin().exp().sum(), x.cos().exp().sum()


values = torch.ones(3, requires_grad=True)
sum(torch.compile(two_outputs, backend="aot_eager")(values)).backward()
one, other = two_outputs(values.detach().requires_grad_())
one.backward()
other.backward()  # two calls work in eager mode
one, other = torch.compile(two_outputs, backend="aot_eager")(values)
one.backward()
try:
    other.backward()
except RuntimeError as error:
    assert "backward through the graph a second time" in str(error), error
else:
    raise AssertionError("each output has a backward pass of its own now")

"""torch.compile: the same numbers, one slow first call, faster ones after it."""

# %% setup
import torch


def gelu(x):
    return 0.5 * x * (1 + torch.tanh(0.79788456 * (x + 0.044715 * x**3)))


x = torch.linspace(-3, 3, 2_000_000)

# %% same-numbers needs="compiler" varies=true
import time

fast_gelu = torch.compile(gelu)  # returns at once: nothing is compiled yet
start = time.perf_counter()
out = fast_gelu(x)  # the first call compiles, then runs
first = time.perf_counter() - start
print("same as eager:", torch.allclose(out, gelu(x), atol=1e-5))
print(f"first call: {first:.1f} s")

# %% cost needs="compiler" varies=true
from torch.utils.benchmark import Timer

names = {"gelu": gelu, "fast_gelu": fast_gelu, "x": x}
eager = Timer("gelu(x)", globals=names).timeit(20).mean
later = Timer("fast_gelu(x)", globals=names).timeit(20).mean
print(f"eager {eager * 1e3:.1f} ms, compiled {later * 1e3:.1f} ms")
if later < eager:
    print(f"the first call pays after {first / (eager - later):.0f} calls")

# %% fused needs="compiler"
from torch._inductor import metrics

print("operations captured:", torch._dynamo.explain(gelu)(x).op_count)
print("loops generated:", metrics.generated_kernel_count)


# %% lazy
def counting(graph_module, example_inputs):  # a backend: takes a graph, returns a function
    print("compiling")
    return graph_module.forward


lazy = torch.compile(gelu, backend=counting)
print("nothing is compiled yet")
for step in range(3):
    print("call", step)
    lazy(x)

# %% training
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
compiled = torch.compile(net, backend="aot_eager")  # forward and backward, without a C++ compiler
batch = torch.ones(4, 2)
(expected,) = torch.autograd.grad(net(batch).sum(), net[0].weight)
(gradient,) = torch.autograd.grad(compiled(batch).sum(), net[0].weight)
print("same gradient:", torch.allclose(gradient, expected))
print("same parameters:", all(a is b for a, b in zip(net.parameters(), compiled.parameters())))

# %% stance
with torch.compiler.set_stance("force_eager"):  # for debugging
    print("same as eager:", torch.equal(lazy(x[:7]), gelu(x[:7])))
print("back to compiled code")
out = lazy(x[:7])

# %% no-compiler raises="torch._inductor.exc.InductorError"
from torch._inductor import config

with config.patch({"cpp.cxx": (None, "no-such-compiler")}):  # as if none were installed
    torch.compile(torch.nn.Softplus())(x)

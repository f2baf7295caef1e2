"""Modes of the default backend, and backends that tell who is at fault."""

# %% modes
import torch

modes = torch._inductor.list_mode_options()
print("all:", *modes)
for mode in ("reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"):
    print(f"{mode:26}", *modes[mode])

# %% both raises="RuntimeError"
torch.compile(torch.sin, mode="max-autotune", options={"max_autotune": True})

# %% backends
print("to use:  ", *torch.compiler.list_backends())
every = torch._dynamo.list_backends(exclude_tags=())
print("to debug:", *[name for name in every if name.endswith("eager")])

# %% unknown raises="torch._dynamo.exc.InvalidBackend"
torch.compile(torch.sin, backend="induktor")


# %% fault
def layer(x):
    return torch.relu(x - 0.5).sum(dim=-1)


x = torch.tensor([[1.0, 0.0], [2.0, 3.0]])
expected = layer(x)
# The last one is wrong on purpose.
for backend in ("eager", "aot_eager", "relu_accuracy_error_TESTING_ONLY"):
    torch.compiler.reset()
    out = torch.compile(layer, backend=backend)(x)
    print(f"{backend:33} {out}", "right" if torch.equal(out, expected) else "wrong")

# %% compile-error raises="torch._dynamo.exc.BackendCompilerFailed"
torch.compiler.reset()
torch.compile(layer, backend="relu_compile_error_TESTING_ONLY")(x)


# %% own
def swaps(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.nn.functional.softplus
    graph_module.recompile()
    return graph_module.forward


torch.compiler.reset()
print("compiled:", torch.compile(layer, backend=swaps)(x))
print("softplus:", torch.nn.functional.softplus(x - 0.5).sum(dim=-1))

# %% options hidden=true
torch.compile(torch.sin, options={"max_autotune": True})


# %% disabled hidden=true
@torch.compiler.disable
def kept_out(x):
    return layer(x)


torch.compiler.reset()
faulty = "relu_compile_error_TESTING_ONLY"
out = torch.compile(lambda x: kept_out(x + 1), backend=faulty)(x)
assert torch.equal(out, layer(x + 1))


# %% reused
def one_buffer(graph_module, example_inputs):
    buffers = []

    def run(*inputs):
        (out,) = graph_module(*inputs)
        buffers.append(buffers[0] if buffers else torch.empty_like(out))
        return [buffers[0].copy_(out)]

    return run


torch.compiler.reset()
x = torch.tensor([1.0, 2.0])
double = torch.compile(lambda x: 2 * x, backend=one_buffer)
first, kept = double(x), double(x).clone()
print("second call:", double(x + 1).tolist())
print("first:      ", first.tolist())
print("cloned:     ", kept.tolist())

# %% overwritten needs="cuda" raises="RuntimeError" says="Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run." origin="torch/_inductor/cudagraph_trees.py"
square = torch.compile(lambda x: x @ x, mode="reduce-overhead")
matrix = torch.randn(10, 10, device="cuda")
first = square(matrix)
second = square(matrix)
print(first)

# %% cloned needs="cuda"
torch.compiler.reset()
first = square(matrix).clone()
second = square(matrix)
print("same:", torch.equal(first, second))

# %% default-mode hidden=true
assert modes["default"] == {}

# %% valid-backend hidden=true
for name in ("inductor", "cudagraphs"):
    assert name in torch.compiler.list_backends()
    torch.compile(torch.sin, backend=name)  # found; it would compile at the first call

# %% listed-and-missing hidden=true
import importlib.util

if "tvm" in torch.compiler.list_backends() and importlib.util.find_spec("tvm") is None:
    torch.compiler.reset()
    try:
        torch.compile(layer, backend="tvm")(x)
    except Exception as error:
        assert "apache-tvm" in str(error) or "tvm" in str(error)
    else:
        raise AssertionError

# %% other-relus hidden=true
signs = torch.tensor([-1.0, 2.0])
for relu in (torch.nn.functional.relu, torch.nn.ReLU(), lambda x: x.relu()):
    torch.compiler.reset()
    assert torch.equal(torch.compile(relu, backend=swaps)(signs), relu(signs))  # not swapped

# %% wrong-gradient hidden=true
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def right(graph_module, example_inputs):
    return make_boxed_func(graph_module.forward)


def doubled(graph_module, example_inputs):
    return make_boxed_func(lambda *inputs: [2 * out for out in graph_module(*inputs)])


weight = torch.tensor([1.0, 2.0], requires_grad=True)
gradients = []
for backend in ("aot_eager", aot_autograd(fw_compiler=right, bw_compiler=doubled)):
    torch.compiler.reset()
    out = torch.compile(layer, backend=backend)(weight)
    assert torch.equal(out, layer(weight))  # outputs alone do not tell
    gradients += torch.autograd.grad(out, weight)
assert gradients[0].tolist() == [1, 1] and gradients[1].tolist() == [2, 2]

# %% mode-as-options hidden=true
import torch

of_mode = torch._inductor.list_mode_options("max-autotune")
assert of_mode["max_autotune"] and of_mode["triton.cudagraphs"]
torch.compile(torch.relu, options={**of_mode, "epilogue_fusion": True})
try:
    torch.compile(torch.relu, backend="max-autotune")
except torch._dynamo.exc.InvalidBackend:
    torch.compile(torch.relu, mode="max-autotune")
else:
    raise AssertionError("a mode is a backend now")

"""Why torch.compile compiles again, and when it gives up."""

# %% setup
import torch


def counting(graph_module, example_inputs):  # a backend that tells when it compiles
    tensor = next(one for one in example_inputs if isinstance(one, torch.Tensor))
    print("  compiling for", tuple(tensor.shape), tensor.dtype)
    return graph_module.forward


def scaled(x, scale=2.0):
    return x * scale


# %% shapes
compiled = torch.compile(scaled, backend=counting)
for size in (4, 4, 5, 6, 7, 1):
    print("size", size)
    compiled(torch.ones(size))

# %% others
print("float64")
compiled(torch.ones(6, dtype=torch.float64))
print("requires_grad")
compiled(torch.ones(6, requires_grad=True))
print("no_grad")
with torch.no_grad():
    compiled(torch.ones(6))
for scale in (3.0, 4.0):
    print("scale", scale)
    compiled(torch.ones(6), scale)

# %% why
torch.compiler.reset()
torch._logging.set_logs(recompiles=True)  # as TORCH_LOGS=recompiles does
compiled = torch.compile(scaled, backend="eager")
compiled(torch.ones(4))
compiled(torch.ones(5))
torch._logging.set_logs()

# %% dynamic
for dynamic in (True, False):
    torch.compiler.reset()
    print(f"{dynamic=}")
    compiled = torch.compile(scaled, backend=counting, dynamic=dynamic)
    for size in (4, 5, 6):
        compiled(torch.ones(size))

# %% mark
torch.compiler.reset()
compiled = torch.compile(scaled, backend=counting)
batch = torch.ones(4, 3)
torch._dynamo.mark_dynamic(batch, 0)  # dimension 0 will vary
compiled(batch)
compiled(torch.ones(9, 3))

# %% messages fold=true
import logging


def shorten(record):  # the reason goes on with where PyTorch is installed
    lines = record.getMessage().splitlines()
    print("WARNING", lines[0])
    print(*(line.split("   #")[0].rstrip() for line in lines if "last reason" in line))
    return False


logging.getLogger("torch._dynamo.convert_frame").addFilter(shorten)


# %% limit
class Net(torch.nn.Module):
    step = 0

    def forward(self, x):
        self.step += 1  # an int of a module is a constant in the graph
        return x * self.step


torch.compiler.reset()
net = torch.compile(Net(), backend=counting)
for _ in range(12):
    net(torch.ones(3))

# %% limit-raises raises="torch._dynamo.exc.FailOnRecompileLimitHit"
torch.compiler.reset()
net = torch.compile(Net(), backend="eager", fullgraph=True)
for _ in range(12):
    net(torch.ones(3))


# %% mended
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.tensor(0))

    def forward(self, x):
        self.step += 1  # a tensor: its value is not in the graph
        return x * self.step


torch.compiler.reset()
net = torch.compile(Net(), backend=counting)
for _ in range(12):
    out = net(torch.ones(3))
print(out)

# %% older-name hidden=true
with torch._dynamo.config.patch(recompile_limit=9):
    assert torch._dynamo.config.cache_size_limit == 9

# %% dynamic-but-0-and-1 hidden=true
compilations = []


def counted(graph_module, example_inputs):
    compilations.append(1)
    return graph_module.forward


def compilations_of(sizes, dynamic):
    torch.compiler.reset()
    compilations.clear()
    compiled = torch.compile(scaled, backend=counted, dynamic=dynamic)
    for size in sizes:
        x = torch.randn(size)
        assert torch.equal(compiled(x), scaled(x))
    return len(compilations)


assert compilations_of((4, 5, 6, 100), True) == 1
assert compilations_of((4, 5, 1, 0), True) == 3
assert compilations_of((4, 5, 6, 4), False) == 3

# %% floats hidden=true
torch.compiler.reset()
compilations.clear()
compiled = torch.compile(scaled, backend=counted)
for scale in (2.0, 3.0, 4.0, 1.0, 0.0, -1.0):
    assert torch.equal(compiled(torch.ones(3), scale), scaled(torch.ones(3), scale))
assert len(compilations) == 2


# %% constants hidden=true
def compilations_for(function, *calls, mark=None):
    torch.compiler.reset()
    compilations.clear()
    compiled = torch.compile(function, backend=counted)
    for call in calls:
        if mark and call is calls[0]:
            mark(call[0], 0)
        compiled(*call)
    return len(compilations)


ones, ps = torch.ones(3), (0.1, 0.2, 0.3, 0.4)
assert compilations_for(torch.nn.functional.dropout, *((ones, p) for p in ps)) == 4
assert compilations_for(lambda x, eps: torch.nn.functional.layer_norm(x, (3,), eps=eps), *((ones, p) for p in ps)) == 4
assert compilations_for(lambda x, low: x.clamp(min=low), *((ones, p) for p in ps)) == 2

# %% equal-sizes hidden=true
torch.compiler.reset()
compilations.clear()
compiled = torch.compile(scaled, backend=counted, dynamic=True)
for sizes, count in (((3, 3), 1), ((4, 4), 1), ((5, 6), 2), ((7, 8), 2), ((9, 9), 2)):
    compiled(torch.ones(sizes))
    assert len(compilations) == count, (sizes, compilations)

# %% marks hidden=true
import logging

for first, count in ((4, 1), (1, 2), (0, 2)):
    batches = (torch.ones(first, 3),), (torch.ones(9, 3),)
    assert compilations_for(scaled, *batches, mark=torch._dynamo.mark_dynamic) == count
logging.getLogger("torch._guards").setLevel(logging.CRITICAL)
batches = (torch.ones(4, 3),), (torch.ones(9, 3),)
for fixed in (lambda x: x * 2 if x.shape[0] == 4 else x * 3, lambda x: x + torch.ones(4, 3)):
    try:
        compilations_for(fixed, batches[0], mark=torch._dynamo.mark_dynamic)
    except torch.fx.experimental.symbolic_shapes.ConstraintViolationError:
        pass
    else:
        raise AssertionError("a fixed size was marked")

# %% shared-limit hidden=true
torch._logging.set_logs(dynamo=logging.CRITICAL)
torch.compiler.reset()
compilations.clear()
twins = [torch.compile(scaled, backend=counted, dynamic=False) for _ in range(2)]
for twin in twins:
    for size in range(2, 12):
        twin(torch.ones(size))
    assert len(compilations) == 8, compilations


# %% maybe hidden=true
def compares(x):
    return x * 2 if x.shape[0] == 4 else x * 3


batches = (torch.ones(4, 3),), (torch.ones(9, 3),)  # without the mark of the cell above
assert compilations_for(compares, *batches, mark=torch._dynamo.maybe_mark_dynamic) == 2

# %% error-on-recompile hidden=true
batches = (torch.ones(4, 3),), (torch.ones(9, 3),)
with torch._dynamo.config.patch(error_on_recompile=True):
    try:
        compilations_for(scaled, *batches)
    except torch._dynamo.exc.RecompileError as error:
        assert "size mismatch at index 0. expected 4, actual 9" in str(error), error
    else:
        raise AssertionError

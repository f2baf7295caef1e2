"""ExecuTorch: a model in a file that phones and small devices run without PyTorch."""

# %% quiet hidden=true
import logging
import warnings

warnings.simplefilter("ignore", FutureWarning)  # from within ExecuTorch's own imports
for name in ("torchao", "torch.utils._pytree"):
    logging.getLogger(name).setLevel(logging.ERROR)

# %% model
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)).eval()
example = torch.randn(2, 4)

# %% export needs="executorch"
from importlib.metadata import version
from pathlib import Path

from executorch.exir import to_edge_transform_and_lower

batch = torch.export.Dim("batch", min=1, max=16)
program = torch.export.export(net, (example,), dynamic_shapes=({0: batch},))
edge = to_edge_transform_and_lower(program)


def calls(edge):
    nodes = edge.exported_program().graph.nodes
    return [node.target.__name__ for node in nodes if node.op == "call_function"]


def write(edge, file):
    Path(file).write_bytes(edge.to_executorch().buffer)
    return file


print("executorch", version("executorch"), calls(edge))
write(edge, "net.pte")
print("smaller than 4 kB:", Path("net.pte").stat().st_size < 4000)

# %% first hidden=true needs="executorch"
# The first run logs that a file of Arm processors is missing.
from executorch import runtime as package

package.Runtime.get().load_program("net.pte").load_method("forward").execute([example])

# %% run needs="executorch"
from executorch.runtime import Runtime

runtime = Runtime.get()
method = runtime.load_program("net.pte").load_method("forward")
for size in (2, 5, 16):
    x = torch.randn(size, 4)
    (out,) = method.execute([x])
    difference = (out - net(x)).abs().max().item()
    print(tuple(out.shape), "below 1e-6:", difference < 1e-6)

# %% xnnpack needs="executorch"
from executorch.backends.xnnpack.partition.xnnpack_partitioner import (
    XnnpackPartitioner,
)

lowered = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])
print(calls(lowered))
method = runtime.load_program(write(lowered, "xnnpack.pte")).load_method("forward")
difference = (method.execute([example])[0] - net(example)).abs().max().item()
print("below 1e-6:", difference < 1e-6)

# %% size raises="RuntimeError" needs="executorch"
method.execute([torch.randn(17, 4)])

# %% unlimited raises="RuntimeError" needs="executorch"
sizes = ({0: torch.export.Dim("batch")},)  # no maximum
program = torch.export.export(net, (example,), dynamic_shapes=sizes)
file = write(to_edge_transform_and_lower(program), "unlimited.pte")
runtime.load_program(file).load_method("forward").execute([torch.randn(3, 4)])

# %% dtype raises="RuntimeError" needs="executorch"
method.execute([example.double()])

# %% pieces needs="executorch"
many = torch.randn(40, 4, dtype=torch.float64)
parts = [method.execute([part])[0] for part in many.float().split(16)]
print(torch.allclose(torch.cat(parts), net(many.float()), atol=1e-6))


# %% core raises="torch._export.verifier.SpecViolationError" needs="executorch"
class Median(nn.Module):
    def forward(self, x):
        return x.median(dim=1).values


rows = torch.randn(4, 5)
to_edge_transform_and_lower(torch.export.export(Median(), (rows,)))


# %% core-cure needs="executorch"
class Third(nn.Module):
    def forward(self, x):
        return x.topk(3).values[:, -1]


edge = to_edge_transform_and_lower(torch.export.export(Third(), (rows,)))
method = runtime.load_program(write(edge, "third.pte")).load_method("forward")
print(torch.equal(method.execute([rows])[0], rows.median(dim=1).values))


# %% missing raises="RuntimeError" needs="executorch"
class Sorted(nn.Module):
    def forward(self, x):
        return x.sort().values[:, 2]


edge = to_edge_transform_and_lower(torch.export.export(Sorted(), (rows,)))
program = runtime.load_program(write(edge, "sorted.pte"))
program.load_method("forward")

# %% registered needs="executorch"
known = runtime.operator_registry.operator_names
for name in ("aten::topk.values", "aten::sort.values"):
    print(name, name in known)

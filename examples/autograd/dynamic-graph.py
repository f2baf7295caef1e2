"""The graph is what this forward pass did; torch.compile can capture it ahead."""

# %% loop
import torch


def grow(x):
    steps = 0
    while x.abs() < 100:
        x = x * 2
        steps += 1
    return x, steps


for start in (1.0, 30.0):
    x = torch.tensor([start], requires_grad=True)
    out, steps = grow(x)
    out.backward()
    print(f"start {start}: {steps} turns, gradient {x.grad}")


# %% length
def length(node):
    return 1 + length(node.next_functions[0][0]) if node.next_functions else 0


for start in (1.0, 30.0):
    out, steps = grow(torch.tensor([start], requires_grad=True))
    print(f"start {start}: {length(out.grad_fn)} operations in the graph")


# %% compile
def show(graph_module, example_inputs):  # a backend
    nodes = graph_module.graph.nodes
    calls = [node.target for node in nodes if node.op.startswith("call")]
    print("captured:", *(getattr(call, "__name__", call) for call in calls))
    return graph_module.forward  # what will run: the graph, unchanged


@torch.compile(backend=show)
def layer(x, weight):
    return torch.relu(x * weight + 1)


x, weight = torch.ones(3), torch.ones(3, requires_grad=True)
print("first call: ", layer(x, weight))
print("second call:", layer(x, weight))  # uses the captured graph


# %% graph-break
@torch.compile(backend=show)
def flip(x):
    x = x * 2
    if x.sum() > 0:
        return x.relu()
    return -x


print("positive:", flip(torch.ones(3)))
print("negative:", flip(-torch.ones(3)))


# %% export
class Layer(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x * 2 + 1)


program = torch.export.export(Layer(), (torch.ones(3),))
for node in program.graph.nodes:
    print(node.op, node.target)

# %% branch-in-a-loop hidden=true
captured = []


def keep(graph_module, example_inputs):
    captured.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep)
def in_a_loop(x):
    for _ in range(3):
        if x.sum() > 0:
            x = x * 2
    return x


assert in_a_loop(torch.ones(3)).tolist() == [8.0] * 3 and not captured

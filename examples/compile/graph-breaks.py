"""Graph breaks: where torch.compile hands over to Python, and how to avoid it."""

# %% pieces
import torch


def scaled(x):
    y = x.sin()
    if y.sum() > 0:  # the value decides
        y = y * 2
    return y.cos()


def printing(graph_module, example_inputs):  # a backend that prints the graph
    nodes = graph_module.graph.nodes
    calls = [node.target for node in nodes if node.op.startswith("call")]
    print("graph:", *[getattr(call, "__name__", call) for call in calls])
    return graph_module.forward


x = torch.linspace(0, 1, 4)
out = torch.compile(scaled, backend=printing)(x)
print("same as eager:", torch.equal(out, scaled(x)))

# %% fullgraph raises="torch._dynamo.exc.Unsupported"
torch.compile(scaled, backend="eager", fullgraph=True)(x)


# %% explain
def describe(function):
    report = torch._dynamo.explain(function)(x)
    lines = [reason.user_stack[-1].line for reason in report.break_reasons]
    print(f"{function.__name__:10} {report.graph_count} graphs, breaks at {lines}")


describe(scaled)

# %% causes
import logging

logging.getLogger("torch._dynamo").setLevel(logging.ERROR)  # it warns of item()


def printed(x):
    y = x * 2
    print("mean", y.mean())
    return y + 1


def item(x):
    return x * x.sum().item() + 1


def shape_if(x):
    if x.shape[0] > 3:
        x = x * 2
    return x + 1


def loop(x):
    for step in range(3):
        x = x + step
    return x


for function in (printed, item, shape_if, loop):
    describe(function)


# %% where
def scaled_where(x):
    y = x.sin()
    y = torch.where(y.sum() > 0, y * 2, y)  # both sides are computed
    return y.cos()


out = torch.compile(scaled_where, backend=printing, fullgraph=True)(x)
print("same as before:", torch.equal(out, scaled(x)))


# %% cond
def scaled_cond(x):
    y = x.sin()
    # One of the two functions is computed.
    y = torch.cond(y.sum() > 0, lambda y: y * 2, lambda y: y * 1, (y,))
    return y.cos()


out = torch.compile(scaled_cond, backend="eager", fullgraph=True)(x)
print("same as before:", torch.equal(out, scaled(x)))

# %% capture-item
with torch._dynamo.config.patch(capture_scalar_outputs=True):
    out = torch.compile(item, backend=printing, fullgraph=True)(x)


# %% print-once
def printed_in_graph(x):
    y = x * 2
    if not torch.compiler.is_compiling():  # left out of the graph
        print("mean", y.mean())
    return y + 1


out = torch.compile(printed_in_graph, backend=printing, fullgraph=True)(x)

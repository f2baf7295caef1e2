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
    out = torch.compile(item, backend=printing)(x)

# %% item-fullgraph
torch.compiler.reset()
out = torch.compile(item, backend=printing, fullgraph=True)(x)


# %% print-once
def printed_in_graph(x):
    y = x * 2
    if not torch.compiler.is_compiling():  # left out of the graph
        print("mean", y.mean())
    return y + 1


out = torch.compile(printed_in_graph, backend=printing, fullgraph=True)(x)


# %% branch-on-item hidden=true
def sign(x):
    return x * 2 if x.sum().item() > 0 else x


import logging

torch._logging.set_logs(dynamo=logging.CRITICAL)
for capture in (False, True):
    torch.compiler.reset()
    with torch._dynamo.config.patch(capture_scalar_outputs=capture):
        try:
            torch.compile(sign, backend="eager", fullgraph=True)(x)
        except Exception as error:
            assert "dynamo" in type(error).__module__, error
        else:
            raise AssertionError("a branch on item() was recorded")


# %% detached hidden=true
def tensor(x):
    return x * x.sum()


def detached(x):
    return x * x.sum().detach()


gradients = []
for function in (item, tensor, detached):
    for dtype in (torch.float32, torch.float64):
        leaf = torch.linspace(-1, 2, 5, dtype=dtype, requires_grad=True)
        out = function(leaf)
        assert torch.allclose(out - int(function is item), leaf * leaf.sum())
        out.sum().backward()
        gradients.append(leaf.grad.float())
assert torch.allclose(gradients[0], gradients[4]) and torch.allclose(gradients[1], gradients[5])
assert not torch.allclose(gradients[0], gradients[2])


# %% shapes hidden=true
compiled = torch.compile(shape_if, backend="eager", fullgraph=True)
for size in (4, 5, 3, 2, 9, 1, 0):
    x = torch.ones(size)
    assert torch.equal(compiled(x), shape_if(x)), size

# %% cond-results hidden=true
import logging

torch._logging.set_logs(dynamo=logging.CRITICAL)


def chosen(other):
    def function(y):
        return torch.cond(y.sum() > 0, lambda y: y * 2, other, (y,))

    torch.compiler.reset()
    return torch.compile(function, backend="eager", fullgraph=True)


ones = torch.ones(4)
assert torch.equal(chosen(lambda y: y - 1)(-ones), -2 * ones)
for other in (lambda y: y.double() + 1, lambda y: y.sum(), lambda y: y):
    try:
        chosen(other)(ones)
    except Exception as error:
        assert "dynamo" in type(error).__module__, error
    else:
        raise AssertionError("cond took results of different kinds, or an input")


# %% two-breaks hidden=true
def two_breaks(x):
    if x.sum() > 0:
        x = x + 1
    if x.sum() > 9:
        x = x * 2
    return x


assert len(torch._dynamo.explain(two_breaks)(ones).break_reasons) == 2


# %% break-in-loop
def looped(x):
    for step in range(3):
        x = x + step if x.sum() > 0 else x
    return x


describe(looped)

# %% whole-frames hidden=true
import contextlib


def body(x, step):
    return x + step if x.sum() > 0 else x


def looped_calls(x):
    for step in range(3):
        x = body(x, step)
    return x


@contextlib.contextmanager
def own_block():
    yield


def in_try(x):
    y = x + 1
    try:
        if y.sum() > 0:
            y = y * 2
    except ValueError:
        pass
    return y


def in_with(x):
    y = x + 1
    with own_block():
        if y.sum() > 0:
            y = y * 2
    return y


def in_no_grad(x):
    y = x + 1
    with torch.no_grad():
        if y.sum() > 0:
            y = y * 2
    return y


torch.compiler.reset()
x = torch.linspace(0, 1, 4)
for function, graphs in ((in_try, 0), (in_with, 0), (in_no_grad, 2)):
    assert torch._dynamo.explain(function)(x).graph_count == graphs, function
assert torch._dynamo.explain(looped_calls)(x).graph_count > 0
assert torch.equal(torch.compile(looped, backend="eager")(x), looped(x))
torch.compiler.reset()
try:
    torch.compile(looped, backend="eager", fullgraph=True)(x)
except torch._dynamo.exc.Unsupported:
    pass
else:
    raise AssertionError("fullgraph=True hid a break in a loop")


# %% checked-branch hidden=true
def decided(x):
    number = x.sum().item()
    torch._check(number > 0)
    return x * 2 if number > 0 else x


for dtype in (torch.float32, torch.int64):
    torch.compiler.reset()
    compiled = torch.compile(decided, backend="eager", fullgraph=True)
    ones = torch.ones(4, dtype=dtype)
    assert torch.equal(compiled(ones), 2 * ones)
    try:
        compiled(-ones)
    except RuntimeError:
        pass
    else:
        raise AssertionError("a branch that was decided wrongly")

# %% cond-views hidden=true
matrix = torch.ones(4)
for one, other in (
    (lambda y: y.view(2, 2), lambda y: y.view(2, 2) * 1),  # a view
    (lambda y: (y.view(2, 2) * 1).t(), lambda y: y.view(2, 2) * 1),  # another order of strides
    (lambda y: y.add_(1) * 2, lambda y: y * 1),  # changes its input
    (lambda y: None, lambda y: None),
):
    torch.compiler.reset()
    try:
        torch.compile(lambda y: torch.cond(y.sum() > 0, one, other, (y,)), backend="eager", fullgraph=True)(matrix)
    except Exception as error:
        assert "dynamo" in type(error).__module__, error
    else:
        raise AssertionError("cond took it")


# %% return-in-loop hidden=true
import sys


def returning(x):
    for step in range(3):
        x = x + 1
        if x.sum() > 1e9:
            return x
    return x


torch.compiler.reset()
if torch.__version__.startswith("2.13.") and sys.version_info[:2] == (3, 11):  # the bytecode decides
    report = torch._dynamo.explain(returning)(torch.ones(4))
    assert report.graph_count == len(report.break_reasons) == 3, report

"""Who runs my forward: Python, torch.compile, torch.export or a trace?"""

# %% ask
import torch
from torch import nn


class Asks(nn.Module):
    def forward(self, x):
        answers = (
            torch.compiler.is_compiling(),
            torch.compiler.is_dynamo_compiling(),
            torch.compiler.is_exporting(),
            torch.jit.is_tracing(),
        )
        return x.new_tensor([float(answer) for answer in answers])


x = torch.zeros(4)
net = Asks()
runs = {
    "eager": net,
    "compile": torch.compile(net, backend="eager"),
    "export": torch.export.export(net, (x,)).module(),
    "strict export": torch.export.export(net, (x,), strict=True).module(),
}
print(" " * 14, "compiling dynamo exporting tracing")
for name, run in runs.items():
    print(f"{name:14}", "{:9} {:6} {:9} {:7}".format(*map(bool, run(x))))

# %% trace
traced = torch.jit.trace(net, x, check_trace=False)
print([bool(answer) for answer in traced(x)])


# %% compile-alone
def checked(x):
    if not torch.compiler.is_compiling():  # neither compile nor export
        print("checked:", bool(x.isfinite().all()))
    return x * 2


def compile_alone():
    return torch.compiler.is_compiling() and not torch.compiler.is_exporting()


checked(x)
torch.compile(checked, backend="eager", fullgraph=True)(x)


# %% disabled
@torch.compiler.disable
def logged(x):  # stays Python
    print("compiling:", torch.compiler.is_compiling(), " mean:", x.mean().item())
    return x


def forward(x):
    return logged(x * 2) + 1


print(torch.compile(forward, backend="eager")(torch.ones(4)))

# %% disabled-fullgraph raises="torch._dynamo.exc.Unsupported"
torch.compiler.reset()  # or the call above, compiled already, is used again
torch.compile(forward, backend="eager", fullgraph=True)(torch.ones(4))


# %% around
def both_parts(x):
    doubled = double(x)  # one graph
    return logged(doubled) + 1  # outside of it


double = torch.compile(lambda x: x * 2, backend="eager", fullgraph=True)
print(both_parts(torch.ones(4)))


# %% alone hidden=true
class Alone(nn.Module):
    def forward(self, x):
        return x + compile_alone()


alone = Alone()
assert alone(x)[0] == 0 and torch.compile(alone, backend="eager")(x)[0] == 1
for strict in (False, True):
    assert torch.export.export(alone, (x,), strict=strict).module()(x)[0] == 0

# %% disabled-export hidden=true
answers = []


@torch.compiler.disable
def doubled(x):
    answers.append(torch.compiler.is_compiling())
    return x * 2


class Doubles(nn.Module):
    def forward(self, x):
        return doubled(x) + 1


nodes = torch.export.export(Doubles(), (x,)).graph.nodes
assert answers == [True] and sum(node.op == "call_function" for node in nodes) == 2

# %% fullgraph-after hidden=true
torch.compiler.reset()
for fullgraph in (False, True):  # the second call finds what the first one compiled
    torch.compile(forward, backend="eager", fullgraph=fullgraph)(torch.ones(4))

# %% cond-in-eager hidden=true
asked = torch.cond(torch.tensor(True), lambda x: x + torch.compiler.is_compiling(), lambda x: x - 1, (torch.zeros(1),))
assert asked.item() == 1

# %% strict-disabled hidden=true
torch._logging.set_logs(dynamo=50)
try:
    torch.export.export(Doubles(), (x,), strict=True)
except torch._dynamo.exc.Unsupported as error:
    assert "Skip calling `torch.compiler.disable()`d function" in str(error)
else:
    raise AssertionError


# %% in-a-loop hidden=true
from contextlib import contextmanager


@contextmanager
def own():
    yield


@torch.compiler.disable
def left_out(x):
    return x.clone() if x.mean().item() else x


def once(x):
    return left_out(x * 2) + 1


def loop(x):
    for _ in range(3):
        x = left_out(x * 2)
    return x + 1


def attempt(x):
    try:
        return left_out(x * 2) + 1
    finally:
        x = x + 2


def managed(x):
    with own():
        x = left_out(x * 2)
    return x + 1


for function, expected in ((once, 2), (loop, 0), (attempt, 0), (managed, 0)):
    torch.compiler.reset()
    graphs = []

    def count(graph, inputs):
        graphs.append(graph)
        return graph

    torch.compile(function, backend=count)(torch.ones(4))
    assert len(graphs) == expected, (function, len(graphs))

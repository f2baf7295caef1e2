"""Compile a training step: loss under autocast, optimizer, DDP."""

# %% eager
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import mse_loss

torch.manual_seed(0)
x, target = torch.randn(16, 4), torch.randn(16, 1)
sizes, layers = [], []  # of each graph: operations, linear layers


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(4, 600), nn.Linear(600, 1)
        self.hidden = nn.Linear(600, 600)

    def forward(self, x):
        return self.last(self.hidden(self.first(x).relu()))


def counting(graph_module, example_inputs):
    nodes = graph_module.graph.nodes
    calls = [node for node in nodes if node.op == "call_function"]
    sizes.append(len(calls))
    layers.append(sum("linear" in str(call.target) for call in calls))
    return graph_module.forward


def loss_of(model):
    with torch.autocast("cpu", torch.bfloat16):
        return mse_loss(model(x).float(), target)


def train(compute_loss=loss_of, compile_step=False, wrap=lambda model: model):
    torch.compiler.reset()
    sizes.clear()
    layers.clear()
    torch.manual_seed(0)
    model = wrap(Net())
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    step = optimizer.step
    if compile_step:
        step = torch.compile(step, backend=counting)
    losses = []
    for _ in range(3):
        loss = compute_loss(model)
        loss.backward()
        step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


expected = train()
print("loss falls:", expected[2] < expected[0])

# %% autocast
losses = train(torch.compile(loss_of, backend=counting, fullgraph=True))
print("same losses:", losses == expected, " operations in each graph:", sizes)

# %% step
losses = train(compile_step=True)
print("same losses:", losses == expected, " graphs:", len(sizes))
print("more than 20 operations:", sizes[0] > 20)


# %% whole
@torch.compile(backend=counting)
def loss_and_gradients(model):
    loss = loss_of(model)
    loss.backward()
    return loss.detach()


model = nn.Linear(4, 1)
torch.compiler.reset()
torch._dynamo.utils.counters.clear()
loss_and_gradients(model)
for reason in torch._dynamo.utils.counters["graph_break"]:
    print(reason.splitlines()[0])

# %% ddp
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


def wrap(model):
    return nn.parallel.DistributedDataParallel(model, bucket_cap_mb=1)


compiled_loss = torch.compile(loss_of, backend=counting)
losses = train(compiled_loss, wrap=wrap)
print("same losses:", losses == expected, " layers in each graph:", layers)


# %% ddp-sequential
def layers_compiled(model):
    torch.compiler.reset()
    layers.clear()
    torch.compile(loss_of, backend=counting)(model)
    return sum(layers)


def sequential():  # a class of PyTorch, not one of your own
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


print("wrapped, then compiled:", layers_compiled(wrap(sequential())))
compiled = torch.compile(sequential(), backend=counting)
print("compiled, then wrapped:", layers_compiled(wrap(compiled)))


# %% ddp-counted
def counted(model):
    torch.compiler.reset()
    sizes.clear()
    layers.clear()
    model(x[:, None])  # (batch, time, features)
    return f"{len(sizes)} graphs, {sum(sizes):2} operations, {sum(layers)} linear"


for inner in (sequential(), nn.TransformerEncoderLayer(4, 2, 8), Net()):
    print(type(inner).__name__)
    compiled_last = torch.compile(wrap(inner), backend=counting)
    print("  wrapped, then compiled:", counted(compiled_last))
    compiled_first = wrap(torch.compile(inner, backend=counting))
    print("  compiled, then wrapped:", counted(compiled_first))

# %% compiled-before-ddp hidden=true
losses = train(wrap=lambda model: wrap(torch.compile(model, backend=counting)))
assert losses == expected and sum(layers) == 3 and len(layers) > 1, layers  # split, too; without the loss
encoder = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
assert layers_compiled(wrap(nn.Sequential(encoder, nn.Linear(4, 1)))) == 0
strict = {"backend": counting, "fullgraph": True}
for inner in (sequential(), Net()):  # an error, whatever the model is
    for call in (
        lambda model: torch.compile(loss_of, **strict)(model),
        lambda model: torch.compile(model, **strict)(x),
    ):
        torch.compiler.reset()  # or a frame that was skipped before stays skipped
        try:
            call(wrap(inner))
        except torch._dynamo.exc.Unsupported:
            continue
        raise AssertionError("no error")


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = sequential()

    def forward(self, x):
        return self.inner(x)


assert counted(torch.compile(wrap(Holder()), backend=counting)).endswith("2 linear")
in_place = sequential()
in_place.compile(backend=counting)
assert counted(in_place).startswith("0 graphs") and counted(wrap(in_place)).startswith("0 graphs")
for own in (Holder(), Net()):
    own.compile(backend=counting)
    assert not counted(own).startswith("0 graphs") and not counted(wrap(own)).startswith("0 graphs")
for part in (nn.Linear(4, 2), nn.TransformerEncoderLayer(4, 2, 8)):
    part.compile(backend=counting)
    assert counted(part).startswith("0 graphs")
torch._dynamo.utils.counters.clear()
torch.compiler.reset()
torch.compile(wrap(sequential()), backend="eager")(x)
assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 0
dist.destroy_process_group()

# %% schedule hidden=true
for lr, count in ((1e-3, 2), (torch.tensor(1e-3), 1)):
    torch.compiler.reset()
    sizes.clear()
    layer = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(layer.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    step = torch.compile(optimizer.step, backend=counting)
    for _ in range(12):
        layer(x).sum().backward()
        step()
        scheduler.step()
    assert len(sizes) == count, sizes

# %% own-block-within hidden=true
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
assert counted(torch.compile(wrap(nn.Sequential(Holder(), nn.Linear(1, 1))), backend=counting)).startswith("1 graphs")
dist.destroy_process_group()

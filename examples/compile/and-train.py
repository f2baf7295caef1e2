"""Compile a training step: loss under autocast, optimizer, DDP."""

# %% eager
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import mse_loss

torch.manual_seed(0)
x, target = torch.randn(16, 4), torch.randn(16, 1)
sizes = []  # of each graph that the backend gets, in operations


def counting(graph_module, example_inputs):
    kinds = [node.op for node in graph_module.graph.nodes]
    sizes.append(kinds.count("call_function"))
    return graph_module.forward


def loss_of(model):
    with torch.autocast("cpu", torch.bfloat16):
        return mse_loss(model(x).float(), target)


def train(compute_loss=loss_of, compile_step=False, wrap=lambda model: model):
    torch.compiler.reset()
    sizes.clear()
    torch.manual_seed(0)
    first, *others = nn.Linear(4, 600), nn.Linear(600, 600), nn.Linear(600, 1)
    model = wrap(nn.Sequential(first, nn.ReLU(), *others))
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
print("same losses:", losses == expected, " operations in each graph:", sizes)

# %% compiled-before-ddp hidden=true
losses = train(wrap=lambda model: wrap(torch.compile(model, backend=counting)))
assert losses == expected and sizes == [2, 2], sizes  # split, too; without the loss
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

"""A summary of a model: layers, shapes, parameters, memory."""

# %% print
import torch
from torch import nn


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 10)  # created first, called last
        layers = nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Conv2d(8, 16, 3)
        self.body = nn.Sequential(*layers)

    def forward(self, image):
        features = self.body(image).relu()  # a function: no module, not printed
        return self.head(features.mean(dim=(2, 3)))


net = Digits()
print(net)

# %% no-summary raises="AttributeError"
net.summary()

# %% parameters
for name, parameter in net.named_parameters():
    print(f"{name:14} {tuple(parameter.shape)!s:15} {parameter.numel():5}")
total = sum(parameter.numel() for parameter in net.parameters())
trained = sum(p.numel() for p in net.parameters() if p.requires_grad)
print("total:", total, " trained:", trained)


# %% summary
def summary(model, *inputs):
    """Print each layer when it is called: output shape, parameters."""

    def hook(name):
        def report(module, args, output):
            shape = tuple(output.shape) if torch.is_tensor(output) else "several"
            count = sum(parameter.numel() for parameter in module.parameters())
            print(f"{name:7} {type(module).__name__:12} {shape!s:16} {count:>11,}")

        return report

    handles = []
    for name, module in model.named_modules():
        if not [*module.children()]:  # a layer, not a container
            handles.append(module.register_forward_hook(hook(name)))
    modes = {module: module.training for module in model.modules()}
    try:
        with torch.no_grad():
            model.eval()(*inputs)
    finally:
        for module, training in modes.items():
            module.training = training
        for handle in handles:
            handle.remove()
    total = sum(parameter.numel() for parameter in model.parameters())
    print(f"{'whole model':37} {total:>11,}")


summary(net, torch.zeros(1, 1, 28, 28))

# %% unchanged hidden=true
fresh = Digits()
before = {name: tensor.clone() for name, tensor in fresh.state_dict().items()}
summary(fresh, torch.randn(1, 1, 28, 28))
assert fresh.training and all(torch.equal(tensor, before[name]) for name, tensor in fresh.state_dict().items())
assert not any(module._forward_hooks for module in fresh.modules())
try:
    summary(fresh, torch.zeros(1, 2, 28, 28))  # wrong channels
except RuntimeError:
    assert fresh.training and not any(module._forward_hooks for module in fresh.modules())
fresh.body[1].eval()  # a frozen BatchNorm stays in eval mode
summary(fresh, torch.randn(1, 1, 28, 28))
assert fresh.training and not fresh.body[1].training

# %% memory
tensors = [*net.parameters(), *net.buffers()]
print(sum(tensor.nbytes for tensor in tensors), "bytes of weights and buffers")

kept = {}


def keep(tensor):
    storage = tensor.untyped_storage()
    kept[storage.data_ptr()] = storage.nbytes()
    return tensor.detach()  # not tensor: an output would keep itself alive


hooks = torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor)
with hooks:
    output = net(torch.zeros(32, 1, 28, 28))
for tensor in tensors:  # they are there anyway
    kept.pop(tensor.untyped_storage().data_ptr(), None)
print(f"{sum(kept.values()) / 2**20:.1f} MiB kept for backward, batch of 32")

# %% meta
with torch.device("meta"):
    wide = nn.Linear(8192, 32_768), nn.GELU(), nn.Linear(32_768, 8192)
    large = nn.Sequential(nn.Embedding(32_000, 8192), *wide)
    tokens = torch.empty(1, 128, dtype=torch.int64)  # (batch, time)
size = sum(parameter.nbytes for parameter in large.parameters())
print(f"{size / 2**30:.0f} GiB on any other device")
summary(large, tokens)

# %% torchinfo needs="torchinfo"
import torchinfo

print(torchinfo.summary(net, input_size=(1, 1, 28, 28), verbose=0))

# %% measured-and-freed hidden=true
import copy
import gc
import weakref


def outlives(pack):
    alive = []

    def watch(module, args, output):
        alive.append(weakref.ref(output))

    layer = nn.Tanh()  # saves its output
    layer.register_forward_hook(watch)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        layer(torch.ones(2, requires_grad=True))
    gc.collect()
    return alive[0]() is not None


assert not outlives(keep)
trained = Digits()
probe = copy.deepcopy(trained)
probe(torch.zeros(32, 1, 28, 28))
assert trained.body[1].num_batches_tracked == 0 and probe.body[1].num_batches_tracked == 1
assert not {*map(id, probe.parameters())} & {*map(id, trained.parameters())}  # an optimizer keeps the others

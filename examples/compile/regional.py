"""Compile the repeated block instead of the whole model."""

# %% model
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.norm, self.linear, self.scale = nn.LayerNorm(8), nn.Linear(8, 8), scale

    def forward(self, x):
        return x + self.scale * torch.relu(self.linear(self.norm(x)))


class Net(nn.Module):
    def __init__(self, scales):
        super().__init__()
        self.blocks = nn.ModuleList([Block(scale) for scale in scales])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


# %% count
sizes = []  # of each graph that the backend gets, in operations


def counting(graph_module, example_inputs):
    kinds = [node.op for node in graph_module.graph.nodes]
    sizes.append(kinds.count("call_function"))
    return graph_module.forward


def graphs(net, x, whole=False):
    torch.compiler.reset()
    sizes.clear()
    expected = net(x)
    for module in [net] if whole else net.blocks:
        module.compile(backend=counting)
    torch.testing.assert_close(net(x), expected)
    return f"{len(sizes)} graphs, operations: {sizes}"


x = torch.randn(4, 8)
with torch.no_grad():
    for depth in (3, 12):
        net = Net([1.0] * depth)
        print(depth, "blocks, each block: ", graphs(net, x))
        net = Net([1.0] * depth)
        print(depth, "blocks, whole model:", graphs(net, x, whole=True))

# %% names
net = Net([1.0, 1.0])
for block in net.blocks:
    block.compile(backend=counting)
print(list(net.state_dict())[:2])

# %% training
print("x without gradient:", graphs(Net([1.0] * 12), x))
print("x with gradient:   ", graphs(Net([1.0] * 12), x.clone().requires_grad_()))

# %% attribute
print("integers:", graphs(Net(range(1, 6)), x.clone().requires_grad_()))

# %% attribute-tensor
net = Net(torch.arange(1.0, 6.0).unbind())
print("tensors: ", graphs(net, x.clone().requires_grad_()))

# %% floats hidden=true
floats = graphs(Net([0.1, 0.2, 0.3, 0.4, 0.5]), x.clone().requires_grad_())
assert floats.startswith("2 graphs"), floats

# %% limit hidden=true
import logging

logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
graphs(Net(range(1, 13)), x.clone().requires_grad_())
assert len(sizes) == 8, sizes


# %% nested
class Region(Block):
    forward = torch.compiler.nested_compile_region(Block.forward)


net.blocks = nn.ModuleList([Region() for _ in range(12)])
with torch.no_grad():
    print("operations of the model's graph:", graphs(net, x, whole=True))


# %% nested-shared hidden=true
def subgraphs(graph_module, example_inputs):
    names = [name for name, child in graph_module.named_children()]
    assert names == ["subgraph_0"], names  # one for all twelve
    targets = [str(node.target) for node in graph_module.graph.nodes]
    assert targets.count("invoke_subgraph") == 12, targets
    return graph_module.forward


torch.compiler.reset()
with torch.no_grad():
    torch.compile(net.forward, backend=subgraphs, fullgraph=True)(x)

# %% nested-training hidden=true
torch.compiler.reset()
net.blocks = net.blocks[:3]
expected = torch.autograd.grad(net.forward(x).sum(), net.blocks[0].linear.weight)
loss = torch.compile(net.forward, backend="aot_eager", fullgraph=True)(x).sum()
torch.testing.assert_close(torch.autograd.grad(loss, net.blocks[0].linear.weight), expected)

# %% fsdp
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = Net([1.0] * 12)
expected = net(x)
torch.compiler.reset()
sizes.clear()
for block in net.blocks:
    block.compile(backend=counting)
    fully_shard(block)
fully_shard(net)
torch.testing.assert_close(net(x), expected)
print("operations in each graph:", sizes)

# %% fsdp-after hidden=true
after = Net([1.0] * 12)
after.load_state_dict({name: tensor.full_tensor() for name, tensor in net.state_dict().items()})
torch.compiler.reset()
sizes.clear()
for block in after.blocks:
    fully_shard(block)
    block.compile(backend=counting)
fully_shard(after)
torch.testing.assert_close(after(x), expected)
assert sizes == [5, 5], sizes
after(x).sum().backward()
assert after.blocks[0].linear.weight.grad.full_tensor().abs().sum() > 0
dist.destroy_process_group()


# %% constants hidden=true
class Dropped(Block):
    def forward(self, x):
        return nn.functional.dropout(super().forward(x), self.scale)


net.blocks = nn.ModuleList([Dropped(0.1 * number) for number in range(1, 6)])
torch.compiler.reset()
sizes.clear()
for block in net.blocks:
    block.compile(backend=counting)
    block(x.clone().requires_grad_())
assert len(sizes) == 5, sizes

# %% layers-of-nn hidden=true
newer = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 14)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)
for layers in (encoder.layers, [nn.Sequential(nn.Linear(8, 8), nn.ReLU())]):
    torch.compiler.reset()
    sizes.clear()
    for layer in layers:
        layer.compile(backend=counting)
        layer(x[None])
    assert bool(sizes) is newer


# %% strings hidden=true
class Named(Block):
    def forward(self, x):
        return super().forward(x) if self.name else x


net.blocks = nn.ModuleList([Named() for _ in range(4)])
torch.compiler.reset()
sizes.clear()
for number, block in enumerate(net.blocks):
    block.name = f"block {number}"
    block.compile(backend=counting)
    block(x)
assert len(sizes) == 4, sizes


# %% index hidden=true
class Indexes(Block):
    def forward(self, x):
        here = cache[self.number] if self.plain else cache.index_select(0, self.number)[0]
        return super().forward(x) + here


cache = torch.randn(4, 8)
for plain, expected in ((True, 1 if newer else 4), (False, 1)):
    torch.compiler.reset()
    sizes.clear()
    for number in range(4):
        block = Indexes()
        block.plain, block.number = plain, torch.tensor(number)
        block.compile(backend=counting)
        with torch.no_grad():
            torch.testing.assert_close(block(x), Block.forward(block, x) + cache[number])
    if tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 13):
        assert len(sizes) == expected, (plain, sizes)

# %% parametrized hidden=true
import copy

each = [Block() for _ in range(4)]
for block in each:
    nn.utils.parametrizations.weight_norm(block.linear)
for blocks, expected in ((each, 4), ([copy.deepcopy(each[0]) for _ in range(4)], 1)):
    torch.compiler.reset()
    sizes.clear()
    for block in blocks:
        block.compile(backend=counting)
        with torch.no_grad():
            block(x)
    if torch.__version__.startswith("2.13."):
        assert len(sizes) == expected, sizes

# %% hooks hidden=true
for skipped in (True, False):
    torch.compiler.reset()
    blocks, seen = [Block() for _ in range(2)], []
    blocks[1].linear.register_forward_hook(lambda *_: seen.append(1))
    with torch._dynamo.config.patch(skip_nnmodule_hook_guards=skipped), torch.no_grad():
        for block in blocks:
            block.compile(backend=counting)
            block(x)
    if torch.__version__.startswith("2.13."):
        assert bool(seen) is not skipped, seen

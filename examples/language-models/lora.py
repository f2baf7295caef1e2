"""LoRA by hand: a trained branch beside each frozen layer; save and merge it."""

# %% lora
import torch
from torch import nn


class LoRA(nn.Module):
    """A frozen linear layer and, beside it, two thin matrices that are trained."""

    def __init__(self, layer, rank=4, alpha=8):
        super().__init__()
        self.layer = layer
        inputs, outputs = layer.in_features, layer.out_features
        device = layer.weight.device
        start = torch.randn(rank, inputs, device=device) / inputs**0.5
        self.down = nn.Parameter(start)
        self.up = nn.Parameter(torch.zeros(outputs, rank, device=device))
        self.scale = alpha / rank

    def forward(self, x):  # (…, inputs) -> (…, outputs)
        out = self.layer(x)
        branch = x.to(self.down.dtype) @ self.down.T @ self.up.T
        return out + (self.scale * branch).to(out.dtype)


def replace(net, name, module):
    parent, _, child = name.rpartition(".")
    setattr(net.get_submodule(parent), child, module)


def add_lora(net, names, rank=4, alpha=8):
    net.requires_grad_(False)
    for name in names:
        replace(net, name, LoRA(net.get_submodule(name), rank, alpha))


# %% add
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 8))  # pretrained
x = torch.randn(5, 32)
before = net(x)
add_lora(net, names=["0", "2"])
print("same output:", torch.equal(net(x), before))
trained = [parameter for parameter in net.parameters() if parameter.requires_grad]
everything = sum(parameter.numel() for parameter in net.parameters())
print(f"{sum(p.numel() for p in trained)} of {everything} parameters are trained")

# %% train
inputs = torch.randn(256, 32)
labels = inputs[:, :8].argmax(dim=1)
frozen = net[0].layer.weight.clone()
optimizer = torch.optim.AdamW(trained, lr=0.02)
for step in range(101):
    loss = nn.functional.cross_entropy(net(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step in (0, 10, 100):
        print(f"step {step:3}  loss {loss.item():.1f}")
print("frozen:", torch.equal(net[0].layer.weight, frozen))

# %% adapter
adapter = {}
for name, parameter in net.named_parameters():
    if parameter.requires_grad:
        adapter[name] = parameter.detach().clone()  # training on leaves it alone
for name, parameter in adapter.items():
    print(f"{name:7} {tuple(parameter.shape)}")

# %% load
torch.manual_seed(0)
fresh = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 8))  # pretrained
add_lora(fresh, names=["0", "2"])
missing, unexpected = fresh.load_state_dict(adapter, strict=False)
print("not found:", unexpected, " left as it was:", missing[:2])
print("same output:", torch.equal(fresh(x), net(x)))


# %% merge
import copy


@torch.no_grad()
def merge_lora(net):
    """Put plain layers back, with the trained difference in their weights."""
    for name, module in list(net.named_modules()):
        if isinstance(module, LoRA):
            layer = copy.deepcopy(module.layer)  # used twice, it stays there
            difference = module.scale * module.up @ module.down  # float32
            weight = layer.weight + difference
            # a parameter of its own: where the weight is shared, the other stays
            weight = weight.to(layer.weight.dtype)
            layer.weight = nn.Parameter(weight, requires_grad=False)
            replace(net, name, layer)


tuned = net(x)
merge_lora(net)
print(list(net.state_dict()))
print("merged, same output:", torch.allclose(net(x), tuned, atol=1e-5))

# %% remove
for name in ("0", "2"):
    replace(fresh, name, fresh.get_submodule(name).layer)
print("pretrained again:", torch.equal(fresh(x), before))


# %% tied
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(50, 16)
        self.head = nn.Linear(16, 50, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids):
        return self.head(self.tokens(ids))


model, ids = Tied(), torch.arange(4)
add_lora(model, names=["head"])
nn.init.normal_(model.head.up)  # as after training
tuned = model(ids)
merge_lora(model)
print("same output:", torch.allclose(model(ids), tuned, atol=1e-4))
print("still tied: ", model.head.weight is model.tokens.weight)
loaded = Tied()
loaded.load_state_dict(model.state_dict())  # the class ties them again
print("loaded, same output:", torch.allclose(loaded(ids), tuned, atol=1e-4))

# %% parametrization
from torch.nn.utils import parametrize


class LowRank(nn.Module):
    """The same difference, added to the weight itself."""

    def __init__(self, weight, rank=4, alpha=8):
        super().__init__()
        outputs, inputs = weight.shape
        device = weight.device
        start = torch.randn(rank, inputs, device=device) / inputs**0.5
        self.down = nn.Parameter(start)
        self.up = nn.Parameter(torch.zeros(outputs, rank, device=device))
        self.scale = alpha / rank

    def forward(self, weight):
        return weight + (self.scale * self.up @ self.down).to(weight.dtype)


embedding = nn.Embedding(50, 16).requires_grad_(False)
parametrize.register_parametrization(embedding, "weight", LowRank(embedding.weight))
print([name for name, _ in embedding.named_parameters()])


# %% memory
def kept(net, x):
    """MiB that autograd keeps for backward, parameters left out."""
    own = {parameter.untyped_storage().data_ptr() for parameter in net.parameters()}
    sizes = {}

    def note(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            sizes[storage.data_ptr()] = storage.nbytes()
        return tensor.detach()  # not tensor: an output would keep itself alive

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        out = net(x)  # held until here, so that no address is used twice
    return sum(sizes.values()) / 2**20


def network():
    blocks = [(nn.Linear(512, 512), nn.GELU()) for _ in range(4)]
    return nn.Sequential(*[part for block in blocks for part in block])


linear = ["0", "2", "4", "6"]
full, beside, inside = network(), network(), network().requires_grad_(False)
add_lora(beside, names=linear)
for name in linear:
    layer = inside.get_submodule(name)
    parametrize.register_parametrization(layer, "weight", LowRank(layer.weight))
ways = {"full": full, "beside": beside, "inside": inside}
for rows in (16, 1024):
    batch = torch.randn(rows, 512)
    print(f"{rows:4} rows:", end="")
    for name, way in ways.items():
        print(f"  {name} {kept(way, batch):.1f}", end="")
    print()

# %% both-zero
add_lora(fresh, names=["0"])
part = fresh[0]
nn.init.zeros_(part.down)
fresh(x).sum().backward()
print("both zero:  ", part.up.grad.any().item(), part.down.grad.any().item())
nn.init.normal_(part.down)
fresh.zero_grad()
fresh(x).sum().backward()
print("up zero:    ", part.up.grad.any().item(), part.down.grad.any().item())

# %% claims hidden=true
assert not net[0].weight.requires_grad  # merged weights stay frozen
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    one = nn.Sequential(nn.Linear(6, 3)).to(dtype)
    add_lora(one, ["0"], rank=2)
    assert one[0].up.dtype is torch.float32  # the trained part, also of a model in 16 bits
    nn.init.normal_(one[0].up)
    for rows in (0, 1, 4):
        y = torch.randn(6, rows, dtype=dtype).T  # not contiguous
        out = one(y)
        assert out.dtype is dtype and out.shape == (rows, 3)
    one.zero_grad()
    one(y).sum().backward()
    assert one[0].layer.weight.grad is None and one[0].down.grad.isfinite().all()
    tolerance = {torch.float16: 1e-2, torch.bfloat16: 1e-1}.get(dtype, 1e-5)
    merge_lora(one)
    torch.testing.assert_close(one(y), out, atol=tolerance, rtol=tolerance)
with torch.autocast("cpu", torch.bfloat16):
    two = nn.Sequential(nn.Linear(6, 3), nn.ReLU(), nn.Linear(3, 2))
    add_lora(two, ["0", "2"])
    two(torch.randn(4, 6)).sum().backward()
steps = {}
for name, alphas in {"ratio kept": (8, 32, 128), "alpha fixed": (8, 8, 8)}.items():
    for rank, alpha in zip((4, 16, 64), alphas, strict=True):
        torch.manual_seed(1)
        layer = nn.Sequential(nn.Linear(128, 128))
        add_lora(layer, ["0"], rank, alpha)
        y = torch.randn(64, 128)
        start = layer(y).detach()
        rate = torch.optim.AdamW([p for p in layer.parameters() if p.requires_grad], lr=1e-3)
        layer(y).pow(2).sum().backward()
        rate.step()
        steps.setdefault(name, []).append((layer(y) - start).norm().item())
assert steps["ratio kept"] == sorted(steps["ratio kept"]), steps
assert steps["alpha fixed"] == sorted(steps["alpha fixed"], reverse=True), steps
encoder = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True).requires_grad_(False)
y = torch.randn(2, 3, 8)
read = ["self_attn.out_proj", "linear1", "linear2"]  # the layer reads their weights itself
for name in read:
    layer = encoder.get_submodule(name)
    replace(encoder, name, LoRA(layer))
    try:
        with torch.no_grad():
            encoder.eval()(y)
    except AttributeError as error:
        assert "'LoRA' object has no attribute 'weight'" in str(error)
    else:
        raise AssertionError(name)
    replace(encoder, name, layer)
for name in read:
    layer = encoder.get_submodule(name)
    parametrize.register_parametrization(layer, "weight", LowRank(layer.weight))
    nn.init.normal_(layer.parametrizations.weight[0].up)
with torch.no_grad():
    fast = encoder.eval()(y)
assert torch.allclose(encoder.train()(y), fast, atol=1e-4)
three = nn.Sequential(nn.Linear(6, 3), nn.Linear(3, 2))
add_lora(three, ["0"])
assert three.to(torch.bfloat16)[0].up.dtype is torch.bfloat16
add_lora(three, ["1"])
assert not three[0].up.requires_grad and three[1].up.requires_grad
half = nn.Linear(6, 3).to(torch.bfloat16).requires_grad_(False)
parametrize.register_parametrization(half, "weight", LowRank(half.weight))
assert half.weight.dtype is torch.bfloat16 and half.parametrizations.weight[0].up.dtype is torch.float32

# %% used-twice hidden=true
for names in (["0"], ["2"], ["0", "2"]):
    shared = nn.Linear(8, 8)
    twice = nn.Sequential(shared, nn.ReLU(), shared)
    add_lora(twice, names)
    for name in names:
        nn.init.normal_(twice.get_submodule(name).up)
    y = torch.randn(3, 8)
    out = twice(y)
    merge_lora(twice)
    torch.testing.assert_close(twice(y), out, atol=1e-3, rtol=1e-4)
batch = torch.randn(1024, 512)
sizes = {}
for dtype in (torch.float32, torch.bfloat16):
    full, beside = network().to(dtype), network().to(dtype)
    add_lora(beside, names=linear)
    sizes[dtype] = kept(beside, batch.to(dtype)) / kept(full, batch.to(dtype))
assert 1 <= sizes[torch.float32] < 1.1 and sizes[torch.bfloat16] > 1.4, sizes

# %% other-inputs hidden=true
elsewhere = nn.Linear(6, 3, device="meta").requires_grad_(False)
parametrize.register_parametrization(elsewhere, "weight", LowRank(elsewhere.weight))
assert elsewhere.weight.is_meta and all(one.is_meta for one in elsewhere.parameters())

# %% without-alpha hidden=true
torch.manual_seed(0)
adapter["0.up"] = torch.randn(64, 4)
outputs = {}
for rank, alpha in ((4, 8), (4, 16), (8, 16)):
    torch.manual_seed(0)
    fresh = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 8))
    add_lora(fresh, ["0", "2"], rank, alpha)
    try:
        assert not fresh.load_state_dict(adapter, strict=False).unexpected_keys
    except RuntimeError as error:
        assert rank == 8 and "size mismatch" in str(error)  # another rank raises
    else:
        outputs[alpha] = fresh(x)
assert list(outputs) == [8, 16] and not torch.allclose(*outputs.values(), atol=0.1)  # another alpha does not

# %% kept-apart hidden=true
alone = nn.Sequential(nn.Linear(4, 4))
add_lora(alone, ["0"])
saved = {name: one.detach().clone() for name, one in alone.named_parameters() if one.requires_grad}
alone(torch.ones(1, 4)).sum().backward()
torch.optim.SGD([alone[0].up], lr=1.0).step()
assert not torch.equal(saved["0.up"], alone[0].up) and not saved["0.up"].any()

# %% checkpointed hidden=true
import warnings

from torch.utils.checkpoint import checkpoint

for reentrant in (True, False):
    words, inner, head = nn.Embedding(5, 4), nn.Sequential(nn.Linear(4, 4)), nn.Sequential(nn.Linear(4, 2))
    words.requires_grad_(False)
    add_lora(inner, ["0"])
    add_lora(head, ["0"])
    nn.init.normal_(head[0].up)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that no input requires a gradient: shown in training/checkpoint-errors
        hidden = checkpoint(inner, words(torch.arange(5)), use_reentrant=reentrant)
    head(hidden).sum().backward()
    assert (inner[0].up.grad is None) is reentrant and head[0].up.grad is not None

# %% few-adapters hidden=true
full, few = network(), network()
add_lora(few, ["6"])
assert kept(few, batch) < 0.3 * kept(full, batch)  # frozen linear layers without an adapter keep no input

# %% measured-and-freed hidden=true
import gc
import weakref

alive = []
watched = nn.Sequential(nn.Linear(4, 4), nn.ReLU())  # ReLU saves its output
watched[1].register_forward_hook(lambda module, args, output: alive.append(weakref.ref(output)))
kept(watched, torch.ones(1, 4))
gc.collect()
assert alive[0]() is None

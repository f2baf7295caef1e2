"""The meta device: a model with shapes and no memory."""

# %% skeleton
import torch
from torch import nn

with torch.device("meta"):
    large = nn.Linear(100_000, 100_000)
print(large.weight.device, tuple(large.weight.shape))
print(f"{large.weight.nbytes / 2**30:.0f} GiB, if it had memory")

# %% shapes
with torch.device("meta"):
    layers = nn.Conv2d(3, 8, 3, stride=2), nn.Flatten(), nn.Linear(8 * 15 * 15, 10)
    net = nn.Sequential(*layers)
    print(net(torch.empty(64, 3, 32, 32)).shape)
print(sum(parameter.numel() for parameter in net.parameters()), "parameters")


# %% assign
def build():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))


torch.manual_seed(0)
checkpoint = build().state_dict()  # as from a file

with torch.device("meta"):
    net = build()
print(net.load_state_dict(checkpoint, assign=True))
stored = checkpoint["0.weight"].data_ptr()
print("memory of the checkpoint:", net[0].weight.data_ptr() == stored)
print("requires_grad:", net[0].weight.requires_grad)

# %% to-empty
with torch.device("meta"):
    net = build()
net.to_empty(device="cpu")  # memory, but no values yet
print(net.load_state_dict(checkpoint))

# %% no-values raises="NotImplementedError"
with torch.device("meta"):
    net = build()
net.to("cpu")

# %% moved
with torch.device("meta"):
    net = build()
net = net.to_empty(device="cpu")
net.load_state_dict(checkpoint)
print(net[0].weight.device)

# %% without-assign warns="UserWarning"
with torch.device("meta"):
    net = nn.Linear(4, 8)
net.load_state_dict({"weight": torch.ones(8, 4), "bias": torch.zeros(8)})
print(net.weight.device)


# %% left-behind
class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("positions", torch.arange(4), persistent=False)


with torch.device("meta"):
    net = Positions()
net.load_state_dict({"scale": torch.ones(1)}, assign=True)
for name, tensor in [*net.named_parameters(), *net.named_buffers()]:
    print(name, tensor.device)

# %% fill-the-rest
net.positions = torch.arange(4)
print("left on meta:", [name for name, held in net.named_buffers() if held.is_meta])

# %% to-empty-garbage
torch.use_deterministic_algorithms(True)  # fills new memory: garbage is visible
with torch.device("meta"):
    net = Positions()
net.to_empty(device="cpu")
torch.use_deterministic_algorithms(False)
print(net.load_state_dict({"scale": torch.ones(1)}))
print("left on meta:", [name for name, held in net.named_buffers() if held.is_meta])
print("positions:", net.positions)

# %% not-persistent
stored = set(net.state_dict())
left = [name for name, tensor in net.named_buffers() if name not in stored]
print("to compute again:", left)
net.positions = torch.arange(4)
print("positions:", net.positions)

# %% needs-values hidden=true
shapes_only = torch.ones(3, device="meta")
for use in (torch.Tensor.item, torch.Tensor.nonzero, lambda tensor: tensor[tensor > 0]):
    try:
        use(shapes_only[:1])
    except (RuntimeError, NotImplementedError):
        continue
    raise AssertionError("values of a meta tensor")

# %% untied hidden=true


def tied():
    pair = nn.ModuleDict({"embedding": nn.Embedding(5, 3), "head": nn.Linear(3, 5, bias=False)})
    pair["head"].weight = pair["embedding"].weight
    return pair


for assign in (True, False):
    with torch.device("meta"):
        pair = tied()
    if not assign:
        pair.to_empty(device="cpu")
    pair.load_state_dict(tied().state_dict(), assign=assign)
    assert len(list(pair.parameters())) == 2
    pair["head"].weight = pair["embedding"].weight
    assert len(list(pair.parameters())) == 1

# %% plain-attribute hidden=true


class Selects(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.basis = nn.Linear(4, 4), torch.eye(4)  # no buffer

    def forward(self, x):
        return self.layer(x) @ self.basis


with torch.device("meta"):
    net = Selects()
net.load_state_dict(Selects().state_dict(), assign=True)
assert net.basis.is_meta and not [name for name, held in net.named_buffers() if held.is_meta]
if torch.__version__ >= "2.13":  # without an error; earlier ones may raise one
    query, outside = torch.randn(1, 1, 4, 8), torch.ones(4, 4, dtype=torch.bool, device="meta")
    attended = nn.functional.scaled_dot_product_attention(query, query, query, attn_mask=outside)
    selected = query[..., torch.tensor([1, 0], device="meta")]
    assert net(torch.ones(2, 4)).is_cpu and attended.is_cpu and selected.is_cpu
try:
    net.layer(torch.ones(2, 4)) * net.basis[0]
except RuntimeError:
    pass
else:
    raise AssertionError("no error for a product with a meta tensor")

# %% loaded-then-emptied hidden=true
with torch.device("meta"):
    net = Positions()
net.load_state_dict({"scale": torch.ones(1)}, assign=True)
try:
    net.to("cpu")
except NotImplementedError as error:
    assert "Cannot copy out of meta tensor" in str(error)  # the buffer is left
else:
    raise AssertionError("a meta tensor was moved")
torch.use_deterministic_algorithms(True)
net.to_empty(device="cpu")
torch.use_deterministic_algorithms(False)
assert net.scale.isnan().all()  # what was loaded is gone

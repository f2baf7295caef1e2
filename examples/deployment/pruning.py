"""Pruning: weights set to zero by a mask, whole channels removed, and what becomes smaller."""

# %% mask
import torch
from torch import nn
from torch.nn.utils import prune

torch.manual_seed(0)
linear = nn.Linear(8, 4)
prune.l1_unstructured(linear, "weight", amount=0.75)  # the smallest three quarters
print("zeros:", (linear.weight == 0).sum().item(), "of", linear.weight.numel())
print("parameters:", [name for name, _ in linear.named_parameters()])
print("buffers:   ", [name for name, _ in linear.named_buffers()])

# %% keys raises="RuntimeError"
nn.Linear(8, 4).load_state_dict(linear.state_dict())

# %% remove
prune.remove(linear, "weight")  # keeps the zeros, drops the mask
fresh = nn.Linear(8, 4)
print(fresh.load_state_dict(linear.state_dict()))
print("zeros:", (fresh.weight == 0).sum().item())

# %% after-remove
optimizer = torch.optim.SGD(fresh.parameters(), lr=0.1)
fresh(torch.randn(16, 8)).square().mean().backward()
optimizer.step()
print("zeros after a step without the mask:", (fresh.weight == 0).sum().item())

masked = nn.Linear(8, 4)
prune.l1_unstructured(masked, "weight", amount=0.75)
optimizer = torch.optim.SGD(masked.parameters(), lr=0.1)
masked(torch.randn(16, 8)).square().mean().backward()
optimizer.step()
masked(torch.randn(1, 8))  # the forward pass multiplies with the mask
print("zeros after a step with the mask:   ", (masked.weight == 0).sum().item())

# %% size
import io


def file_size(module):
    file = io.BytesIO()
    torch.save(module.state_dict(), file)
    return file.tell()


dense, pruned = nn.Linear(512, 512), nn.Linear(512, 512)
prune.l1_unstructured(pruned, "weight", amount=0.9)
print(f"with the mask: × {file_size(pruned) / file_size(dense):.1f}")
prune.remove(pruned, "weight")
print(f"zeros alone:   × {file_size(pruned) / file_size(dense):.1f}")

# %% channels
torch.manual_seed(0)
first, second = nn.Linear(16, 64), nn.Linear(64, 4)
with torch.no_grad():
    first.weight[10:] *= 1e-4  # 54 units that do next to nothing
    first.bias[10:] = 0

keep = first.weight.norm(dim=1).topk(10).indices.sort().values
small_first, small_second = nn.Linear(16, len(keep)), nn.Linear(len(keep), 4)
with torch.no_grad():
    small_first.weight.copy_(first.weight[keep])
    small_first.bias.copy_(first.bias[keep])
    small_second.weight.copy_(second.weight[:, keep])  # the next layer's inputs
    small_second.bias.copy_(second.bias)

inputs = torch.randn(5, 16)
whole = second(first(inputs).relu())
small = small_second(small_first(inputs).relu())
print("kept units:", keep.tolist())
print("largest difference below 0.001:", (whole - small).abs().max().item() < 1e-3)
for name, pair in {
    "before": (first, second),
    "after": (small_first, small_second),
}.items():
    print(
        name,
        sum(p.numel() for layer in pair for p in layer.parameters()),
        "parameters",
    )

# %% two-of-four
torch.manual_seed(0)
layer = nn.Linear(16, 8)
fours = layer.weight.detach().abs().unflatten(1, (-1, 4))  # neighbors in a row
mask = torch.zeros_like(fours).scatter_(2, fours.topk(2).indices, 1)
prune.custom_from_mask(layer, "weight", mask.flatten(1))
zeros = (layer.weight.unflatten(1, (-1, 4)) == 0).sum(dim=2)
print("zeros in each four:", zeros.unique().tolist())

# %% global
torch.manual_seed(0)
layers = [nn.Linear(64, 64), nn.Linear(64, 64)]
with torch.no_grad():
    layers[1].weight *= 0.1  # a layer of small weights
pairs = [(layer, "weight") for layer in layers]
prune.global_unstructured(pairs, pruning_method=prune.L1Unstructured, amount=0.5)
print(
    "zeros per layer:",
    [f"{(layer.weight == 0).float().mean():.0%}" for layer in layers],
)

# %% deepcopy hidden=true

assert prune.is_pruned(layers[0])
layers[0](torch.randn(2, 64))


# %% is-two-of-four
def is_two_of_four(weight):
    """Of every four neighbors in a row, at least two are zero."""
    return bool(((weight.unflatten(-1, (-1, 4)) == 0).sum(dim=-1) >= 2).all())


torch.manual_seed(0)
weight = torch.randn(64, 64)
fours = weight.unflatten(1, (-1, 4))
mask = torch.zeros_like(fours).scatter_(2, fours.abs().topk(2).indices, 1)
mask = mask.flatten(1)
half = weight.abs() > weight.abs().median()  # half of them, wherever they are

for name, kept in (("2:4", weight * mask), ("anywhere", weight * half)):
    error = (kept - weight).norm() / weight.norm()
    zeros = (kept == 0).float().mean()
    pattern = is_two_of_four(kept)
    print(f"{name:8} zeros {zeros:.0%}, 2:4: {pattern}, error {error:.2f}")

# %% semi-structured-cpu raises="RuntimeError"
from torch.sparse import to_sparse_semi_structured

to_sparse_semi_structured((weight * mask).half())

# %% semi-structured-gpu needs="cuda" varies=true
from torch.utils.benchmark import Timer

fours = torch.randn(4096, 1024, 4) * torch.tensor([0, 0, 1, 1])
dense = fours.flatten(1).half().cuda()
sparse = to_sparse_semi_structured(dense)
x = torch.randn(4096, 4096).half().cuda()
times = []
for w in (dense, sparse):
    timer = Timer("w @ x", globals={"w": w, "x": x})
    times.append(timer.blocked_autorange().median)
print(f"dense over sparse: {times[0] / times[1]:.1f}")
print("equal:", torch.allclose(dense @ x, sparse @ x, rtol=0.01, atol=0.5))

# %% stays-two-of-four hidden=true
assert not is_two_of_four(weight) and is_two_of_four(torch.zeros(2, 8))
assert is_two_of_four(torch.tensor([[1.0, 0, 0, 2, 0, 0, 0, 3]])) and not is_two_of_four(torch.tensor([[1.0, 2, 3, 0]]))
for seed in range(20):  # free choice never loses more than a choice within each four
    torch.manual_seed(seed)
    weight = torch.randn(16, 16)
    fours = weight.unflatten(1, (-1, 4))
    mask = torch.zeros_like(fours).scatter_(2, fours.abs().topk(2).indices, 1).flatten(1)
    free = weight * (weight.abs() > weight.abs().median())
    assert (weight * mask - weight).norm() >= (free - weight).norm()
    assert is_two_of_four(weight * mask) and not is_two_of_four((weight * mask).T.contiguous())
from torch.sparse import SparseSemiStructuredTensorCUSPARSELT as First
from torch.sparse import SparseSemiStructuredTensorCUTLASS as Second

for way in (First, Second):  # rows and columns of a weight in half precision
    least = way._DTYPE_SHAPE_CONSTRAINTS[torch.float16]
    assert 32 % least.sparse_min_rows == 0 and 64 % least.sparse_min_cols == 0, least
assert Second._DTYPE_SHAPE_CONSTRAINTS[torch.float16][:2] == (32, 64)

# %% constant-units hidden=true
torch.manual_seed(0)
first, second = nn.Linear(16, 64), nn.Linear(64, 4)
inputs = torch.randn(5, 16)
keep, gone = torch.arange(10), torch.arange(10, 64)
for bias, activation, lost in ((0, torch.relu, False), (2, torch.relu, True), (0, torch.sigmoid, True)):
    with torch.no_grad():
        first.weight[gone] *= 1e-4
        first.bias[gone] = bias
        whole = second(activation(first(inputs)))
        kept = activation(first(inputs))[:, keep] @ second.weight[:, keep].T + second.bias
        constant = second.weight[:, gone] @ activation(first.bias[gone])
    assert ((whole - kept).abs().max().item() > 0.1) is lost, (bias, activation)
    assert torch.allclose(whole, kept + constant, atol=1e-3)

# %% constant-between-linear-alone hidden=true
norm = nn.BatchNorm1d(64).eval()
with torch.no_grad():
    first.bias[gone], norm.weight[gone], norm.bias[gone] = 2, 1e-4, 1
    whole = second(norm(first(inputs)).relu())
    kept = norm(first(inputs)).relu()[:, keep] @ second.weight[:, keep].T + second.bias
    constants = [second.weight[:, gone] @ bias[gone].relu() for bias in (first.bias, norm.bias)]
assert [torch.allclose(whole, kept + constant, atol=1e-2) for constant in constants] == [False, True]

"""Could not run 'aten::…': the operator has no kernel for this kind of tensor."""

# %% sparse raises="NotImplementedError" varies=true
import torch

adjacency = torch.tensor([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]]).to_sparse()
adjacency.topk(1)

# %% dense
print(adjacency.layout, adjacency.device)
print(adjacency.to_dense().topk(1).values)


# %% supported
def supported(operation):
    try:
        operation(adjacency)
    except NotImplementedError:
        return "no"
    return "yes"


operations = {
    "abs()": lambda x: x.abs(),
    "relu()": lambda x: x.relu(),
    "sum()": lambda x: x.sum(),
    "x @ dense": lambda x: x @ torch.ones(3, 2),
    "x[0]": lambda x: x[0],
    "sigmoid()": lambda x: x.sigmoid(),
    "mean()": lambda x: x.mean(),
    "argmax()": lambda x: x.argmax(),
    "softmax(1)": lambda x: x.softmax(1),
    "x > 0": lambda x: x > 0,
    "x[0:1]": lambda x: x[0:1],
}
for name, operation in operations.items():
    print(f"{name:11}", supported(operation))

# %% values
print("largest stored value:", adjacency.coalesce().values().max())
print(torch.sparse.softmax(adjacency, dim=1).to_dense())

# %% own-operator raises="NotImplementedError" varies=true
library = torch.library.Library("boxes", "DEF")
library.define("area(Tensor corners) -> Tensor")


def area(corners):
    return (corners[:, 2:] - corners[:, :2]).prod(dim=1)


library.impl("area", area, "CUDA")  # an extension that was built for GPUs alone
corners = torch.tensor([[0.0, 0.0, 2.0, 3.0]])
torch.ops.boxes.area(corners)

# %% own-operator-cpu
library.impl("area", area, "CPU")
print(torch.ops.boxes.area(corners))

# %% no-such-operator raises="AttributeError"
torch.ops.boxes.overlap(corners)

# %% dense-is-all hidden=true
for operation in operations.values():
    operation(adjacency.to_dense())

# %% registered hidden=true
library.define("overlap(Tensor corners) -> Tensor")
library.impl("overlap", lambda corners: corners[:, :2].amax(dim=0), "CPU")
assert torch.ops.boxes.overlap(corners).shape == (2,)

# %% rule-of-thumb hidden=true
functional = torch.nn.functional
for name in ("abs", "relu", "tanh", "sin", "sqrt", "square", "expm1", "round"):
    assert supported(lambda x: getattr(x, name)()) == "yes", name
for operation in (lambda x: x.clamp(0, 1), functional.gelu, functional.dropout, lambda x: x.exp(), lambda x: x.cos()):
    assert supported(operation) == "no"

# %% not-quantized hidden=true
import warnings

warnings.simplefilter("ignore", UserWarning)  # quantized tensors are deprecated
if "fbgemm" in torch.backends.quantized.supported_engines:
    weight = torch.quantize_per_tensor(torch.ones(2, 3), 0.1, 0, torch.qint8)
    packed = torch.ops.quantized.linear_prepack(weight, None)
    try:
        torch.ops.quantized.linear(torch.ones(1, 3), packed, 0.1, 0)
    except NotImplementedError as error:
        assert "Could not run 'quantized::linear' with arguments from the 'CPU' backend" in str(error)
    else:
        raise AssertionError
    torch.ops.quantized.linear(torch.quantize_per_tensor(torch.ones(1, 3), 0.1, 0, torch.quint8), packed, 0.1, 0)

# %% backward hidden=true
for forward in (lambda x: x.tanh().to_dense().sum(), lambda x: x.sin().to_dense().sum(), lambda x: x.relu().sum()):
    leaf = adjacency.clone().requires_grad_()
    try:
        forward(leaf).backward()
    except NotImplementedError as error:
        assert "Could not run" in str(error)
    else:
        raise AssertionError("backward() passes it now")
leaf = adjacency.to_dense().requires_grad_()
x = leaf.to_sparse().coalesce()
torch.sparse_coo_tensor(x.indices(), x.values().tanh(), x.shape).to_dense().sum().backward()
stored = adjacency.to_dense() != 0
assert torch.allclose(leaf.grad, torch.where(stored, 1 - leaf.detach().tanh() ** 2, 0.0))

# %% listed-without-a-kernel hidden=true
try:
    adjacency.topk(1)
except NotImplementedError as error:
    own = [line.split(":")[0] for line in str(error).splitlines() if line.endswith("[kernel]")]
    assert "CPU" in own and "SparseCsrCPU" not in own, own
try:
    adjacency.to_sparse_csr().topk(1)  # in the list
except NotImplementedError as error:
    assert "'SparseCsrCPU' backend" in str(error)
else:
    raise AssertionError("a CSR tensor has topk now")

# %% zeros-that-stay hidden=true
for operation in (lambda x: x**-1, lambda x: x / 0):
    assert operation(adjacency).to_dense()[0, 0] == 0 and not operation(adjacency.to_dense())[0, 0].isfinite()

# %% nested-padding hidden=true
nested = torch.nested.nested_tensor([-torch.ones(2, 3), -torch.ones(1, 3)])
try:
    nested.max()
except NotImplementedError as error:
    assert "'NestedTensorCPU' backend" in str(error)
else:
    raise AssertionError("a nested tensor has max now")
assert nested.to_padded_tensor(0.0).max() == 0 and max(part.max() for part in nested.unbind()) == -1

# %% not-quantized-either hidden=true
for name in ("int_repr", "q_scale"):
    try:
        getattr(torch.ones(2), name)()
    except NotImplementedError as error:
        assert f"Could not run 'aten::{name}' with arguments from the 'CPU' backend" in str(error)
    else:
        raise AssertionError(name)
    getattr(torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8), name)()

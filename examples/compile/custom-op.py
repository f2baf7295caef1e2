"""torch.library.custom_op: a function that the compiler does not look into."""

# %% define
import numpy as np
import torch
from torch import Tensor


@torch.library.custom_op("cookbook::cube_root", mutates_args=())
def cube_root(x: Tensor) -> Tensor:
    return torch.as_tensor(np.cbrt(x.numpy()))


x = torch.tensor([1.0, 8.0, 27.0])
print(cube_root(x))


# %% no-fake raises="torch._dynamo.exc.TorchRuntimeError"
def loss(x):
    return (cube_root(x) * 2).sum()


torch.compile(loss, backend="aot_eager", fullgraph=True)(x)


# %% fake
@cube_root.register_fake
def _(x):
    return torch.empty_like(x)  # shape, dtype and device; no values


compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
print("compiled:", compiled(x), " eager:", loss(x))


# %% no-autograd raises="RuntimeError"
weight = x.clone().requires_grad_()
loss(weight).backward()


# %% autograd
def setup_context(ctx, inputs, output):
    ctx.save_for_backward(output)


def backward(ctx, grad):
    (root,) = ctx.saved_tensors
    return grad / (3 * root**2)


cube_root.register_autograd(backward, setup_context=setup_context)
compiled(weight).backward()
print("gradient:", weight.grad)
double = weight.detach().double().requires_grad_()
print("gradcheck:", torch.autograd.gradcheck(cube_root, (double,)))

# %% opcheck
for name, result in torch.library.opcheck(cube_root, (weight,)).items():
    print(f"{name:27} {result}")


# %% export
class Net(torch.nn.Module):
    def forward(self, x):
        return cube_root(x) + 1


program = torch.export.export(Net(), (x,))
print([str(node.target) for node in program.graph.nodes])
print(program.module()(x))


# %% mutates
@torch.library.custom_op("cookbook::halve_", mutates_args={"x"})
def halve_(x: Tensor) -> None:
    x.numpy()[...] /= 2


halved = x.clone()
halve_(halved)
print(halved)


# %% wrong-mutation raises="torch.testing._internal.optests.generate_tests.OpCheckError"
@torch.library.custom_op("cookbook::halve_badly", mutates_args=())
def halve_badly(x: Tensor) -> Tensor:
    x.mul_(0.5)
    return x + 1


torch.library.opcheck(halve_badly, (x.clone(),))


# %% alias raises="RuntimeError"
@torch.library.custom_op("cookbook::same", mutates_args=())
def same(x: Tensor) -> Tensor:
    return x


same(x)


# %% copied
@torch.library.custom_op("cookbook::same_values", mutates_args=())
def same_values(x: Tensor) -> Tensor:
    return x.clone()


print(same_values(x))


# %% no-types raises="ValueError"
@torch.library.custom_op("cookbook::untyped", mutates_args=())
def untyped(x):
    return x + 1


# %% mutates-right hidden=true
@torch.library.custom_op("cookbook::halve_and_add", mutates_args={"x"})
def halve_and_add(x: Tensor) -> Tensor:
    x.mul_(0.5)
    return x + 1


@torch.library.custom_op("cookbook::halve_a_clone", mutates_args=())
def halve_a_clone(x: Tensor) -> Tensor:
    return x.clone().mul_(0.5) + 1


for operator in (halve_and_add, halve_a_clone):
    operator.register_fake(torch.empty_like)
    assert set(torch.library.opcheck(operator, (x.clone(),)).values()) == {"SUCCESS"}

# %% other-shapes hidden=true
for given in (torch.tensor(8.0), torch.zeros(0), torch.rand(3, 4).t(), torch.rand(6)[::2]):
    assert set(torch.library.opcheck(cube_root, (given,)).values()) == {"SUCCESS"}
    before = given.clone()
    halve_(given)
    assert torch.equal(given, before / 2)


# %% wrong-fake hidden=true
@torch.library.custom_op("cookbook::widened", mutates_args=())
def widened(x: Tensor) -> Tensor:
    return x.double()


widened.register_fake(torch.empty_like)
try:
    torch.library.opcheck(widened, (x,))
except Exception as error:
    assert "torch.float64 and torch.float32 are not equal" in str(error)
else:
    raise AssertionError("opcheck let a wrong dtype pass")

# %% wrong-fake-value hidden=true
torch.compile(lambda x: widened(x) + 1, backend="aot_eager")(x)  # no error


# %% which-types hidden=true
import logging
from typing import Optional

logging.getLogger("torch._library").setLevel(logging.ERROR)


def fits(x: list[Tensor], sizes: list[int], on: list[bool], scale: Optional[float], name: str) -> Tensor: ...
def fits_too(x: Optional[Tensor], dtype: torch.dtype, device: torch.device) -> tuple[Tensor, Tensor]: ...


for function in (fits, fits_too):
    torch.library.infer_schema(function, mutates_args=())
for wrong in (np.ndarray, tuple[int, int], dict, list[str]):
    fits.__annotations__["name"] = wrong
    try:
        torch.library.infer_schema(fits, mutates_args=())
    except ValueError as error:
        assert "Parameter name has unsupported type" in str(error), error
    else:
        raise AssertionError(f"{wrong} is allowed")

# %% other-dtypes hidden=true
for dtype in (torch.float16, torch.float64):
    assert cube_root(torch.ones(3, dtype=dtype)).dtype == dtype
assert cube_root(torch.arange(3)).dtype == torch.float64  # the fake function says int64
assert cube_root(torch.arange(3, device="meta")).dtype == torch.int64
try:
    cube_root(torch.ones(3, dtype=torch.bfloat16))
except TypeError as error:
    assert "unsupported ScalarType BFloat16" in str(error)
else:
    raise AssertionError("NumPy has bfloat16 now")


# %% numpy-alias hidden=true
@torch.library.custom_op("cookbook::one_row", mutates_args=())
def one_row(x: Tensor) -> Tensor:
    return torch.from_numpy(np.atleast_2d(x.numpy()))  # the memory of x


one_row.register_fake(lambda x: x.new_empty((1, *x.shape)))
given = torch.ones(3)
assert set(torch.library.opcheck(one_row, (given,)).values()) == {"SUCCESS"}  # nobody notices
one_row(given).zero_()
assert not given.any()

# %% change-in-a-graph hidden=true
weight = x.clone().requires_grad_()
scaled = weight * 1
try:
    halve_(scaled)
    scaled.sum().backward()
except RuntimeError:
    pass  # a release that notices
else:
    assert torch.equal(scaled, x / 2)
    assert torch.equal(weight.grad, torch.ones(3))  # and not a half
try:
    halve_.register_autograd(lambda ctx, grad: grad / 2)
except RuntimeError as error:
    assert "non-functional" in str(error), error
else:
    raise AssertionError("an operator that changes its input takes a formula")


# %% which-results hidden=true
def gives(x: Tensor) -> Tensor: ...


for result, allowed in {
    int: True,
    None: True,
    tuple[Tensor, Tensor]: True,
    Optional[Tensor]: False,
    str: False,
    dict: False,
}.items():
    gives.__annotations__["return"] = result
    try:
        torch.library.infer_schema(gives, mutates_args=())
    except ValueError as error:
        assert not allowed and "Return has unsupported type" in str(error), error
    else:
        assert allowed, result


# %% number-of-the-fake hidden=true
@torch.library.custom_op("cookbook::total", mutates_args=())
def total(x: Tensor) -> float:
    return float(x.sum())


total.register_fake(lambda x: 0.0)
assert (x * total(x)).any()
if torch.__version__.startswith("2.13."):  # wrong without an error
    assert not torch.compile(lambda x: x * total(x), backend="eager")(x).any()

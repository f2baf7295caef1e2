"""Custom functions differentiated twice, and under vmap."""

# %% once
import numpy as np
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class NumpySine(Function):
    @staticmethod
    def forward(x):
        return torch.as_tensor(np.sin(x.numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.as_tensor(np.cos(x.numpy()))


z = torch.tensor([0.0, 1.0], requires_grad=True)
NumpySine.apply(z).sum().backward()
print(z.grad)

# %% once-raises raises="RuntimeError"
squared = NumpySine.apply(z) ** 2
(gradient,) = torch.autograd.grad(squared.sum(), z, create_graph=True)
gradient.sum().backward()


# %% torch-operations
class Sine(Function):
    forward, setup_context = NumpySine.forward, NumpySine.setup_context

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x.cos()


(gradient,) = torch.autograd.grad((Sine.apply(z) ** 2).sum(), z, create_graph=True)
(second,) = torch.autograd.grad(gradient.sum(), z)
print("second derivative:", second, " 2 cos(2z):", (2 * torch.cos(2 * z)).detach())

# %% once-silent
z.grad = None
mixed = NumpySine.apply(z) ** 2 + z**2
(gradient,) = torch.autograd.grad(mixed.sum(), z, create_graph=True)
(second,) = torch.autograd.grad(gradient.sum(), z)
print("autograd.grad:", second, " right:", (2 * torch.cos(2 * z) + 2).detach())


# %% guarded
class Guarded(NumpySine):
    @staticmethod
    def backward(ctx, grad_output):
        if torch.is_grad_enabled():  # only with create_graph=True
            raise RuntimeError("NumpySine can be differentiated only once")
        return NumpySine.backward(ctx, grad_output)


Guarded.apply(z).sum().backward()
print("first:", z.grad)
try:
    torch.autograd.grad(Guarded.apply(z).sum(), z, create_graph=True)
except RuntimeError as error:
    print("second:", error)

# %% vmap raises="RuntimeError"
from torch.func import grad, hessian, jacrev, vmap

points = torch.tensor([1.0, 2.0])
print("jacrev:", jacrev(Sine.apply)(points).diagonal())  # needs setup_context only
vmap(grad(Sine.apply))(points)


# %% vmap-rule
class Sine(Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.sin()  # operations of PyTorch, here too

    setup_context, backward = Sine.setup_context, Sine.backward


print("vmap(grad):", vmap(grad(Sine.apply))(points))
print("cos:       ", points.cos())


# %% vmap-method
class NumpyCumsum(Function):
    @staticmethod
    def forward(x, dim):
        return torch.from_numpy(np.cumsum(x.numpy(), axis=dim))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.dim = inputs[1]

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.flip(ctx.dim).cumsum(ctx.dim).flip(ctx.dim), None

    @staticmethod
    def vmap(info, in_dims, x, dim):
        print("x:", tuple(x.shape), " in_dims:", in_dims)
        return NumpyCumsum.apply(x.movedim(in_dims[0], 0), dim + 1), 0


rows = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(vmap(NumpyCumsum.apply, in_dims=(0, None))(rows, 0))
print(vmap(grad(lambda row: NumpyCumsum.apply(row, 0).sum()))(rows))


# %% forward-mode raises="NotImplementedError"
def total(x):
    return Sine.apply(x).sum()


hessian(total)(points)


# %% jvp-method
class Forward(Sine):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * x.cos()


print("Hessian:", hessian(lambda x: Forward.apply(x).sum())(points).diagonal())

# %% reverse-over-reverse
print("Hessian:", jacrev(jacrev(total))(points).diagonal())
print("-sin:   ", -points.sin())


# %% silently-wrong hidden=true
class Unmarked(NumpySine):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.from_numpy(np.cos(x.detach().numpy()))


(gradient,) = torch.autograd.grad((Unmarked.apply(z) ** 2).sum(), z, create_graph=True)
(second,) = torch.autograd.grad(gradient.sum(), z)  # no error
truth = 2 * torch.cos(2 * z)
assert not torch.allclose(second, truth, atol=0.1)


# %% undetached hidden=true
class Undetached(NumpySine):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.from_numpy(np.cos(x.numpy()))


try:
    torch.autograd.grad((Undetached.apply(z) ** 2).sum(), z, create_graph=True)
except RuntimeError as error:
    assert "Use tensor.detach().numpy()" in str(error)
else:
    raise AssertionError("x requires gradients")

# %% other-dim hidden=true
columns = vmap(NumpyCumsum.apply, in_dims=(1, None))(rows.T, 0)
assert torch.equal(columns, rows.cumsum(1))


# %% generated-with-numpy hidden=true
class Generated(Function):
    generate_vmap_rule = True
    forward, backward = NumpyCumsum.forward, NumpyCumsum.backward
    setup_context = NumpyCumsum.setup_context


class Both(NumpyCumsum):
    generate_vmap_rule = True


for function, message in ((Generated, "data pointer"), (Both, "both generate_vmap_rule")):
    try:
        vmap(lambda row, function=function: function.apply(row, 0))(rows)
    except RuntimeError as error:
        assert message in str(error), error
    else:
        raise AssertionError("NumPy cannot read a tensor of vmap")

# %% claims hidden=true
whole = hessian(lambda x: Forward.apply(x).sum())(points)
torch.testing.assert_close(whole, torch.diag(-points.sin()))
try:
    grad(lambda x: NumpySine.apply(x).sum())(points)
except RuntimeError as error:
    assert "Cannot access data pointer" in str(error), error
else:
    raise AssertionError("torch.func can hand NumPy a tensor now")


# %% once-misses hidden=true
def second_derivative(function, how, outer):
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    (first,) = torch.autograd.grad((outer(function.apply(x)) + x**2).sum(), x, create_graph=True)
    if how == "grad":
        torch.autograd.grad(first.sum(), x)
    else:
        first.sum().backward(**({"inputs": [x]} if how == "inputs" else {}))


for how, outer in (
    ("backward", torch.square),
    ("inputs", torch.square),
    ("grad", torch.square),
    ("backward", torch.neg),
):
    for function in (NumpySine, Guarded, Undetached):
        try:
            second_derivative(function, how, outer)
            missed = True
        except RuntimeError:
            missed = False
        assert missed == (function is NumpySine and (how, outer) != ("backward", torch.square)), (function, how)
assert NumpySine.apply(torch.tensor(0.5, requires_grad=True)).shape == ()


# %% saved-intermediate hidden=true
class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        square = x * x
        ctx.save_for_backward(square)
        return square * x

    @staticmethod
    def backward(ctx, grad_output):
        (square,) = ctx.saved_tensors
        return 3 * square * grad_output


x = torch.tensor([2.0], requires_grad=True)
(first,) = torch.autograd.grad(Cube.apply(x).square().sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x)
assert first.item() == 6 * 2**5 and second.item() != 30 * 2**4  # no error


# %% forward-twice hidden=true
class Checked(Sine):
    @staticmethod
    def backward(ctx, grad_output):
        if torch.is_grad_enabled():
            raise RuntimeError("only once")
        return Sine.backward(ctx, grad_output)


try:
    grad(lambda x: Checked.apply(x).sum())(points)
except RuntimeError as error:
    assert "only once" in str(error)
else:
    raise AssertionError("torch.func.grad does not record now")
from torch.func import jacfwd

twice = jacfwd(jacfwd(lambda x: Forward.apply(x).sum()))(points)
assert not torch.allclose(twice.diagonal(), -points.sin(), atol=0.1)
assert torch.allclose(jacrev(jacfwd(lambda x: Forward.apply(x).sum()))(points).diagonal(), -points.sin())


# %% reverse-once hidden=true
class Marked(Sine):
    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        return Sine.backward(ctx, grad_output)


assert not jacrev(jacrev(lambda x: Marked.apply(x).sum()))(points).any()  # no error

# %% mark-of-once hidden=true
for factor, marked in ((torch.tensor(2.0), False), (torch.tensor(2.0, requires_grad=True), True)):
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    (first,) = torch.autograd.grad((factor * NumpySine.apply(x)).sum() + (x**3).sum(), x, create_graph=True)
    try:
        first.square().sum().backward()
    except RuntimeError as error:
        assert marked and "once_differentiable" in str(error), error
    else:
        assert not marked
try:
    torch.autograd.functional.jvp(Guarded.apply, torch.ones(2), torch.ones(2))
except RuntimeError as error:
    assert "only once" in str(error)
else:
    raise AssertionError("functional.jvp sets no create_graph=True now")

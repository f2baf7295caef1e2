"""A function with a backward pass of your own."""

# %% cube
import torch
from torch.autograd import Function


class Cube(Function):
    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Cube.apply(x)  # apply(), not forward()
print("y:", y)
y.sum().backward()
print("gradient:", x.grad)

# %% check
double = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
print("gradcheck:    ", torch.autograd.gradcheck(Cube.apply, double))
print("gradgradcheck:", torch.autograd.gradgradcheck(Cube.apply, double))


# %% wrong-count raises="RuntimeError"
class Scale(Function):
    @staticmethod
    def forward(x, factor):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]  # no tensor: an attribute of ctx

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor


Scale.apply(x, 2.0).sum().backward()


# %% right-count
class ScaleRight(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.factor, None  # factor has no gradient


x.grad = None
ScaleRight.apply(x, 2.0).sum().backward()
print(x.grad)

# %% once
import numpy as np
from torch.autograd.function import once_differentiable


class NumpySine(Function):
    @staticmethod
    def forward(x):
        return torch.from_numpy(np.sin(x.numpy()))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.from_numpy(np.cos(x.numpy()))


z = torch.tensor([0.0, 1.0], requires_grad=True)
NumpySine.apply(z).sum().backward()
print(z.grad)

# %% once-raises raises="RuntimeError"
squared = NumpySine.apply(z) ** 2
(gradient,) = torch.autograd.grad(squared.sum(), z, create_graph=True)
gradient.sum().backward()


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


# %% old-style hidden=true
class OldCube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    backward = Cube.backward


assert torch.autograd.grad(OldCube.apply(z).sum(), z)[0].tolist() == [0, 3]
try:
    torch.func.grad(lambda x: OldCube.apply(x).sum())(torch.ones(2))
except RuntimeError as error:
    assert "setup_context" in str(error)
else:
    raise AssertionError("torch.func should refuse it")


# %% needs-input-grad
class Product(Function):
    @staticmethod
    def forward(x, y):
        return x * y

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        print("needed:", ctx.needs_input_grad)
        for_x = grad_output * y if ctx.needs_input_grad[0] else None
        for_y = grad_output * x if ctx.needs_input_grad[1] else None
        return for_x, for_y


x.grad = None
Product.apply(x, torch.tensor([3.0, 4.0])).sum().backward()
print(x.grad)

# %% vmap raises="RuntimeError"
from torch.func import grad, hessian, jacrev, vmap

points = torch.tensor([1.0, 2.0])
print("jacrev:", jacrev(Cube.apply)(points).tolist())  # needs setup_context only
vmap(grad(Cube.apply))(points)


# %% vmap-rule
class BatchedCube(Cube):
    generate_vmap_rule = True


print("vmap(grad):", vmap(grad(BatchedCube.apply))(points))


# %% forward-mode raises="NotImplementedError"
def total(x):
    return BatchedCube.apply(x).sum()


hessian(total)(points)

# %% reverse-over-reverse
print(jacrev(jacrev(total))(points))  # the second derivative is 6 x


# %% plain-backward hidden=true
class Sine(Function):
    """NumpySine with a backward of PyTorch operations."""

    forward, setup_context = NumpySine.forward, NumpySine.setup_context

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x.cos()


(gradient,) = torch.autograd.grad((Sine.apply(z) ** 2).sum(), z, create_graph=True)
(second,) = torch.autograd.grad(gradient.sum(), z)
assert torch.allclose(second, truth)


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

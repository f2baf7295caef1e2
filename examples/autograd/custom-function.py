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
print(y)
y.sum().backward()
print(x.grad)

# %% check
double = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
print("backward:", torch.autograd.gradcheck(Cube.apply, double))
print("second derivative:", torch.autograd.gradgradcheck(Cube.apply, double))


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
        return torch.from_numpy(np.sin(x.detach().numpy()))

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

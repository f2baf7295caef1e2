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


# %% old-style hidden=true
class OldCube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    backward = Cube.backward


assert torch.autograd.grad(OldCube.apply(x).sum(), x)[0].tolist() == [3, 12]
try:
    torch.func.grad(lambda x: OldCube.apply(x).sum())(torch.ones(2))
except RuntimeError as error:
    assert "setup_context" in str(error)
else:
    raise AssertionError("torch.func should refuse it")


# %% arguments hidden=true
class AsList(Scale):
    @staticmethod
    def backward(ctx, grad_output):
        return [grad_output * ctx.factor, None]


class First(Function):
    @staticmethod
    def forward(tensors):
        return tensors[0] * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    backward = Cube.backward


class ComplexCube(Cube):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (3 * x**2).conj()


try:
    AsList.apply(x, 2.0).sum().backward()
except RuntimeError as error:
    assert "expected 2, got 1" in str(error)
else:
    raise AssertionError("a list counts as several gradients now")
assert not First.apply([x]).requires_grad
point = torch.tensor([1 + 2j], dtype=torch.complex128, requires_grad=True)
assert torch.autograd.gradcheck(ComplexCube.apply, point)
assert not torch.autograd.gradcheck(Cube.apply, point, raise_exception=False)


# %% gradient-layout hidden=true
class Pair(Function):
    @staticmethod
    def forward(x):
        return x * 2, x * 3

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, for_first, for_second):
        strides.append(for_first.stride())
        assert for_first.contiguous().stride() == (1,)
        return for_first * 2 + for_second * 3


class InPlace(Pair):
    @staticmethod
    def forward(x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.mul_(5)


strides = []
x = torch.ones(3, requires_grad=True)
first, second = Pair.apply(x)
(first + second).sum().backward()
assert strides == [(0,)] and x.grad.tolist() == [5, 5, 5]
x, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
(other * 1 + InPlace.apply(x * 1)).backward(torch.ones(2))
assert other.grad.tolist() == [5, 5]  # its own gradient is 1


# %% under-autocast hidden=true
class Times(Function):
    @staticmethod
    def forward(x, weight):
        return x @ weight

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        return grad_output @ weight.T, x.T @ grad_output


class Converted(Times):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = (saved.to(grad_output.dtype) for saved in ctx.saved_tensors)
        return grad_output @ weight.T, x.T @ grad_output


def gradient_of(function):
    x, weight = torch.ones(2, 3, requires_grad=True), torch.ones(3, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = function.apply(x, weight)
    out.float().sum().backward()
    return x.grad


assert (gradient_of(Converted) == 4).all()
try:
    gradient_of(Times)
except RuntimeError as error:
    assert "dtype" in str(error) or "scalar type" in str(error), error
else:
    raise AssertionError("one dtype in both passes")
if torch.__version__ >= "2.13":

    class Decorated(Times):
        forward = staticmethod(torch.amp.custom_fwd(Times.forward, device_type="cpu"))
        backward = staticmethod(torch.amp.custom_bwd(Times.backward, device_type="cpu"))

    try:
        gradient_of(Decorated)
    except AttributeError as error:
        assert "_fwd_used_autocast" in str(error), error
    else:
        raise AssertionError("the decorators know setup_context now")

"""An output kept as an attribute of ctx stays in memory."""

# %% functions
import torch
from torch.autograd import Function


class Exp(Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        (output,) = ctx.saved_tensors
        return grad_output * output


class ExpKept(Exp):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.output = output

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.output


# %% alive
import gc
import weakref

x = torch.ones(3, requires_grad=True)
gc.disable()  # as between two runs of the garbage collector
for function in (Exp, ExpKept):
    out = function.apply(x)
    out.sum().backward()
    watched = weakref.ref(out)
    del out
    print(f"{function.__name__:7} still in memory: {watched() is not None}")
gc.enable()

# %% collected
gc.collect()
print("after gc.collect():", watched() is not None)

# %% same-gradients hidden=true
for function in (Exp, ExpKept):
    (gradient,) = torch.autograd.grad(function.apply(x).sum(), x)
    assert torch.allclose(gradient, x.exp())


# %% input-too hidden=true
class InputKept(Exp):
    @staticmethod
    def setup_context(ctx, inputs, output):
        (ctx.x,) = inputs

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.x.exp()


gc.disable()
out = InputKept.apply(x)
watched = weakref.ref(out)
del out
assert watched() is None  # an input makes no cycle
scaled = x * 1
out = InputKept.apply(scaled)
scaled.mul_(2)
out.sum().backward()  # no error


class InPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        ctx.mark_dirty(x)
        return x.exp_()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.x


out = InPlace.apply(x * 1)
watched = weakref.ref(out)
del out
assert watched() is not None
gc.enable()


# %% view-of-the-output hidden=true
class ViewKept(Exp):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.first = output[:2]


class ViewSaved(Exp):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output[:2])


for function in (ViewKept, ViewSaved):
    watched = weakref.ref(function.apply(x))
    gc.collect()
    assert watched() is not None

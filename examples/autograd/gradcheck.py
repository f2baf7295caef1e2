"""gradcheck compares a gradient with finite differences: in float64, away from kinks."""

# %% right
import torch
from torch.autograd import gradcheck

torch.manual_seed(0)
x = torch.randn(4, dtype=torch.float64, requires_grad=True)
print(gradcheck(torch.tanh, x))


# %% float warns="UserWarning"
from torch.autograd.gradcheck import GradcheckError

try:
    gradcheck(torch.tanh, x.detach().float().requires_grad_())
except GradcheckError as error:
    print(str(error).splitlines()[0])

# %% why-float
value = torch.tensor(0.5)
eps = 1e-6  # the step that gradcheck takes
for dtype in (torch.float32, torch.float64):
    v = value.to(dtype)
    difference = (torch.tanh(v + eps) - torch.tanh(v - eps)) / (2 * eps)
    error = (difference - (1 - torch.tanh(value.double()) ** 2)).abs().item()
    print(dtype, "error below 1e-5:", error < 1e-5)

# %% kink raises="GradcheckError"
at_zero = torch.tensor([-1.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
gradcheck(torch.relu, at_zero)

# %% kink-away
print(gradcheck(torch.relu, at_zero.detach().add(0.5).requires_grad_()))


# %% random
def noisy(x):
    return x * torch.rand_like(x)


print(gradcheck(noisy, x, raise_exception=False))


# %% finds
class WrongSquare(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * x  # the factor 2 is missing


print(gradcheck(WrongSquare.apply, x, raise_exception=False))

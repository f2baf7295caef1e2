"""gradcheck compares a gradient with finite differences: in float64, away from kinks."""

# %% right
import torch
from torch.autograd import gradcheck

torch.manual_seed(0)
x = torch.randn(4, dtype=torch.float64, requires_grad=True)
print("passes:", gradcheck(torch.tanh, x))


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
away = at_zero.detach().add(0.5).requires_grad_()
print("passes:", gradcheck(torch.relu, away))


# %% random
def noisy(x):
    return x * torch.rand_like(x)


print("passes:", gradcheck(noisy, x, raise_exception=False))


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


print("passes:", gradcheck(WrongSquare.apply, x, raise_exception=False))

# %% remedies hidden=true
assert gradcheck(torch.tanh, x.detach().float().double().requires_grad_())
assert gradcheck(torch.nn.Dropout(0.5).eval(), x)


def seeded(x):
    torch.manual_seed(0)
    return noisy(x)


assert gradcheck(seeded, x)

# %% kinks hidden=true
assert gradcheck(torch.abs, at_zero)  # both sides average to 0, the gradient at 0
tie = torch.ones(2, dtype=torch.float64, requires_grad=True)
assert not gradcheck(lambda x: x.max(dim=0).values, tie, raise_exception=False)
assert gradcheck(lambda x: x.amax(dim=0), tie)  # shares the gradient

# %% near-kinks hidden=true
for function, place, passes in (
    (torch.relu, 1e-7, False),
    (torch.relu, 1e-5, True),
    (torch.sqrt, 1e-6, False),
    (torch.sqrt, 0.1, True),
):
    near = torch.tensor([place], dtype=torch.float64, requires_grad=True)
    assert gradcheck(function, near, raise_exception=False) == passes, (function, place)

# %% complex hidden=true
turned = torch.tensor([0.5 + 0.25j], dtype=torch.complex64, requires_grad=True)
assert gradcheck(torch.tanh, turned.to(torch.complex128))


# %% wrong-on-one-side hidden=true
class OneSided(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.where(x > 0, x, 0.1 * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output  # wrong for x < 0


for places, passes in (([-1.0, 0.0, 1.0], False), ([-0.5, 0.5], False), ([0.5, 1.5], True)):
    points = torch.tensor(places, dtype=torch.float64, requires_grad=True)
    assert gradcheck(OneSided.apply, points, raise_exception=False) == passes, places

# %% nan-at-a-kink hidden=true
for place, passes in ((0.0, False), (0.5, True)):  # away from 0 the check does not see the NaN
    points = torch.full((2,), place, dtype=torch.float64, requires_grad=True)
    assert gradcheck(lambda x: x.square().sum().sqrt(), points, raise_exception=False) == passes
    points.square().sum().sqrt().backward()
    assert points.grad.isnan().all() == (not passes)
for place, passes in ((1.0, False), (0.5, True)):  # the same for an infinite gradient
    points = torch.full((2,), place, dtype=torch.float64, requires_grad=True)
    assert gradcheck(lambda x: x.clamp(-1, 1).acos(), points, raise_exception=False) == passes
    points.clamp(-1, 1).acos().sum().backward()
    assert points.grad.isinf().all() == (not passes)

"""Gradients through a solver: the implicit function instead of the steps."""

# %% root
import torch


def solve_kepler(mean, eccentricity, steps=20):
    """E with E - eccentricity * sin(E) = mean, by Newton's method."""
    angle = torch.full_like(mean, torch.pi)
    for _ in range(steps):
        error = angle - eccentricity * angle.sin() - mean
        angle = angle - error / (1 - eccentricity * angle.cos())
    return angle


mean = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
eccentricity = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)


def implicit_kepler(mean, eccentricity):
    with torch.no_grad():
        angle = solve_kepler(mean, eccentricity)  # nothing is recorded
        slope = 1 - eccentricity * angle.cos()
    error = angle - eccentricity * angle.sin() - mean  # 0, but with gradients
    return angle - error / slope


for name, solve in {"unrolled": solve_kepler, "implicit": implicit_kepler}.items():
    angle = solve(mean, eccentricity)
    slopes = torch.autograd.grad(angle, (mean, eccentricity))
    print(f"{name}: {angle:.6f}", [f"{slope:.6f}" for slope in slopes])


# %% fixed-point
def step(state, inputs, weight):  # the state that solves state = step(state)
    return torch.tanh(state @ weight.T + inputs)


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, inputs, weight, steps=100):
        state = torch.zeros_like(inputs)
        for _ in range(steps):
            state = step(state, inputs, weight)
        ctx.save_for_backward(state, inputs, weight)
        return state

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        leaves = [saved.detach().requires_grad_() for saved in ctx.saved_tensors]
        state = leaves[0]
        with torch.enable_grad():
            after = step(*leaves)
        total = grad  # total = grad + total @ (d step / d state)
        for _ in range(100):
            back = torch.autograd.grad(after, state, total, retain_graph=True)
            total = grad + back[0]
        return *torch.autograd.grad(after, leaves[1:], total), None


torch.manual_seed(0)
inputs = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
weight = torch.randn(3, 3, dtype=torch.float64)
weight = (0.7 * weight / torch.linalg.matrix_norm(weight, 2)).requires_grad_()


def unrolled(inputs, weight, steps=100):
    state = torch.zeros_like(inputs)
    for _ in range(steps):
        state = step(state, inputs, weight)
    return state


gradients = []
for name, solve in {"unrolled": unrolled, "implicit": FixedPoint.apply}.items():
    saved = []

    def count(tensor):
        saved.append(tensor.shape)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(count, lambda tensor: tensor):
        state = solve(inputs, weight)
    gradients.append(torch.autograd.grad(state.square().sum(), weight)[0])
    print(f"{name}: {len(saved)} tensors saved")
print("equal gradients:", torch.allclose(*gradients))

# %% with-a-hook
from torch import nn


class Equilibrium(nn.Module):
    """Solves state = step(state, inputs); step is a module."""

    def __init__(self, step, steps=100):
        super().__init__()
        self.step, self.steps = step, steps

    def forward(self, inputs):
        state = torch.zeros_like(inputs)
        with torch.no_grad():
            for _ in range(self.steps):
                state = self.step(state, inputs)
        found = self.step(state, inputs)  # once more, with gradients
        if found.requires_grad:
            state = state.requires_grad_()
            after = self.step(state, inputs.detach())
            found.register_hook(lambda grad: self.solved(grad, after, state))
        return found

    def solved(self, grad, after, state):
        total = grad
        for _ in range(self.steps):
            back = torch.autograd.grad(after, state, total, retain_graph=True)
            total = grad + back[0]
        return total


class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3, bias=False, dtype=torch.float64)

    def forward(self, state, inputs):
        return torch.tanh(self.linear(state) + inputs)


module = Equilibrium(Step())
with torch.no_grad():
    module.step.linear.weight.copy_(weight)
module(inputs).square().sum().backward()
found = module.step.linear.weight.grad
print("equal gradients:", torch.allclose(found, gradients[0]))

# %% gradcheck
print(torch.autograd.gradcheck(FixedPoint.apply, (inputs, weight)))
print(torch.autograd.gradcheck(implicit_kepler, (mean, eccentricity)))

# %% early
for steps in (1, 2, 5, 10):
    state = FixedPoint.apply(inputs, weight, steps)
    (gradient,) = torch.autograd.grad(state.square().sum(), weight)
    off = (gradient - gradients[0]).norm() / gradients[0].norm()
    print(f"{steps:2} steps: off by {off:.1%}")

# %% second raises="RuntimeError"
state = FixedPoint.apply(inputs, weight)
(first,) = torch.autograd.grad(state.sum(), inputs, create_graph=True)
first.sum().backward()

# %% second-unrolled
state = unrolled(inputs, weight)
(first,) = torch.autograd.grad(state.sum(), inputs, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), inputs)
print(tuple(second.shape))

# %% counter-cases hidden=true
for m, e in ((0.1, 0.0), (3.0, 0.9), (2.0, 0.3)):
    pair = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (m, e)]
    assert torch.autograd.gradcheck(implicit_kepler, pair)
    e_angle = implicit_kepler(*pair)
    (dm,) = torch.autograd.grad(e_angle, pair[0])
    torch.testing.assert_close(dm, 1 / (1 - pair[1] * e_angle.cos()).detach())
for seed in range(3):
    torch.manual_seed(seed)
    w = torch.randn(5, 5, dtype=torch.float64)
    w = (0.6 * w / torch.linalg.matrix_norm(w, 2)).requires_grad_()
    i = torch.randn(2, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(FixedPoint.apply, (i, w))
for m, e in ((0.1, 0.99), (0.5, 0.95), (3.0, 0.99)):
    m, e = torch.tensor(m, dtype=torch.float64), torch.tensor(e, dtype=torch.float64)
    found = solve_kepler(m, e)
    assert (found - e * found.sin() - m).abs() < 1e-9, (m, e)
seconds = []
for solve in (solve_kepler, implicit_kepler):
    (first,) = torch.autograd.grad(solve(mean, eccentricity).square(), mean, create_graph=True)
    seconds += torch.autograd.grad(first, mean)
assert (seconds[0] - seconds[1]).abs() > 0.1  # wrong without an error
w = torch.tensor([[0.0, 3.0], [0.0, 0.0]], dtype=torch.float64, requires_grad=True)  # no contraction
i = torch.randn(2, 2, dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(FixedPoint.apply, (i, w))

# %% hook-counter-cases hidden=true
(expected,) = torch.autograd.grad(unrolled(inputs, weight).square().sum(), inputs)
torch.testing.assert_close(inputs.grad, expected)
inputs.grad = None
for used in (inputs.detach(), inputs):  # of the weights alone; nothing recorded
    module.zero_grad()
    module(used).square().sum().backward()
    torch.testing.assert_close(module.step.linear.weight.grad, gradients[0])
with torch.no_grad():
    assert not module(inputs).requires_grad
stack = nn.Sequential(module, Equilibrium(module.step))  # one after the other
torch.autograd.gradcheck(stack, (inputs,), check_undefined_grad=False)

# %% hook-second hidden=true
seconds = []
for solve in (lambda inputs: unrolled(inputs, weight.detach()), module):
    (first,) = torch.autograd.grad(solve(inputs).square().sum(), inputs, create_graph=True)
    seconds += torch.autograd.grad(first.square().sum(), inputs)
assert (seconds[0] - seconds[1]).norm() / seconds[0].norm() > 0.1  # wrong without an error
zero, large = torch.zeros(1, 3, dtype=torch.float64, requires_grad=True), 2 * torch.eye(3, dtype=torch.float64)
state = FixedPoint.apply(zero, large)  # 0 is a solution, and repels
assert (state == 0).all() and torch.autograd.grad(state.sum(), zero)[0].min() > 1e20

# %% beyond-a-turn hidden=true
turn, far = (torch.linspace(*ends, 2001, dtype=torch.float64) for ends in ((0, 2 * torch.pi), (-10, 100)))
for dtype, off in ((torch.float64, 1e-9), (torch.float32, 1e-4)):
    for e in (0.0, 0.3, 0.9, 0.99):
        missed = []
        for means in (turn, far, far % (2 * torch.pi)):
            means = means.to(dtype)
            found = solve_kepler(means, torch.tensor(e, dtype=dtype))
            missed.append(((found - e * found.sin() - means).abs() < off).logical_not().sum().item())
        assert missed[0] == missed[2] == 0 and (missed[1] > 100) is (e >= 0.9), (dtype, e, missed)

# %% penalty-lost hidden=true
gradients_of = []
for solve in (unrolled, FixedPoint.apply):
    state = solve(inputs, weight)
    (first,) = torch.autograd.grad(state.sum(), inputs, create_graph=True)
    gradients_of += torch.autograd.grad(state.square().sum() + first.square().sum(), weight)
assert not torch.allclose(gradients_of[1], gradients_of[0], rtol=0.01)
assert torch.allclose(gradients_of[1], gradients[1])  # as without the penalty, and no error

"""The straight-through estimator: round forward, identity backward."""

# %% ways
import torch
from torch.autograd import Function


class RoundThrough(Function):
    """round() forward, the identity backward."""

    @staticmethod
    def forward(x):
        return x.round()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass  # nothing to save

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


def round_through(x):
    return x + (x.round() - x).detach()


values = torch.tensor([0.2, 0.7, 1.6], requires_grad=True)
ways = {
    "x.round()": torch.round,
    "RoundThrough.apply(x)": RoundThrough.apply,
    "round_through(x)": round_through,
}
for code, function in ways.items():
    rounded = function(values)
    (gradient,) = torch.autograd.grad(rounded.sum(), values)
    print(f"{code:22} {rounded.tolist()} gradient {gradient.tolist()}")

# %% picture fold=true
import matplotlib.pyplot as plt

x = torch.linspace(-0.4, 3.4, 381, requires_grad=True)
fig, (forward, backward) = plt.subplots(1, 2, figsize=(6.0, 2.8))
forward.plot(x.detach(), x.detach(), ":", color="C2", label="x")
for style, (code, function) in zip(("-", "--"), (("x.round()", torch.round), ("round_through(x)", round_through))):
    out = function(x)
    (gradient,) = torch.autograd.grad(out.sum(), x)
    forward.plot(x.detach(), out.detach(), style, label=code)
    backward.plot(x.detach(), gradient, style, label=code)
forward.set(title="forward", xlabel="x")
backward.set(title="gradient", xlabel="x", ylim=(-0.2, 1.2))
forward.legend(fontsize=9)

# %% train
points = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
labels = points @ torch.tensor([3.0, -2.0])  # whole-number weights

roundings = {"round": torch.round, "straight-through": round_through}
for name, rounding in roundings.items():
    weight = torch.tensor([0.4, 0.4], requires_grad=True)
    for step in range(50):
        loss = (points @ rounding(weight) - labels).square().mean()
        (gradient,) = torch.autograd.grad(loss, weight)
        with torch.no_grad():
            weight -= 0.1 * gradient
    weights = weight.round().tolist()
    print(f"{name:17} loss {loss.item():g}  weights {weights}")

# %% not-the-gradient
x = torch.tensor([0.2], dtype=torch.float64, requires_grad=True)
passed = torch.autograd.gradcheck(RoundThrough.apply, x, raise_exception=False)
print("passes gradcheck:", passed)


# %% saturation
def sign_through(x):
    return x + (x.sign() - x).detach()


for limit in (float("inf"), 1.0):
    weight = torch.tensor(0.1, requires_grad=True)
    signs = []
    for step in range(200):
        wanted = 3.0 if step < 100 else -3.0  # more than sign() can give
        out = sign_through(weight)
        signs.append(out.item())
        (gradient,) = torch.autograd.grad((out - wanted).square(), weight)
        with torch.no_grad():
            weight -= 0.01 * gradient
            weight.clamp_(-limit, limit)
    print(f"limit {limit}: {signs.index(-1.0) - 100} steps until the sign turns")

# %% never-farther hidden=true
many = torch.linspace(-5000, 5000, 100_001)
assert (many.round() - many).abs().max() <= 0.5  # whatever the range

# %% same-value hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    for scale in (1.0, 1e2, 1e4):
        wide = ((torch.rand(1000, dtype=torch.float64) * 2 - 1) * scale).to(dtype)
        assert torch.equal(round_through(wide), wide.round())
assert round_through(torch.tensor(float("inf"))).isnan()


# %% jumps-at-any-rate hidden=true
def rounded_values(best, rate, start=0.0, steps=1000):
    weight, seen = torch.tensor(start, dtype=torch.float64, requires_grad=True), []
    for _ in range(steps):
        out = round_through(weight)
        seen.append(out.item())
        (gradient,) = torch.autograd.grad((out - best) ** 2, weight)
        with torch.no_grad():
            weight -= rate * gradient
    return seen[-100:]


for best, nearest in ((0.3, 0.0), (0.7, 1.0)):
    for rate in (0.4, 0.1, 0.01):
        last = rounded_values(best, rate)
        assert sum(a != b for a, b in zip(last, last[1:])) > 50, (best, rate)
        assert last.count(nearest) > 60, (best, rate)
assert set(rounded_values(3.0, 1.0, start=0.2, steps=200)) == {0.0, 6.0}
assert set(rounded_values(3.0, 0.1, start=0.2, steps=200)) == {3.0}

# %% more-often-is-not-better hidden=true
from collections import Counter

features = torch.tensor([[1.0, 1.0], [1.0, 0.9]], dtype=torch.float64)
cases = (  # squared errors, trained at one rate each
    (lambda w: (w.exp() - 2).square().sum(), [0.3], 0.01),
    (lambda w: (features @ (w - 0.4)).square().mean(), [0.1, 0.2], 0.1),
)
for squared, start, rate in cases:
    weight = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    seen = Counter()
    for _ in range(1000):
        out = round_through(weight)
        seen[tuple(out.detach().round().tolist())] += 1
        (gradient,) = torch.autograd.grad(squared(out), weight)
        with torch.no_grad():
            weight -= rate * gradient
    often = torch.tensor(seen.most_common(1)[0][0], dtype=torch.float64)
    fixed = weight.detach().round()
    for i in range(len(fixed)):  # what the page says
        tries = [fixed.clone(), fixed.clone()]
        tries[0][i], tries[1][i] = weight[i].floor().item(), weight[i].ceil().item()
        fixed = min(tries, key=squared)
    assert squared(fixed) < 0.7 * squared(often), (fixed, often)

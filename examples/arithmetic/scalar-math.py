"""Element by element: roots, powers, logarithms, signs, two tensors, fused steps."""

# %% roots
import torch

x = torch.tensor([0.5, 4.0, 9.0])
print("sqrt      ", torch.sqrt(x))
print("rsqrt     ", x.rsqrt())  # 1 / sqrt(x)
print("square    ", torch.square(x))
print("pow(1.5)  ", torch.pow(x, 1.5), x**1.5)
print("2 to the x", torch.pow(2, torch.tensor([0, 1, 5])))
print("reciprocal", x.reciprocal())

# %% logarithms
print("log   ", torch.log(x))
print("log2  ", x.log2())
print("log10 ", torch.log10(x))
print("log1p ", torch.log1p(torch.tensor([0.0, 1e-9])))  # log(1 + x)
print("exp2  ", torch.exp2(x))

# %% angles
angle = torch.deg2rad(torch.tensor([0.0, 30.0, 45.0]))
print("sin  ", torch.sin(angle))
print("cos  ", torch.cos(angle))
print("tan  ", angle.tan())
print("asin ", torch.asin(torch.tensor([0.0, 0.7])).rad2deg())
print("acos ", torch.acos(torch.tensor([0.0, 0.7])).rad2deg())
print("tanh ", torch.tanh(torch.tensor([-1.0, 0.0, 1.0])))
print("atan2", torch.atan2(torch.tensor([1.0, -1.0]), torch.tensor([-1.0, -1.0])))

# %% signs
y = torch.tensor([-2.7, -0.0, 0.5, 2.7])
print("sign    ", y.sign())
print("neg     ", y.neg())
print("abs     ", torch.abs(y))
print("trunc   ", y.trunc())
print("frac    ", y.frac())
print("floor   ", torch.floor(y))
print("ceil    ", torch.ceil(y))
print("copysign", torch.copysign(torch.ones(4), y))

# %% two-tensors
a = torch.tensor([1.0, 5.0, float("nan")])
b = torch.tensor([3.0, 2.0, 0.0])
print("maximum", torch.maximum(a, b))
print("minimum", torch.minimum(a, b))
print("fmax   ", torch.fmax(a, b))
print("fmin   ", torch.fmin(a, b))
print("hypot  ", torch.hypot(torch.tensor([3.0, 1.0]), torch.tensor([4.0, 1.0])))

# %% number raises="TypeError"
torch.maximum(b, 1.0)

# %% number-right
print("clamp:  ", b.clamp(min=1.0))
print("maximum:", torch.maximum(b, torch.tensor(1.0)))

# %% fused
start, end = torch.tensor([0.0, 10.0]), torch.tensor([10.0, 30.0])
print("add    ", torch.add(start, end, alpha=2))  # start + 2 * end
print("lerp   ", start.lerp(end, 0.25))  # start + 0.25 * (end - start)
print("addcmul", start.addcmul(end, end, value=0.1))  # start + 0.1 * end * end
print("addcdiv", torch.addcdiv(start, end, start + 2))  # start + end / (start + 2)

# %% edges
print("sqrt(-1)   ", torch.tensor(-1.0).sqrt())
print("(-8)**(1/3)", torch.tensor(-8.0).pow(1 / 3))
print("log(0)     ", torch.tensor(0.0).log())
print("1 / 0      ", torch.tensor(0.0).reciprocal())
print("0 ** 0     ", torch.tensor(0.0) ** 0)

# %% root-of-negative
y = torch.tensor([-8.0, 2.0])
print(y.sign() * y.abs().pow(1 / 3))

# %% sqrt-gradient
z = torch.tensor([0.0, 4.0], requires_grad=True)
lengths = {
    "sqrt(z)": z.sqrt(),
    "sqrt(z * z)": (z * z).sqrt(),
    "sqrt(z * z + 1e-6)": (z * z + 1e-6).sqrt(),
}
for name, length in lengths.items():
    print(f"{name:18}", torch.autograd.grad(length.sum(), z)[0])

# %% integer-power raises="RuntimeError"
torch.tensor([2, 4]) ** -1

# %% integer-power-float
print(torch.tensor([2, 4]).float() ** -1)

# %% integer-power-silent
print(torch.tensor([2, 4]) ** torch.tensor([-1, -1]))

# %% counter-cases hidden=true
torch.manual_seed(0)
u, v = torch.rand(100, dtype=torch.float64) + 0.1, torch.rand(100, dtype=torch.float64)
assert torch.allclose(u.lerp(v, 0.3), u + 0.3 * (v - u))
assert torch.allclose(u.rsqrt(), 1 / u.sqrt())
whole = torch.tensor([1, 2])
assert whole.pow(2).dtype == whole.square().dtype == torch.int64
assert whole.pow(1.5).dtype == torch.float32 and torch.tensor(2) ** 64 == 0
assert whole.sqrt().dtype == whole.rsqrt().dtype == whole.reciprocal().dtype == torch.float32
assert torch.allclose(torch.addcdiv(v, v, u, value=2), v + 2 * v / u)
for name in ("sqrt", "rsqrt", "square", "log", "log2", "log1p", "sin", "cos", "tanh", "sign", "trunc", "frac"):
    assert torch.equal(getattr(torch, name)(u), getattr(u, name)()), name

# %% zero-and-in-place hidden=true
assert torch.tensor(0) ** torch.tensor(-1) == 0
nought = torch.tensor(0.0, requires_grad=True)
assert torch.autograd.grad(nought.sign() * nought.abs().pow(1 / 3), nought)[0].isnan()
missing = [name for name in ("sqrt", "pow", "atan2", "hypot", "lerp", "maximum", "fmin") if not hasattr(x, f"{name}_")]
assert missing == ["maximum", "fmin"]

"""A mask hides a value, not its gradient: 0 * inf is NaN."""

# %% nan
import torch

x = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
root = torch.where(x > 0, x.sqrt(), 0.0)
print(root)
root.sum().backward()
print(x.grad)

# %% why
zero = torch.tensor(0.0, requires_grad=True)
(slope,) = torch.autograd.grad(zero.sqrt(), zero)
print(slope, 0 * slope)

# %% double
x.grad = None
safe = torch.where(x > 0, x, 1.0)  # replace the bad input first
root = torch.where(x > 0, safe.sqrt(), 0.0)
root.sum().backward()
print(root)
print(x.grad)

# %% others
cases = {
    "where(ok, x.log(), 0)": lambda x, ok: torch.where(ok, x.log(), 0.0),
    "where(ok, 1 / x, 0)": lambda x, ok: torch.where(ok, 1 / x, 0.0),
    "x.log() * ok": lambda x, ok: x.log() * ok,
    "x[ok].log()": lambda x, ok: x[ok].log(),
    "where(ok, clamp(x).log(), 0)": lambda x, ok: torch.where(ok, x.clamp(min=1e-6).log(), 0.0),
}
for code, function in cases.items():
    x.grad = None
    function(x, x > 0).sum().backward()
    print(f"{code:29}", x.grad.tolist())

# %% product-is-nan hidden=true
assert (x.log() * (x > 0))[0].isnan()

# %% norm
difference = torch.zeros(3, requires_grad=True)
for code, length in {
    "d.square().sum().sqrt()": lambda d: d.square().sum().sqrt(),
    "torch.linalg.vector_norm(d)": lambda d: torch.linalg.vector_norm(d),
    "(d.square().sum() + 1e-12).sqrt()": lambda d: (d.square().sum() + 1e-12).sqrt(),
}.items():
    (gradient,) = torch.autograd.grad(length(difference), difference)
    print(f"{code:35}", gradient.tolist())

# %% find raises="RuntimeError"
import warnings

with warnings.catch_warnings(record=True) as caught:
    with torch.autograd.set_detect_anomaly(True):
        torch.where(x > 0, x.sqrt(), 0.0).sum().backward()

# %% traceback
lines = str(caught[0].message).splitlines()
print(lines[0], *lines[-3:-1], sep="\n")  # the innermost frame

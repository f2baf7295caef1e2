"""A mask hides a value, not its gradient: 0 * inf is NaN."""

# %% nan
import torch

x = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
root = torch.where(x > 0, x.sqrt(), 0.0)
print("root:    ", root)
root.sum().backward()
print("gradient:", x.grad)

# %% why
zero = torch.tensor(0.0, requires_grad=True)
(slope,) = torch.autograd.grad(zero.sqrt(), zero)
print("slope:", slope, "  0 * slope:", 0 * slope)

# %% double
x.grad = None
safe = torch.where(x > 0, x, 1.0)  # replace the bad input first
root = torch.where(x > 0, safe.sqrt(), 0.0)
root.sum().backward()
print("root:    ", root)
print("gradient:", x.grad)

# %% others
cases = {
    "where(ok, x.log(), 0)": lambda x, ok: torch.where(ok, x.log(), 0.0),
    "where(ok, 1 / x, 0)": lambda x, ok: torch.where(ok, 1 / x, 0.0),
    "x.log() * ok": lambda x, ok: x.log() * ok,
    "x[ok].log()": lambda x, ok: x[ok].log(),
    "x.clamp(min=1e-6).log() * ok": lambda x, ok: x.clamp(min=1e-6).log() * ok,
}
for code, function in cases.items():
    x.grad = None
    function(x, x > 0).sum().backward()
    print(f"{code:29}", x.grad.tolist())

# %% product-is-nan hidden=true
assert (x.log() * (x > 0))[0].isnan()

# %% norm
difference = torch.zeros(3, requires_grad=True)
lengths = {
    "(d @ d).sqrt()": lambda d: (d @ d).sqrt(),
    "torch.linalg.vector_norm(d)": torch.linalg.vector_norm,
    "(d @ d + 1e-12).sqrt()": lambda d: (d @ d + 1e-12).sqrt(),
}
for code, length in lengths.items():
    (gradient,) = torch.autograd.grad(length(difference), difference)
    print(f"{code:28}", gradient.tolist())

# %% find raises="RuntimeError" warns="UserWarning"
with torch.autograd.set_detect_anomaly(True):
    root = torch.where(x > 0, x.sqrt(), 0.0)
    root.sum().backward()

# %% remedy-applied hidden=true
x.grad = None
with torch.autograd.set_detect_anomaly(True):
    safe = torch.where(x > 0, x, 1.0)
    torch.where(x > 0, safe.sqrt(), 0.0).sum().backward()
assert x.grad.tolist() == [0.0, 0.5, 0.25]

# %% what-is-reported hidden=true
with torch.autograd.set_detect_anomaly(True):
    infinite = torch.zeros(1, requires_grad=True)
    infinite.sqrt().sum().backward()  # no error
    assert infinite.grad.isinf()
    ones = torch.ones(1, requires_grad=True)
    (ones + float("nan")).sum().backward()  # a NaN in the forward pass alone: no error
half = torch.zeros(3, dtype=torch.float16, requires_grad=True)
(gradient,) = torch.autograd.grad((half @ half + 1e-12).sqrt(), half)
assert gradient.isnan().all()

# %% limits-that-do-not-help hidden=true
for dtype, limit in ((torch.float32, 0), (torch.float16, 1e-8), (torch.float32, 1e-8), (torch.float16, 1e-6)):
    x = torch.tensor([0.0, 1.0], dtype=dtype, requires_grad=True)
    torch.where(x > 0, x.clamp(min=limit).sqrt(), 0.0).sum().backward()
    helps = bool(torch.tensor(limit, dtype=dtype) > 0)
    assert x.grad.isfinite().all() == helps, (dtype, limit)
for length in (torch.linalg.vector_norm, lambda d: (d @ d + 1e-12).sqrt()):
    d = torch.zeros(3, requires_grad=True)
    (first,) = torch.autograd.grad(length(d), d, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), d)
    assert second.isnan().all() == (length is torch.linalg.vector_norm)

# %% what-anomaly-mode-sees hidden=true
import warnings

x = torch.zeros(1, requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    (x.sqrt() - x.sqrt()).sum().backward()  # inf - inf, added up by no function's backward
assert x.grad.isnan()
root = torch.where(x > 0, x.sqrt(), 0.0)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    try:
        with torch.autograd.set_detect_anomaly(True):
            root.sum().backward()
    except RuntimeError as error:
        assert "SqrtBackward0" in str(error), error
    else:
        raise AssertionError
assert any("No forward pass information" in str(one.message) for one in said)

# %% named-but-harmless hidden=true
weight = torch.ones(2, requires_grad=True)
try:
    with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("ignore")  # the page shows it: the line of the forward pass
        product = weight * torch.tensor([0.0, 1.0])
        product.sqrt().sum().backward()
except RuntimeError as error:  # the root at 0 sent back infinity, and 0 * inf is NaN
    assert "MulBackward0" in str(error), error
else:
    raise AssertionError

# %% scaled-gradient hidden=true
for scale in (1.0, 65536.0):  # as of a GradScaler
    try:
        with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(True):
            warnings.simplefilter("ignore")  # the page shows it: the line of the forward pass
            product = weight.half() * torch.tensor([0.0, 1.0], dtype=torch.float16)
            loss = product.float().sum()
            (scale * loss).backward()
    except RuntimeError as error:  # infinite in float16, and 0 * inf is NaN
        assert "MulBackward0" in str(error) and loss.isfinite() and scale > 1, error
    else:
        assert scale == 1

"""size_average and reduce are old spellings of reduction, and they win over it."""

# %% kl warns="UserWarning"
import torch
from torch import nn
import torch.nn.functional as F

criterion = nn.KLDivLoss(size_average=False)
print(criterion.reduction)

# %% mse warns="UserWarning"
criterion = nn.MSELoss(reduce=False)
print(criterion.reduction)

# %% table warns="UserWarning"
choices = (None, True, False)
lines = []
for reduce in choices:
    for size_average in choices:
        criterion = nn.MSELoss(size_average=size_average, reduce=reduce)
        options = f"reduce={reduce!s:5} size_average={size_average!s:5}"
        lines.append(f"{options} -> {criterion.reduction}")
print(*lines, sep="\n")

# %% numbers
prediction = torch.tensor([1.0, 2.0, 3.0])
target = torch.zeros(3)
for reduction in ("none", "sum", "mean"):
    loss = F.mse_loss(prediction, target, reduction=reduction)
    print(f"{reduction:4}", loss)

# %% overrides warns="UserWarning"
print(F.mse_loss(prediction, target, size_average=False, reduction="none"))

# %% positional warns="UserWarning"
print(F.mse_loss(prediction, target, "sum"))

# %% signature
import inspect

print(*inspect.signature(F.mse_loss).parameters)

# %% keyword
print(F.mse_loss(prediction, target, reduction="sum"))

# %% modules-too hidden=true
assert nn.MSELoss("sum").reduction == "mean"

# %% booleans-too hidden=true
import warnings

with warnings.catch_warnings():  # the warning is shown above
    warnings.simplefilter("ignore")
    for old, new in ((True, "mean"), (False, "sum")):
        assert nn.MSELoss(old).reduction == new
        assert torch.equal(F.mse_loss(prediction, target, old), F.mse_loss(prediction, target, reduction=new))
    overridden = F.mse_loss(prediction, target, size_average=False, reduction="mean")
    assert torch.equal(overridden, F.mse_loss(prediction, target, reduction="sum"))  # not the mean

# %% batchmean-still-divides hidden=true
logs, share = torch.randn(4, 3).log_softmax(dim=1), torch.randn(4, 3).softmax(dim=1)
for old in ({"size_average": False}, {"size_average": True}, {"reduce": True}, {"reduce": False}):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        both = F.kl_div(logs, share, **old, reduction="batchmean")
        named = nn.KLDivLoss(**old).reduction
        translated = F.kl_div(logs, share, reduction=named)
    assert f"reduction='{named}'" in str(caught[0].message), caught
    assert torch.equal(both, translated / len(logs))  # no batchmean unless it was a sum
    kept = F.kl_div(logs, share, reduction="batchmean").expand_as(both)
    assert torch.allclose(both, kept) == (named == "sum")

"""torch.export: a size that depends on values, and torch._check."""

# %% quiet fold=true
import logging
from contextlib import redirect_stderr
from io import StringIO

import torch

torch._logging.set_logs(dynamic=logging.CRITICAL)

# %% size
import torch
from torch import nn


class Spread(nn.Module):  # of the positive numbers
    def forward(self, x):
        kept = x[x > 0]  # nobody knows how many
        if kept.shape[0] > 1:
            return kept.std()
        return torch.zeros(())


example = torch.tensor([1.0, -1.0, 2.0, 3.0])
with redirect_stderr(StringIO()):  # PyTorch also prints the graph so far
    try:
        torch.export.export(Spread(), (example,))
    except Exception as error:
        print(f"{type(error).__name__}: {str(error).splitlines()[0]}")


# %% check
class Promised(nn.Module):
    def forward(self, x):
        kept = x[x > 0]
        torch._check(kept.shape[0] > 1)
        if kept.shape[0] > 1:
            return kept.std()
        return torch.zeros(())


promised = torch.export.export(Promised(), (example,)).module()
for x in (example, torch.tensor([4.0, 4.0, 8.0, -1.0])):
    print(torch.allclose(promised(x), Spread()(x)))

# %% broken-promise raises="RuntimeError"
promised(-example)


# %% where
class Both(nn.Module):
    def forward(self, x):
        mask = x > 0
        count = mask.sum()
        mean = torch.where(mask, x, 0).sum() / count
        squares = torch.where(mask, x - mean, 0).square().sum()
        return torch.where(count > 1, (squares / (count - 1)).sqrt(), 0)


both = torch.export.export(Both(), (example,)).module()
for x in (example, -example, torch.tensor([-1.0, -1.0, -1.0, 5.0])):
    print(torch.allclose(both(x), Spread()(x)))


# %% item
class First(nn.Module):
    def forward(self, x, count):
        return x[: count.item()] * 2


first = torch.export.export(First(), (example, torch.tensor(2))).module()
print(first(example, torch.tensor(3)))


# %% split hidden=true
class Halves(nn.Module):
    def forward(self, x):
        return x[x > 0].split(2)


with redirect_stderr(StringIO()):
    try:
        torch.export.export(Halves(), (example,))
    except Exception as error:
        assert "data-dependent" in str(error) and "(Size-like symbols: u0)" in str(error)
    else:
        raise AssertionError


# %% with-range hidden=true
class Ranged(nn.Module):
    def forward(self, x, count):
        count = count.item()
        torch._check(count >= 0)
        torch._check(count <= x.shape[0])
        return x[:count] * 2


ranged = torch.export.export(Ranged(), (example, torch.tensor(2))).module()
for count in range(5):
    assert torch.equal(ranged(example, torch.tensor(count)), example[:count] * 2)

# %% gradient-of-one hidden=true
for numbers, finite in (([1.0, 2.0, -1.0], True), ([-1.0, -1.0], True), ([1.0, -1.0], False)):
    x = torch.tensor(numbers, requires_grad=True)
    Both()(x).backward()
    assert x.grad.isfinite().all().item() is finite


# %% at-most-one hidden=true
class AtMostOne(nn.Module):
    def __init__(self, holds):
        super().__init__()
        self.holds = holds

    def forward(self, x):
        kept = x[x > 0]
        torch._check(self.holds(kept.shape[0]))
        return kept.sum()


two_of_them = torch.tensor([1.0, 2.0, -1.0, -1.0])
for holds, refused in ((lambda n: n < 2, True), (lambda n: n <= 1, not torch.__version__.startswith("2.13."))):
    exported = torch.export.export(AtMostOne(holds), (torch.tensor([1.0, -1.0, -1.0, -1.0]),)).module()
    try:
        exported(two_of_them)
        assert not refused
    except RuntimeError:
        assert refused
x = torch.tensor([2.0, 2.0, -1.0], requires_grad=True)
Both()(x).backward()
assert x.grad[:2].isnan().all()  # the two are equal

"""How tensors are printed: digits, scientific notation, how many elements."""

# %% default
import torch

weights = torch.tensor([0.123456789, 2.5])
gradients = torch.tensor([0.00012, 1234.5])
image = torch.arange(10_000).view(100, 100)
print(weights)
print(gradients)
print(image)

# %% digits
torch.set_printoptions(precision=7)
print(weights)

# %% no-exponents
torch.set_printoptions(profile="default", sci_mode=False)
print(gradients)

# %% all
row = torch.arange(1200)
torch.set_printoptions(profile="default", edgeitems=2)
print(row)
torch.set_printoptions(threshold=2000, linewidth=120)
print(str(row)[:60], "…", str(row)[-24:])

# %% reset
torch.set_printoptions(profile="default")
print(weights)

# %% context
from contextlib import contextmanager


@contextmanager
def printing(**options):
    torch.set_printoptions(**options)
    try:
        yield
    finally:
        torch.set_printoptions(profile="default")


with printing(precision=2, sci_mode=False):
    print("inside:", gradients)
print("after: ", gradients)

# %% restores
from torch._tensor_str import printoptions  # private

torch.set_printoptions(precision=8)
with printoptions(precision=2):
    print("inside:", weights)
print("after: ", weights)

# %% one-number
print(f"{weights[0]:.3f}", f"{weights[0].item():.2e}")

# %% format-many raises="TypeError"
print(f"{weights:.3f}")

# %% format-list
print([f"{weight:.3f}" for weight in weights])

# %% display-only
print(weights[0] == 0.1235)

# %% when-exponents hidden=true
assert "e" in str(torch.tensor([0.00009])) and "e-" not in str(torch.tensor([0.00011]))
assert "e+" in str(torch.tensor([1.5e8 + 32, 2e8, 0.5e8 + 0.5])) and "e+" not in str(torch.tensor([9e5 + 0.5]))
assert "e+" in str(torch.tensor([0.5, 501.5])) and "e+" not in str(torch.tensor([0.5, 499.5]))

# %% what-stays hidden=true
torch.set_printoptions(sci_mode=False, precision=2)
torch.set_printoptions(threshold=50)
assert "e-" in str(gradients) and "1.20e-04" in str(gradients)
torch.set_printoptions(profile="full")
assert "..." not in str(image)

# %% printing-forgets hidden=true
with printing(precision=2):
    pass
assert str(weights) == "tensor([0.1235, 2.5000])"  # not eight digits
assert str(torch.tensor([0.0, 1.0])) == "tensor([0., 1.])"  # zeros do not count
assert "e-05" in str(torch.tensor([0.0, -0.00005])) and "e+" in str(torch.tensor([-2e8 - 16, 1e8]))

# %% one-element-with-a-dimension hidden=true
try:
    f"{torch.tensor([1.5]):.3f}"
except TypeError:
    assert f"{torch.tensor(1.5):.3f}" == "1.500"
else:
    raise AssertionError

# %% small-without-exponents hidden=true
torch.set_printoptions(profile="default", sci_mode=False)
assert str(torch.tensor([1e-6, 2e-5])) == "tensor([0.0000, 0.0000])"
torch.set_printoptions(sci_mode=False, precision=6)
assert str(torch.tensor([1e-6, 2e-5])) == "tensor([0.000001, 0.000020])"
torch.set_printoptions(profile="full")
assert str(weights) == "tensor([0.1235, 2.5000])"  # the other options, too
assert [f"{number:.1f}" for number in image[:1, :2].double().flatten()] == ["0.0", "1.0"]

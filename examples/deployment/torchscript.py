"""Old TorchScript files and code: what still runs, and the way to torch.export."""

# %% file
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x):
        return self.linear(x).relu()


torch.manual_seed(0)
net, x = Net().eval(), torch.randn(2, 4)
torch.jit.script(net).save("old.pt")
old = torch.jit.load("old.pt")  # needs no class Net
print(type(old).__name__, old.original_name, torch.equal(old(x), net(x)))

# %% warnings
import warnings

calls = {
    "torch.jit.script": lambda: torch.jit.script(net),
    "torch.jit.trace": lambda: torch.jit.trace(net, x),
    "torch.jit.save": lambda: torch.jit.save(old, "copy.pt"),
    "torch.jit.load": lambda: torch.jit.load("old.pt"),
    "torch.jit.freeze": lambda: torch.jit.freeze(old.eval()),
}
for name, call in calls.items():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    first = [str(warning.message).split(". ")[0] for warning in caught][:1]
    print(f"{name:17}", *first or ["no warning"])

# %% source
print(old.code)

# %% rescue
weights = old.state_dict()
print({name: tuple(tensor.shape) for name, tensor in weights.items()})
new = Net().eval()
new.load_state_dict(weights)
program = torch.export.export(new, (x,))
torch.export.save(program, "new.pt2")
print(torch.equal(torch.export.load("new.pt2").module()(x), old(x)))

# %% load-archive raises="RuntimeError" warns="UserWarning"
torch.load("old.pt")

# %% load-archive-cure
loaded = torch.jit.load("old.pt", map_location="cpu")
print(torch.equal(loaded(x), old(x)))


# %% untyped raises="RuntimeError"
class Scaled(nn.Module):
    def forward(self, x, factor):
        return x * factor


torch.jit.script(Scaled())(x, 2.0)


# %% typed
class ScaledByNumber(nn.Module):
    def forward(self, x, factor: float):
        return x * factor


print(torch.equal(torch.jit.script(ScaledByNumber())(x, 2.0), x * 2))


# %% dictionary raises="RuntimeError"
class Named(nn.Module):
    def forward(self, x):
        return {"double": x * 2}


torch.jit.trace(Named(), x)

# %% dictionary-cure
print(torch.export.export(Named(), (x,)).module()(x).keys())

# %% strict hidden=true
assert "double" in torch.jit.trace(Named(), x, strict=False)(x)

# %% constant hidden=true
program = torch.export.export(Scaled(), (x, 2.0))
assert torch.equal(program.module()(x, 2.0), x * 2)
try:
    program.module()(x, 3.0)
except Exception as error:
    assert "2.0" in str(error), error
else:
    raise AssertionError("a number of the example is no constant")

# %% frozen hidden=true
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # shown above
    torch.jit.freeze(torch.jit.script(net)).save("frozen.pt")
    frozen = torch.jit.load("frozen.pt")
code, constants = frozen.code_with_constants
assert not frozen.state_dict() and "CONSTANTS.c0" in code
assert torch.equal(constants.const_mapping["c0"], net.linear.weight)

# %% python-3-14
import sys
from pathlib import Path

print("this Python is 3.14 or newer:", sys.version_info >= (3, 14))
for name in ("_script", "_trace", "_serialization"):
    source = (Path(torch.jit.__file__).parent / f"{name}.py").read_text()
    for line in source.splitlines():
        if "not supported in Python 3.14+" in line and "method" not in line:
            print(line.strip().strip('"'))

# %% interpreter raises="RuntimeError"
old(torch.randn(2, 5))

# %% interpreter-cure
print({name: tuple(tensor.shape) for name, tensor in old.state_dict().items()})
print(old(torch.randn(2, 4)).shape)


# %% not-persistent hidden=true
class WithTable(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(3), persistent=False)

    def forward(self, x):
        return x + self.table


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # shown above
    torch.jit.script(WithTable()).save("table.pt")
    kept = torch.jit.load("table.pt").state_dict()
assert "table" in kept and not WithTable().state_dict()
try:
    WithTable().load_state_dict(kept)
except RuntimeError as error:
    assert "Unexpected key" in str(error)
else:
    raise AssertionError("loaded")
del kept["table"]
WithTable().load_state_dict(kept)

# %% array hidden=true
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # shown above
    scripted = torch.jit.script(Scaled())
for numbers in (x.numpy(), x[0].tolist()):
    try:
        scripted(numbers, torch.tensor(2.0))
    except RuntimeError as error:
        assert "Tensor (inferred)" in str(error)
    else:
        raise AssertionError("no tensor")
    assert torch.equal(scripted(torch.as_tensor(numbers), torch.tensor(2.0)), torch.as_tensor(numbers) * 2)

"""A tensor class of one's own: subclass or wrapper, and __torch_function__."""

# %% subclass
import torch
from torch import nn


class Length(torch.Tensor):
    pass


length = torch.tensor([1.0, 2.0]).as_subclass(Length)
length.unit = "m"
results = {
    "length + 1": length + 1,
    "1 + length": 1 + length,
    "length[0]": length[0],
    "length == 1": length == 1,
    "max(0).values": length.max(0).values,
    "nn.Linear": nn.Linear(2, 1)(length),
    "clone()": length.clone(),
    "in place": length.add_(0),
}
for name, result in results.items():
    print(f"{name:14} {type(result).__name__} {getattr(result, 'unit', 'no unit')}")

# %% carry
from torch.utils._pytree import tree_leaves


class WithUnit(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        result = super().__torch_function__(function, types, args, kwargs)
        inputs = [x for x in tree_leaves((args, kwargs)) if isinstance(x, cls)]
        for output in tree_leaves(result):  # a tensor, or several
            if isinstance(output, cls):
                output.unit = getattr(inputs[0], "unit", None)
        return result


length = torch.tensor([1.0, 2.0]).as_subclass(WithUnit)
length.unit = "m"
for result in (length + 1, length.max(0).values, torch.stack([length, length])):
    print(type(result).__name__, result.unit)
print("length * length:", (length * length).unit)

# %% forms
from torch.overrides import resolve_name


class Seen(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        names.append(resolve_name(function))
        return super().__torch_function__(function, types, args, kwargs)


seen, names = torch.ones(2).as_subclass(Seen), []
torch.add(seen, 1), seen.add(1), seen + 1, seen.shape
print(*names, sep="\n")

# %% two-classes raises="TypeError"
length + torch.ones(2).as_subclass(Length)

# %% two-classes-cure
other = torch.ones(2).as_subclass(Length)
total = length + other.as_subclass(torch.Tensor)
print(type(total).__name__, total.unit)

# %% deepcopy raises="RuntimeError"
import copy

copy.deepcopy(length)


# %% deepcopy-cure
class Copied(WithUnit):
    def __deepcopy__(self, memo):
        return self.detach().clone().requires_grad_(self.requires_grad)


length = length.as_subclass(Copied)
length.unit = "m"
twin = copy.deepcopy(length)
print(type(twin).__name__, twin.unit)


# %% no-protocol raises="TypeError"
class Record:
    def __init__(self, value):
        self.value = value


torch.mean(Record(torch.ones(2)))

# %% wrapper
from torch.utils._pytree import tree_map


class Measured:
    def __init__(self, value, unit):
        self.value, self.unit = value, unit

    def __repr__(self):
        return f"{self.value.tolist()} {self.unit}"

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function not in SUPPORTED:
            return NotImplemented
        units = []

        def unwrap(x):
            if isinstance(x, cls):
                units.append(x.unit)
                return x.value
            return x

        args, kwargs = tree_map(unwrap, (args, kwargs or {}))
        if len(set(units)) > 1:
            raise ValueError(f"units differ: {units}")
        return cls(function(*args, **kwargs), units[0])


SUPPORTED = {torch.add, torch.mean, torch.cat, torch.Tensor.add}
width = Measured(torch.tensor([1.0, 3.0]), "m")
print(torch.mean(width))
print(torch.add(width, width))
print(torch.cat([width, width]))
print("isinstance:", isinstance(width, torch.Tensor))

# %% wrapper-refuses raises="TypeError"
torch.exp(width)

# %% wrapper-supports
SUPPORTED.add(torch.sum)
print(torch.sum(width))

# %% wrapper-no-methods raises="AttributeError"
width.mean()

# %% wrapper-function
print(torch.mean(width))

# %% counter-cases hidden=true
for dtype in (torch.float32, torch.float64, torch.long, torch.bfloat16):
    for shape in ((), (0,), (2, 3)):
        tagged = torch.ones(shape, dtype=dtype).as_subclass(WithUnit)
        tagged.unit = "s"
        for outcome in (tagged * 2, tagged.reshape(-1), torch.zeros_like(tagged), tagged.clone(), tagged.detach()):
            assert type(outcome) is WithUnit and outcome.unit == "s"
assert twin.data_ptr() != length.data_ptr() and type(twin) is Copied
assert (length + torch.ones(2)).unit == "m" and (torch.ones(2) + length).unit == "m"
plain_length = torch.ones(2).as_subclass(Length)
plain_length.unit = "m"
for same in (plain_length.contiguous(), plain_length.float(), plain_length.add_(1), copy.copy(plain_length)):
    assert same.unit == "m"
import pickle  # noqa: E402

assert pickle.loads(pickle.dumps(plain_length)).unit == "m"
try:
    torch.as_tensor(width)
except RuntimeError as error:
    assert "Could not infer dtype" in str(error)
else:
    raise AssertionError("as_tensor asks __torch_function__ now")
leaf = torch.ones(2, requires_grad=True)
leaf.as_subclass(Length).sum().backward()
assert type(leaf.grad) is torch.Tensor and torch.equal(leaf.grad, torch.ones(2))
assert type(nn.Parameter(length)) is Copied
child = torch.ones(2).as_subclass(type("Child", (WithUnit,), {}))
child.unit = "m"
assert type(child + torch.ones(2).as_subclass(WithUnit)).__name__ == "Child"  # of one family: the subclass
try:
    torch.add(width, Measured(torch.ones(2), "s"))
except ValueError as error:
    assert "units differ" in str(error)
else:
    raise AssertionError("meters and seconds were added")
assert isinstance(nn.functional.relu(length), Copied) and length.numpy().shape == (2,)
assert type(torch.func.grad(torch.sum)(plain_length)) is torch.Tensor
assert type(nn.Parameter(torch.ones(2)) + plain_length) is Length
assert not isinstance(copy.deepcopy(nn.Parameter(length)), nn.Parameter)
assert (torch.ones(2) + width).unit == "m"
assert plain_length.to("cpu") is plain_length and not hasattr(plain_length.view(2), "unit")
try:
    torch.add(length, plain_length)
except TypeError as error:
    assert "Multiple dispatch failed" in str(error)
else:
    raise AssertionError("two classes were added")


# %% calls-itself hidden=true
class Endless(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return function(*args, **(kwargs or {}))


try:
    torch.ones(2).as_subclass(Endless) + 1
except RecursionError:
    pass
else:
    raise AssertionError("calling the function no longer leads back")

# %% from-the-right hidden=true
assert (width + torch.ones(2)).unit == "m"
assert type(torch.vmap(lambda x: x * 2)(plain_length)) is torch.Tensor

# %% compared-silently hidden=true
assert (torch.ones(2) == width) is False and (width != torch.ones(2)) is True  # neither is in the list, no error
Forgetful = type("Forgetful", (torch.Tensor,), {"__deepcopy__": Copied.__deepcopy__})
forgetful = torch.ones(2).as_subclass(Forgetful)
forgetful.unit = "m"
assert type(copy.deepcopy(forgetful)) is Forgetful and not hasattr(copy.deepcopy(forgetful), "unit")

# %% wrong-units hidden=true
SUPPORTED.update((torch.mul, torch.exp))
assert torch.mul(width, width).unit == "m"  # not square meters: the class does not compute units
assert torch.exp(width).unit == "m"  # nor check them
feet = torch.ones(2).as_subclass(Length)
feet.unit = "ft"
assert (length + feet.as_subclass(torch.Tensor)).unit == "m"
feet = torch.ones(2).as_subclass(WithUnit)
feet.unit = "ft"
assert (child + feet).unit == (feet + child).unit == "m"  # derived, but not compared


# %% compared hidden=true
class Compared(torch.Tensor):
    by_parent = True

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        family = Compared if Compared.by_parent else cls
        units = {x.unit for x in tree_leaves((args, kwargs)) if isinstance(x, family)}
        if len(units) > 1:
            raise ValueError("units differ")
        return super().__torch_function__(function, types, args, kwargs)


meters = torch.ones(2).as_subclass(Compared)
feet = torch.ones(2).as_subclass(type("Derived", (Compared,), {}))
meters.unit, feet.unit = "m", "ft"
for Compared.by_parent in (False, True):
    for pair in ((meters, feet), (feet, meters)):
        try:
            torch.add(*pair)
        except ValueError:
            assert Compared.by_parent
        else:
            assert not Compared.by_parent  # cls is the derived class: one unit only

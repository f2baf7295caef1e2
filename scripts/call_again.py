"""Notes the first calls of a script's functions, and calls each once more under other conditions.

It runs in the script's own process: `try_functions.py` puts a cell before those of the script, and one behind them.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import functools
import inspect
import io
import itertools
import json
import random
import signal
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.backend_registration import _DummyPrivateUse1Hook, _setup_privateuseone_for_python_backend

#: Seconds of processor time that a call may take: what takes longer is a training.
CALL_SECONDS = 1.0
#: Calls noted of each function: the first may be one that fails on purpose, or one whose arguments cannot be copied.
MOST_CALLS = 3
#: How far results may be from those in float32, by the size of the largest one.
TOLERANCES = {torch.float64: 1e-3, torch.float32: 1e-4, torch.float16: 0.1, torch.bfloat16: 0.3}
#: A device that is not there: tensors on it have shapes alone, and meet none of another device.
DEVICE = "npu"
#: Conditions under which the numbers are the same.
VALUE_CONDITIONS = ("float", "bfloat", "autocast", "non-contiguous", "frozen")
#: What says that shapes alone do not suffice: so it is on `meta` and on a device that is not there.
NEEDS_DATA = ("on meta tensors", "of meta", "'Meta' backend", "_local_scalar_dense", "nonzero", "DataDependent")
NEEDS_DATA += ("DynamicOutput", "symbolic", "'npu' backend", "format string", "meta device type", ".numpy()", "pickle")
#: What that device cannot do because it is not there: autograd that was used before, a module that was made on it.
NEEDS_DATA += ("no fake impl", "INTERNAL ASSERT", "Couldn't swap")
#: What says that a function makes a tensor of a dtype, or on a device, that its arguments do not have.
MISFIT_MESSAGES = ("dtype", "ScalarType", "scalar type", "device", "same type", "Half", "BFloat16", "Double", "double")
#: What Python says, and no reader understands, where a function is not made for its argument.
UNCLEAR_MESSAGES = ("to unpack", "NoneType")


@dataclass
class Called:
    """A call of a function that a script defines."""

    name: str
    line: int
    function: Callable[..., Any]
    bound: bool
    """Whether it uses tensors or modules of its script: it fits their dtype and their device alone."""
    arguments: Any = None
    """Its positional and its named arguments: a tuple and a dictionary, copied before the call."""


@dataclass
class Outcome:
    """What a call did."""

    tensors: list[Tensor] = field(default_factory=list)
    """Those of its result, or of its arguments where it returns nothing."""
    gradients: list[Tensor] = field(default_factory=list)
    error: BaseException | None = None


class Recorder:
    """A profile function that notes calls of the functions that stand on some lines of a file."""

    def __init__(self, file: str, lines: set[int]):
        self.file, self.lines = file, lines
        self.found: dict[types.CodeType, list[Called]] = {}

    def __call__(self, frame: types.FrameType, event: str, _: Any) -> None:
        """Note a call. What cannot be copied is none that can be made again."""
        code = frame.f_code
        if event != "call" or code.co_filename != self.file or code.co_firstlineno not in self.lines:
            return
        calls = self.found.setdefault(code, [])
        if "<" not in code.co_qualname and len(calls) < MOST_CALLS:
            with contextlib.suppress(Exception), torch.inference_mode(False), torch.no_grad():
                if target := _target(frame):
                    function, left_out = target
                    names, rest, named, values = inspect.getargvalues(frame)
                    given = [*(values[name] for name in names[: code.co_argcount]), *(values[rest] if rest else ())]
                    more = {name: values[name] for name in names[code.co_argcount :]} | (values[named] if named else {})
                    call = Called(code.co_qualname, code.co_firstlineno, function, uses_data(code, frame.f_globals))
                    call.arguments = copied((tuple(given[left_out:]), more))
                    calls.append(call)


def _target(frame: types.FrameType) -> tuple[Callable[..., Any], int] | None:
    """Return what a reader calls to get this call, and the number of first arguments that Python gives it by itself."""
    name = frame.f_code.co_name
    first, _, rest = frame.f_code.co_qualname.partition(".")
    made: Any = frame.f_globals.get(first)
    if not rest:
        return (made, 0) if getattr(inspect.unwrap(made), "__code__", None) is frame.f_code else None
    raw = made.__dict__.get(name)
    if issubclass(made, torch.autograd.Function):
        with_context = made.setup_context is torch.autograd.Function.setup_context
        return (made.apply, int(with_context)) if name == "forward" else None
    if name == "__init__":
        return (made, 1) if issubclass(made, nn.Module) else None
    if name.startswith(("__torch", "__new", "__repr", "__set", "__get")):
        return None
    if isinstance(raw, staticmethod | classmethod):
        return getattr(made, name), int(isinstance(raw, classmethod))
    if issubclass(made, nn.Module) and name == "forward":
        return nn.Module.__call__, 0
    return (raw if callable(raw) else lambda self: getattr(self, name)), 0


def uses_data(code: types.CodeType, names: dict[str, Any], seen: frozenset[types.CodeType] = frozenset()) -> bool:
    """Whether a function, or one that it calls, uses tensors or modules of its script."""
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    read = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "LOAD_GLOBAL"}
    for held in (names[name] for name in read if name in names):
        if any(isinstance(leaf, Tensor | nn.Module | torch.utils.data.Dataset) for leaf in tree_leaves(held)):
            return True
        if isinstance(held, types.FunctionType) and held.__globals__ is names:
            inner.append(held.__code__)
    return any(nested not in seen and uses_data(nested, names, seen | {code}) for nested in inner)


def copied(value: Any) -> Any:
    """Copy arguments, with gradients. Of a tensor that autograd has computed, a leaf is made."""
    ordinary, of_parameters = Tensor.__deepcopy__, nn.Parameter.__deepcopy__

    def copy_tensor(self: Tensor, memo: dict[int, Any]) -> Tensor:
        if self.is_nested or isinstance(self, FakeTensor):
            raise TypeError("a copy would not have the lengths, or the mode, of the original")
        if self.is_leaf:
            return ordinary(self, memo)
        memo[id(self)] = made = self.detach().clone().requires_grad_()
        return made

    def copy_parameter(self: nn.Parameter, memo: dict[int, Any]) -> nn.Parameter:
        made = of_parameters(self, memo)
        made.grad = None if self.grad is None else self.grad.clone()
        return made

    Tensor.__deepcopy__, nn.Parameter.__deepcopy__ = copy_tensor, copy_parameter
    try:
        return copy.deepcopy(value)
    finally:
        Tensor.__deepcopy__, nn.Parameter.__deepcopy__ = ordinary, of_parameters


def parts(value: Any, kind: type) -> list[Any]:
    """Return the parts of arguments that are of a kind."""
    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, kind)]


def held(arguments: Any) -> list[Tensor]:
    """Return the tensors of arguments, and the parameters of their modules."""
    modules = parts(arguments, nn.Module)
    return [*parts(arguments, Tensor), *itertools.chain.from_iterable(module.parameters() for module in modules)]


def call(called: Called, arguments: Any, around: Any = None, seed: int = 0) -> Outcome:
    """Call a function."""
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)

    def late(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, CALL_SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), around or contextlib.nullcontext():
            warnings.simplefilter("ignore")
            result = called.function(*arguments[0], **arguments[1])
            if inspect.isgenerator(result):
                result = list(itertools.islice(result, 50))
            tensors = list(_tensors(arguments if result is None else result))
        return Outcome(tensors, _gradients(arguments, result))
    except BaseException as error:
        return Outcome(error=error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _tensors(result: Any) -> Iterator[Tensor]:
    for leaf in tree_leaves(result):
        if isinstance(leaf, nn.Module):
            yield from parts(leaf.state_dict(), Tensor)
        elif isinstance(leaf, float) or (isinstance(leaf, Tensor) and not leaf.is_nested):
            yield leaf.detach() if isinstance(leaf, Tensor) else torch.tensor(leaf)


def _gradients(arguments: Any, result: Any) -> list[Tensor]:
    outputs = [tensor for tensor in parts(result, Tensor) if tensor.requires_grad and tensor.is_floating_point()]
    inputs = [tensor for tensor in held(arguments) if tensor.requires_grad and tensor.is_leaf]
    if not outputs or not inputs:
        return []
    # a plain sum has no gradient behind a softmax
    sums = [
        (tensor.float() * torch.arange(tensor.numel(), device=tensor.device).cos().view_as(tensor)).sum()
        for tensor in outputs
    ]
    return [tensor for tensor in torch.autograd.grad(sums, inputs, allow_unused=True) if tensor is not None]


def conditions(called: Called) -> Iterator[tuple[str, Callable[[Any], Any], Any]]:
    """Yield the conditions that apply to a call: name, what it does to the arguments, what stands around the call."""
    tensors, modules = parts(called.arguments, Tensor), parts(called.arguments, nn.Module)
    if not tensors and not modules:
        if not called.bound:
            for dtype in (torch.float64, torch.bfloat16):
                yield f"default {dtype}".replace("torch.", ""), _same, _default(dtype)
            yield "default meta", _same, torch.device("meta")
        return
    if any(tensor.is_floating_point() for tensor in held(called.arguments)):
        for dtype in (torch.float64, torch.float16, torch.bfloat16):
            yield str(dtype).removeprefix("torch."), partial(changed, change=partial(_cast, dtype)), None
        yield "autocast", _same, torch.autocast("cpu", torch.bfloat16)
    if not parts(called.arguments, torch.optim.Optimizer):
        yield "meta", partial(changed, change=lambda tensor: tensor.to("meta")), None
        yield DEVICE, partial(changed, change=_like), _on_other_device()
    if batch := size(called.arguments):
        for count in (0, 1) if batch > 1 else (0,):
            yield f"batch of {count}", partial(cut, count=count), None
    if any(tensor.dim() for tensor in tensors):
        yield "non-contiguous", partial(changed, change=_spread, modules=False), None
    for mode in (True, False) if modules else ():
        yield "train" if mode else "eval", partial(_in_mode, mode), None
    if any(tensor.requires_grad for tensor in held(called.arguments)):
        yield "frozen", _frozen, None
    if called.name.partition(".")[2] == "" and modules:
        yield "tied", _tied, None


def changed(given: Any, change: Callable[[Tensor], Tensor], *, modules: bool = True) -> Any:
    """Replace the tensors in arguments, and, by default, those that modules move with them."""

    def changed_leaf(leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            return change(leaf.detach()).requires_grad_(leaf.requires_grad)
        if isinstance(leaf, nn.Module) and modules:
            places = [(inner._parameters, name) for inner in leaf.modules() for name in inner._parameters]
            tied = {id(store[name]): (store, name) for store, name in reversed(places)}
            firsts = [tied[id(store[name])] for store, name in places]
            leaf._apply(change)
            for (store, name), (first, its_name) in zip(places, firsts, strict=True):
                store[name] = first[its_name]
        elif type(leaf).__module__ == "__main__" and not isinstance(leaf, type | nn.Module):
            for name, value in getattr(leaf, "__dict__", {}).items():
                leaf.__dict__[name] = changed_leaf(value) if isinstance(value, Tensor) else value
        return leaf

    # Else a module keeps its parameters and replaces their data, which no other device allows.
    torch.__future__.set_overwrite_module_params_on_conversion(not parts(given, torch.optim.Optimizer))
    return tree_map(changed_leaf, given)


def _same(given: Any) -> Any:
    return given


def _cast(dtype: torch.dtype, tensor: Tensor) -> Tensor:
    return tensor.to(dtype) if tensor.is_floating_point() else tensor


def _spread(tensor: Tensor) -> Tensor:
    if tensor.dim() > 1:
        return tensor.transpose(0, -1).contiguous().transpose(0, -1)
    return torch.stack([tensor, tensor], -1)[..., 0] if tensor.dim() else tensor


def _in_mode(mode: bool, given: Any) -> Any:
    for module in parts(given, nn.Module):
        module.train(mode)
    return given


def _frozen(given: Any) -> Any:
    for tensor in held(given):
        tensor.requires_grad_(False)
    return given


def _tied(given: Any) -> Any:
    """Let two modules share a weight, where two have the same shape."""
    inner = [child for module in parts(given, nn.Module) for child in module.modules() if hasattr(child, "weight")]
    a, b = next((a, b) for a, b in itertools.combinations(inner, 2) if a.weight.shape == b.weight.shape)
    b.weight = a.weight
    return given


@contextlib.contextmanager
def _default(dtype: torch.dtype) -> Iterator[None]:
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(torch.float32)


class _NotThere(_DummyPrivateUse1Hook):  # type: ignore[misc]
    """A device that functions which ask for an accelerator do not find."""

    def is_available(self) -> bool:
        """Say that it is not there."""
        return False


@functools.cache
def _other_device() -> FakeTensorMode:
    """Register a device, and return the mode in which its tensors have shapes alone."""
    _setup_privateuseone_for_python_backend(DEVICE, hook=_NotThere())
    return FakeTensorMode(allow_non_fake_inputs=True)


def _like(tensor: Tensor) -> Tensor:
    with _other_device():
        return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=DEVICE)


@contextlib.contextmanager
def _on_other_device() -> Iterator[None]:
    tensor, new_tensor = torch.tensor, Tensor.new_tensor  # which do not ask the mode

    def make(*data: Any, device: Any = None, **options: Any) -> Tensor:
        return tensor(*data, **options).to(device or "cpu")

    def make_alike(self: Tensor, data: Any, **options: Any) -> Tensor:
        return make(data, **{"dtype": self.dtype, "device": self.device, **options})

    torch.tensor, Tensor.new_tensor = make, make_alike
    try:
        with _other_device():
            yield
    finally:
        torch.tensor, Tensor.new_tensor = tensor, new_tensor


def size(arguments: Any) -> int:
    """Return the batch: the first dimension of the first tensor, or the length of the first list of them, or 0."""
    return next(filter(None, map(_size, (*arguments[0], *arguments[1].values()))), 0)


def _size(value: Any) -> int:
    if isinstance(value, dict):
        return next(filter(None, map(_size, value.values())), 0)
    if isinstance(value, list):
        return len(value) if parts(value, Tensor) else 0
    return value.shape[0] if isinstance(value, Tensor) and value.dim() else 0


def cut(arguments: Any, count: int) -> Any:
    """Leave the first ones of a batch."""
    batch = size(arguments)

    def cut_value(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: cut_value(held) for name, held in value.items()}
        if _size(value) != batch:
            return value
        if isinstance(value, list):
            return value[:count]
        return value[:count].detach().clone().requires_grad_(value.requires_grad)

    return tuple(map(cut_value, arguments[0])), cut_value(arguments[1])


def judge(called: Called, condition: str, old: Outcome, new: Outcome, *, drawn: bool) -> tuple[str, str]:
    """Return the kind of what happened, and details.

    The kinds are ``same``; ``error``, which says what is wrong; ``untried``, it needs data or a real device; ``late``;
    ``empty mean``, as PyTorch's own losses have it; ``misfit``, it makes tensors of another dtype or device than those
    that it gets; ``dtype``, of a result; and ``wrong``.

    Args:
        called: The call.
        condition: The condition's name.
        old: What the call did as the script makes it.
        new: What it did under the condition.
        drawn: Whether its results are random.
    """
    if isinstance(new.error, TimeoutError):
        return "late", ""
    if new.error:
        text = " ".join(f"{type(new.error).__name__}: {new.error}".split())
        if condition.endswith(("meta", DEVICE)) and any(word in text for word in NEEDS_DATA):
            return "untried", text[:170]
        clear = isinstance(new.error, TypeError | ValueError | RuntimeError | AssertionError)
        if (
            not clear
            or any(word in text for word in UNCLEAR_MESSAGES)
            or condition in ("non-contiguous", "train", "eval")
        ):
            return "wrong", text[:170]
        misfit = (
            not called.bound and not condition.startswith("batch") and any(word in text for word in MISFIT_MESSAGES)
        )
        return ("misfit" if misfit else "error"), text[:170]
    if len(new.tensors) != len(old.tensors):
        right = condition == "tied" or condition.startswith("batch")
        return ("same" if right else "wrong"), f"{len(new.tensors)} tensors, not {len(old.tensors)}"
    pairs = list(zip(old.tensors, new.tensors, strict=True))
    if len(new.gradients) == len(old.gradients):
        pairs += zip(old.gradients, new.gradients, strict=True)
    alone = any(isinstance(argument, Tensor) for argument in (*called.arguments[0], *called.arguments[1].values()))
    batch = size(called.arguments) if alone else 0
    told = [_compare(condition, batch, *pair, drawn=drawn) for pair in pairs]
    verdict = min(
        told, key=lambda verdict: ("wrong", "dtype", "empty mean", "same").index(verdict[0]), default=("same", "")
    )
    return ("same", verdict[1]) if verdict[0] == "dtype" and called.bound else verdict


def _compare(condition: str, batch: int, old: Tensor, new: Tensor, *, drawn: bool) -> tuple[str, str]:
    if condition.startswith("batch") and batch:
        count, dims = int(condition[-1]), zip(old.shape, new.shape, strict=False)
        fits = (b == a or (a % batch == 0 and b == a // batch * count) for a, b in dims)
        if old.dim() != new.dim() or not all(fits):
            return "wrong", f"shape {list(new.shape)}, was {list(old.shape)}"
    elif old.shape != new.shape and not condition.startswith("batch"):
        return "wrong", f"shape {list(new.shape)}, was {list(old.shape)}"
    wanted = condition.removeprefix("default ")
    if wanted in ("meta", DEVICE):
        return ("same", "") if new.device.type == wanted or not new.dim() else ("wrong", f"a tensor is on {new.device}")
    if old.is_meta or not old.is_floating_point() or not old.isfinite().all():
        return "same", ""
    if not new.isfinite().all():
        if condition == "batch of 0" and not new.dim():
            return "empty mean", ""
        return "wrong", f"{'nan' if new.isnan().any() else 'inf'} in {list(new.shape)}"
    dtype = torch.bfloat16 if condition == "autocast" else getattr(torch, wanted, old.dtype)
    if not drawn and condition.startswith(VALUE_CONDITIONS) and new.numel():
        far = ((new.double() - old.double()).abs().max() / old.abs().max().clamp(min=1e-3)).item()
        if far > TOLERANCES.get(dtype, 0.3):
            return "wrong", f"differs by {far:.2g} of the largest"
    if new.dtype is not dtype and condition != "autocast" and new.dim():
        return "dtype", f"{new.dtype}, not {dtype}".replace("torch.", "")
    return "same", ""


def again(recorder: Recorder) -> list[dict[str, Any]]:
    """Call what was noted again, once under each condition, and say what happened."""
    told: list[dict[str, Any]] = []
    if recorder.found:
        torch.empty(1, device="meta") + 1  # imports what computes shapes: seconds that are not a call's
    for calls in recorder.found.values():
        if (first := next(filter(None, map(_made_again, calls)), None)) is None:
            continue
        called, old, other = first
        place = {"line": called.line, "name": called.name}
        told.append({**place, "condition": "again", "kind": "again", "detail": ""})
        pairs = zip(old.tensors, other.tensors, strict=False)
        drawn = not all(tensor.is_meta or torch.equal(tensor, again) for tensor, again in pairs)
        for name, change, around in conditions(called):
            try:
                arguments = change(copied(called.arguments))
            except Exception:  # the condition does not apply
                continue
            kind, detail = judge(called, name, old, call(called, arguments, around), drawn=drawn)
            told.append({**place, "condition": name, "kind": kind, "detail": detail})
    return told


def _made_again(called: Called) -> tuple[Called, Outcome, Outcome] | None:
    """Make a call twice as the script makes it, with other random numbers; nothing where it fails."""
    with contextlib.suppress(Exception):  # of what cannot be copied once more
        old, other = (call(called, copied(called.arguments), seed=seed) for seed in (0, 1))
        return None if old.error or other.error else (called, old, other)
    return None


def begin(file: str, lines: list[int]) -> Recorder:
    """Note calls from now on."""
    recorder = Recorder(file, set(lines))
    sys.setprofile(recorder)
    return recorder


def end(recorder: Recorder) -> None:
    """Call all again, and print what happened as the last line."""
    sys.setprofile(None)
    print("\n" + json.dumps(again(recorder)))

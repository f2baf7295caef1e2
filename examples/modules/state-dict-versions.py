"""get_extra_state, _version and _metadata: what a state_dict holds besides tensors."""

# %% extra-state
import copy
import io

import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = {}

    def get_extra_state(self):
        return dict(self.names)  # a copy, or two models share it

    def set_extra_state(self, state):
        self.names = dict(state)


counter = Counter()
counter.names["cat"] = 3
restored = Counter()
restored.load_state_dict(counter.state_dict())
print(dict(counter.state_dict()), restored.names)

# %% extra-missing raises="RuntimeError"
restored.load_state_dict({})


# %% only-get raises="RuntimeError"
class Forgetful(nn.Module):
    def get_extra_state(self):
        return {"steps": 3}


Forgetful().load_state_dict(Forgetful().state_dict())


# %% versions
class Scale(nn.Module):
    _version = 2  # version 1 called the weight gamma

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def _load_from_state_dict(self, state, prefix, metadata, *others):
        if metadata.get("version", 1) < 2:
            state[prefix + "weight"] = state.pop(prefix + "gamma")
        super()._load_from_state_dict(state, prefix, metadata, *others)


old = {"0.gamma": torch.full((3,), 2.0)}
net = nn.Sequential(Scale())
print(net.load_state_dict(old), net[0].weight.tolist(), list(old))
print(dict(net.state_dict()._metadata))

# %% dict-fails raises="KeyError"
net.load_state_dict(dict(net.state_dict()))

# %% what-keeps
state = net.state_dict()
file = io.BytesIO()
torch.save(state, file)
file.seek(0)
kinds = {
    "torch.save": torch.load(file),
    "copy.deepcopy": copy.deepcopy(state),
    "dict()": dict(state),
    ".copy()": state.copy(),
    "comprehension": {name: value for name, value in state.items()},
}
for kind, value in kinds.items():
    print(f"{kind:13} {hasattr(value, '_metadata')}")

# %% put-back
renamed = type(state)((name, value) for name, value in state.items())
renamed._metadata = state._metadata
print(net.load_state_dict(renamed))


# %% by-name
def rename(module, state, prefix, *others):
    if prefix + "gamma" in state:
        state[prefix + "weight"] = state.pop(prefix + "gamma")


layer = nn.Linear(3, 3, bias=False)
layer.register_load_state_dict_pre_hook(rename)
for name in ("gamma", "weight"):
    print(name, layer.load_state_dict({name: torch.ones(3, 3)}))

# %% batch-norm
norm = nn.BatchNorm1d(2)
state = norm.state_dict()
del state["num_batches_tracked"]
print("without versions:", norm.load_state_dict(dict(state)))

# %% batch-norm-missing raises="RuntimeError"
norm.load_state_dict(state)

# %% remedies hidden=true
restored.names["dog"] = 1
assert "dog" not in counter.names
fresh = Counter()
said = fresh.load_state_dict({}, strict=False)
assert said.missing_keys == ["_extra_state"] and not said.unexpected_keys and fresh.names == {}
fresh.names["dog"] = 1
Counter().load_state_dict(fresh.state_dict())  # saved again, it loads with strict=True
for value in (1, 1.5, "a", [1, "a"], {"a": 1}, torch.ones(2)):
    file = io.BytesIO()
    torch.save({"_extra_state": value}, file)
    file.seek(0)
    torch.load(file, weights_only=True)
state = nn.BatchNorm1d(2).state_dict()
del state["num_batches_tracked"]
state["running_mean"] += 1
norm = nn.BatchNorm1d(2)
said = norm.load_state_dict(state, strict=False)
assert said.missing_keys == ["num_batches_tracked"] and not said.unexpected_keys
assert norm.running_mean.tolist() == [1, 1] and norm.num_batches_tracked == 0
assert norm._version == 2 and "_load_from_state_dict" in vars(nn.modules.batchnorm._NormBase)


class Remembering(Forgetful):
    def set_extra_state(self, state):
        self.steps = state["steps"]


remembering = Remembering()
remembering.load_state_dict(Forgetful().state_dict())
assert remembering.steps == 3

# %% not-plain hidden=true
from collections import defaultdict

counter.names = defaultdict(int, cat=3)
file = io.BytesIO()
torch.save({"_extra_state": counter.names}, file)
file.seek(0)
try:
    torch.load(file, weights_only=True)
except Exception as error:
    assert "defaultdict" in str(error), error
else:
    raise AssertionError

# %% loaded-before hidden=true
counter.names = {"bird": 2}
again = Counter()
again.load_state_dict(counter.state_dict())
again.load_state_dict({}, strict=False)
assert again.names == {"bird": 2}  # as it was, not what __init__ gave
assert again.state_dict()["_extra_state"] == {"bird": 2}  # saved again: so load into a new one

# %% renamed-layer hidden=true
said = nn.ModuleDict({"count": Counter()}).load_state_dict({"counter._extra_state": {"cat": 3}}, strict=False)
assert said.missing_keys == ["count._extra_state"] and said.unexpected_keys == ["counter._extra_state"]

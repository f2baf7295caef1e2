"""Where the prefixes module. and _orig_mod. come from, and how they go."""

# %% where-from
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

net = nn.Sequential(nn.Linear(3, 2))
wrapped = {
    "the model": net,
    "torch.compile": torch.compile(net),
    "DataParallel": nn.DataParallel(net),
    "AveragedModel": AveragedModel(net),
}
for name, model in wrapped.items():
    print(f"{name:14} {list(model.state_dict())}")

# %% fails raises="RuntimeError"
checkpoint = wrapped["torch.compile"].state_dict()
net.load_state_dict(checkpoint)

# %% remove
prefix = "_orig_mod."
plain = {name.removeprefix(prefix): value for name, value in checkpoint.items()}
print(net.load_state_dict(plain))


# %% any
def without_prefixes(state, prefixes):
    for prefix in prefixes:  # outermost first
        if not all(name.startswith(prefix) for name in state):
            raise KeyError(f"not all keys start with {prefix!r}")
        state = {name.removeprefix(prefix): value for name, value in state.items()}
    return state


both = nn.DataParallel(torch.compile(net)).state_dict()
print(list(both))
print(list(without_prefixes(both, ["module.", "_orig_mod."])))

# %% save-without
compiled = torch.compile(net)
print("the model itself:", compiled._orig_mod is net)
print(list(compiled._orig_mod.state_dict()))


# %% in-place
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


in_place = Net()
in_place.compile()
print(list(in_place.state_dict()))

# %% consume
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present

state = nn.DataParallel(net).state_dict()
consume_prefix_in_state_dict_if_present(state, "module.")
print(list(state))

# %% renamed
old_names = {"fc.weight": torch.ones(2, 3), "fc.bias": torch.zeros(2)}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)  # was called fc
        self.register_load_state_dict_pre_hook(self.rename)

    @staticmethod
    def rename(module, state, prefix, *_):
        for name in list(state):
            if name.startswith(prefix + "fc."):
                new = prefix + "head." + name.removeprefix(prefix + "fc.")
                state[new] = state.pop(name)


print(Classifier().load_state_dict(old_names))


# %% child-named-module
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = nn.Linear(3, 2)


state = nn.DataParallel(Outer()).state_dict()
print(list(state))
print(list(without_prefixes(state, ["module."])))
print("replace:", [name.replace("module.", "") for name in state])

# %% claims hidden=true
Outer().load_state_dict(without_prefixes(state, ["module."]))
try:
    without_prefixes(net.state_dict(), ["module."])
except KeyError:
    pass
else:
    raise AssertionError

# %% average-and-part hidden=true
state = AveragedModel(net).state_dict()
try:
    without_prefixes(state, ["module."])
except KeyError:
    state.pop("n_averaged")
else:
    raise AssertionError
net.load_state_dict(without_prefixes(state, ["module."]))
partly = Net()
partly.fc = torch.compile(partly.fc)  # one layer alone
state = partly.state_dict()
assert list(state)[0] == "fc._orig_mod.weight"
assert list(state)[0].removeprefix("_orig_mod.") == list(state)[0]
Net().load_state_dict({name.replace("_orig_mod.", ""): value for name, value in state.items()})

# %% copies-and-versions hidden=true
average = AveragedModel(net)
assert nn.DataParallel(net).module is net and torch.compile(net)._orig_mod is net
assert average.module is not net and average.module[0].weight is not net[0].weight
with torch.no_grad():
    net[0].bias += 1
assert not torch.equal(average.module[0].bias, net[0].bias)  # saving net would lose the average
state = nn.DataParallel(nn.Sequential(nn.BatchNorm1d(2))).state_dict()
assert not hasattr(without_prefixes(state, ["module."]), "_metadata")
consume_prefix_in_state_dict_if_present(state, "module.")
assert state._metadata["0"]["version"] == 2

# %% two-copies hidden=true
copies = {**net.state_dict(), **{f"ema.{name}": torch.zeros_like(value) for name, value in net.state_dict().items()}}
cut = {name.removeprefix("ema."): value for name, value in copies.items()}  # only the unexpected keys have it
assert len(cut) == len(copies) // 2 and not cut["0.weight"].any()  # the average in place of the weights

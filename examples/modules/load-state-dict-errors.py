"""What load_state_dict() says when names or shapes do not match."""

# %% keys raises="RuntimeError"
import torch
from torch import nn

layer = nn.Linear(3, 2)
state = {"weight": torch.zeros(2, 3), "scale": torch.ones(2)}
layer.load_state_dict(state)

# %% not-strict
result = layer.load_state_dict(state, strict=False)
print("missing:", result.missing_keys, " unexpected:", result.unexpected_keys)
print(layer.weight.detach(), "bias nonzero:", layer.bias.count_nonzero().item())

# %% prefix
wrapper = nn.ModuleDict({"module": nn.Linear(3, 2)})
wrapped = wrapper.state_dict()
result = layer.load_state_dict(wrapped, strict=False)
print("missing:", result.missing_keys, " unexpected:", result.unexpected_keys)
print(layer.weight.detach())

# %% prefix-removed
plain = {name.removeprefix("module."): t for name, t in wrapped.items()}
print(layer.load_state_dict(plain))

# %% size raises="RuntimeError"
nn.Linear(3, 2).load_state_dict(nn.Linear(2, 2).state_dict())

# %% size-not-strict raises="RuntimeError"
nn.Linear(3, 2).load_state_dict(nn.Linear(2, 2).state_dict(), strict=False)

# %% half-loaded
pretrained = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 10))
classifier = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 3))
try:
    classifier.load_state_dict(pretrained.state_dict())
except RuntimeError:
    loaded = torch.equal(classifier[0].weight, pretrained[0].weight)
    print("layer 0 loaded:", loaded)
    print("layer 1:", tuple(classifier[1].weight.shape))

# %% new-head
own = classifier.state_dict()
fitting = {}
for name, tensor in pretrained.state_dict().items():
    if name in own and tensor.shape == own[name].shape:
        fitting[name] = tensor
print(classifier.load_state_dict(fitting, strict=False))

# %% counter-cases hidden=true
for strict in (True, False):
    try:
        nn.Linear(3, 2).load_state_dict(nn.Linear(4, 2).state_dict(), strict=strict)
    except RuntimeError as error:
        assert "size mismatch" in str(error)
    else:
        raise AssertionError("a size is never ignored")
found = nn.Linear(3, 2).load_state_dict({"other": torch.ones(2)}, strict=False)
assert found.missing_keys == ["weight", "bias"] and found.unexpected_keys == ["other"]  # and nothing was loaded

# %% remedies hidden=true
stored = nn.Linear(2, 2).state_dict()
columns = stored["weight"].shape[1]
assert nn.Linear(columns, 2).load_state_dict(stored).missing_keys == []

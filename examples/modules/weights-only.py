"""torch.load reads tensors and plain data; the rest must be allowed."""

# %% state-dict
import tempfile
from pathlib import Path

import torch
from torch import nn

folder = Path(tempfile.mkdtemp())
net = nn.Linear(3, 2)
torch.save(net.state_dict(), folder / "weights.pt")
state = torch.load(folder / "weights.pt")
print({name: tuple(tensor.shape) for name, tensor in state.items()})
print(nn.Linear(3, 2).load_state_dict(state))

# %% module raises="UnpicklingError"
torch.save(net, folder / "net.pt")
torch.load(folder / "net.pt")

# %% trusted
print(torch.load(folder / "net.pt", weights_only=False))

# %% allow-list
print(torch.serialization.get_unsafe_globals_in_checkpoint(folder / "net.pt"))
with torch.serialization.safe_globals([nn.Linear]):
    print(torch.load(folder / "net.pt"))


# %% code
class Surprise:
    def __reduce__(self):
        return print, ("this ran while the file was read",)


torch.save(Surprise(), folder / "surprise.pt")
torch.load(folder / "surprise.pt", weights_only=False)

# %% code-refused
import pickle

try:
    torch.load(folder / "surprise.pt")
except pickle.UnpicklingError:
    print("refused")

print(torch.serialization.get_unsafe_globals_in_checkpoint(folder / "surprise.pt"))

# %% numpy raises="UnpicklingError"
import numpy as np

loss = np.mean([0.25, 0.75])
torch.save({"net": net.state_dict(), "loss": loss}, folder / "numpy.pt")
torch.load(folder / "numpy.pt")

# %% item
torch.save({"net": net.state_dict(), "loss": loss.item()}, folder / "python.pt")
print(torch.load(folder / "python.pt")["loss"])


# %% arrays hidden=true
array = np.ones(2)
torch.save({"loss": loss, "losses": array}, folder / "arrays.pt")
listed = torch.serialization.get_unsafe_globals_in_checkpoint(folder / "arrays.pt")
assert sorted(name.rpartition(".")[2] for name in listed) == ["_reconstruct", "dtype", "ndarray", "scalar"]
multiarray = np._core.multiarray
listed = [multiarray.scalar, multiarray._reconstruct, np.ndarray, np.dtype]
for allowed, enough in ((listed, False), ([*listed, np.dtypes.Float64DType], True)):
    with torch.serialization.safe_globals(allowed):
        try:
            assert torch.load(folder / "arrays.pt")["losses"].tolist() == [1.0, 1.0]
            loaded = True
        except pickle.UnpicklingError as error:
            assert "Float64DType" in str(error)
            loaded = False
    assert loaded is enough
torch.save({"losses": torch.from_numpy(array)}, folder / "tensors.pt")
assert torch.load(folder / "tensors.pt")["losses"].tolist() == [1.0, 1.0]


# %% moved-class hidden=true
class Moved(nn.Linear):
    pass


with torch.serialization.safe_globals([(Moved, "torch.nn.modules.linear.Linear")]):
    assert type(torch.load(folder / "net.pt")) is Moved

# %% allowed-and-refused hidden=true
from collections import Counter, OrderedDict, defaultdict, deque


def loads(history, **options):
    torch.save({"history": history}, folder / "history.pt")
    try:
        return torch.load(folder / "history.pt", **options)["history"] == history
    except pickle.UnpicklingError as error:
        assert "Can only SETITEM for dict" in str(error) or "Can only append to lists" in str(error), error
        return False


histories = defaultdict(list, loss=[0.5]), deque([0.5])
for history in histories:
    plain = dict(history) if isinstance(history, dict) else list(history)
    assert loads(plain) and loads(history, weights_only=False)
if torch.__version__ >= "2.13":  # others may load them
    with torch.serialization.safe_globals([defaultdict, deque, list]):
        assert loads(defaultdict(list)) and loads(deque())  # empty
        assert loads(OrderedDict(loss=0.5)) and loads(Counter("aab"))
        assert not any(loads(history) for history in histories)

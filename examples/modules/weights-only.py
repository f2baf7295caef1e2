"""torch.load reads tensors and plain data; the rest must be allowed."""

# %% state-dict
import torch
from torch import nn

net = nn.Linear(3, 2)
torch.save(net.state_dict(), "weights.pt")
state = torch.load("weights.pt")
print(type(state), list(state))
print(nn.Linear(3, 2).load_state_dict(state))

# %% module raises="UnpicklingError"
torch.save(net, "net.pt")
torch.load("net.pt")

# %% trusted
print(torch.load("net.pt", weights_only=False))

# %% allow-list
print(torch.serialization.get_unsafe_globals_in_checkpoint("net.pt"))
with torch.serialization.safe_globals([nn.Linear]):
    print(torch.load("net.pt"))


# %% code
class Surprise:
    def __reduce__(self):
        return print, ("this ran while the file was read",)


torch.save(Surprise(), "surprise.pt")
torch.load("surprise.pt", weights_only=False)

# %% code-refused
import pickle

try:
    torch.load("surprise.pt")
except pickle.UnpicklingError:
    print("refused")

print(torch.serialization.get_unsafe_globals_in_checkpoint("surprise.pt"))

# %% numpy raises="UnpicklingError"
import numpy as np

loss = np.mean([0.25, 0.75])
torch.save({"net": net.state_dict(), "loss": loss}, "numpy.pt")
torch.load("numpy.pt")

# %% item
torch.save({"net": net.state_dict(), "loss": loss.item()}, "python.pt")
print(torch.load("python.pt")["loss"])

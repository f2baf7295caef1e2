"""What is in the file: a state_dict, a whole model, or a dict that contains one of them?"""

# %% in-a-folder fold=true
import os
import sys
import tempfile

os.chdir(tempfile.mkdtemp())

# %% three-files
import torch
from torch import nn

net = nn.Linear(3, 2)
torch.save(net.state_dict(), "weights.pt")
torch.save({"state_dict": net.state_dict(), "epoch": 5}, "checkpoint.pt")
torch.save(net, "model.pt")

# %% eval raises="AttributeError"
model = torch.load("weights.pt")
model.eval()

# %% call raises="TypeError"
model(torch.ones(1, 3))

# %% build-first
model = nn.Linear(3, 2)  # as it was when it was saved
model.load_state_dict(torch.load("weights.pt"))
model.eval()
print(torch.equal(model(torch.ones(1, 3)), net(torch.ones(1, 3))))

# %% no-key raises="KeyError"
torch.load("weights.pt")["state_dict"]

# %% whole-checkpoint raises="RuntimeError"
model.load_state_dict(torch.load("checkpoint.pt"))

# %% model-passed raises="TypeError"
whole = torch.load("model.pt", weights_only=False)  # a file that you trust
model.load_state_dict(whole)

# %% take-its-state
print(model.load_state_dict(whole.state_dict()))

# %% look
for name in ("weights.pt", "checkpoint.pt", "model.pt"):
    content = torch.load(name, weights_only=False)
    if isinstance(content, nn.Module):
        print(f"{name:13} model", type(content).__name__)
    else:
        print(f"{name:13} {type(content).__name__}", list(content))


# %% any-of-them
def weights_of(content):
    if isinstance(content, nn.Module):
        return content.state_dict()
    return content.get("state_dict", content)


for name in ("weights.pt", "checkpoint.pt", "model.pt"):
    content = torch.load(name, weights_only=False)
    print(model.load_state_dict(weights_of(content)))


# %% no-class raises="AttributeError"
class Net(nn.Linear):
    pass


torch.save(Net(3, 2), "net.pt")
Saved = Net
del Net  # as in another script, where there is no such class
torch.load("net.pt", weights_only=False)

# %% class-first
Net = Saved  # define or import it in the script that loads
print(torch.load("net.pt", weights_only=False))

# %% no-module raises="ModuleNotFoundError"
import subprocess
from pathlib import Path

Path("project").mkdir()
source = "from torch import nn\nclass Small(nn.Linear): pass\n"
Path("project/models.py").write_text(source)
train = "import torch, models; torch.save(models.Small(3, 2), 'small.pt')"
subprocess.run([sys.executable, "-c", train], cwd="project", check=True)

torch.load("project/small.pt", weights_only=False)

# %% on-the-path
sys.path.insert(0, "project")  # the folder that contains models.py
small = torch.load("project/small.pt", weights_only=False)
torch.save(small.state_dict(), "small-weights.pt")  # needs no models.py
print(list(torch.load("small-weights.pt")))

# %% moved hidden=true
import types

sys.path.remove("project")
del sys.modules["models"]
sys.modules["models"] = types.SimpleNamespace(Small=type(small))
assert type(torch.load("project/small.pt", weights_only=False)) is type(small)
del sys.modules["models"]
os.chdir("/")

# %% started-by-another hidden=true
file = os.path.join(tempfile.mkdtemp(), "net.pt")
torch.save(Net(3, 2), file)
Net.__module__, started = "app", Net  # as in a module that a server imports
del Net
try:
    torch.load(file, weights_only=False)
except AttributeError as error:
    assert "Can't get attribute 'Net'" in str(error), error
else:
    raise AssertionError
sys.modules["__main__"].Net = started
assert type(torch.load(file, weights_only=False)) is started

# %% in-a-package hidden=true
small = type("Small", (nn.Linear,), {"__module__": "models.yolo"})
sys.modules["models"] = sys.modules["models.yolo"] = types.SimpleNamespace(Small=small)
torch.save(small(3, 2), file)
assert type(torch.load(file, weights_only=False)) is small
for name in ("models.yolo", "models"):
    del sys.modules[name]
    try:
        torch.load(file, weights_only=False)
    except ModuleNotFoundError as error:
        assert "models" in str(error), error
    else:
        raise AssertionError(name)

# %% loaded-in-train-mode hidden=true
dropping = nn.Sequential(nn.Linear(3, 64), nn.Dropout(0.5))
dropping.load_state_dict(dropping.state_dict())
assert not torch.equal(dropping(torch.ones(1, 3)), dropping(torch.ones(1, 3)))
dropping.eval()
assert torch.equal(dropping(torch.ones(1, 3)), dropping(torch.ones(1, 3)))
torch.save(dropping.train(), file)
assert torch.load(file, weights_only=False).training

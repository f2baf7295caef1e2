"""Models that somebody else trained: torch.hub, torchvision, Hugging Face."""

# %% repository
import tempfile
from pathlib import Path

import torch
from torch import nn

folder = Path(tempfile.mkdtemp())
torch.save(nn.Linear(4, 2).state_dict(), folder / "weights.pt")
(folder / "hubconf.py").write_text('''
import os
import torch

dependencies = ["torch"]


def small_net(pretrained=False, outputs=2):
    """A linear layer, as an example."""
    net = torch.nn.Linear(4, outputs)
    if pretrained:
        path = os.path.join(os.path.dirname(__file__), "weights.pt")
        net.load_state_dict(torch.load(path, weights_only=True))
    return net
''')

# %% local
net = torch.hub.load(folder, "small_net", source="local", pretrained=True)
print(net)

# %% local-weights hidden=true
stored = torch.load(folder / "weights.pt")
assert all(torch.equal(tensor, stored[name]) for name, tensor in net.state_dict().items())

# %% no-source raises="ValueError"
torch.hub.load("models/small/net", "small_net")

# %% wrong-name raises="RuntimeError"
torch.hub.load(folder, "large_net", source="local")

# %% right-name
print(torch.hub.load(folder, "small_net", source="local", outputs=3))

# %% trust raises="EOFError"
torch.hub.set_dir(tempfile.mkdtemp())
torch.hub.load("someone/models:main", "small_net")  # asks; no terminal here

# %% trusted
import shutil

downloaded = Path(torch.hub.get_dir()) / "someone_models_main"
shutil.copytree(folder, downloaded)  # as if from GitHub
options = dict(trust_repo=True, verbose=False, skip_validation=True)
print(torch.hub.list("someone/models:main", **options))
print(torch.hub.help("someone/models:main", "small_net", skip_validation=True))
print(torch.hub.load("someone/models:main", "small_net", **options))

# %% from-url
address = (folder / "weights.pt").as_uri()  # file:// here, https:// in practice
options = dict(progress=False, weights_only=True, map_location="cpu")
weights = torch.hub.load_state_dict_from_url(address, **options)
print({name: tuple(tensor.shape) for name, tensor in weights.items()})
kept = Path(torch.hub.get_dir()) / "checkpoints"
print("kept in checkpoints:", [path.name for path in kept.iterdir()])

# %% new-file-same-name
torch.save({"weight": torch.zeros(1, 4)}, folder / "weights.pt")
weights = torch.hub.load_state_dict_from_url(address, **options)
print("still the old one:", list(weights))

# %% weights-only raises="UnpicklingError"
torch.save(nn.Linear(4, 2), folder / "whole-model.pt")
address = (folder / "whole-model.pt").as_uri()
torch.hub.load_state_dict_from_url(address, **options)

# %% default-runs-code
import inspect

parameters = inspect.signature(torch.hub.load_state_dict_from_url).parameters
print("default:", parameters["weights_only"])
print(type(torch.hub.load_state_dict_from_url(address, progress=False)).__name__)

# %% torchvision needs="torchvision"
from torchvision.models import ResNet18_Weights, resnet18

weights = ResNet18_Weights.DEFAULT
print(weights, len(weights.meta["categories"]), "classes")
print(weights.transforms())
model = resnet18(weights=None)  # weights=weights downloads them
print("training mode:", model.training)

# %% torchvision-old needs="torchvision" warns="UserWarning"
resnet18(pretrained=False)

# %% huggingface needs="transformers"
from transformers import AutoModelForSequenceClassification, BertConfig
from transformers.utils.logging import disable_progress_bar

disable_progress_bar()
config = BertConfig(hidden_size=24, num_hidden_layers=1, num_labels=3)
local = Path(tempfile.mkdtemp()) / "tiny-bert"
AutoModelForSequenceClassification.from_config(config).save_pretrained(local)
print(sorted(path.name for path in local.iterdir()))

model = AutoModelForSequenceClassification.from_pretrained(local)
print("training mode:", model.training)
print(tuple(model(torch.tensor([[1, 2, 3]])).logits.shape))

# %% download
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())
torch.save({"weight": torch.ones(2)}, folder / "source.pt")
url = (folder / "source.pt").as_uri()  # file:///…; https:// works the same
torch.hub.download_url_to_file(url, str(folder / "copy.pt"), progress=False)
print(torch.load(folder / "copy.pt"))

# %% remedies hidden=true
torch.save(nn.Linear(4, 2).state_dict(), folder / "state.pt")
url = (folder / "state.pt").as_uri()
assert list(torch.hub.load_state_dict_from_url(url, progress=False, weights_only=True)) == ["weight", "bias"]

# %% broken-off hidden=true
import http.client
import io
from unittest.mock import Mock, patch

source = (folder / "source.pt").read_bytes()
head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(source)}\r\n\r\n".encode()


def break_off(request, **options):  # a server that sends half of what it announces
    answer = http.client.HTTPResponse(Mock(makefile=lambda mode: io.BytesIO(head + source[: len(source) // 2])))
    answer.begin()
    return answer


older = folder / "older.pt"
for checked in ({"hash_prefix": "0123"}, {}):
    older.write_bytes(source)
    try:
        with patch("torch.hub.urlopen", break_off):
            torch.hub.download_url_to_file(url, str(older), progress=False, **checked)
    except (RuntimeError, http.client.HTTPException):  # an invalid hash, or a Python that notices
        assert older.read_bytes() == source  # the older copy stays
    else:
        assert not checked and older.read_bytes() == source[: len(source) // 2]

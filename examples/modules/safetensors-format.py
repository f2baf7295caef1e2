"""safetensors: a file of named tensors, and nothing that could run."""

# %% save needs="safetensors"
import tempfile
from pathlib import Path

from safetensors.torch import load_file, save_file
from torch import nn

path = Path(tempfile.mkdtemp(), "net.safetensors")
net = nn.Linear(3, 2)
save_file(net.state_dict(), path, metadata={"classes": "cat,dog"})

state = load_file(path)  # device="cuda" reads to the GPU
print(nn.Linear(3, 2).load_state_dict(state))

# %% header needs="safetensors"
from safetensors import safe_open

with safe_open(path, framework="pt") as file:
    print(sorted(file.keys()), file.metadata())
    print(file.get_slice("weight")[:1].shape)  # reads one row

# %% bytes needs="safetensors"
raw = path.read_bytes()
size = int.from_bytes(raw[:8], "little")
print(raw[8 : 8 + size].decode().strip())


# %% torch-load needs="safetensors"
import torch

print(sorted(torch.load(path, map_location="cpu")))

# %% by-name needs="safetensors"
renamed = path.with_suffix(".bin")
renamed.write_bytes(raw)
try:
    torch.load(renamed)
except Exception as error:
    print(f"{type(error).__name__}: {str(error).partition('.')[0]}")

# %% open-file needs="safetensors" hidden=true
with path.open("rb") as file:
    try:
        torch.load(file)
    except Exception as error:
        assert type(error).__name__ == "UnpicklingError"
    else:
        raise AssertionError
assert torch.equal(torch.load(str(path), map_location=torch.device("cpu"))["weight"], net.weight)

# %% map-location needs="safetensors" raises="RuntimeError"
torch.load(path, map_location={"cuda:0": "cpu"})

# %% not-installed needs="safetensors" raises="RuntimeError"
from unittest.mock import patch

with patch.dict("sys.modules", {"safetensors": None}):  # as if it were missing
    torch.load(path)


# %% only-tensors needs="safetensors" raises="ValueError"
save_file({"weight": net.weight.detach(), "epoch": 3}, path)

# %% shared needs="safetensors"
embedding, head = nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)
head.weight = embedding.weight
language_model = nn.ModuleDict({"embedding": embedding, "head": head})
try:
    save_file(language_model.state_dict(), path)
except RuntimeError as error:
    print("RuntimeError:", str(error).strip().partition(":")[0])

# %% save-model needs="safetensors"
from safetensors.torch import load_model, save_model

save_model(language_model, path)
print("in the file:", list(load_file(path)))
missing, unexpected = load_model(language_model, path)
print("missing:", list(missing), " unexpected:", list(unexpected))

# %% not-contiguous needs="safetensors" raises="ValueError"
save_file({"transposed": net.weight.detach().T}, path)

# %% contiguous needs="safetensors"
save_file({"transposed": net.weight.detach().T.contiguous()}, path)
print(load_file(path)["transposed"].shape)

# %% pointer needs="safetensors" raises="SafetensorError"
path.write_text("version https://git-lfs.github.com/spec/v1\n")
load_file(path)

# %% cut-off needs="safetensors" raises="SafetensorError"
save_file(net.state_dict(), path)
whole = path.read_bytes()
path.write_bytes(whole[:-8])
load_file(path)

# %% whole-again needs="safetensors"
path.write_bytes(whole)
print(path.read_bytes()[8:9], sorted(load_file(path)))

# %% remedies needs="safetensors" hidden=true
import json

save_file({"weight": net.weight.detach()}, path, metadata={"epoch": "3"})
path.with_suffix(".json").write_text(json.dumps({"epoch": 3}))
with safe_open(path, framework="pt") as file:
    assert file.metadata() == {"epoch": "3"}
renamed.write_bytes(path.read_bytes())
assert list(load_file(renamed)) == list(torch.load(path)) == ["weight"]

# %% not-tensors needs="safetensors" hidden=true
for value in (net.weight.detach().numpy(), net.state_dict()):
    try:
        save_file({"value": value}, path)
    except ValueError as error:
        assert "expected torch.Tensor" in str(error)
    else:
        raise AssertionError("no tensor")

# %% zip-file needs="safetensors" hidden=true
torch.save(net.state_dict(), path)
assert path.read_bytes()[:2] == b"PK"
try:
    load_file(path)
except Exception as error:
    assert "deserializing header" in str(error)
else:
    raise AssertionError("it is no safetensors file")
path.rename(path.with_suffix(".pt"))
assert torch.equal(torch.load(path.with_suffix(".pt"))["weight"], net.weight)

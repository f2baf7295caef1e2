"""torch.device("cuda") and torch.device("cuda:0") are two devices."""

# %% not-equal
import torch

current = torch.device("cuda")
first = torch.device("cuda:0")
print(repr(current), current.index)
print(repr(first), first.index)
print("equal:", current == first, " same type:", current.type == first.type)

# %% cpu
print("cpu == cpu:0:", torch.device("cpu") == torch.device("cpu:0"))
print("a tensor on cpu:0 says", torch.zeros(2, device="cpu:0").device)

# %% normalise
second = torch.device("cuda", 1)
print("same kind:", second.type == first.type)
print("same GPU: ", second == first)
print("written as type and index:", torch.device("cuda", 0) == first)

# %% dict-key raises="KeyError" asks=true
cached = {torch.device("cuda"): "weights"}
cached[torch.device("cuda:0")]

# %% tensor needs="cuda"
noise = torch.zeros(2, device="cuda")
print(noise.device)
print("equal to cuda:", noise.device == torch.device("cuda"))
print("on a GPU:     ", noise.device.type == "cuda", noise.is_cuda)

# %% full-name needs="cuda"
device = torch.device("cuda", torch.cuda.current_device())
print(repr(device), torch.zeros(2, device="cuda").device == device)

# %% tensor-device-as-key hidden=true
one, other = torch.ones(1), torch.zeros(1)
assert {one.device: "weights"}[other.device] == "weights"

# %% always-plain-cpu hidden=true
made = [
    torch.ones(1).to("cpu:0", torch.float64),
    torch.empty(0, device="cpu:0"),
    torch.ones_like(torch.ones(1), device="cpu:0"),
    torch.nn.Linear(1, 1, device="cpu:0").weight,
    torch.eye(2, device="cpu:0").to_sparse(),
]
assert {str(one.device) for one in made} == {"cpu"}

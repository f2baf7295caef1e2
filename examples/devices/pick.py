"""Choose the device once; the rest of the program runs on a CPU or a GPU."""

# %% choose varies=true
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(device)

# %% any-accelerator varies=true
if torch.accelerator.is_available():  # CUDA, ROCm, MPS, XPU, …
    device = torch.accelerator.current_accelerator()
else:
    device = torch.device("cpu")
print(device)

# %% use
model = nn.Linear(3, 2).to(device)
batch = torch.randn(4, 3, device=device)  # (batch, features)
logits = model(batch)
print("all on one device:", logits.device == batch.device == model.weight.device)

# %% without-cuda needs="no-cuda" raises="AssertionError"
torch.zeros(2).to("cuda")

# %% model-without-cuda needs="no-cuda" raises="AssertionError"
nn.Linear(3, 2).cuda()

# %% bad-name raises="RuntimeError"
torch.device("gpu")

# %% bad-index raises="RuntimeError"
torch.device("cuda:first")

# %% no-such-gpu
print(torch.device("cuda:7"))

# %% known-names hidden=true
for name in ("cuda", "mps", "xpu"):
    assert torch.device(name).type == name
assert torch.device("cuda:0") == torch.device("cuda", 0)

# %% number-alone hidden=true
assert str(torch.device("xpu:99")) == "xpu:99"  # a name is not looked up
try:
    number = torch.device(0)
except RuntimeError as error:
    assert "accelerator" in str(error)  # this build is for none
else:
    assert number == torch.device(torch.accelerator.current_accelerator().type, 0)

# %% cards
print("GPUs:", torch.cuda.device_count() if torch.cuda.is_available() else "none")
for index in range(torch.cuda.device_count()):
    card = torch.cuda.get_device_properties(index)
    memory = card.total_memory / 2**30
    peak = torch.cuda.max_memory_allocated(index) / 2**30
    print(index, f"{memory:.0f} GiB, peak {peak:.1f} GiB")
    native = torch.cuda.is_bf16_supported(including_emulation=False)
    print(index, "bfloat16:", native)

"""Mixed precision: what is in 16 bits, and how much memory that saves."""

# %% dtypes
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
inputs = torch.randn(512, 16).to(device)  # drawn on the CPU: the same everywhere
labels = (inputs[:, :8].sum(dim=1) > inputs[:, 8:].sum(dim=1)).long()
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.005)

with torch.autocast(device.type, dtype=torch.bfloat16):
    logits = net(inputs)
    loss = nn.functional.cross_entropy(logits, labels)
loss.backward()
optimizer.step()
state = optimizer.state[net[0].weight]
kinds = {
    "logits": logits,
    "loss": loss,
    "weight": net[0].weight,
    "gradient": net[0].weight.grad,
    "Adam's average": state["exp_avg"],
}
for name, tensor in kinds.items():
    print(f"{name:14} {tensor.dtype}")


# %% copies
def kept_for_backward(samples, autocast):
    net = nn.Sequential(*(nn.Linear(256, 256) for _ in range(3))).to(device)
    weights = {weight.data_ptr() for weight in net.parameters()}
    kept = {}

    def pack(tensor):
        if tensor.data_ptr() not in weights:
            kept[tensor.data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=autocast):
            net(torch.randn(samples, 256).to(device))
    return sum(tensor.nbytes for tensor in kept.values()) // 1024


for samples in (8, 1024):
    sizes = [kept_for_backward(samples, autocast) for autocast in (False, True)]
    print(f"batch {samples:4}: float32 {sizes[0]:4} KiB, autocast {sizes[1]:4} KiB")
copies = 2 * 256 * 256 * 2 // 1024  # two layers, 2 bytes per number
print(f"copies of weights: {copies} KiB")


# %% underflow
def share_of_zeros(dtype, scale=1.0):
    net.zero_grad()
    with torch.autocast(device.type, dtype=dtype):
        logits = net(inputs)
        loss = nn.functional.mse_loss(logits, torch.zeros_like(logits))
    (loss * 1e-5 * scale).backward()  # a term with a small weight
    gradient = net[0].weight.grad
    assert gradient.isfinite().all()  # inf and NaN would not count as zero
    return (gradient == 0).float().mean().item()


print(f"float16         {share_of_zeros(torch.float16):.0%}")
print(f"float16, scaled {share_of_zeros(torch.float16, scale=2.0**16):.0%}")
print(f"bfloat16        {share_of_zeros(torch.bfloat16):.0%}")

# %% claims hidden=true
assert sizes[1] == sizes[0] / 2 + copies

# %% wide-input hidden=true
wide, head = torch.randn(1024, 512).to(device), nn.Linear(512, 2).to(device)
kept = {wide.data_ptr(): wide}  # the caller keeps the input


def keep(tensor):
    if tensor.data_ptr() != head.weight.data_ptr():
        kept[tensor.data_ptr()] = tensor
    return tensor


with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
    head(wide)
    before = sum(tensor.nbytes for tensor in kept.values())
    with torch.autocast(device.type, dtype=torch.bfloat16):
        head(wide)
assert sum(tensor.nbytes for tensor in kept.values()) == 1.5 * before == 1.5 * wide.nbytes

"""What no_grad() saves: the tensors that the forward pass keeps for backward."""

# %% setup
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential()
for _ in range(4):
    net.extend([nn.Linear(256, 256), nn.ReLU()])
batch = torch.randn(128, 256)  # (batch, features)


# %% count
def saved_by(net, batch):
    saved = {}

    def pack(tensor):
        tensor = tensor.detach()  # otherwise an output would keep itself alive
        saved[tensor.data_ptr()] = tensor  # each memory once
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        net(batch)
    return list(saved.values())


def size(tensors):
    kib = sum(tensor.nbytes for tensor in tensors) // 1024
    return f"{len(tensors)} tensors, {kib} KiB"


print("grad:   ", size(saved_by(net, batch)))
with torch.no_grad():
    print("no_grad:", size(saved_by(net, batch)))

# %% no-gradients asks=true
net(batch)
print([weight.grad for weight in net.parameters() if weight.grad is not None])

# %% which
known = {parameter.data_ptr(): name for name, parameter in net.named_parameters()}
known[batch.data_ptr()] = "batch"
for tensor in saved_by(net, batch):
    print(tensor.shape, known.get(tensor.data_ptr(), "activation"))

# %% by-batch-size
for batch_size in (1, 16, 256):
    saved = saved_by(net, torch.randn(batch_size, 256))
    mine = [tensor for tensor in saved if tensor.data_ptr() not in known]
    print(batch_size, sum(tensor.nbytes for tensor in mine) // 1024, "KiB")

# %% eval-keeps-it
net.eval()
print(size(saved_by(net, batch)))

# %% dropout-mask hidden=true
dropping = nn.Sequential(nn.Linear(256, 256), nn.Dropout(0.5), nn.Linear(256, 256))
kept_in_training = len(saved_by(dropping, torch.randn(128, 256)))
assert len(saved_by(dropping.eval(), torch.randn(128, 256))) == kept_in_training - 1

# %% peak needs="cuda" varies=true
net = net.cuda()
batch = torch.randn(8192, 256, device="cuda")
net(batch[:1])  # libraries take their own memory on the first call
peaks = []
for grad in (True, False):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    with torch.set_grad_enabled(grad):
        out = net(batch)
    peaks.append(torch.cuda.max_memory_allocated() - before)
    del out
print(f"grad: {peaks[0] / 2**20:.0f} MiB, no_grad: {peaks[1] / 2**20:.0f} MiB")

# %% freed-afterwards hidden=true
import gc
import weakref

outputs = []
last = nn.Sequential(nn.Linear(4, 4), nn.Tanh())  # saves its output
last.register_forward_hook(lambda module, args, output: outputs.append(weakref.ref(output)))
saved_by(last, torch.ones(2, 4))
gc.collect()
assert len(outputs) == 1 and outputs[0]() is None

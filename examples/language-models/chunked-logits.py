"""A loss whose logits do not fit into memory: in chunks, or by linear_cross_entropy."""

# %% whole
import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
tokens, width, vocabulary = 512, 32, 4000
hidden = torch.randn(tokens, width, requires_grad=True)  # (batch * time, features)
weight = torch.randn(vocabulary, width, requires_grad=True)  # of the output layer
targets = torch.randint(vocabulary, (tokens,))
targets[::5] = -100  # prompts and padding


def whole_loss(hidden, weight, targets):
    return F.cross_entropy(hidden @ weight.T, targets)


# %% chunked
def chunk_loss(hidden, weight, targets):
    return F.cross_entropy((hidden @ weight.T).float(), targets, reduction="sum")


def chunked_loss(hidden, weight, targets, size=64):
    total = 0.0
    for rows, wanted in zip(hidden.split(size), targets.split(size)):
        total += checkpoint(chunk_loss, rows, weight, wanted, use_reentrant=False)
    return total / (targets != -100).sum()


# %% equal
def gradients(loss_of):
    loss = loss_of(hidden, weight, targets)
    return loss, *torch.autograd.grad(loss, (hidden, weight))


whole, chunked = gradients(whole_loss), gradients(chunked_loss)
for name, one, other in zip(("loss", "hidden", "weight"), whole, chunked):
    print(f"{name:7} equal: {torch.allclose(one, other, rtol=1e-4, atol=1e-6)}")


# %% peak fold=true
class Peak(TorchDispatchMode):
    """The most bytes that tensors made inside hold at one time."""

    def __init__(self):
        super().__init__()
        self.sizes, self.now, self.peak = {}, 0, 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        for one in out if isinstance(out, (tuple, list)) else [out]:
            if isinstance(one, torch.Tensor):
                self.count(one.untyped_storage())
        return out

    def count(self, storage):
        import weakref

        key = storage._cdata
        if key not in self.sizes and storage.nbytes():
            self.sizes[key] = storage.nbytes()
            self.now += storage.nbytes()
            self.peak = max(self.peak, self.now)
            weakref.finalize(storage, self.free, key)

    def free(self, key):
        self.now -= self.sizes.pop(key, 0)


# %% largest
def show(name, loss_of):
    with Peak() as peak:
        gradients(loss_of)
    print(name, peak.peak)


# %% built-in
from torch.nn import LinearCrossEntropyOptions

options = LinearCrossEntropyOptions()
print(options)

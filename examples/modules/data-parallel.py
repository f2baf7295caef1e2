"""DataParallel wraps a model: its attributes are behind one .module."""

# %% forward
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.classes = ["cat", "dog"]

    def forward(self, image):
        return self.fc(image)

    def predict(self, image):
        return self.fc(image).argmax(dim=1)


device = "cuda" if torch.cuda.is_available() else "cpu"
net = Classifier().to(device)
parallel = nn.DataParallel(net)
print(parallel(torch.randn(4, 3, device=device)).shape)

# %% without-gpu needs="no-cuda"
print("GPUs used:", parallel.device_ids)

# %% with-gpu needs="cuda" varies=true
print("GPUs:", torch.cuda.device_count(), " used:", parallel.device_ids)

# %% missing-attribute raises="AttributeError"
parallel.classes

# %% module
print("the same object:", parallel.module is net)
print(parallel.module.classes)

# %% names
print("wrapped:", list(parallel.state_dict()))
print("inside: ", list(parallel.module.state_dict()))

# %% load-fails raises="RuntimeError"
checkpoint = parallel.state_dict()
Classifier().load_state_dict(checkpoint)

# %% strip-prefix
plain = {name.removeprefix("module."): value for name, value in checkpoint.items()}
print(list(plain))
print(Classifier().load_state_dict(plain))

# %% method raises="AttributeError"
parallel.predict(torch.randn(4, 3, device=device))

# %% method-of-module
print(parallel.module.predict(torch.randn(4, 3, device=device)).shape)

# %% distributed
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

# torchrun starts one process per GPU; here there is one in all
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
distributed = DistributedDataParallel(Classifier())
dataset = torch.randn(6, 3)
sampler = DistributedSampler(dataset)  # a share for each process
loader = DataLoader(dataset, batch_size=3, sampler=sampler)
for epoch in range(2):
    sampler.set_epoch(epoch)  # another order each epoch
    for image in loader:
        distributed(image).square().mean().backward()
if dist.get_rank() == 0:  # one process saves, without the wrapper
    print(list(distributed.module.state_dict()))
dist.destroy_process_group()

# %% shares
for rank in range(2):
    sampler = DistributedSampler(range(8), num_replicas=2, rank=rank)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        print(f"{rank=} {epoch=}", list(sampler))

# %% shares-are-disjoint hidden=true
shares = [set(DistributedSampler(range(8), num_replicas=2, rank=rank)) for rank in range(2)]
assert not shares[0] & shares[1]


# %% either
def unwrap(model):
    wrappers = nn.DataParallel, DistributedDataParallel
    return model.module if isinstance(model, wrappers) else model


print(unwrap(parallel).classes, unwrap(net).classes)

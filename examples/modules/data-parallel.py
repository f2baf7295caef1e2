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


device = "cuda" if torch.cuda.is_available() else "cpu"
net = Classifier().to(device)
parallel = nn.DataParallel(net)
print(parallel(torch.randn(4, 3, device=device)).shape)

# %% without-gpu needs="no-cuda"
print(parallel.device_ids)

# %% with-gpu needs="cuda"
gpus = list(range(torch.cuda.device_count()))
print(parallel.device_ids == gpus, parallel.output_device)

# %% missing-attribute raises="AttributeError"
parallel.classes

# %% module
print(parallel.module is net)
print(parallel.module.classes)

# %% module-module raises="AttributeError"
parallel.module.module

# %% names
print([name for name, _ in parallel.named_children()])
print(list(parallel.state_dict()))
print(list(parallel.module.state_dict()))

# %% load-fails raises="RuntimeError"
checkpoint = parallel.state_dict()
Classifier().load_state_dict(checkpoint)

# %% strip-prefix
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present

consume_prefix_in_state_dict_if_present(checkpoint, "module.")
print(list(checkpoint))
print(Classifier().load_state_dict(checkpoint))


# %% either
def unwrap(model):
    wrappers = nn.DataParallel, nn.parallel.DistributedDataParallel
    return model.module if isinstance(model, wrappers) else model


print(unwrap(parallel).classes, unwrap(net).classes)

# %% distributed
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
distributed = DistributedDataParallel(Classifier())
print(distributed(torch.randn(4, 3)).shape)
print(list(distributed.state_dict()))
dist.destroy_process_group()

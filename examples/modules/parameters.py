"""parameters() is a one-shot generator; buffers are elsewhere."""

# %% generator
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
print(type(net.parameters()))
for name, parameter in net.named_parameters():
    print(f"{name:8} {tuple(parameter.shape)}")

# %% names
print(net[1].weight)
print([name for name, _ in net.named_buffers()])

# %% index raises="TypeError"
net.parameters()[0]

# %% instead-of-index
print(net[0].weight.shape)
print(net.get_parameter("0.weight").shape)
print(list(net.parameters())[0].shape)

# %% twice
parameters = net.parameters()
print("first pass: ", len(list(parameters)))
print("second pass:", len(list(parameters)))
print("called anew:", len(list(net.parameters())))

# %% spent
parameters = net.parameters()
optimizer = torch.optim.SGD(parameters, lr=0.1)  # reads it to the end
net(torch.randn(8, 3)).exp().sum().backward()

# %% nothing-clipped warns="UserWarning"
norm = nn.utils.clip_grad_norm_(parameters, max_norm=1.0)
print(f"norm {norm:.1f}")

# %% clipped
norm = nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
print(f"norm {norm:.1f}")

# %% count
print(sum(p.numel() for p in net.parameters()), "parameters")

# %% frozen
net[0].requires_grad_(False)
for name, parameter in net.named_parameters():
    print(f"{name:8} {parameter.numel():2} {parameter.requires_grad}")
print(sum(p.numel() for p in net.parameters() if p.requires_grad), "trainable")

# %% tied
embedding = nn.Embedding(100, 8)
head = nn.Linear(8, 100, bias=False)
head.weight = embedding.weight  # (100, 8)
language_model = nn.ModuleDict({"embedding": embedding, "head": head})
print([name for name, _ in language_model.named_parameters()])
print(list(language_model.state_dict()))

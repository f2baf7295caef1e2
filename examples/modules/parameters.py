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

# %% as-a-vector
net = nn.Linear(2, 1)
vector = nn.utils.parameters_to_vector(net.parameters())
print(vector.shape)
vector = torch.tensor([1.0, 2.0, 3.0])
nn.utils.vector_to_parameters(vector, net.parameters())
print(net.weight.tolist(), net.bias.tolist())

# %% vector-is-shared asks=true
vector.zero_()
print(net.weight.tolist(), net.bias.tolist())

# %% vector-too-long
nn.utils.vector_to_parameters(torch.arange(9.0), net.parameters())
print(net.weight.tolist(), net.bias.tolist())

# %% vector-too-short raises="RuntimeError"
nn.utils.vector_to_parameters(torch.arange(2.0), net.parameters())

# %% vector-checked
count = sum(p.numel() for p in net.parameters())
print("fits:", vector.numel() == count)

# %% vector-cloned hidden=true
mixed = nn.Sequential(nn.Linear(2, 1), nn.Linear(1, 1).half())
nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(mixed.parameters()), mixed.parameters())
assert mixed[1].weight.dtype == torch.float32
for vector, shared in ((torch.ones(3), True), (torch.ones(3), False)):
    nn.utils.vector_to_parameters(vector if shared else vector.clone(), net.parameters())
    vector.zero_()
    assert (net.weight.sum() == 0) == shared

# %% channels-last hidden=true
conv = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)
try:
    nn.utils.parameters_to_vector(conv.parameters())
except RuntimeError as error:
    assert "view size is not compatible" in str(error)
else:
    raise AssertionError("channels_last")
assert torch.cat([p.reshape(-1) for p in conv.parameters()]).shape == (112,)

# %% trained-on hidden=true
for vector, kept in ((torch.ones(3), False), (torch.ones(3), True)):
    nn.utils.vector_to_parameters(vector.clone() if kept else vector, net.parameters())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    assert torch.equal(vector, torch.ones(3)) == kept

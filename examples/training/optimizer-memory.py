"""How much state optimizers keep: AdamW, SGD, Muon, Adafactor."""

# %% state-size
import torch
from torch import nn

torch.manual_seed(0)
matrix = nn.Parameter(torch.randn(256, 256))
matrix.grad = torch.randn(256, 256)
optimizers = {
    "AdamW": torch.optim.AdamW([matrix]),
    "SGD, momentum": torch.optim.SGD([matrix], lr=0.01, momentum=0.9),
    "Muon": torch.optim.Muon([matrix]),
    "Adafactor": torch.optim.Adafactor([matrix]),
}
for name, optimizer in optimizers.items():
    optimizer.step()
    size = sum(state.nbytes for state in optimizer.state[matrix].values())
    print(f"{name:13} {size / matrix.numel():.2f}")

# %% muon-vector raises="ValueError"
layers = nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.Linear(16, 2)
net = nn.Sequential(*layers)
torch.optim.Muon(net.parameters())

# %% two-optimizers
hidden = [net[2].weight]  # matrices between the first and the last layer
held = {id(weight) for weight in hidden}
others = [weight for weight in net.parameters() if id(weight) not in held]
optimizers = [torch.optim.Muon(hidden, lr=0.02), torch.optim.AdamW(others, lr=0.01)]

inputs = torch.randn(64, 8)
labels = (inputs.sum(dim=1) > 0).long()
for step in range(61):
    loss = nn.functional.cross_entropy(net(inputs), labels)
    if step % 60 == 0:
        print(f"step {step:2}  loss {loss.item():.1f}")
    for optimizer in optimizers:
        optimizer.zero_grad()
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()

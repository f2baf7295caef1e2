"""To resume training, save the optimizer as well as the model."""

# %% train
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 3)
y = x.sum(dim=1, keepdim=True)


def train(net, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


net = nn.Linear(3, 1)
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
train(net, optimizer, steps=10)

# %% save
checkpoint = {
    "step": 10,
    "model": net.state_dict(),
    "optimizer": optimizer.state_dict(),
}
torch.save(checkpoint, "checkpoint.pt")
expected = train(net, optimizer, steps=10)  # without a break

# %% resume
checkpoint = torch.load("checkpoint.pt")
net = nn.Linear(3, 1)
optimizer = torch.optim.Adam(net.parameters())
net.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])
print(checkpoint["step"], optimizer.param_groups[0]["lr"])
print(train(net, optimizer, steps=10) == expected)

# %% without-optimizer
net.load_state_dict(checkpoint["model"])
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
print(train(net, optimizer, steps=10) == expected)

# %% optimizer-state
saved = checkpoint["optimizer"]
print(list(saved), saved["param_groups"][0]["params"])
for name, tensor in saved["state"][0].items():
    print(f"{name:10} {tuple(tensor.shape)}")

# %% three-times hidden=true
state = optimizer.state[net.weight]
averages = (state["exp_avg"], state["exp_avg_sq"])
assert sum(average.nbytes for average in averages) == 2 * net.weight.nbytes

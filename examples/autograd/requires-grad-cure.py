"""loss.requires_grad = True ends the error, and the training as well."""

# %% cut raises="RuntimeError"
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
features, target = torch.randn(8, 3), torch.randn(8, 1)

prediction = net(features).detach()  # somewhere in the code
loss = F.mse_loss(prediction, target)
loss.backward()

# %% silenced
loss.requires_grad = True
loss.backward()
print("gradient of the loss:  ", loss.grad)
print("gradient of the weight:", net.weight.grad)


# %% in-vain
def train(detach):
    torch.manual_seed(0)
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for _ in range(50):
        optimizer.zero_grad()
        prediction = net(features).detach() if detach else net(features)
        loss = F.mse_loss(prediction, target)
        if detach:
            loss.requires_grad = True
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


losses = train(detach=True)
print("the same loss 50 times:", len(set(losses)) == 1)

# %% cured
losses = train(detach=False)
print("the loss falls:", losses[-1] < losses[0])

# %% find
hidden = net(features)
rounded = hidden.round()
prediction = torch.tensor(hidden.tolist())
loss = F.mse_loss(prediction, target)
for name in ("features", "hidden", "rounded", "prediction", "loss"):
    tensor = globals()[name]
    grad_fn = type(tensor.grad_fn).__name__ if tensor.grad_fn else None
    print(f"{name:10} requires_grad={tensor.requires_grad!s:5} {grad_fn}")


# %% causes
def without_grad():
    with torch.no_grad():
        return net(features)


class Frozen(nn.Linear):
    def __init__(self):
        super().__init__(3, 1)
        self.requires_grad_(False)


causes = {
    "detach()": lambda: net(features).detach(),
    ".data": lambda: net(features).data,
    "item()": lambda: torch.tensor([[net(row).item()] for row in features]),
    "NumPy": lambda: torch.from_numpy(net(features).detach().numpy()),
    "no_grad()": without_grad,
    "argmax": lambda: net(features).argmax(dim=1, keepdim=True).float(),
    "> 0": lambda: (net(features) > 0).float(),
    "frozen": lambda: Frozen()(features),
}
for name, prediction in causes.items():
    loss = F.mse_loss(prediction(), target)
    print(f"{name:9} requires_grad={loss.requires_grad}")

# %% checkpoint-cut raises="RuntimeError" warns="UserWarning"
from torch.utils.checkpoint import checkpoint

hidden = checkpoint(net, features, use_reentrant=True)
F.mse_loss(hidden, target).backward()

# %% checkpoint-right
hidden = checkpoint(net, features, use_reentrant=False)
F.mse_loss(hidden, target).backward()
print(net.weight.grad.shape)

# %% true-use
image = torch.zeros(3, requires_grad=True)  # a leaf that is to be changed
net(image).sum().backward()
print("equal to the weight:", torch.equal(image.grad, net.weight[0].detach()))

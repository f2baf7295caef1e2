"""Several tasks in one model: scales, weights, and gradients that fight."""

# %% model
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
inputs = torch.randn(256, 8, dtype=torch.float64)  # (samples, features)
price = 100 * (inputs[:, :1] + inputs[:, 1:2])  # in the hundreds
kind = (inputs[:, 1] > inputs[:, 2]).long()  # two classes


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 32), nn.Tanh())
        self.price, self.kind = nn.Linear(32, 1), nn.Linear(32, 2)

    def forward(self, inputs):
        hidden = self.trunk(inputs)  # shared by both tasks
        return self.price(hidden), self.kind(hidden)


def losses(net, unit=1.0):
    prices, logits = net(inputs)
    return F.mse_loss(prices, price / unit), F.cross_entropy(logits, kind)


# %% gradients
def task_gradients(net, unit=1.0):
    shared = list(net.trunk.parameters())
    flat = []
    for loss in losses(net, unit):
        gradients = torch.autograd.grad(loss, shared, retain_graph=True)
        flat.append(torch.cat([gradient.flatten() for gradient in gradients]))
    return flat


torch.manual_seed(0)
net = TwoHeads().double()
std = price.std()
for name, unit in {"price": 1.0, "price / std": std}.items():
    first, second = losses(net, unit)
    a, b = task_gradients(net, unit)
    print(f"{name:11} losses {first:8.1f} {second:.1f}", end="  ")
    print(f"gradients {a.norm():5.1f} {b.norm():.1f}")


# %% compare
def add(first, second):
    return first + second


def train(combine, unit=1.0, extra=()):
    torch.manual_seed(0)
    net = TwoHeads().double()
    optimizer = torch.optim.Adam([*net.parameters(), *extra], lr=0.01)
    for _ in range(300):
        loss = combine(*losses(net, unit))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    prices, logits = net(inputs)
    error = (prices * unit - price).square().mean().sqrt() / std
    right = (logits.argmax(dim=1) == kind).double().mean()
    print(f"price off by {error:.2f} std, right kinds {right:.0%}")
    return net, error.item(), right.item()


print("sum:         ", end=" ")
_, *unscaled = train(add)
print("price / std: ", end=" ")
scaled, *result = train(add, unit=std)

# %% weights
for weight in (0.01, 100.0):
    print(f"kind times {weight:4}:", end=" ")
    train(lambda first, second: first + weight * second, unit=std)

# %% uncertainty
log_var = nn.Parameter(torch.zeros(2, dtype=torch.float64))


def weigh(first, second):
    weights = torch.exp(-log_var)
    return weights[0] * first / 2 + weights[1] * second + log_var.sum() / 2


train(weigh, unit=std, extra=[log_var])
weights = torch.exp(-log_var).tolist()
print("weights:", [f"{weight:.0f}" for weight in weights])

# %% left-out
log_var = nn.Parameter(torch.zeros(2, dtype=torch.float64))
train(weigh, unit=std)  # extra= is missing
print("weights:", torch.exp(-log_var).tolist())


# %% fight
def without_conflict(gradient, other):
    product = gradient @ other
    if product < 0:
        gradient = gradient - product / (other @ other) * other
    return gradient


a, b = task_gradients(scaled, std)
print(f"cosine {F.cosine_similarity(a, b, dim=0):.1f}")
b = 10 * b  # the kind gets a weight of 10
projected = without_conflict(a, b) + without_conflict(b, a)
for name, direction in {"the sum": a + b, "projected": projected}.items():
    lowers = [bool(direction @ gradient > 0) for gradient in (a, b)]
    print(f"{name:9} lowers price: {lowers[0]!s:5}  kind: {lowers[1]}")

# %% claims hidden=true
assert result[0] < 0.1 < unscaled[0] and result[1] > 0.99

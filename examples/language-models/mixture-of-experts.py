"""Mixture of experts: each token goes to k of n networks; a loss balances the load."""

# %% module
import torch
import torch.nn.functional as F
from torch import nn


def network(width, hidden):
    widen, back = nn.Linear(width, hidden), nn.Linear(hidden, width)
    return nn.Sequential(widen, nn.GELU(), back)


class Experts(nn.Module):
    def __init__(self, width=16, hidden=32, experts=8, k=2):
        super().__init__()
        self.k, self.normalize = k, True
        self.router = nn.Linear(width, experts, bias=False)
        self.experts = nn.ModuleList(network(width, hidden) for _ in range(experts))

    def forward(self, tokens):  # (tokens, width)
        chances = self.router(tokens).softmax(dim=-1)  # (tokens, experts)
        weights, chosen = chances.topk(self.k, dim=-1)  # (tokens, k)
        if self.normalize:
            weights = weights / weights.sum(dim=-1, keepdim=True)
        out = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            token, place = (chosen == number).nonzero(as_tuple=True)
            share = weights[token, place, None]  # (its tokens, 1)
            part = (expert(tokens[token]) * share).to(out.dtype)  # autocast differs
            out.index_add_(0, token, part)
        return out, chances, chosen


torch.manual_seed(0)
layer = Experts()
tokens = torch.randn(4, 25, 16)  # (batch, time, width)
out, chances, chosen = layer(tokens.flatten(0, 1))
print(out.unflatten(0, (4, 25)).shape)
print("experts of the first token:", chosen[0].tolist())

# %% every-expert
flat = tokens.flatten(0, 1)
everything = torch.stack([expert(flat) for expert in layer.experts], dim=1)
mask = torch.zeros_like(chances).scatter(1, chosen, 1.0)  # 1 for the chosen
weights = chances * mask / (chances * mask).sum(dim=1, keepdim=True)
dense = (weights[:, :, None] * everything).sum(dim=1)
print("equal:", torch.allclose(out, dense, atol=1e-5))

# %% cost
total = sum(parameter.numel() for parameter in layer.parameters())
one = sum(parameter.numel() for parameter in layer.experts[0].parameters())
active = layer.router.weight.numel() + layer.k * one
print(f"{total} parameters, {active} of them for each token")


# %% balance
def balance_loss(chances, chosen):
    """1 if all experts get the same share, up to experts / k if few get all."""
    experts = chances.shape[1]
    share = F.one_hot(chosen, experts).float().mean(dim=(0, 1))  # no gradient
    return experts * (share * chances.mean(dim=0)).sum()


def train(factor, steps=150):
    torch.manual_seed(1)
    net = Experts()
    with torch.no_grad():
        net.router.weight[0] += 0.7  # the first expert starts ahead
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(steps):
        inputs = torch.randn(64, 16) + 0.5
        out, chances, chosen = net(inputs)
        loss = F.mse_loss(out, inputs.flip(1).tanh())
        optimizer.zero_grad()
        (loss + factor * balance_loss(chances, chosen)).backward()
        optimizer.step()
    torch.manual_seed(2)
    _, chances, chosen = net(torch.randn(4000, 16) + 0.5)
    share = chosen.flatten().bincount(minlength=8) / chosen.numel()
    return share, balance_loss(chances, chosen).item()


for factor in (0.0, 0.1):
    share, balance = train(factor)
    busiest = (share.max() / share.mean()).item()
    print(f"{factor=}: the busiest expert has {busiest:.0f} times the average")
    assert balance > 2 if factor == 0 else balance < 1.2

# %% router-gradient
layer.zero_grad()
out, chances, chosen = layer(tokens.flatten(0, 1)[:1])
out.sum().backward()
print("chosen:", sorted(chosen[0].tolist()))
used = [expert[0].weight.grad.any().item() for expert in layer.experts]
print("experts with a gradient:", [number for number in range(8) if used[number]])
print("router has one:", layer.router.weight.grad.any().item())

# %% k-one
layer.k = 1
for layer.normalize in (True, False):
    layer.zero_grad()
    layer(flat)[0].sum().backward()
    size = layer.router.weight.grad.abs().max().item()
    print(f"{layer.normalize=!s:5} gradient of the router {size:.1f}")

# %% claims hidden=true
assert all(expert[0].weight.grad is not None for expert in layer.experts)
for experts, k in ((4, 1), (4, 4), (6, 3)):
    uniform = torch.full((experts * 10, experts), 1 / experts)
    even = torch.stack([torch.arange(experts).roll(i) for i in range(experts * 10)])[:, :k]
    assert abs(balance_loss(uniform, even).item() - 1) < 1e-5
lopsided = torch.tensor([[0.34, 0.33, 0.33, 0.0], [0.0, 0.34, 0.33, 0.33], [0.0, 0.0, 0.5, 0.5]])
assert balance_loss(lopsided, torch.tensor([[0], [0], [1]])) < 1  # the busiest has little probability
for dtype in (torch.float32, torch.bfloat16):
    with torch.autocast("cpu", torch.bfloat16):
        net = Experts()
        some = torch.randn(5, 16, dtype=dtype, requires_grad=True)
        out, _, _ = net(some)
        out.sum().backward()
    assert out.dtype is dtype and some.grad.isfinite().all()
assert Experts()(torch.randn(0, 16))[0].shape == (0, 16)

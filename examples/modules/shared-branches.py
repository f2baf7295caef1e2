"""One module called twice has one set of weights, and the gradients of both calls add up."""

# %% siamese
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, left, right):
        return self.encoder(left), self.encoder(right)  # the same weights


net = Siamese()
left, right = torch.randn(5, 8), torch.randn(5, 8)
a, b = net(left, right)
print("parameters:", sum(p.numel() for p in net.parameters()))
print("distances:", tuple(F.pairwise_distance(a, b).shape))

# %% gradients-add-up
weight = net.encoder[0].weight


def gradient(loss):
    return torch.autograd.grad(loss, weight, retain_graph=True)[0]


a, b = net(left, right)
both = gradient(a.square().mean() + b.square().mean())
first, second = gradient(a.square().mean()), gradient(b.square().mean())
print("both:          ", both[0, :3])
print("first + second:", (first + second)[0, :3])

# %% one-call
a2, b2 = net.encoder(torch.cat([left, right])).split([len(left), len(right)])
print("same output:", torch.allclose(a2, a) and torch.allclose(b2, b))

# %% batch-norm
norm = nn.BatchNorm1d(8)
far = right + 3  # the two inputs are distributed differently
twice = norm(left), norm(far)
once = norm(torch.cat([left, far])).chunk(2)
print(f"mean of the second branch, two calls: {twice[1].mean().abs():.2f}")
print(f"mean of the second branch, one call:  {once[1].mean():.2f}")

# %% tie
one, other = nn.Linear(8, 4), nn.Linear(8, 4)
other.weight = one.weight  # the same Parameter; each keeps its bias
pair = nn.ModuleDict({"one": one, "other": other})
print("parameters:", [name for name, _ in pair.named_parameters()])
print("state_dict:", list(pair.state_dict()))
loss = one(left).sum() + other(right).sum()
loss.backward()
print("one gradient:", other.weight.grad is one.weight.grad)

# %% not-tied
copied, shared = nn.Linear(8, 4), nn.Linear(8, 4)
copied.load_state_dict(one.state_dict())  # copies the numbers once
shared.weight.data = one.weight.data  # the same memory, another Parameter
with torch.no_grad():
    one.weight.zero_()
for name, module in {"load_state_dict": copied, ".data": shared}.items():
    same = module.weight is one.weight
    zero = module.weight.abs().max().item() == 0
    print(f"{name:15} same Parameter: {same}  follows: {zero}")

# %% trains
net = Siamese()
classes = torch.arange(200) % 4
points = 3 * torch.randn(4, 8)[classes] + torch.randn(200, 8)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(150):
    i, j = torch.randint(200, (2, 64))
    a, b = net(points[i], points[j])
    same, distance = classes[i] == classes[j], F.pairwise_distance(a, b)
    loss = torch.where(same, distance, F.relu(2 - distance)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

with torch.no_grad():
    a, b = net(points[:100], points[100:])
    same = classes[:100, None] == classes[None, 100:]
    judged = (torch.cdist(a, b) < 1) == same
print("above 95% of pairs are right:", judged.float().mean().item() > 0.95)

# %% counter-cases hidden=true
import copy

twin = copy.deepcopy(pair)
assert twin["one"].weight is twin["other"].weight
assert pair.double()["one"].weight is pair["other"].weight
with torch.device("meta"):
    empty = nn.ModuleDict({"one": nn.Linear(8, 4), "other": nn.Linear(8, 4)})
    empty["other"].weight = empty["one"].weight
assert empty.to_empty(device="cpu")["one"].weight is not empty["other"].weight
numbers = {name: value.float() for name, value in pair.state_dict().items()}
pair.float().load_state_dict(numbers)
assert pair["one"].weight is pair["other"].weight
pair.load_state_dict(numbers, assign=True)
assert pair["one"].weight is not pair["other"].weight

# %% unequal-batches hidden=true
few = right[:3]
both = net.encoder(torch.cat([left, few]))
assert torch.allclose(both.split([5, 3])[1], net.encoder(few), atol=1e-6)
assert [len(part) for part in both.chunk(2)] == [4, 4]

"""cumsum, cumprod, cummax, diff and logcumsumexp: running results."""

# %% running
import torch

x = torch.tensor([3, 1, 4, 2])
print("cumsum ", x.cumsum(dim=0))
print("cumprod", x.cumprod(dim=0))
print("cummax ", x.cummax(dim=0).values)
print("diff   ", x.diff())

# %% and-back
print(x.cumsum(dim=0).diff(prepend=torch.tensor([0])))

# %% rows
table = torch.tensor([[1, 2, 3], [10, 20, 30]])
print("dim=0:", table.cumsum(dim=0).tolist())
print("dim=1:", table.cumsum(dim=1).tolist())

# %% no-dim raises="TypeError"
x.cumsum()

# %% all-elements
print("one dimension:", x.cumsum(dim=0))
print("all elements: ", table.flatten().cumsum(0))

# %% offsets
lengths = torch.tensor([3, 1, 4])
starts = lengths.cumsum(dim=0) - lengths
print(starts)

# %% from-the-right
reward = torch.tensor([1.0, 0.0, 2.0])
print(reward.flip(0).cumsum(dim=0).flip(0))

# %% log
log_p = torch.tensor([-1000.0, -1000.0, -1000.0])
print("naive:       ", log_p.exp().cumsum(dim=0).log())
print("logcumsumexp:", log_p.logcumsumexp(dim=0).round(decimals=2))

# %% counter-cases hidden=true
for shape in ((7,), (3, 5), (2, 0), (1,)):
    for dim in range(len(shape)):
        x = torch.randint(-5, 6, shape)
        running, product = x.cumsum(dim), x.cumprod(dim)
        for n in range(shape[dim]):
            part = x.narrow(dim, 0, n + 1)
            assert torch.equal(running.select(dim, n), part.sum(dim))
            assert torch.equal(product.select(dim, n), part.prod(dim))
            assert torch.equal(x.cummax(dim).values.select(dim, n), part.amax(dim))

# %% exclusive-rows hidden=true
import torch.nn.functional as F

for shape in ((3,), (2, 3), (2, 3, 4), (0,)):
    weight = torch.arange(1.0, 1 + torch.Size(shape).numel()).view(shape)
    assert torch.equal(F.pad(weight, (1, 0)).cumsum(-1)[..., :-1], weight.cumsum(-1) - weight)
assert F.pad(torch.ones(2, 3), (1, 0)).cumsum(0)[:-1].shape == (1, 4)  # the line for one dimension alone
assert torch.tensor([-30000, 30000], dtype=torch.int16).diff().item() == -5536

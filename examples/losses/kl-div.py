"""F.kl_div takes log q first and p second."""

# %% by-hand
import torch
import torch.nn.functional as F

p = torch.tensor([0.5, 0.3, 0.2])  # the target distribution
q = torch.tensor([0.2, 0.5, 0.3])  # what the model says

print("formula:", (p * (p / q).log()).sum())
print("kl_div: ", F.kl_div(q.log(), p, reduction="sum"))

# %% reference
from torch.distributions import Categorical, kl_divergence

print(kl_divergence(Categorical(p), Categorical(q)))

# %% swapped
print("kl_div(p.log(), q):", F.kl_div(p.log(), q, reduction="sum"))
print("KL(q || p):        ", (q * (q / p).log()).sum())

# %% directions fold=true
import matplotlib.pyplot as plt

x = torch.linspace(-5, 5, 101)
bumps = 0.6 * torch.exp(-((x + 2) ** 2) / 0.9) + 0.4 * torch.exp(-((x - 2) ** 2) / 0.9)
two_peaks = bumps / bumps.sum()
mean, std = torch.meshgrid(torch.linspace(-3, 3, 61), torch.linspace(0.5, 3, 51), indexing="ij")
log_bell = (-((x - mean[..., None]) ** 2) / (2 * std[..., None] ** 2)).log_softmax(dim=-1)  # (61, 51, 101)
log_peaks = two_peaks.log().expand_as(log_bell)

forward = F.kl_div(log_bell, log_peaks, reduction="none", log_target=True).sum(-1)
reverse = F.kl_div(log_peaks, log_bell, reduction="none", log_target=True).sum(-1)

fig, axes = plt.subplots(1, 2, figsize=(6.4, 2.5), sharey=True)
for ax, divergence, name in zip(axes, (forward, reverse), ("KL(p || q)", "KL(q || p)")):
    ax.fill_between(x, two_peaks, color="C0", alpha=0.35, linewidth=0, label="p")
    ax.plot(x, log_bell.flatten(0, 1)[divergence.argmin()].exp(), color="C1", linewidth=2, label="q")
    ax.set_title(f"smallest {name} = {divergence.min():.2f}", fontsize=10)
    ax.set(xlabel="x", yticks=[])
    ax.legend()

# %% forgot-log
print("kl_div(q, p):          ", F.kl_div(q, p, reduction="sum"))
print("sum of p (log(p) - q): ", (p * (p.log() - q)).sum())

# %% from-logits
logits = torch.tensor([[1.0, 2.0, 0.0], [0.5, 0.0, -1.0]])  # (batch, classes)
logits.requires_grad_()
target = torch.tensor([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1]])
loss = F.kl_div(F.log_softmax(logits, dim=1), target, reduction="batchmean")
loss.backward()
print("loss:", loss.detach())
by_hand = (logits.softmax(dim=1) - target) / len(logits)
print("gradient is (softmax - p) / N:", torch.allclose(logits.grad, by_hand))

# %% log-target
print(F.kl_div(q.log(), p.log(), reduction="sum", log_target=True))

# %% log-target-forgotten
print(F.kl_div(q.log(), p.log(), reduction="sum"))

# %% labels raises="RuntimeError"
one_hot = F.one_hot(torch.tensor([1, 0]), 3)  # int64
F.kl_div(F.log_softmax(logits, dim=1), one_hot, reduction="batchmean")

# %% one-hot-floats hidden=true
logits = logits.detach()
with_floats = F.kl_div(F.log_softmax(logits, dim=1), one_hot.float(), reduction="batchmean")
torch.testing.assert_close(with_floats, F.cross_entropy(logits, torch.tensor([1, 0])))
extreme = torch.tensor([[0.0, 200.0, 0.0]])
assert extreme.softmax(dim=1).log()[0, 0].isinf() and extreme.log_softmax(dim=1).isfinite().all()

# %% never-negative hidden=true
for scale in (0.1, 1, 10):
    log_q = (scale * torch.randn(1000, 5)).log_softmax(dim=1)
    target = (scale * torch.randn(1000, 5)).softmax(dim=1)
    assert (F.kl_div(log_q, target, reduction="none").sum(dim=1) > -1e-5).all()

# %% module hidden=true
log_q, p = torch.randn(5, 4).log_softmax(dim=1), torch.randn(5, 4).softmax(dim=1)
for reduction in ("batchmean", "sum", "none"):
    by_module = torch.nn.KLDivLoss(reduction=reduction)(log_q, p)
    assert torch.equal(by_module, torch.nn.functional.kl_div(log_q, p, reduction=reduction))

# %% masked-classes hidden=true
teacher, student = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[2.0, 1.0, 0.0]], requires_grad=True)
out = torch.tensor([[False, False, True]])
dtypes = [torch.float64, torch.float32, torch.bfloat16]
if torch.__version__ >= "2.13":
    dtypes.append(torch.float16)
for dtype in dtypes:
    found = {}
    for value in (-torch.inf, -1e4):
        student.grad = None
        target, log_q = (one.to(dtype).masked_fill(out, value).log_softmax(dim=1) for one in (teacher, student))
        loss = F.kl_div(log_q, target, reduction="batchmean", log_target=True)
        loss.backward()
        found[value] = loss, student.grad
    exact = F.kl_div(
        student[:, :2].log_softmax(dim=1), teacher[:, :2].log_softmax(dim=1), reduction="batchmean", log_target=True
    )
    assert found[-torch.inf][0].isnan()
    assert abs(found[-1e4][0] - exact) < 0.02 and found[-1e4][1].isfinite().all() and found[-1e4][1][0, 2] == 0

# %% reduction-of-the-lead hidden=true
p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.5, 0.3])
exact = (p * (p / q).log()).sum()
torch.testing.assert_close(F.kl_div(q.log(), p, reduction="sum"), exact)
torch.testing.assert_close(F.kl_div(q.log()[None], p[None], reduction="batchmean"), exact)
steps = torch.randn(2, 7, 3)
flat = F.kl_div(steps.flatten(0, 1).log_softmax(dim=1), p.expand(14, 3), reduction="batchmean")
summed = F.kl_div(steps.log_softmax(dim=-1), p.expand(2, 7, 3), reduction="batchmean")
torch.testing.assert_close(summed, 7 * flat)

# %% counts-of-a-square hidden=true
counts = torch.tensor([[1, 2, 1], [4, 4, 0], [1, 1, 1]])
assert torch.allclose((counts / counts.sum(dim=1, keepdim=True)).sum(dim=1), torch.ones(3))
assert not torch.allclose((counts / counts.sum(dim=1)).sum(dim=1), torch.ones(3))  # runs, and is no distribution

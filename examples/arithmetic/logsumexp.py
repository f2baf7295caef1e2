"""logsumexp and log_softmax: where the naive forms overflow."""

# %% naive
import torch
import torch.nn.functional as F

for values in ([1.0, 2.0], [100.0, 100.0], [-1000.0, -1000.0]):
    x = torch.tensor(values)
    naive, stable = x.exp().sum().log(), x.logsumexp(dim=0)
    print(f"{values}  naive {naive:.2f}  logsumexp {stable:.2f}")

# %% how
x = torch.tensor([1000.0, 1001.0])
largest = x.max()
by_hand = largest + (x - largest).exp().sum().log()
print(f"by hand {by_hand:.2f}  logsumexp {x.logsumexp(dim=0):.2f}")

# %% log-softmax
logits = torch.tensor([0.0, 200.0])
print("log of softmax:", logits.softmax(dim=0).log())
print("log_softmax:   ", logits.log_softmax(dim=0))

# %% gradient
logits = torch.tensor([[0.0, 200.0]], requires_grad=True)
label = torch.tensor([0])
for name, loss in (
    ("log(softmax)", -logits.softmax(dim=1).log()[0, 0]),
    ("cross_entropy", F.cross_entropy(logits, label)),
):
    (gradient,) = torch.autograd.grad(loss, logits)
    print(f"{name:13} loss {loss:.0f}  gradient {gradient.tolist()}")

# %% mean
log_p = torch.tensor([[-1000.0, -1001.0], [-2.0, -3.0]])  # (sample, model)
print((log_p.logsumexp(dim=1) - torch.tensor(2.0).log()).round(decimals=2))

# %% two-terms
print(f"{torch.logaddexp(torch.tensor(-1000.0), torch.tensor(-1000.0)):.2f}")

# %% sigmoid
score = torch.tensor([-200.0, 0.0])
print("log of sigmoid:", score.sigmoid().log())
print("logsigmoid:    ", F.logsigmoid(score))

score = torch.tensor([0.0, 200.0])
print("log(1 + exp):  ", (1 + score.exp()).log())
print("softplus:      ", F.softplus(score))

# %% identity hidden=true
x = torch.tensor([0.5, -1.0, 2.0])
assert torch.allclose(x.log_softmax(0), x - x.logsumexp(0))

# %% counter-cases hidden=true
for dtype in (torch.float32, torch.float64):
    for scale in (1.0, 100.0, 1e4):
        row = scale * torch.randn(50, dtype=dtype)
        exact = (row.double() - row.double().max()).exp().sum().log() + row.double().max()
        torch.testing.assert_close(row.logsumexp(dim=0).double(), exact, rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(row.log_softmax(dim=0), row - row.logsumexp(dim=0), rtol=1e-4, atol=1e-4)
        assert row.log_softmax(dim=0).isfinite().all()

# %% nothing-but-minus-infinity hidden=true
nothing = torch.full((2,), -torch.inf)
assert nothing.logsumexp(0) == -torch.inf and nothing.log_softmax(0).isnan().all()

# %% still-overflows hidden=true
many = torch.zeros(70000, dtype=torch.float16)
try:
    total = many.logsumexp(dim=0)
except RuntimeError as error:  # releases without it on the CPU
    assert "not implemented for 'Half'" in str(error)
else:
    assert total == torch.inf
assert many.float().logsumexp(dim=0).isfinite()
nothing = torch.full((2,), -torch.inf, requires_grad=True)
nothing.logsumexp(0).backward()
assert nothing.grad.isnan().all()

"""The default reduction of kl_div is not the KL divergence; batchmean is."""

# %% setup
import torch
import torch.nn.functional as F

torch.manual_seed(0)
log_q = torch.randn(4, 3).log_softmax(dim=1)  # (batch, classes)
p = torch.randn(4, 3).softmax(dim=1)

# %% default warns="UserWarning"
mean = F.kl_div(log_q, p)

# %% reductions
total = F.kl_div(log_q, p, reduction="sum")
batchmean = F.kl_div(log_q, p, reduction="batchmean")
print(f"mean {mean:.4f}   batchmean {batchmean:.4f}   sum {total:.4f}")

# %% denominators
each = (p * (p.log() - log_q)).sum(dim=1)  # one KL divergence per sample
print(each)
print(f"/ {p.numel()}: {each.sum() / p.numel():.4f}")
print(f"/ {len(p)}: {each.sum() / len(p):.4f}")

# %% module warns="UserWarning"
module = torch.nn.KLDivLoss()
print(f"module {module(log_q, p):.4f}   function {mean:.4f}")

# %% no-warning
print(torch.nn.KLDivLoss(reduction="batchmean")(log_q, p))

# %% sequence
log_q_steps = torch.randn(4, 10, 3).log_softmax(dim=-1)
p_steps = torch.randn(4, 10, 3).softmax(dim=-1)  # (batch, time, classes)
print("(4, 10, 3):", F.kl_div(log_q_steps, p_steps, reduction="batchmean"))

flat = log_q_steps.flatten(0, 1), p_steps.flatten(0, 1)  # (40, 3)
print("(40, 3):   ", F.kl_div(*flat, reduction="batchmean"))

# %% one-sample
print(f"batchmean {F.kl_div(log_q[0], p[0], reduction='batchmean'):.4f}")
print(f"KL {each[0]:.4f}   KL / 3 {each[0] / 3:.4f}")

# %% zero-in-target asks=true
certain = torch.tensor([1.0, 0.0, 0.0])
log_guess = torch.tensor([0.5, 0.3, 0.2]).log()
print(F.kl_div(log_guess, certain, reduction="none"))

# %% zero-in-input
impossible = torch.tensor([0.0, 0.4, 0.6]).log()
target = torch.tensor([0.5, 0.5, 0.0])
print("input:", impossible)
print("terms:", F.kl_div(impossible, target, reduction="none"))

# %% zero-in-both
print(F.kl_div(impossible, torch.tensor([0.0, 0.5, 0.5]), reduction="none"))

# %% zero-in-log-target
print(F.kl_div(log_guess, certain.log(), reduction="none", log_target=True))

# %% skip-the-zeros
target = torch.tensor([0.0, 0.5, 0.5])
finite = impossible.masked_fill(target == 0, 0.0)
print(F.kl_div(finite, target, reduction="none"))

# %% mean-by-name warns="UserWarning" hidden=true
assert torch.equal(F.kl_div(log_q, p, reduction="mean"), mean)
assert torch.allclose(total / p.numel(), mean)

# %% gradient-of-the-target hidden=true
learned = torch.tensor([1.0, 0.0, 0.0], requires_grad=True)
guess = torch.zeros(3, requires_grad=True)
divergence = F.kl_div(guess.log_softmax(dim=0), learned, reduction="sum")
of_target, of_guess = torch.autograd.grad(divergence, (learned, guess))
assert of_target.isnan().tolist() == [False, True, True] and of_guess.isfinite().all()

# %% zero-in-log-target-mended hidden=true
log_target = certain.log()
filled = log_guess.masked_fill(certain == 0, 0.0)  # the input alone does not help
assert F.kl_div(filled, log_target, reduction="none", log_target=True).isnan().any()
for guess in (log_guess, filled):
    terms = F.kl_div(guess, log_target.clamp(min=-1e4), reduction="none", log_target=True)
    assert torch.equal(terms, F.kl_div(guess, certain, reduction="none"))

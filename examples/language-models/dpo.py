"""DPO by hand: learn from pairs of a better and a worse answer."""

# %% loss
import torch
import torch.nn.functional as F
from torch import nn


def dpo_loss(chosen, rejected, chosen_before, rejected_before, beta=0.1):
    """Summed log-probabilities of the answers, (batch), by the model and by the
    reference. Returns the loss and how much better the chosen one has become."""
    gain = (chosen - chosen_before) - (rejected - rejected_before)
    return -F.logsigmoid(beta * gain).mean(), beta * gain.detach()


# %% log-probabilities
IGNORE = -100


def answer_scores(model, ids, labels):
    """labels: ids with -100 where the prompt is. Sums, not means: (batch)."""
    logits = model(ids)[:, :-1].transpose(1, 2).float()  # vocabulary second
    return -F.cross_entropy(logits, labels[:, 1:], reduction="none").sum(dim=1)


# %% model fold=true
class Small(nn.Module):
    def __init__(self, vocabulary=20, width=32):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, ids):
        return self.head(self.drop(self.gru(self.tokens(ids))[0]))


# %% start
import copy

torch.manual_seed(0)
model = Small()  # yours: after supervised fine-tuning
reference = copy.deepcopy(model).eval().requires_grad_(False)
prompts = torch.randint(20, (16, 3))
better, worse = torch.randint(20, (2, 16, 4))
pairs = [torch.cat([prompts, answers], dim=1) for answers in (better, worse)]
labels = [ids.clone() for ids in pairs]
for one in labels:
    one[:, :3] = IGNORE


def scores(model):
    return [answer_scores(model, *pair) for pair in zip(pairs, labels)]


model.eval()  # no dropout
with torch.no_grad():  # once, for all of training
    before = scores(reference)
loss, _ = dpo_loss(*scores(model), *before)
log_two = torch.tensor(2.0).log().item()
print(f"at the start: {loss.item():.4f}, log 2 = {log_two:.4f}")

# %% train
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(61):
    loss, gain = dpo_loss(*scores(model), *before)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 30 == 0:
        preferred = (gain > 0).float().mean().item()
        print(f"step {step:2}: loss {loss.item():.1f}, preferred {preferred:.0%}")

# %% reference-cost
size = sum(parameter.nbytes for parameter in model.parameters())
print("a second model:    ", size, "bytes, and a forward pass each step")
kept = sum(one.nbytes for one in before)
print("scores kept instead:", kept, "bytes for 16 pairs")

# %% gradient
chosen, rejected = (torch.tensor([-9.0], requires_grad=True) for _ in range(2))
for gain in (-40.0, 0.0, 40.0):
    loss, _ = dpo_loss(chosen + gain, rejected, chosen.detach(), rejected.detach())
    gradients = torch.autograd.grad(loss, (chosen, rejected))
    print(f"gain {gain:5.0f}:", [f"{one.item():+.4f}" for one in gradients])

# %% variants
beta, flipped = 0.1, 0.1  # one label in ten may be wrong
gains = torch.arange(0.0, 100.0)
right, wrong = -F.logsigmoid(beta * gains), -F.logsigmoid(-beta * gains)
losses = {
    "DPO": right,
    "flipped labels": (1 - flipped) * right + flipped * wrong,
    "IPO": (gains - 1 / (2 * beta)).square(),
}
for name, each in losses.items():
    print(f"{name:14} smallest at a gain of {each.argmin():2}, of 0 to 99")

# %% both-fall
with torch.no_grad():
    changes = [(now - old).mean().item() for now, old in zip(scores(model), before)]
    now, _ = dpo_loss(*scores(model), *before)
    lower, _ = dpo_loss(*(one - 5 for one in scores(model)), *before)
print(f"chosen {changes[0]:+.0f}, rejected {changes[1]:+.0f}")
print("both lower by 5, the same loss:", torch.allclose(now, lower))

# %% dropout-on
model.load_state_dict(reference.state_dict())
model.train()
torch.manual_seed(0)
loss, gain = dpo_loss(*scores(model), *before)
print("gain of 0, in training mode:", (gain == 0).all().item())

# %% claims hidden=true
for seed in range(5):
    torch.manual_seed(seed)
    a, b, c, d = (10 * torch.randn(4, 8)).double()
    a.requires_grad_()
    b.requires_grad_()
    loss, gain = dpo_loss(a, b, c, d, beta=0.3)
    ratio = (a - c).exp() ** 0.3 / ((a - c).exp() ** 0.3 + (b - d).exp() ** 0.3)  # Bradley-Terry
    torch.testing.assert_close(loss, -ratio.log().mean())
    loss.backward()
    expected = -0.3 * torch.sigmoid(-gain) / 8
    torch.testing.assert_close(a.grad, expected)
    torch.testing.assert_close(b.grad, -expected)
rise = torch.full((8,), 0.1)  # of each token, of every answer
_, gain = dpo_loss(10 * rise, 4 * rise, 0 * rise, 0 * rise, beta=1.0)
assert (gain > 0.5).all()  # ten tokens against four: preferred by their length alone
whole = torch.randint(20, (2, 400))
noise = 2 * torch.randn(2, 400, 20).bfloat16()
exact = answer_scores(lambda ids: noise, whole, whole)
in_bfloat16 = -F.cross_entropy(noise[:, :-1].transpose(1, 2), whole[:, 1:], reduction="none").sum(dim=1)
assert exact.dtype == torch.float32 and (exact - in_bfloat16).abs().max() > 1
for kind in (torch.float16, torch.bfloat16, torch.float64):
    assert dpo_loss(*torch.randn(4, 3).to(kind))[0].dtype == kind


def changes_after(rate, answers_weight=0.0, steps=40):
    model.load_state_dict(reference.state_dict())
    optimizer = torch.optim.Adam(model.eval().parameters(), lr=rate)
    for _ in range(steps):
        chosen, rejected = scores(model)
        loss = dpo_loss(chosen, rejected, *before)[0] - answers_weight * chosen.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [(now - old).mean().item() for now, old in zip(scores(model), before)]


plain, slow, added = changes_after(1e-3), changes_after(1e-4), changes_after(1e-3, 0.1)
assert added[0] > plain[0] and all(abs(one) < abs(other) for one, other in zip(slow, plain))

# %% padding hidden=true
model.eval()
answers = [torch.randint(20, (length,)) for length in (1, 2, 3, 4)]
rows = [torch.cat([prompts[0], answer]) for answer in answers]
ids = nn.utils.rnn.pad_sequence(rows, batch_first=True)  # on the right
labels_of_rows = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=IGNORE)
labels_of_rows[:, :3] = IGNORE
with torch.no_grad():
    alone = torch.cat([answer_scores(model, row[None], labels[None, : len(row)])
                       for row, labels in zip(rows, labels_of_rows)])  # fmt: skip
    padded = answer_scores(model, ids, labels_of_rows)
    prompt_only = ids.clone()
    prompt_only[:, :3] = IGNORE
    with_padding = answer_scores(model, ids, prompt_only)
torch.testing.assert_close(padded, alone)
assert (with_padding[:3] < alone[:3] - 1).all()  # the padding counts as answer

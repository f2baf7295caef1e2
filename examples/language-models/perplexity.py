"""Loss and perplexity of a language model, without padding, over all batches."""

# %% uniform
import torch
import torch.nn.functional as F

torch.manual_seed(0)
ids = torch.randint(50, (4, 12))  # (batch, time)
logits = torch.zeros(4, 12, 50)  # (batch, time, vocabulary): no idea at all
loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
print(f"loss {loss.item():.4f}  perplexity {loss.exp().item():.2f}")

# %% bigram
text = "the cat sat on the mat and the rat sat on the cat and the mat " * 4
letters = sorted(set(text))
codes = torch.tensor([letters.index(letter) for letter in text])
train, held_out = codes[:180], codes[180:]
size = len(letters)


def log_chances(counts):
    return ((counts + 0.1) / (counts + 0.1).sum(dim=-1, keepdim=True)).log()


singles = log_chances(train.bincount(minlength=size).float())
pairs = torch.zeros(size, size)
pairs.index_put_((train[:-1], train[1:]), torch.tensor(1.0), accumulate=True)
models = {
    "uniform": torch.zeros(len(held_out) - 1, size),
    "frequencies": singles.expand(len(held_out) - 1, -1),
    "last letter": log_chances(pairs)[held_out[:-1]],
}
for name, logits in models.items():
    perplexity = F.cross_entropy(logits, held_out[1:]).exp()
    print(f"{name:12} {perplexity.item():5.2f} of {size} letters")

# %% padding
PAD, IGNORE = 0, -100
lengths = torch.tensor([12, 5, 3])
padding = torch.arange(12) >= lengths[:, None]
ids = torch.randint(1, 50, (3, 12)).masked_fill(padding, PAD)
logits = torch.randn(3, 12, 50)
logits[1:] *= 3  # the short texts are predicted worse
logits[:, :, PAD] += 8  # a model that has learned to predict padding
targets = ids[:, 1:].masked_fill(padding[:, 1:], IGNORE)
flat = logits[:, :-1].flatten(0, 1)
wrong = F.cross_entropy(flat, ids[:, 1:].flatten())
right = F.cross_entropy(flat, targets.flatten(), ignore_index=IGNORE)
print("targets:", (targets != IGNORE).sum(dim=1).tolist())
print(f"with padding {wrong.exp().item():.0f}, without {right.exp().item():.0f}")

# %% total
batches = [(logits[:1], targets[:1]), (logits[1:], targets[1:])]
total, count = 0.0, 0
for part, wanted in batches:
    flat = part[:, :-1].flatten(0, 1)
    total += F.cross_entropy(flat, wanted.flatten(), reduction="sum").item()
    count += (wanted != IGNORE).sum().item()
mean = torch.tensor(total / count)
print(f"perplexity {mean.exp().item():.0f} over {count} tokens")

# %% wrong-means
means = [F.cross_entropy(p[:, :-1].flatten(0, 1), t.flatten()) for p, t in batches]
losses = torch.stack(means)
print(f"exp of the mean of batches   {losses.mean().exp().item():.0f}")
print(f"mean of the perplexities     {losses.exp().mean().item():.0f}")

# %% either-side
losses, counts = torch.tensor([5.0, 0.0]), torch.tensor([1000, 1])
over_tokens = (losses * counts).sum() / counts.sum()
print(f"over all tokens            {over_tokens.exp().item():.1f}")
print(f"mean of the perplexities   {losses.exp().mean().item():.1f}")

# %% nothing
nothing = torch.full((11,), IGNORE)
print(F.cross_entropy(logits[0, :-1], nothing))
print(F.cross_entropy(logits[0, :-1], nothing, reduction="sum"))

# %% per-byte
import math

sentence = "naïve café"
count_bytes = len(sentence.encode())
nats = 14.0  # the summed loss over the sentence, however it was cut into tokens
for tokens in (3, 7):
    print(f"{tokens} tokens: perplexity {math.exp(nats / tokens):6.1f}", end="  ")
    print(f"bits per byte {nats / math.log(2) / count_bytes:.2f}")

# %% claims hidden=true
assert torch.allclose(mean, right)
coarse = F.cross_entropy(logits[:, :-1].flatten(0, 1).bfloat16(), targets.flatten())
assert (coarse.double().exp() / right.double().exp() - 1).abs() > 0.02  # the loss itself is off by less than 1%
assert (coarse.double() / right.double() - 1).abs() < 0.01
shifted = F.cross_entropy(logits.transpose(1, 2)[..., :-1], targets, ignore_index=IGNORE)
assert torch.allclose(shifted, right)

# %% padding-not-learned hidden=true
unlearned = logits.clone()
unlearned[:, :, PAD] -= 16  # such a model gives padding no chance
flat = unlearned[:, :-1].flatten(0, 1)
assert F.cross_entropy(flat, ids[:, 1:].flatten()) > F.cross_entropy(flat, targets.flatten())
sums = F.cross_entropy(torch.zeros(40_000, 50).half(), torch.zeros(40_000, dtype=torch.long), reduction="sum")
assert sums.isinf()  # why float() comes first

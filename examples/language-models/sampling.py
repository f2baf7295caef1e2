"""Choosing the next token: temperature, top-k, top-p, repetition penalty, stop tokens."""

# %% setup
import torch

words = ["the", "a", "this", "one", "no", "xq"]
logits = torch.tensor([[4.0, 3.0, 2.0, 1.0, 0.0, -1.0]])  # (batch, vocabulary)


# %% sample
def keep_likely(logits, temperature=1.0, top_k=None, top_p=None):
    """Return logits (batch, vocabulary); what must not be drawn is -inf."""
    logits = logits.float() / temperature
    if top_k:
        smallest = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < smallest, float("-inf"))
    if top_p is not None and top_p < 1:
        chances, order = logits.softmax(dim=-1).sort(dim=-1, descending=True)
        before = chances.cumsum(dim=-1) - chances  # of all that are more likely
        drop = torch.zeros_like(logits, dtype=torch.bool)
        drop = drop.scatter(-1, order, before >= top_p)
        logits = logits.masked_fill(drop, float("-inf"))
    return logits


def sample(logits, temperature=1.0, generator=None, **limits):
    """Draw one token for each row: (batch, vocabulary) -> (batch, 1)."""
    if temperature == 0:
        return logits.argmax(dim=-1, keepdim=True)
    kept = keep_likely(logits, temperature, **limits)
    return torch.multinomial(kept.softmax(dim=-1), 1, generator=generator)


# %% drawn-tokens
generator = torch.Generator().manual_seed(0)
many = logits.expand(10_000, -1)
for options in ({"temperature": 0}, {}, {"top_k": 3}, {"top_p": 0.8}):
    drawn = sample(many, generator=generator, **options).unique()
    print(options, [words[token] for token in drawn])

# %% temperature
print("     ", *(f"{word:>5}" for word in words))
for temperature in (0.5, 1.0, 2.0):
    chances = (logits / temperature).softmax(dim=-1)[0]
    print(f"T={temperature}", *(f"{chance:5.2f}" for chance in chances.tolist()))

# %% figure fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 3, figsize=(7.2, 2.6), sharey=True)
for ax, temperature in zip(axes, (0.5, 1.0, 2.0)):
    chances = (logits / temperature).softmax(dim=-1)[0]
    kept = keep_likely(logits, temperature, top_p=0.9)[0].isfinite()
    colors = ["C0" if stays else "none" for stays in kept.tolist()]
    ax.bar(words, chances, color=colors, edgecolor="C0")
    ax.tick_params(axis="x", labelsize=8)
    ax.set_title(f"temperature {temperature}", fontsize=10)
axes[0].set(ylabel="probability", ylim=(0, 1))

# %% order
for temperature in (0.5, 1.0, 2.0):
    by_k = keep_likely(logits, temperature, top_k=3).isfinite().sum().item()
    by_p = keep_likely(logits, temperature, top_p=0.9).isfinite().sum().item()
    print(f"temperature {temperature}: top_k=3 keeps {by_k}, top_p=0.9 {by_p}")

# %% min-p
for temperature in (1.0, 2.0):
    chances = (logits / temperature).softmax(dim=-1)
    likely = chances >= 0.1 * chances.amax(dim=-1, keepdim=True)
    kept = [word for word, stays in zip(words, likely[0]) if stays]
    print(f"temperature {temperature}:", kept)


# %% repetition
def penalise(logits, ids, penalty=1.3):
    """Lower the logits of tokens in ids (batch, time); at 1.0 nothing changes."""
    scores = logits.gather(1, ids)
    scores = torch.where(scores > 0, scores / penalty, scores * penalty)
    return logits.scatter(1, ids, scores)


seen = torch.tensor([[0, 5, 0]])  # "the", "xq", "the"
print("before:", [round(score, 2) for score in logits[0].tolist()])
print("after: ", [round(score, 2) for score in penalise(logits, seen)[0].tolist()])

# %% divided
naive = logits.scatter(1, seen, logits.gather(1, seen) / 1.3)
chance = logits.softmax(dim=-1)[0, 5].item()
print(f"xq before {chance:.4f}, divided {naive.softmax(dim=-1)[0, 5].item():.4f}")

# %% stop varies=true
START, STOP, PAD = 0, 4, 5
bigrams = torch.full((6, 6), float("-inf"))  # which token may follow which
for token, followers in enumerate(([1, 2], [2, 4], [1, 3], [1, 4], [0], [0])):
    bigrams[token, followers] = 0.0


@torch.inference_mode()
def generate(model, ids, steps, **options):
    done = torch.zeros(len(ids), 1, dtype=torch.bool, device=ids.device)
    for _ in range(steps):
        token = sample(model(ids)[:, -1], **options).masked_fill(done, PAD)
        ids = torch.cat([ids, token], dim=1)
        done |= token == STOP
        if done.all():
            break
    return ids


model = bigrams.__getitem__  # ids (batch, time) -> logits (batch, time, vocabulary)
generator = torch.Generator().manual_seed(5)
prompt = torch.full((3, 1), START)
print(generate(model, prompt, steps=20, generator=generator))

# %% claims hidden=true
one_row = torch.randn(1, 50, generator=torch.Generator().manual_seed(1))
for temperature, top_p in ((1.0, 0.9), (0.7, 0.5), (1.5, 0.99), (1.0, 1e-6)):
    chances = (one_row[0] / temperature).softmax(dim=-1)
    total, wanted = 0.0, set()
    for token in chances.argsort(descending=True).tolist():  # the definition, word by word
        if total >= top_p:
            break
        wanted.add(token)
        total += chances[token].item()
    kept = keep_likely(one_row, temperature, top_p=top_p)[0].isfinite().nonzero()[:, 0]
    assert set(kept.tolist()) == wanted, (temperature, top_p)
many = sample(logits.expand(200_000, -1), generator=torch.Generator().manual_seed(2))
counts = many[:, 0].bincount(minlength=6)
assert (counts / 200_000 - logits.softmax(dim=-1)[0]).abs().max() < 0.01
assert keep_likely(logits, top_k=100).isfinite().all()
both = keep_likely(logits, top_k=3, top_p=0.8)
assert both.isfinite().sum() <= 3
assert torch.equal(penalise(logits, seen, penalty=1.0), logits)
vocabulary = 3 * torch.randn(2, 50_000, generator=torch.Generator().manual_seed(3))
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    some = vocabulary.to(dtype)
    assert keep_likely(some, top_p=1.0, top_k=0).isfinite().all()  # both switched off
    assert torch.equal(keep_likely(some, top_p=0.9), keep_likely(some.float(), top_p=0.9))
    assert sample(some, top_p=0.9).shape == (2, 1) and sample(some[:0], top_p=0.9).shape == (0, 1)
first = torch.tensor([[0]])
assert penalise(torch.tensor([[0.0, 1.0]]), first).tolist() == [[0.0, 1.0]]
chances = [penalise(torch.tensor([[2.0, 1.0]]) + shift, first).softmax(-1)[0, 0] for shift in (0, -5)]
assert chances[0] > chances[1] + 0.1
with torch.device("meta"):  # as if the model were on another device than the default one
    generate(model, torch.full((2, 1), START, device="cpu"), steps=3, generator=generator)
generator = torch.Generator().manual_seed(0)
for _ in range(20):
    for row in generate(model, torch.full((4, 1), START), steps=30, generator=generator).tolist():
        if STOP in row:
            assert set(row[row.index(STOP) + 1 :]) <= {PAD}

# %% penalty-together hidden=true
gained = 0
for seed in range(100):
    generator = torch.Generator().manual_seed(seed)
    some = 3 * torch.randn(1, 9, generator=generator)
    ids = torch.randint(9, (1, 4), generator=generator)
    before, after = (scores.softmax(dim=-1)[0, ids[0].unique()] for scores in (some, penalise(some, ids)))
    assert after.sum() < before.sum()
    gained += (after > before + 1e-6).any().item()
assert gained

# %% stop-in-prompt hidden=true
padded = torch.tensor([[STOP, STOP, START], [START, 1, 2]])  # the stop token is the padding
ids = generate(model, padded, steps=20, generator=torch.Generator().manual_seed(0))
assert ids[0].tolist().index(STOP) == 0  # cut there, nothing would remain
assert STOP in ids[0, padded.shape[1] :].tolist()[1:]

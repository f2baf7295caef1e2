"""Perplexity of a text that is longer than the context: windows and stride."""

# %% model fold=true
import math

import torch
import torch.nn.functional as F

text = "the cat sat on the mat and the rat sat on the cat and the mat " * 4
letters = sorted(set(text))
codes = torch.tensor([letters.index(letter) for letter in text])
train, held_out = codes[:180], codes[180:]
tables = []  # log-probabilities after 0, 1, 2 and 3 letters
for before in range(4):
    counts = torch.full((len(letters),) * (before + 1), 0.1)
    runs = train.unfold(0, before + 1, 1).unbind(dim=1)
    counts.index_put_(runs, torch.tensor(1.0), accumulate=True)
    tables.append((counts / counts.sum(dim=-1, keepdim=True)).log())


def three_letters(ids):
    """(time) -> logits (time, vocabulary), from the last three letters at most."""
    rows = []
    for end in range(1, len(ids) + 1):
        context = ids[max(0, end - 3) : end]
        rows.append(tables[len(context)][tuple(context)])
    return torch.stack(rows)


# %% windows
IGNORE = -100


@torch.inference_mode()
def windowed_loss(model, ids, window, stride):
    """Return the summed loss, the number of targets, the number of calls."""
    if not 0 < stride < window:
        raise ValueError("windows must overlap: 0 < stride < window")
    total, count, calls, done = 0.0, 0, 0, 1  # nothing predicts the first token
    for start in range(0, len(ids) - 1, stride):
        end = min(start + window, len(ids))
        logits = model(ids[start:end])[:-1].float()  # 16 bits would round the sum
        targets = ids[start + 1 : end].clone()
        targets[: done - start - 1] = IGNORE  # an earlier window has judged these
        losses = F.cross_entropy(logits, targets, reduction="none")
        total += losses.sum().item()  # 0 where ignored
        count += (targets != IGNORE).sum().item()
        calls, done = calls + 1, end
        if end == len(ids):
            break
    return total, count, calls


# %% compare
def show(name, *sizes):
    total, count, calls = windowed_loss(three_letters, held_out, *sizes)
    perplexity = math.exp(total / count)
    print(f"{name:14} {perplexity:.3f}, {count} targets, {calls} calls")


show("the whole text", len(held_out), 1)
for stride in (11, 9, 6, 1):
    show(f"stride {stride}", 12, stride)

# %% apart
total, count = 0.0, 0
for part in held_out.split(12):
    losses = F.cross_entropy(three_letters(part)[:-1], part[1:], reduction="none")
    total += losses.sum().item()
    count += len(part) - 1
print(f"12 apart       {math.exp(total / count):.3f}, {count} targets")

# %% claims hidden=true
whole = windowed_loss(three_letters, held_out, len(held_out), 1)
for window in (2, 5, 12, 30, 75):
    for stride in range(1, window):
        total, count, calls = windowed_loss(three_letters, held_out, window, stride)
        assert count == len(held_out) - 1, (window, stride)
        if stride <= window - 3:  # each judged letter has three before it
            assert abs(total - whole[0]) < 1e-3, (window, stride)
for length in (2, 3, 12, 13, 40):
    assert windowed_loss(three_letters, held_out[:length], 12, 6)[1] == length - 1
judged = []


def watched(ids):  # what each call sees of the positions 0 … 39
    judged.append((ids[0].item(), len(ids)))
    return torch.zeros(len(ids), 40)


windowed_loss(watched, torch.arange(40), 12, 5)
assert judged == [(0, 12), (5, 12), (10, 12), (15, 12), (20, 12), (25, 12), (30, 10)]
assert windowed_loss(three_letters, held_out[:1], 12, 6)[1:] == (0, 0)  # nothing to predict
for window, stride in ((12, 12), (12, 0), (1, 1)):
    try:
        windowed_loss(three_letters, held_out, window, stride)
    except ValueError:
        continue
    raise AssertionError((window, stride))

# %% sixteen-bits hidden=true
generator = torch.Generator().manual_seed(0)
many = 3 * torch.randn(50, 50, generator=generator)  # logits after each of 50 tokens
ids = torch.randint(50, (3000,), generator=generator)
for dtype in (torch.float64, torch.bfloat16, torch.float16):
    some = many.to(dtype)
    total, _, _ = windowed_loss(some.__getitem__, ids, 2048, 1024)
    exact = F.cross_entropy(some.double()[ids[:-1]], ids[1:], reduction="sum").item()
    assert abs(total / exact - 1) < 1e-5, dtype

# %% bytes hidden=true
some, ids = torch.randn(256, 256, generator=generator), torch.randint(256, (300,), generator=generator)
in_long, in_bytes = (windowed_loss(lambda ids: some[ids.long()], one, 64, 32)[0] for one in (ids, ids.byte()))
assert in_bytes > 1.5 * in_long  # tokens of the overlap count twice, as another id

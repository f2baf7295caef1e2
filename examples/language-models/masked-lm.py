"""Masked language modeling: choose 15 % of the tokens, of these 80-10-10."""

# %% mask
import torch
import torch.nn.functional as F

PAD, START, END, MASK, FIRST, SIZE = 0, 1, 2, 3, 4, 1000
IGNORE = -100


def mask_tokens(ids, generator=None, rate=0.15):
    """ids (batch, time) -> what the model reads, and the labels."""

    def draw(chance):
        numbers = torch.rand(ids.shape, generator=generator, device=ids.device)
        return numbers < chance

    chosen = draw(rate) & (ids >= FIRST)  # no special token
    labels = ids.masked_fill(~chosen, IGNORE)
    masked = chosen & draw(0.8)
    replaced = chosen & ~masked & draw(0.5)  # half of the other 20 %
    where = dict(generator=generator, device=ids.device)
    others = torch.randint(FIRST, SIZE, ids.shape, **where)
    read = ids.masked_fill(masked, MASK)
    return torch.where(replaced, others, read), labels


generator = torch.Generator().manual_seed(0)
text = torch.tensor([[START, 17, 42, 8, 99, 23, 57, 61, 30, 12, END, PAD]])
read, labels = mask_tokens(text, generator)
print("read:  ", read[0].tolist())
print("labels:", labels[0].tolist())

# %% counts
ids = torch.randint(FIRST, SIZE, (500, 128), generator=generator)
ids[:, 0], ids[:, 100:] = START, PAD
read, labels = mask_tokens(ids, generator)
chosen, real = labels != IGNORE, ids >= FIRST
print(f"chosen of the real tokens: {chosen.sum() / real.sum():.1%}")
kinds = {"mask": read == MASK, "as it was": read == ids}
kinds["another token"] = ~kinds["mask"] & ~kinds["as it was"]
for name, kind in kinds.items():
    print(f"{name:14} {(kind & chosen).sum() / chosen.sum():.1%} of the chosen")

# %% loss
logits = torch.zeros(500, 128, SIZE)  # no idea; yours: model(read)
loss = F.cross_entropy(logits[chosen], labels[chosen])
same = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
print(f"{loss.item():.4f}, equal: {torch.allclose(loss, same)}")

# %% each-epoch
first, second = (mask_tokens(ids, generator)[1] != IGNORE for _ in range(2))
share = (first & second).sum() / first.sum()
print(f"chosen in two epochs: {share:.0%} of the first")

# %% short
seeds = range(200)
short = torch.full((1, 8), FIRST)
empty = 0
for seed in seeds:
    _, labels = mask_tokens(short, torch.Generator().manual_seed(seed))
    empty += bool((labels == IGNORE).all())
print(f"no label in a text of 8 tokens: {0.85**8:.0%}, counted {empty} of 200")

# %% claims hidden=true
for rate in (0.0, 0.15, 0.4, 1.0):
    read, labels = mask_tokens(ids, torch.Generator().manual_seed(1), rate)
    chosen = labels != IGNORE
    assert torch.equal(labels[chosen], ids[chosen])
    assert torch.equal(read[~chosen], ids[~chosen])  # what is not chosen is as it was
    assert not (chosen & (ids < FIRST)).any()
    assert abs((chosen.sum() / (ids >= FIRST).sum()).item() - rate) < 0.01
    assert ((read >= FIRST) | (read == MASK) | (ids < FIRST)).all()
again = mask_tokens(ids, torch.Generator().manual_seed(1))[0]
assert torch.equal(again, mask_tokens(ids, torch.Generator().manual_seed(1))[0])
for some in (torch.zeros(0, 5, dtype=torch.long), ids.T, ids[0], ids.to("meta"), ids[:1]):
    assert [one.shape for one in mask_tokens(some)] == [some.shape] * 2

# %% bytes hidden=true
text = torch.randint(FIRST, 250, (4, 50), generator=generator)
in_bytes, in_long = (mask_tokens(one, torch.Generator().manual_seed(0))[1] for one in (text.byte(), text))
assert (in_long == IGNORE).any() and in_bytes.dtype == torch.uint8
logits = torch.randn(200, 256, generator=generator)
assert F.cross_entropy(logits, in_bytes.flatten()) != F.cross_entropy(logits, in_long.flatten())

# %% copied-generator hidden=true
import warnings
from functools import partial

from torch.utils.data import DataLoader

warnings.filterwarnings("ignore", message="This DataLoader will create")  # on a machine with one core


def chosen_of(batch, generator=None):
    return mask_tokens(torch.stack(batch), generator)[1] != IGNORE


texts = list(torch.full((8, 200), FIRST))
for kept, repeats in ((torch.Generator().manual_seed(0), True), (None, False)):
    loader = DataLoader(texts, 4, collate_fn=partial(chosen_of, generator=kept), num_workers=2)
    (first, second), (again, _) = loader, loader  # two batches, one of each worker, and the next epoch
    assert torch.equal(first, second) is repeats and torch.equal(first, again) is repeats

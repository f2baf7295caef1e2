"""Batches of similar length hold less padding."""

# %% random-batches
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Sampler

torch.manual_seed(0)
lengths = (5 + 95 * torch.rand(640) ** 2).long()  # many short, few long
sentences = [torch.ones(length, dtype=torch.long) for length in lengths]


def pad(samples):
    return pad_sequence(samples, batch_first=True)  # 0 is padding


def report(name, loader):
    batches = list(loader)  # each (batch, time)
    size = sum(batch.numel() for batch in batches)
    padding = 1 - sum(batch.sum().item() for batch in batches) / size
    print(f"{name:8} {len(batches)} batches, {size} numbers, padding {padding:.0%}")
    return batches


shuffled = DataLoader(sentences, batch_size=16, shuffle=True, collate_fn=pad)
random_batches = report("shuffled", shuffled)


# %% bucketed
class SimilarLengths(Sampler):
    def __init__(self, lengths, batch_size, pool=10):
        self.lengths = torch.as_tensor(lengths)
        self.batch_size, self.pool = batch_size, pool

    def __len__(self):
        return -(-len(self.lengths) // self.batch_size)  # rounded up

    def __iter__(self):
        batches = []
        pool_size = self.pool * self.batch_size
        for part in torch.randperm(len(self.lengths)).split(pool_size):
            part = part[self.lengths[part].argsort()]
            batches += part.split(self.batch_size)
        for i in torch.randperm(len(batches)):
            yield batches[i].tolist()


sampler = SimilarLengths(lengths, batch_size=16)
bucketed = DataLoader(sentences, batch_sampler=sampler, collate_fn=pad)
similar_batches = report("bucketed", bucketed)

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 1, figsize=(5.6, 3.4), sharex=True, sharey=True)
for ax, name, batches in zip(axes, ("shuffled", "bucketed"), (random_batches, similar_batches)):
    real = torch.tensor([batch.sum() / len(batch) for batch in batches])
    longest = torch.tensor([batch.size(1) for batch in batches])
    ax.bar(range(len(batches)), real, color="C0", width=0.9, label="tokens")
    ax.bar(range(len(batches)), longest - real, bottom=real, color="C1", width=0.9, label="padding")
    ax.set_title(name, fontsize=10)
axes[0].legend(fontsize=9, ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)
axes[1].set_xlabel("batch")
fig.supylabel("time", fontsize=10)

# %% longest
widths = [batch.size(1) for batch in similar_batches[:10]]
print("longest in each batch:", widths, "...")

# %% pools
for pool in (1, 2, 10, 40):
    sampler = SimilarLengths(lengths, batch_size=16, pool=pool)
    loader = DataLoader(sentences, batch_sampler=sampler, collate_fn=pad)
    report(f"pool={pool}", loader)

# %% largest-batch
for name, batches in (("shuffled", random_batches), ("bucketed", similar_batches)):
    sizes = torch.tensor([batch.numel() for batch in batches])
    mean, place = sizes.float().mean(), sizes.argmax().item()
    print(f"{name}: mean {mean:.0f}, largest {sizes.max()}, at {place}")

# %% largest-first
worst = pad([sentences[i] for i in lengths.topk(16).indices])
print("largest possible:", worst.numel())  # train two steps with it first

# %% exclusive raises="ValueError"
DataLoader(sentences, batch_size=16, batch_sampler=sampler)

# %% remedies hidden=true
for option in ({"batch_size": 16}, {"shuffle": True}, {"sampler": range(640)}, {"drop_last": True}):
    try:
        DataLoader(sentences, batch_sampler=sampler, **option)
    except ValueError as error:
        assert "mutually exclusive" in str(error)
    else:
        raise AssertionError(option)
assert len(list(DataLoader(sentences, batch_sampler=sampler, collate_fn=pad))) == 40

# %% every-sample-once hidden=true
assert sorted(index for batch in sampler for index in batch) == list(range(640))

# %% lengths-as-list hidden=true
for given in (lengths.tolist(), lengths.numpy(), lengths.int()):
    assert len(list(SimilarLengths(given, batch_size=16))) == 40

# %% state-after-one-step hidden=true
layer = torch.nn.Linear(2, 2)
optimizer = torch.optim.AdamW(layer.parameters())
layer(torch.ones(1, 2)).sum().backward()
assert not optimizer.state  # the peak of the first step is without it
optimizer.step()
assert optimizer.state

# %% lengths-of-a-sorted-batch hidden=true
sorted_batches = [lengths[batch] for batch in SimilarLengths(lengths, batch_size=16, pool=40)]
spreads = [int(batch.max() - batch.min()) for batch in sorted_batches]
assert 0 < max(spreads) < 10  # similar, not equal

# %% order-of-a-batch-sampler hidden=true
from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler

torch.manual_seed(0)
in_order = DataLoader(range(64), batch_sampler=BatchSampler(SequentialSampler(range(64)), 16, False))
shuffled = DataLoader(range(64), batch_sampler=BatchSampler(RandomSampler(range(64)), 16, False))
assert torch.cat(list(in_order)).tolist() == list(range(64)) != torch.cat(list(shuffled)).tolist()

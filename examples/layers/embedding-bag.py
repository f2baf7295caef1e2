"""nn.EmbeddingBag: the mean or the sum of several rows of a table."""

# %% equal
import torch
from torch import nn

torch.manual_seed(0)
bag = nn.EmbeddingBag(10, 3, mode="mean")
table = nn.Embedding.from_pretrained(bag.weight, freeze=False)  # the same weights

tokens = torch.tensor([[1, 4, 4], [2, 9, 0]])  # (bag, token)
print("EmbeddingBag:  ", bag(tokens)[0])
print("Embedding.mean:", table(tokens).mean(dim=1)[0])

# %% offsets
tokens = torch.tensor([1, 4, 4, 2, 9])  # all bags, one after the other
offsets = torch.tensor([0, 3, 3])  # bag 0: 3 tokens, bag 1: none, bag 2: two
print(bag(tokens, offsets))
by_hand = [table(tokens[:3]).mean(0), torch.zeros(3), table(tokens[3:]).mean(0)]
print("equal by hand:", torch.allclose(bag(tokens, offsets), torch.stack(by_hand)))


# %% collate
def collate(samples):
    sentences, labels = zip(*samples)
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    offsets = lengths.cumsum(0) - lengths  # where each one begins
    return torch.cat(sentences), offsets, torch.tensor(labels)


texts = torch.tensor([1, 4, 4]), torch.tensor([2]), torch.tensor([5, 6])
sentences = list(zip(texts, [1, 0, 1]))
loader = torch.utils.data.DataLoader(sentences, batch_size=3, collate_fn=collate)
print(*next(iter(loader)), sep="\n")

# %% no-offsets raises="ValueError"
bag(torch.tensor([1, 4, 4]))

# %% first-offset raises="RuntimeError"
bag(torch.tensor([1, 4, 4]), torch.tensor([1, 2]))

# %% both raises="ValueError"
bag(torch.tensor([[1, 4], [2, 9]]), torch.tensor([0, 2]))

# %% modes
tokens = torch.tensor([[1, 4, 4]])
for mode in ("sum", "mean", "max"):
    other = nn.EmbeddingBag.from_pretrained(bag.weight.detach(), mode=mode)
    print(f"{mode:4}", other(tokens))

# %% weights
summed = nn.EmbeddingBag.from_pretrained(bag.weight.detach(), mode="sum")
weights = torch.tensor([[0.5, 0.25, 0.25]])
print("weighted:", summed(tokens, per_sample_weights=weights))
print("by hand: ", (weights[..., None] * table(tokens)).sum(dim=1).detach())

# %% weights-mean raises="NotImplementedError"
bag(tokens, per_sample_weights=weights)

# %% padding
weight = bag.weight.detach()
padded = nn.EmbeddingBag.from_pretrained(weight, mode="mean", padding_idx=0)
rows = torch.tensor([[1, 4, 0, 0], [1, 4, 4, 2]])  # 0 fills up the first row
print("padding_idx=0:", padded(rows)[0])
print("mean of 1, 4: ", bag(rows[:1, :2])[0].detach())
print("without it:   ", bag(rows)[0].detach())

# %% file
text = """cat 0.1 0.9 0.0
dog 0.2 0.8 0.1
car 0.9 0.1 0.7"""
vocabulary, vectors = ["<pad>", "<unk>"], []
for line in text.splitlines():  # or: in open(path, encoding="utf-8")
    word, *numbers = line.rstrip().rsplit(" ", 3)  # 3: the numbers of a word
    vocabulary.append(word)
    vectors.append([float(number) for number in numbers])

vectors = torch.tensor(vectors)  # (word, feature)
special = torch.stack([torch.zeros(3), vectors.mean(dim=0)])  # <pad>, <unk>
weight = torch.cat([special, vectors])
number = {word: i for i, word in enumerate(vocabulary)}

sentence = "the cat saw a dog".split()
ids = torch.tensor([number.get(word, number["<unk>"]) for word in sentence])
print(ids, "known:", f"{(ids > 1).float().mean():.0%}")
words = nn.EmbeddingBag.from_pretrained(weight, freeze=False, padding_idx=0)
print(words(ids[None]))

# %% classifier
torch.manual_seed(0)
lengths = torch.randint(3, 9, (200,))
texts = [torch.randint(50, (int(n),)) for n in lengths]
labels = torch.tensor([int((text < 10).float().mean() > 0.2) for text in texts])
tokens, offsets, targets = collate(list(zip(texts, labels.tolist())))

embedding, head = nn.EmbeddingBag(50, 8), nn.Linear(8, 2)
optimizer = torch.optim.Adam([*embedding.parameters(), *head.parameters()], lr=0.05)
for step in range(100):
    loss = nn.functional.cross_entropy(head(embedding(tokens, offsets)), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
right = head(embedding(tokens, offsets)).argmax(dim=1) == targets
print("accuracy above 0.9:", right.float().mean().item() > 0.9)

# %% counter-cases hidden=true
for seed in range(5):
    torch.manual_seed(seed)
    tokens = torch.randint(1, 10, (4, 6))
    for mode, reduce in {"sum": torch.sum, "mean": torch.mean, "max": torch.amax}.items():
        other = nn.EmbeddingBag.from_pretrained(bag.weight.detach(), mode=mode)
        expected = reduce(table(tokens), dim=1)
        torch.testing.assert_close(other(tokens), expected.detach())
        flat = other(tokens.flatten(), torch.arange(0, 24, 6))
        torch.testing.assert_close(flat, expected.detach())
bag(torch.tensor([1, 4, 4]), torch.tensor([0, 2]))
bag(torch.tensor([1, 4, 4])[None])
assert torch.equal(words.weight[0], torch.zeros(3))

# %% remedies hidden=true
rows = torch.tensor([[1, 4], [2, 9]])
assert torch.equal(bag(rows), bag(rows.flatten(), torch.tensor([0, 2])))

# %% ascending hidden=true
_, offsets, _ = collate(sentences)
assert (offsets.diff() >= 0).all() and not (torch.tensor([0, 3, 1]).diff() >= 0).all()
try:
    bag(torch.tensor([1, 4, 4]), torch.tensor([0, 5]))
except RuntimeError as error:
    assert "offsets[-1] can not be greater" in str(error), error
else:
    raise AssertionError("the last offset is not checked")

# %% descending hidden=true
tokens = torch.tensor([1, 4, 4, 2, 5, 6])
for mode, dtype in (("max", torch.float32), ("mean", torch.float64), ("mean", torch.float32)):
    other = nn.EmbeddingBag(10, 3, mode=mode, dtype=dtype)
    try:
        out = other(tokens, torch.tensor([0, 3, 1]))
    except RuntimeError as error:  # not on every processor
        assert mode == "mean" and dtype is torch.float32 and "index_size" in str(error)
    else:
        assert not torch.equal(out, other(tokens, torch.tensor([0, 3, 4])))

# %% bags-of-one-and-padding hidden=true
ids = torch.tensor([1, 4, 7])
assert bag(ids[None]).shape == (1, 3) and torch.equal(bag(ids[:, None]), bag.weight[ids])
rows, kept = torch.tensor([[1, 4, 4], [2, 0, 0]]), torch.tensor([3, 1])
begins, right = kept.cumsum(0) - kept, torch.stack([bag.weight[[1, 4, 4]].mean(0), bag.weight[2]])
assert not torch.allclose(bag(rows), right) and not torch.allclose(bag(rows.flatten(), begins), right)
assert torch.allclose(bag(torch.cat([row[:n] for row, n in zip(rows, kept)]), begins), right)
skips = nn.EmbeddingBag.from_pretrained(bag.weight.detach(), padding_idx=0)
assert torch.allclose(skips(rows), right)
summed = nn.EmbeddingBag.from_pretrained(bag.weight.detach(), mode="sum", padding_idx=0)
shares = torch.tensor([[1.0, 1.0, 2.0], [3.0, 1.0, 1.0]]).masked_fill(rows == 0, 0)
shares /= shares.sum(dim=1, keepdim=True)
by_hand = torch.stack([(shares[0][:, None] * bag.weight[rows[0]]).sum(0), bag.weight[2]])
assert torch.allclose(summed(rows, per_sample_weights=shares), by_hand)
line, starts = torch.tensor([[1, 4, 4, 2]]), torch.tensor([0, 3])
assert len(bag(line)) == 1 and torch.allclose(bag(line[0], starts), right)
last = nn.EmbeddingBag.from_pretrained(bag.weight.detach(), include_last_offset=True)
assert len(last(line[0], starts)) == 1  # a bag is lost
assert torch.allclose(last(line[0], torch.tensor([0, 3, 4])), right)

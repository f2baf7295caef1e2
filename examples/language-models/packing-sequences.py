"""Packing documents into one row, without attention across documents."""

# %% model fold=true
import torch
import torch.nn.functional as F
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocabulary=50, width=32, heads=4, length=64, blocks=2):
        super().__init__()
        self.heads = heads
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(length, width)
        self.qkv = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(blocks))
        self.out = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, ids, positions, keep):
        # keep: (batch, 1, query, key), True: may look
        hidden = self.tokens(ids) + self.places(positions)
        for project, out in zip(self.qkv, self.out):
            qkv = project(hidden).unflatten(-1, (3, self.heads, -1))
            qkv = qkv.permute(2, 0, 3, 1, 4)  # (3, batch, head, time, features)
            mixed = F.scaled_dot_product_attention(*qkv, attn_mask=keep)
            hidden = hidden + out(mixed.transpose(1, 2).flatten(2))
        return self.head(hidden)


torch.manual_seed(0)
net = Decoder().eval()

# %% pack
documents = [torch.randint(1, 50, (length,)) for length in (7, 3, 5)]
ids = torch.cat(documents)[None]  # (1, 15): no padding
lengths = torch.tensor([len(document) for document in documents])
document = torch.repeat_interleave(torch.arange(3), lengths)[None]  # (1, 15)
starts = lengths.cumsum(0) - lengths
positions = torch.arange(15) - starts[document]  # from 0 in each document
print("document: ", document[0].tolist())
print("positions:", positions[0].tolist())


# %% mask
def packed_mask(document):
    """(batch, time) -> (batch, 1, query, key)"""
    same = document[:, :, None] == document[:, None, :]
    return (same & same.new_ones(same.shape[1:]).tril())[:, None]


keep = packed_mask(document)
print(keep[0, 0, 6:11].int())

# %% equal
with torch.no_grad():
    packed = net(ids, positions, keep)[0].split(lengths.tolist())
    for text, logits in zip(documents, packed):
        time = len(text)
        causal = torch.ones(time, time, dtype=torch.bool).tril()
        alone = net(text[None], torch.arange(time), causal)[0]
        print(f"{time} tokens, equal: {torch.allclose(logits, alone, atol=1e-5)}")

# %% without
ways = {
    "mask and positions": (positions, keep),
    "causal mask only": (positions, torch.ones(15, 15, dtype=torch.bool).tril()),
    "positions counted on": (torch.arange(15)[None], keep),
}
with torch.no_grad():
    wanted = torch.cat(packed)
    for name, inputs in ways.items():
        error = (net(ids, *inputs)[0] - wanted).abs().amax(dim=-1)
        largest = [part.max().item() for part in error.split(lengths.tolist())]
        print(f"{name:21}", [round(one, 1) for one in largest])

# %% targets
IGNORE = -100
last = document[:, :-1] != document[:, 1:]  # the next token is another document's
targets = ids[:, 1:].masked_fill(last, IGNORE)
print(targets[0].tolist())
with torch.no_grad():
    logits = net(ids, positions, keep)
loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets.flatten())
single = 0
for part, text in zip(packed, documents):
    single += F.cross_entropy(part[:-1], text[1:], reduction="sum")
by_hand = single / (lengths - 1).sum()
print(f"packed {loss.item():.4f}, one by one {by_hand.item():.4f}")


# %% fill
def fill_rows(lengths, size):
    """Put the longest document first, each into the first row that has room."""
    rows = []
    for number in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        for row in rows:
            if sum(lengths[i] for i in row) + lengths[number] <= size:
                row.append(number)
                break
        else:
            rows.append([number])
    return rows


many = torch.randint(10, 400, (200,)).tolist()
rows = fill_rows(many, size=512)
print(f"padded to 400: {sum(many) / (200 * 400):.0%} of the places are tokens")
print(f"packed to 512: {sum(many) / (len(rows) * 512):.0%}")

# %% claims hidden=true
assert sorted(number for row in rows for number in row) == list(range(200))
assert all(sum(many[i] for i in row) <= 512 for row in rows)

# %% limits-of-filling hidden=true
assert fill_rows([600, 3], size=512) == [[0], [1]]  # a row that is too long
assert len(fill_rows([300] * 7, size=512)) == 7  # none fits beside another

# %% recurrent-layers-leak hidden=true
first, second = torch.randn(1, 3, 4), torch.randn(1, 5, 4)
both = torch.cat([first, second], dim=1)
lstm = nn.LSTM(4, 4, batch_first=True)
assert not torch.allclose(lstm(both)[0][:, 3:], lstm(second)[0], atol=1e-3)
conv = nn.Conv1d(4, 4, 3, padding=2)
over_time = conv(both.mT).mT[:, 3:8]
assert not torch.allclose(over_time, conv(second.mT).mT[:, :5], atol=1e-3)

# %% padded-rows hidden=true
rest = 3  # places that stay empty
padded, numbers = F.pad(ids, (0, rest)), F.pad(document, (0, rest), value=-1)
with torch.no_grad():
    logits = net(padded, F.pad(positions, (0, rest)), packed_mask(numbers))[:, :-1].flatten(0, 1)
wanted = padded[:, 1:].masked_fill(numbers[:, :-1] != numbers[:, 1:], IGNORE)
assert abs(F.cross_entropy(logits, wanted.flatten()) - by_hand) > 0.01  # padding counts
wanted[numbers[:, 1:] == -1] = IGNORE
torch.testing.assert_close(F.cross_entropy(logits, wanted.flatten()), by_hand)

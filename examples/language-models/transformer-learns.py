"""One Transformer block learns to write backwards; what its attention looks at."""

# %% block fold=true
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        wide = nn.Linear(width, 4 * width), nn.GELU()
        self.mlp = nn.Sequential(*wide, nn.Linear(4 * width, width))

    def split(self, hidden):
        qkv = self.qkv(hidden).unflatten(-1, (3, self.heads, -1))
        return qkv.permute(2, 0, 3, 1, 4)  # (3, batch, head, time, features)

    def forward(self, hidden, is_causal=True):
        query, key, value = self.split(self.norm1(hidden))
        attend = F.scaled_dot_product_attention
        mixed = attend(query, key, value, is_causal=is_causal)
        hidden = hidden + self.out(mixed.transpose(1, 2).flatten(2))
        return hidden + self.mlp(self.norm2(hidden))


# %% task
def draw_batch(samples, digits=6, separator=10):
    forwards = torch.randint(10, (samples, digits))
    middle = torch.full((samples, 1), separator)
    return torch.cat([forwards, middle, forwards.flip(1)], dim=1)  # (batch, 13)


torch.manual_seed(0)
print(draw_batch(1)[0].tolist())


# %% model
class Reverser(nn.Module):
    def __init__(self, vocabulary=11, width=32, length=12):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(length, width)
        self.block = Block(width, heads=1)
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, vocabulary))

    def embed(self, ids):
        return self.tokens(ids) + self.places.weight[: ids.shape[1]]

    def forward(self, ids):
        return self.head(self.block(self.embed(ids)))  # (batch, time, vocabulary)


# %% train
net = Reverser()
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
for step in range(101):
    ids = draw_batch(32)
    logits = net(ids[:, :-1])  # sees 12 tokens
    targets = ids[:, 1:]  # each place has the next token as its target
    loss = F.cross_entropy(logits[:, 6:].flatten(0, 1), targets[:, 6:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step in (0, 20, 100):
        print(f"step {step:3}  loss {loss.item():.1f}")

# %% accuracy
ids = draw_batch(200)
with torch.no_grad():
    predicted = net(ids[:, :-1])[:, 6:].argmax(dim=-1)
print("above 0.95:", (predicted == ids[:, 7:]).float().mean().item() > 0.95)

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

with torch.no_grad():
    query, key, _ = net.block.split(net.block.norm1(net.embed(ids[:, :-1])))
    scores = query @ key.mT / query.shape[-1] ** 0.5
    keep = torch.ones(12, 12, dtype=torch.bool).tril()
    weights = scores.masked_fill(~keep, float("-inf")).softmax(dim=-1).mean(dim=(0, 1))  # (query, key)

fig, ax = plt.subplots(figsize=(4.6, 4.2))
image = ax.imshow(weights.masked_fill(~keep, float("nan")), vmin=0, vmax=1, cmap="viridis")
labels = [*range(6), "sep", *range(5, 0, -1)]
ax.set(xlabel="key", ylabel="query", xticks=range(12), yticks=range(12), xticklabels=labels, yticklabels=labels)
fig.colorbar(image, label="weight", shrink=0.8)

# %% claims hidden=true
order = torch.tensor([2, 0, 1])
query, key, value = torch.randn(3, 1, 3, 8)
plain = F.scaled_dot_product_attention(query, key, value)
shuffled = F.scaled_dot_product_attention(query, key[:, order], value[:, order])
assert torch.allclose(plain, shuffled, atol=1e-5)

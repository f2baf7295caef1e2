"""A pre-norm, causal Transformer block that learns to write a sequence backwards."""

# %% block
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


torch.manual_seed(0)
block = Block(width=32, heads=2)
hidden = torch.randn(4, 6, 32)  # (batch, time, features)
print(block(hidden).shape)


# %% causality
def past_depends_on_future(is_causal):
    changed = hidden.clone()
    changed[:, -1] = torch.randn(4, 32)
    before, after = (block(x, is_causal)[:, :-1] for x in (hidden, changed))
    return not torch.allclose(before, after, atol=1e-6)


print("is_causal=True: ", past_depends_on_future(True))
print("is_causal=False:", past_depends_on_future(False))

# %% built-in
layer = nn.TransformerEncoderLayer(
    32,
    nhead=2,
    dim_feedforward=128,
    dropout=0.0,
    activation="gelu",
    batch_first=True,
    norm_first=True,
)
names = {"qkv.": "self_attn.in_proj_", "out.": "self_attn.out_proj."}
names |= {"mlp.0.": "linear1.", "mlp.2.": "linear2."}
state = {}
for name, parameter in block.state_dict().items():
    for old, new in names.items():
        name = name.replace(old, new)
    state[name] = parameter
print(layer.load_state_dict(state))
mask = nn.Transformer.generate_square_subsequent_mask(6)
built_in = layer(hidden, mask, is_causal=True)
print("equal:", torch.allclose(block(hidden), built_in, atol=1e-5))


# %% task
def draw_batch(samples, digits=6, separator=10):
    forwards = torch.randint(10, (samples, digits))
    middle = torch.full((samples, 1), separator)
    return torch.cat([forwards, middle, forwards.flip(1)], dim=1)  # (batch, 13)


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

# %% nested warns="UserWarning"
nn.TransformerEncoder(layer, num_layers=2)

# %% claims hidden=true
import inspect

order = torch.tensor([2, 0, 1])
query, key, value = torch.randn(3, 1, 3, 8)
plain = F.scaled_dot_product_attention(query, key, value)
assert torch.allclose(plain, F.scaled_dot_product_attention(query, key[:, order], value[:, order]), atol=1e-5)
defaults = {name: one.default for name, one in inspect.signature(nn.TransformerEncoderLayer).parameters.items()}
assert defaults["dropout"] == 0.1 and not defaults["batch_first"] and not defaults["norm_first"]
assert defaults["activation"] is F.relu

# %% remedies hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    layer = nn.TransformerEncoderLayer(8, 2, norm_first=True, batch_first=True)
    nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

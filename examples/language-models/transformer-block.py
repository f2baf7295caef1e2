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


# %% nested warns="UserWarning"
nn.TransformerEncoder(layer, num_layers=2)

# %% claims hidden=true
import inspect
import warnings

parameters = inspect.signature(nn.TransformerEncoderLayer).parameters
defaults = {name: one.default for name, one in parameters.items()}
assert defaults["dropout"] == 0.1 and not defaults["batch_first"] and not defaults["norm_first"]
assert defaults["activation"] is F.relu and defaults["dim_feedforward"] == 2048
with warnings.catch_warnings():
    warnings.simplefilter("error")
    layer = nn.TransformerEncoderLayer(8, 2, norm_first=True, batch_first=True)
    nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

# %% counter-cases hidden=true
torch.manual_seed(0)
for width, heads, length in ((8, 1, 1), (24, 3, 9), (64, 8, 40)):
    ours = Block(width, heads).double()
    theirs = nn.TransformerEncoderLayer(
        width, heads, 4 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    ).double()
    renamed = {}
    for name, parameter in ours.state_dict().items():
        for old, new in names.items():
            name = name.replace(old, new)
        renamed[name] = parameter
    theirs.load_state_dict(renamed)
    x = torch.randn(3, length, width, dtype=torch.float64)
    mask = nn.Transformer.generate_square_subsequent_mask(length, dtype=torch.float64)
    torch.testing.assert_close(ours(x), theirs(x, mask, is_causal=True))

# %% final-norm
torch.manual_seed(0)
final, head = nn.LayerNorm(32), nn.Linear(32, 50)
stream = hidden
for depth in range(1, 49):
    stream = Block(width=32, heads=2)(stream).detach()
    if depth in (1, 12, 48):
        bare, normed = head(stream).std().item(), head(final(stream)).std().item()
        print(f"{depth:2} blocks: logits {bare:.1f}, with the norm {normed:.1f}")

# %% encoder-norm
layer = nn.TransformerEncoderLayer(32, nhead=2, norm_first=True, batch_first=True)
print(nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False).norm)
print(nn.Transformer(32, nhead=2, batch_first=True).encoder.norm)

# %% final-norm-claims hidden=true
assert nn.Transformer(8, nhead=2, batch_first=True).decoder.norm is not None
options = dict(enable_nested_tensor=False, norm=nn.LayerNorm(32))
stack = nn.TransformerEncoder(layer.eval(), num_layers=6, **options)
assert (stack(100 * hidden).std(dim=-1) - 1).abs().max() < 0.1
post = nn.TransformerEncoderLayer(32, nhead=2, dropout=0.0, batch_first=True)
assert (post(100 * hidden).std(dim=-1) - 1).abs().max() < 0.1  # ends in a norm already
for seed, width in ((1, 32), (2, 64), (3, 16)):
    torch.manual_seed(seed)
    start = grown = torch.randn(4, 6, width)
    for _ in range(48):
        grown = Block(width, heads=2)(grown).detach()
    assert grown.std() > 2 * start.std()

# %% batch-first-forgotten hidden=true
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    forgotten = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, nhead=2), num_layers=1).eval()
assert "batch_first was not True" in str(caught[0].message)
other_samples = torch.cat([hidden[:1], torch.randn(3, 6, 32)])
assert not torch.allclose(forgotten(hidden)[0], forgotten(other_samples)[0], atol=1e-3)  # samples attend to one another

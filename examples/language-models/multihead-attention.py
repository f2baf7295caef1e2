"""nn.MultiheadAttention: shapes, weights, and the same by hand."""

# %% shapes
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
attention = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
sentence = torch.randn(3, 5, 8)  # (batch, time, features)
out, weights = attention(sentence, sentence, sentence)
print(out.shape)  # (batch, query, features)
print(weights.shape)  # (batch, query, key)

# %% cross
question = torch.randn(3, 2, 8)
out, weights = attention(query=question, key=sentence, value=sentence)
print(out.shape, weights.shape)


# %% batch-first
def sample_zero_depends_on_sample_one(attention):
    changed = sentence.clone()
    changed[1] += 1
    before, after = (attention(x, x, x)[0][0] for x in (sentence, changed))
    return not torch.allclose(before, after)


print("batch_first=True:", sample_zero_depends_on_sample_one(attention))
default = nn.MultiheadAttention(8, 2)
print("default:         ", sample_zero_depends_on_sample_one(default))

# %% per-head
_, weights = attention(sentence, sentence, sentence, average_attn_weights=False)
print(weights.shape)  # (batch, head, query, key)
print("rows add up to 1:", torch.allclose(weights.sum(dim=-1), torch.ones(())))

# %% no-weights
out, weights = attention(sentence, sentence, sentence, need_weights=False)
print(weights)

# %% by-hand
projected = F.linear(sentence, attention.in_proj_weight, attention.in_proj_bias)
parts = projected.chunk(3, dim=-1)  # query, key, value: (batch, time, features)
query, key, value = (part.unflatten(-1, (2, 4)).transpose(1, 2) for part in parts)
heads = F.scaled_dot_product_attention(query, key, value)  # (batch, head, time, …)
by_hand = attention.out_proj(heads.transpose(1, 2).flatten(2))
print(heads.shape, "->", by_hand.shape)
print("equal:", torch.allclose(by_hand, out, atol=1e-5))

# %% parameters
for name, parameter in attention.named_parameters():
    print(f"{name:15} {tuple(parameter.shape)}")

# %% tuple raises="TypeError"
sentence + attention(sentence, sentence, sentence)

# %% is-causal raises="RuntimeError"
attention(sentence, sentence, sentence, is_causal=True)

# %% causal
mask = torch.ones(5, 5, dtype=torch.bool).triu(diagonal=1)  # True: ignore
causal = dict(attn_mask=mask, is_causal=True)
out, weights = attention(sentence, sentence, sentence, **causal)
print(weights[0].triu(diagonal=1).count_nonzero())

# %% heads raises="AssertionError"
nn.MultiheadAttention(embed_dim=8, num_heads=3)

# %% heads-and-parameters hidden=true
counts = {sum(p.numel() for p in nn.MultiheadAttention(8, heads).parameters()) for heads in (1, 2, 8)}
assert len(counts) == 1
assert isinstance(attention(sentence, sentence, sentence, need_weights=False), tuple)

# %% promises hidden=true
nothing = torch.zeros(5, 5, dtype=torch.bool)  # hides nothing: not the causal mask that is promised
for need_weights in (True, False):
    options = dict(attn_mask=nothing, is_causal=True, need_weights=need_weights)
    assert torch.allclose(attention(sentence, sentence, sentence, **options)[0], by_hand, atol=1e-5) == need_weights
dropped = nn.MultiheadAttention(8, 2, dropout=0.5, batch_first=True)
assert not torch.allclose(dropped(sentence, sentence, sentence)[1].sum(dim=-1), torch.ones(()))

# %% remedies hidden=true
words = torch.zeros(2, 5, 12)
for heads in (1, 2, 3, 4, 6, 12):
    layer = nn.MultiheadAttention(12, heads, batch_first=True)
    assert layer(words, words, words, need_weights=False)[0].shape == words.shape

# %% when-the-promise-counts hidden=true
attention.eval()
visible = torch.zeros(3, 5, dtype=torch.bool)  # a padding mask that hides nothing
options = dict(attn_mask=nothing, is_causal=True, need_weights=False)
with torch.no_grad():  # the fast path
    assert torch.allclose(attention(sentence, sentence, sentence, **options)[0], by_hand, atol=1e-5)
out, _ = attention(sentence, sentence, sentence, key_padding_mask=visible, **options)
assert torch.allclose(out, by_hand, atol=1e-5)
other = nn.MultiheadAttention(8, 2, kdim=4, vdim=6, batch_first=True)
assert other(sentence, torch.randn(3, 7, 4), torch.randn(3, 7, 6))[0].shape == sentence.shape

# %% hint-alone hidden=true
changed = sentence.clone()
changed[:, -1] += 5
attention.eval()
with torch.no_grad():  # the fast path: no error, and the first step sees the last
    first, other = (attention(x, x, x, is_causal=True)[0][:, 0] for x in (sentence, changed))
assert not torch.allclose(first, other, atol=1e-3)

# %% which-mask hidden=true
attention.train()
steps = sentence.shape[1]
causal = torch.ones(steps, steps, dtype=torch.bool).triu(1)
padding = torch.zeros(3, steps, dtype=torch.bool)
padding[:, 3:] = True
options = dict(is_causal=True, need_weights=False)
wanted = attention(sentence, sentence, sentence, attn_mask=causal)[0]
as_mask = attention(sentence, sentence, sentence, attn_mask=padding[:1].expand(steps, -1), **options)[0]
assert torch.allclose(as_mask, wanted, atol=1e-5)  # the padding was ignored
both = dict(attn_mask=causal, key_padding_mask=padding)
named = attention(sentence, sentence, sentence, **both, **options)[0]
assert torch.allclose(named, attention(sentence, sentence, sentence, **both)[0], atol=1e-5)
assert not torch.allclose(named, wanted, atol=1e-5)
block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
outs = [block(sentence, src_mask=causal, is_causal=hint) for hint in (True, False)]
assert torch.allclose(*outs, atol=1e-5)

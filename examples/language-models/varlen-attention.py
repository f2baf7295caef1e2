"""varlen_attn: attention over texts of different lengths, one behind the other."""

# %% flat
import torch
import torch.nn.functional as F

torch.manual_seed(0)
lengths = torch.tensor([4, 7, 2])
cu_seqlens = F.pad(lengths.cumsum(0), (1, 0)).int()  # each start, and the end
query, key, value = torch.randn(3, 13, 2, 16)  # (all tokens, heads, features)
print(cu_seqlens)


# %% by-hand
def varlen_by_hand(query, key, value, cu_seqlens, is_causal=True):
    """(all tokens, heads, features); each text attends to itself alone."""
    parts = []
    for start, end in zip(cu_seqlens[:-1], cu_seqlens[1:]):
        one = [x[start:end].transpose(0, 1) for x in (query, key, value)]
        mixed = F.scaled_dot_product_attention(*one, is_causal=is_causal)
        parts.append(mixed.transpose(0, 1))
    return torch.cat(parts)


out = varlen_by_hand(query, key, value, cu_seqlens)
print(out.shape)

# %% padded
real = torch.arange(7) < lengths[:, None]  # (text, time)


def pad(x):
    padded = x.new_zeros(3, 7, 2, 16)
    padded[real] = x
    return padded.transpose(1, 2)  # (text, heads, time, features)


causal = torch.ones(7, 7, dtype=torch.bool).tril()
keep = (real[:, None, :] & causal)[:, None]
batch = pad(query), pad(key), pad(value)
padded = F.scaled_dot_product_attention(*batch, attn_mask=keep)
back = padded.transpose(1, 2)[real]
print("equal to padded:", torch.allclose(back, out, atol=1e-6))
print("places of the padded batch:", real.numel(), "tokens:", len(query))

# %% one-mask
text = torch.repeat_interleave(torch.arange(3), lengths)  # (all tokens)
keep = (text[:, None] == text) & torch.ones(13, 13, dtype=torch.bool).tril()
flat = [x.transpose(0, 1) for x in (query, key, value)]
masked = F.scaled_dot_product_attention(*flat, attn_mask=keep).transpose(0, 1)
print("equal to one mask:", torch.allclose(masked, out, atol=1e-6))

# %% on-cpu
from torch.nn.attention.varlen import varlen_attn

longest = lengths.max().item()
sizes = dict(cu_seq_q=cu_seqlens, cu_seq_k=cu_seqlens, max_q=longest, max_k=longest)
try:
    halves = query.half(), key.half(), value.half()
    varlen_attn(*halves, **sizes, window_size=(-1, 0))
except NotImplementedError as error:
    print(str(error).split(". ")[0])

# %% heads raises="ValueError"
varlen_attn(query, key[:, :1], value[:, :1], **sizes)

# %% on-gpu needs="cuda"
gpu = [x.half().cuda() for x in (query, key, value)]
starts = dict(cu_seq_q=cu_seqlens.cuda(), cu_seq_k=cu_seqlens.cuda())
out = varlen_attn(*gpu, **starts, max_q=longest, max_k=longest, window_size=(-1, 0))
by_hand = varlen_by_hand(query, key, value, cu_seqlens)
print("equal:", torch.allclose(out.float().cpu(), by_hand, atol=5e-3))

# %% claims hidden=true
assert len(varlen_by_hand(query, key, value, lengths)) != len(query)  # lengths, not sums
gaps = torch.tensor([0, 4, 4, 13])  # an empty text
assert varlen_by_hand(query, key, value, gaps).shape == query.shape
for kind in (torch.float16, torch.bfloat16, torch.float64):
    assert varlen_by_hand(*(x.to(kind) for x in (query, key, value)), cu_seqlens).dtype == kind
meta = [x.half().to("meta") for x in (query, key, value)]
assert varlen_attn(*meta, **sizes).shape == (13, 2, 16)
for some in ([1], [3, 3, 3], [9, 1, 1, 2]):
    bounds = F.pad(torch.tensor(some).cumsum(0), (1, 0)).int()
    total = sum(some)
    q, k, v = torch.randn(3, total, 2, 8)
    text = torch.repeat_interleave(torch.arange(len(some)), torch.tensor(some))
    for is_causal in (True, False):
        keep = text[:, None] == text
        if is_causal:
            keep &= torch.ones(total, total, dtype=torch.bool).tril()
        expected = F.scaled_dot_product_attention(*(x.transpose(0, 1) for x in (q, k, v)), attn_mask=keep)
        torch.testing.assert_close(varlen_by_hand(q, k, v, bounds, is_causal), expected.transpose(0, 1))

# %% long-starts needs="cuda" raises="RuntimeError"
wrong = dict(cu_seq_q=cu_seqlens.cuda().long(), cu_seq_k=cu_seqlens.cuda().long())
varlen_attn(*gpu, **wrong, max_q=longest, max_k=longest, window_size=(-1, 0))

"""Boolean attention masks: True means keep in one function and ignore in another."""

# %% side-by-side
import torch
import torch.nn.functional as F
from torch import nn

tokens = torch.zeros(1, 4, 8)  # (batch, time, features): all scores are equal
mask = torch.tensor([[True, True, False, False]])  # (batch, key)

alike = tokens, tokens, torch.eye(4)[None]  # query, key, value
functional = F.scaled_dot_product_attention(*alike, attn_mask=mask[:, None, :])
attention = nn.MultiheadAttention(8, num_heads=2, batch_first=True)
_, module = attention(tokens, tokens, tokens, key_padding_mask=mask)

print("mask                        ", mask[0].tolist())
print("scaled_dot_product_attention", functional[0, 0].tolist())
print("MultiheadAttention          ", module[0, 0].tolist())

# %% inverted
_, module = attention(tokens, tokens, tokens, key_padding_mask=~mask)
print(module[0, 0].tolist())

# %% float
bias = torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))
print(bias[0].tolist())
functional = F.scaled_dot_product_attention(*alike, attn_mask=bias[:, None, :])
_, module = attention(tokens, tokens, tokens, key_padding_mask=bias)
print("scaled_dot_product_attention", functional[0, 0].tolist())
print("MultiheadAttention          ", module[0, 0].tolist())

# %% ones-and-zeros
ones = mask.float()
soft = F.scaled_dot_product_attention(*alike, attn_mask=ones[:, None, :])
print([round(weight, 2) for weight in soft[0, 0].tolist()])

# %% integer raises="RuntimeError"
F.scaled_dot_product_attention(tokens, tokens, tokens, attn_mask=mask.long())

# %% integer-module raises="AssertionError"
attention(tokens, tokens, tokens, key_padding_mask=mask.long())

# %% causal-and-padding
lengths = torch.tensor([4, 2])
padding = torch.arange(4) < lengths[:, None]  # (batch, key), True: a token
causal = torch.ones(4, 4, dtype=torch.bool).tril()  # (query, key)
keep = causal & padding[:, None, None, :]  # (batch, head, query, key)
print(keep.shape)
print(keep[1, 0].int())

# %% broadcast-wrong
heads = torch.zeros(2, 2, 4, 8)  # (batch, head, time, features): scores are equal
inputs = heads, heads, torch.eye(4).expand(2, 2, 4, 4)
weights = F.scaled_dot_product_attention(*inputs, attn_mask=padding[:, None, :])
print("head 0:", weights[1, 0, 0].tolist())
print("head 1:", weights[1, 1, 0].tolist())

# %% module-both
batch = torch.randn(2, 4, 8)
masks = dict(attn_mask=~causal, key_padding_mask=~padding)
out, _ = attention(batch, batch, batch, **masks)
print(out.isfinite().all(dim=-1))

# %% nothing-left
nothing = torch.zeros(2, 4, dtype=torch.bool)  # (batch, key): no token at all
for need_weights in (True, False):
    options = dict(key_padding_mask=~nothing, need_weights=need_weights)
    out, _ = attention(batch, batch, batch, **options)
    print(f"{need_weights=!s:5}  NaN: {out.isnan().any().item()}")

# %% nothing-left-gradient
half = torch.tensor([[True] * 4, [False] * 4])  # the second text is empty
for need_weights in (True, False):
    attention.zero_grad()
    options = dict(key_padding_mask=~half, need_weights=need_weights)
    out, _ = attention(batch, batch, batch, **options)
    out[0].sum().backward()  # the loss leaves the empty text out
    gradient = attention.in_proj_weight.grad
    print(f"{need_weights=!s:5}  gradient has NaN: {gradient.isnan().any().item()}")

# %% mismatched warns="UserWarning"
float_causal = nn.Transformer.generate_square_subsequent_mask(4)
print(float_causal)
masks = dict(attn_mask=float_causal, key_padding_mask=~padding)
out, _ = attention(batch, batch, batch, **masks)

# %% shape raises="RuntimeError"
attention(batch, batch, batch, attn_mask=~padding)

# %% fast-path hidden=true
with torch.no_grad():
    layer = nn.MultiheadAttention(8, num_heads=2, batch_first=True).eval()
    for fast in (True, False):
        torch.backends.mha.set_fastpath_enabled(fast)
        out, _ = layer(batch, batch, batch, key_padding_mask=~nothing, need_weights=False)
        assert out.isnan().any().item() == fast
torch.backends.mha.set_fastpath_enabled(True)

# %% float-dtypes hidden=true
low = tokens.bfloat16()
F.scaled_dot_product_attention(low, low, low, attn_mask=torch.zeros(4, 4))
for dtype in (torch.float16, torch.float64):
    try:
        F.scaled_dot_product_attention(tokens, tokens, tokens, attn_mask=torch.zeros(4, 4, dtype=dtype))
    except RuntimeError:
        continue
    raise AssertionError(dtype)

# %% remedies hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    both, _ = attention(batch, batch, batch, attn_mask=float_causal.isinf(), key_padding_mask=~padding)
    out, _ = attention(batch, batch, batch, attn_mask=~causal, key_padding_mask=~padding)
assert torch.allclose(both, out, atol=1e-5)
F.scaled_dot_product_attention(tokens, tokens, tokens, attn_mask=mask.long().bool())
attention(batch, batch, batch, key_padding_mask=~padding)
attention(batch, batch, batch, attn_mask=(~causal).expand(4, 4, 4))  # (batch * heads, query, key)

# %% counter-cases hidden=true
torch.manual_seed(0)
layer = nn.MultiheadAttention(8, 2, batch_first=True).eval()
for heads, length in ((1, 3), (2, 5)):
    x = torch.randn(2, length, 8)
    may_look = torch.rand(length, length) > 0.4
    may_look.fill_diagonal_(True)
    bias = torch.zeros(length, length).masked_fill(~may_look, float("-inf"))
    outputs = [layer(x, x, x, attn_mask=mask)[0] for mask in (bias, ~may_look)]
    torch.testing.assert_close(*outputs)  # the module: True means may not
    outputs = [F.scaled_dot_product_attention(x, x, x, attn_mask=mask) for mask in (bias, may_look)]
    torch.testing.assert_close(*outputs)  # the function: True means may

# %% float-mask-limits hidden=true
half = nn.MultiheadAttention(8, 2, batch_first=True).bfloat16()
low = batch.bfloat16()
float_padding = torch.zeros(2, 4)
half(low, low, low, key_padding_mask=float_padding, need_weights=False)
try:
    half(low, low, low, key_padding_mask=float_padding)  # with weights: the dtype of the query alone
except RuntimeError:
    half(low, low, low, key_padding_mask=float_padding.bfloat16())
else:
    raise AssertionError("it takes float32")
layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
encoder = nn.TransformerEncoder(layer, 1).eval()
for last, alike in ((float("-inf"), True), (-1.0, False)):
    float_padding[0, 3] = last
    slow = encoder(batch, src_key_padding_mask=float_padding)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nested tensors are a prototype
        fast = encoder(batch, src_key_padding_mask=float_padding)
        one, other = (layer.eval()(batch, src_key_padding_mask=mask) for mask in (float_padding, float_padding != 0))
    assert torch.allclose(fast[0, :3], slow[0, :3], atol=1e-5) == alike
    assert fast[0, 3].count_nonzero() == 0 and torch.equal(one, other)  # taken for padding

# %% fits-by-chance hidden=true
square, ignore = torch.randn(4, 4, 8), torch.arange(4) >= torch.tensor([[4], [2], [3], [1]])
wrong, _ = attention(square, square, square, attn_mask=ignore)
meant, _ = attention(square, square, square, key_padding_mask=ignore)
assert wrong.isfinite().all() and not torch.allclose(wrong, meant)

# %% bias-on-the-fast-path hidden=true
layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True).eval()
bias = -torch.rand(4, 4).fill_diagonal_(0.0)
for fast in (True, False):
    torch.backends.mha.set_fastpath_enabled(fast)
    slow = layer(batch, src_mask=bias)
    with torch.no_grad():
        out = layer(batch, src_mask=bias)
        hidden = layer(batch, src_mask=bias != 0)
    assert torch.allclose(out, slow, atol=1e-5) is not fast and torch.equal(out, hidden) is fast
torch.backends.mha.set_fastpath_enabled(True)

# %% masks-with-other-numbers hidden=true
ignored = ~padding
for values in (torch.full((4, 4), -1e9).triu(1), bias, float_causal):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page shows it: the two kinds differ
        mixed = attention(batch, batch, batch, attn_mask=values, key_padding_mask=ignored)[0]
    floats = torch.zeros_like(ignored, dtype=values.dtype).masked_fill(ignored, -torch.inf)
    both = attention(batch, batch, batch, attn_mask=values, key_padding_mask=floats)[0]
    bools = attention(batch, batch, batch, attn_mask=values.isinf(), key_padding_mask=ignored)[0]
    assert torch.allclose(both, mixed, atol=1e-5)
    assert torch.allclose(bools, mixed, atol=1e-5) is (values is float_causal)
noise = torch.randn(1, 4, 8)
causal = F.scaled_dot_product_attention(noise, noise, noise, is_causal=True)
double = torch.full((4, 4), -torch.inf, dtype=torch.float64).triu(1)
for fitting, right in ((double.to(noise.dtype), True), (double.bool(), False)):
    out = F.scaled_dot_product_attention(noise, noise, noise, attn_mask=fitting)
    assert torch.allclose(out, causal, atol=1e-5) is right
ones = torch.ones(4, 4, dtype=torch.float64).tril()  # 1 means keep
for fitting, right in ((ones.bool(), True), (ones.to(noise.dtype), False)):
    out = F.scaled_dot_product_attention(noise, noise, noise, attn_mask=fitting)
    assert torch.allclose(out, causal, atol=1e-5) is right
layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
try:
    layer(noise, ones)
except RuntimeError as error:  # a module raises it, too, and True means ignore there
    assert "Expected attn_mask dtype to be bool or float" in str(error)
else:
    raise AssertionError("a float64 mask passes")
for fitting, right in ((ones == 0, True), (ones.bool(), False)):
    assert torch.allclose(layer(noise, fitting), layer(noise, double.float()), atol=1e-5) is right
wide, values = nn.MultiheadAttention(8, 2, batch_first=True, dtype=torch.float64), bias.double()
floats = torch.zeros_like(ignored, dtype=values.dtype).masked_fill(ignored, -torch.inf)
with warnings.catch_warnings():
    warnings.simplefilter("error")  # none, of a layer that is not float32 either
    wide(*[batch.double()] * 3, attn_mask=values, key_padding_mask=floats)

# %% batch-first-missing hidden=true
torch.manual_seed(0)
samples = torch.randn(3, 5, 8)  # (batch, time, features)
changed = samples.clone()
changed[0] += torch.randn(8)
time_first = nn.MultiheadAttention(8, 2)
try:
    time_first(samples, samples, samples, attn_mask=torch.ones(5, 5, dtype=torch.bool).triu(1))
except RuntimeError as error:
    assert "should be (3, 3)" in str(error)
else:
    raise AssertionError("accepted")
mask = torch.ones(3, 3, dtype=torch.bool).triu(1)  # the size asked for
before, after = (time_first(x, x, x, attn_mask=mask)[0] for x in (samples, changed))
assert not torch.allclose(before[2], after[2])  # another sample, without an error

# %% dtypes-on-the-fast-path hidden=true
layer.eval()
for dtype in (torch.float16, torch.float64):
    bias = -torch.rand(4, 4).fill_diagonal_(0.0).to(dtype)
    with torch.no_grad():
        assert torch.equal(layer(noise, src_mask=bias), layer(noise, src_mask=bias != 0))
    try:
        layer(noise, src_mask=bias)
    except RuntimeError:
        continue
    raise AssertionError(dtype)

# %% batch-first-or-not hidden=true
everything = torch.ones(2, 4, dtype=torch.bool)
bias = torch.zeros(2, 4)
bias[:, 3] = -1.0
for first in (True, False):
    options = dict(batch_first=first, dtype=torch.float32)
    attend = nn.MultiheadAttention(8, 2, **options).eval()
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, **options).eval()
    x = batch if first else batch.transpose(0, 1)
    slow = layer(x, src_key_padding_mask=bias)
    with torch.no_grad():
        out, _ = attend(x, x, x, key_padding_mask=everything, need_weights=False)
        fast = layer(x, src_key_padding_mask=bias)
    assert out.isnan().any().item() is first
    assert torch.allclose(fast, slow, atol=1e-5) is not first

# %% float-padding-mask hidden=true
floats = torch.zeros(2, 4).masked_fill(ignored, -torch.inf)
later = torch.ones(4, 4, dtype=torch.bool).triu(1)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", UserWarning)  # the page shows it: the two kinds differ
    mixed = attention(batch, batch, batch, attn_mask=later, key_padding_mask=floats)[0]
with warnings.catch_warnings():
    warnings.simplefilter("error")
    bools = attention(batch, batch, batch, attn_mask=later, key_padding_mask=floats.isinf())[0]
    added = torch.zeros_like(later, dtype=floats.dtype).masked_fill(later, -torch.inf)
    both = attention(batch, batch, batch, attn_mask=added, key_padding_mask=floats)[0]
assert torch.allclose(bools, mixed, atol=1e-5) and torch.allclose(both, mixed, atol=1e-5)

# %% masks-under-autocast hidden=true
with torch.autocast("cpu"):
    F.scaled_dot_product_attention(noise, noise, noise, attn_mask=torch.zeros(4, 4).half())

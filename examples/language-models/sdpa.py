"""scaled_dot_product_attention: the formula, its masks, its memory."""

# %% formula
import torch
import torch.nn.functional as F

torch.manual_seed(0)
query = torch.randn(2, 4, 5, 8)  # (batch, head, query, features)
key, value = torch.randn(2, 2, 4, 7, 8)  # each (batch, head, key, features)

scores = query @ key.mT / 8**0.5  # (batch, head, query, key)
by_hand = scores.softmax(dim=-1) @ value
built_in = F.scaled_dot_product_attention(query, key, value)
print(built_in.shape)
print("equal:", torch.allclose(by_hand, built_in, atol=1e-5))

# %% scaled-twice
twice = F.scaled_dot_product_attention(query / 8**0.5, key, value)
once = F.scaled_dot_product_attention(query / 8**0.5, key, value, scale=1.0)
print("scaled twice:", torch.allclose(by_hand, twice, atol=1e-5))
print("scale=1.0:   ", torch.allclose(by_hand, once, atol=1e-5))


# %% causal
def attention_weights(queries, keys, **options):
    shapes = (1, queries, 8), (1, keys, 8)  # (batch, time, features)
    query, key = map(torch.zeros, shapes)  # all scores are equal
    value = torch.eye(keys)[None]
    return F.scaled_dot_product_attention(query, key, value, **options)[0]


print(attention_weights(4, 4, is_causal=True))

# %% fewer-queries
for queries in (1, 2):
    seen = attention_weights(queries, 4, is_causal=True).round(decimals=2)
    print(f"queries: {queries}, weights: {seen.tolist()}")

# %% lower-right
keep = torch.ones(2, 4, dtype=torch.bool).tril(diagonal=4 - 2)
print(attention_weights(2, 4, attn_mask=keep))


# %% memory
def naive(query, key, value):
    return (query @ key.mT / 32**0.5).softmax(dim=-1) @ value


def kept_for_backward(attend, length):
    inputs = [torch.randn(1, 4, length, 32, requires_grad=True) for _ in range(3)]
    storages = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        storages[storage.data_ptr()] = storage
        return tensor.detach()  # not tensor: an output would keep itself alive

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        attend(*inputs)
    return sum(storage.nbytes() for storage in storages.values()) // 1024


for length in (256, 512, 1024):
    ways = naive, F.scaled_dot_product_attention
    sizes = [kept_for_backward(attend, length) for attend in ways]
    print(f"length {length:4}  naive {sizes[0]:6} KiB  built in {sizes[1]:5} KiB")

# %% dropout
inputs = query, key, value
drawn = [F.scaled_dot_product_attention(*inputs, dropout_p=0.5) for _ in range(2)]
print("same twice:", torch.equal(*drawn))

# %% grouped raises="RuntimeError"
F.scaled_dot_product_attention(query, key[:, :2], value[:, :2])

# %% grouped-enabled
fewer = query, key[:, :2], value[:, :2]
grouped = F.scaled_dot_product_attention(*fewer, enable_gqa=True)
repeated = [tensor[:, :2].repeat_interleave(2, dim=1) for tensor in (key, value)]
by_hand = F.scaled_dot_product_attention(query, *repeated)
print("same as repeated heads:", torch.allclose(grouped, by_hand, atol=1e-5))

# %% math
from torch.nn.attention import SDPBackend, sdpa_kernel

with sdpa_kernel(SDPBackend.MATH):  # the formula, no fused kernel
    plain = F.scaled_dot_product_attention(query, key, value)
print("same result:", torch.allclose(built_in, plain, atol=1e-5))

# %% no-backend raises="RuntimeError"
with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
    F.scaled_dot_product_attention(query, key, value)

# %% where-the-formula-runs hidden=true
saved = [
    kept_for_backward(attend, 1024)
    for attend in (naive, lambda *qkv: F.scaled_dot_product_attention(*qkv, dropout_p=0.1))
]
assert saved[1] >= saved[0], saved  # no fused kernel on a CPU has dropout
one = F.scaled_dot_product_attention(query, key[:, :1], value[:, :1])  # a single key head is broadcast
assert torch.allclose(one, F.scaled_dot_product_attention(query, key[:, :1], value[:, :1], enable_gqa=True), atol=1e-5)

# %% remedies hidden=true
with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
    F.scaled_dot_product_attention(query, key, value)

# %% counter-cases hidden=true
torch.manual_seed(0)
for dtype, tolerance in ((torch.float64, 1e-10), (torch.float32, 1e-4), (torch.bfloat16, 0.05)):
    for queries, keys, width in ((1, 1, 4), (5, 5, 8), (3, 40, 64), (70, 33, 16)):
        query, key, value = (torch.randn(2, 3, n, width, dtype=dtype) for n in (queries, keys, keys))
        mask = torch.rand(queries, keys) > 0.3
        mask[:, 0] = True
        for keep in (None, mask):
            scores = (query @ key.mT).double() / width**0.5
            scores = scores if keep is None else scores.masked_fill(~keep, float("-inf"))
            expected = (scores.softmax(dim=-1) @ value.double()).to(dtype)
            out = F.scaled_dot_product_attention(query, key, value, attn_mask=keep)
            torch.testing.assert_close(out, expected, atol=tolerance, rtol=tolerance)

# %% mask-and-causal hidden=true
query, key, value = torch.randn(3, 1, 2, 5, 8)
bias, causal = torch.randn(5, 5), torch.ones(5, 5, dtype=torch.bool).tril()
wanted = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.masked_fill(~causal, float("-inf")))
both = F.scaled_dot_product_attention(query, key, value, attn_mask=bias, is_causal=True)
torch.testing.assert_close(both, wanted)
try:
    with sdpa_kernel(SDPBackend.MATH):
        F.scaled_dot_product_attention(query, key, value, attn_mask=bias, is_causal=True)
except RuntimeError as error:
    assert "should not be set when is_causal=True" in str(error)
else:
    raise AssertionError("the formula takes both")

# %% where-the-formula-has-nan hidden=true
nothing = torch.zeros(5, 5, dtype=torch.bool)
assert F.scaled_dot_product_attention(query, key, value, attn_mask=nothing).count_nonzero() == 0
large = [(300 * tensor).half() for tensor in (query, key)]
assert (large[0] @ large[1].mT).softmax(dim=-1).isnan().any()
for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.MATH):
    with sdpa_kernel(backend):
        assert F.scaled_dot_product_attention(*large, value.half()).isfinite().all()
from torch.nn.attention.bias import causal_lower_right

zeros = torch.zeros(1, 1, 4, 8)
lower = F.scaled_dot_product_attention(
    zeros[:, :, :2], zeros, torch.eye(4)[None, None], attn_mask=causal_lower_right(2, 4)
)
assert torch.allclose(lower[0, 0], attention_weights(2, 4, attn_mask=torch.ones(2, 4, dtype=torch.bool).tril(2)))


# %% second-derivatives hidden=true
def penalty(query):
    out = F.scaled_dot_product_attention(query, query, query)
    (gradient,) = torch.autograd.grad(out.sum(), query, create_graph=True)
    return torch.autograd.grad(gradient.square().sum(), query)[0]


query = torch.randn(1, 2, 5, 8, requires_grad=True)
try:
    penalty(query)
except RuntimeError as error:
    assert "derivative for aten::" in str(error) and "is not implemented" in str(error)
else:
    raise AssertionError("the fused kernel can be differentiated twice")
with sdpa_kernel(SDPBackend.MATH):
    assert penalty(query).isfinite().all()

# %% shorter-value hidden=true
query, key, value = (torch.randn(2, 3, length, 8) for length in (5, 7, 6))
try:
    out = F.scaled_dot_product_attention(query, key, value)
except RuntimeError:
    pass  # a release that compares them
else:  # the last key is ignored
    assert torch.allclose(out, F.scaled_dot_product_attention(query, key[:, :, :6], value), atol=1e-5)

# %% times-taken-for-heads hidden=true
query, key = torch.randn(2, 6, 4, 8), torch.randn(2, 3, 4, 8)  # (batch, time, heads, features)
try:
    F.scaled_dot_product_attention(query, key, key)
except RuntimeError as error:
    assert "at non-singleton dimension 1" in str(error), error
else:
    raise AssertionError
rows, columns = query.transpose(1, 2), key.transpose(1, 2)
right = F.scaled_dot_product_attention(rows, columns, columns).transpose(1, 2)
wrong = F.scaled_dot_product_attention(query, key, key, enable_gqa=True)  # no error
assert wrong.shape == right.shape and not torch.allclose(wrong, right, atol=1e-2)
forgotten = F.scaled_dot_product_attention(rows, columns, columns)  # the result, not transposed back
assert not torch.allclose(forgotten.reshape(2, 6, 32), right.reshape(2, 6, 32), atol=1e-2)

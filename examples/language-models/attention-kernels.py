"""Which kernels of scaled_dot_product_attention can run, and why none is left."""

# %% no-kernel raises="RuntimeError" warns="UserWarning"
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
query, key, value = torch.randn(3, 1, 2, 5, 8)  # (batch, heads, time, features)
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    F.scaled_dot_product_attention(query, key, value, dropout_p=0.1)

# %% math-allowed
with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
    out = F.scaled_dot_product_attention(query, key, value, dropout_p=0.1)
print("with the plain formula:", tuple(out.shape))

# %% no-choice
out = F.scaled_dot_product_attention(query, key, value, dropout_p=0.1)
print("without sdpa_kernel:   ", tuple(out.shape))

# %% reasons
import warnings


def why_not(query, key, value, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
                F.scaled_dot_product_attention(query, key, value, **options)
        except RuntimeError as error:
            reason = caught[-1].message if caught else error
            return str(reason).split(". Got")[0].split(", but")[0]
    return "runs"


mask = torch.ones(5, 5, dtype=torch.bool)
print("plain:      ", why_not(query, key, value))
print("mask:       ", why_not(query, key, value, attn_mask=mask))
print("bfloat16:   ", why_not(*(t.bfloat16() for t in (query, key, value))))
print("dropout:    ", why_not(query, key, value, dropout_p=0.1))
print("no heads:   ", why_not(query[:, 0], key[:, 0], value[:, 0]))
print("value wider:", why_not(query, key, value.repeat(1, 1, 1, 2)))
print("transposed: ", why_not(query.mT.contiguous().mT, key, value))

# %% eval-mode
attention = torch.nn.MultiheadAttention(8, 2, dropout=0.1, batch_first=True)
tokens = torch.randn(1, 5, 8)
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    out, _ = attention.eval()(tokens, tokens, tokens, need_weights=False)
print("no dropout in eval():", tuple(out.shape))

# %% others
for backend in (SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION):
    try:
        with sdpa_kernel(backend):
            F.scaled_dot_product_attention(query, key, value)
    except RuntimeError as error:
        print(f"{backend.name}: {str(error).split(' This')[0]}")

# %% gpu needs="cuda" raises="RuntimeError" warns="UserWarning" says="No available kernel. Aborting execution." origin="aten/src/ATen/native/transformers/cuda/sdp_utils.cpp"
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    F.scaled_dot_product_attention(query.cuda(), key.cuda(), value.cuda())

# %% gpu-half needs="cuda"
half = [tensor.cuda().bfloat16() for tensor in (query, key, value)]
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    print(F.scaled_dot_product_attention(*half).dtype)

# %% without-flash-attn
packed = torch.randn(3, 1, 5, 2, 8)  # each (batch, time, heads, features)
query, key, value = packed.transpose(2, 3)  # (batch, heads, time, features)
out = F.scaled_dot_product_attention(query, key, value, is_causal=True)
print("as flash-attn returns it:", tuple(out.transpose(1, 2).shape))

# %% zero-dropout hidden=true
with warnings.catch_warnings(), sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    warnings.simplefilter("error")
    F.scaled_dot_product_attention(query, key, value, dropout_p=0.0)

# %% math-takes hidden=true
with sdpa_kernel(SDPBackend.MATH):
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        F.scaled_dot_product_attention(*(tensor.to(dtype) for tensor in (query, key, value)))
    for dtype in (torch.int64, torch.complex64):  # as without a choice
        try:
            F.scaled_dot_product_attention(*(tensor.to(dtype) for tensor in (query, key, value)))
        except (RuntimeError, NotImplementedError):
            continue
        raise AssertionError(dtype)

# %% without-flash-attn-traps hidden=true
fewer = key[:, :1], value[:, :1]  # one head of keys for two of queries
alike = F.scaled_dot_product_attention(query, *fewer, enable_gqa=True)
expected = F.scaled_dot_product_attention(query, *(each.expand(-1, 2, -1, -1) for each in fewer))
assert torch.allclose(alike, expected, atol=1e-6)
newest = query[:, :, -1:]  # one query, all keys: flash-attn would let it see them all
seen = F.scaled_dot_product_attention(newest, key, value, is_causal=True)
assert torch.allclose(seen, value[:, :, :1])  # the first key only

# %% first-reason-alone hidden=true
learned = torch.zeros(5, 5, requires_grad=True)
for options, count in (({"attn_mask": learned}, 1), ({"attn_mask": learned, "dropout_p": 0.1}, 2)):
    with warnings.catch_warnings(record=True) as caught, sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        warnings.simplefilter("always")
        try:
            F.scaled_dot_product_attention(query, key, value, **options)
        except RuntimeError:
            assert len(caught) == count, [str(one.message) for one in caught]
        else:
            raise AssertionError(options)
with sdpa_kernel(SDPBackend.MATH):  # allowed, it takes the learned mask
    assert F.scaled_dot_product_attention(query, key, value, attn_mask=learned).requires_grad

# %% older-ways hidden=true
import contextlib

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it is deprecated, as the page says
    for choice in (torch.backends.cuda.sdp_kernel(enable_math=False), None):
        if choice is None:
            torch.backends.cuda.enable_math_sdp(False)
        try:
            with choice or contextlib.nullcontext():
                F.scaled_dot_product_attention(query, key, value, dropout_p=0.1)
        except RuntimeError as error:
            assert "No available kernel" in str(error)
        else:
            raise AssertionError(choice)
torch.backends.cuda.enable_math_sdp(True)

# %% no-warning hidden=true
assert why_not(query, key.half(), value).startswith("Expected query, key, and value to have the same dtype")
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    for some in (query, query[:0], query.transpose(1, 2), query.to("meta")):  # empty, not contiguous
        assert why_not(*[some.to(dtype)] * 3) == "runs"

# %% float32-mask needs="cuda"
halves = torch.randn(3, 1, 2, 64, 16, device="cuda", dtype=torch.float16)
mask = torch.nn.Transformer.generate_square_subsequent_mask(64, device="cuda")
right = F.scaled_dot_product_attention(*halves.float(), attn_mask=mask)
for given in (mask, mask.half(), mask == 0):
    out = F.scaled_dot_product_attention(*halves, attn_mask=given)
    print(f"{given.dtype}: right?", torch.allclose(out.float(), right, atol=1e-2))

# %% float32-mask-refused needs="cuda" raises="RuntimeError"
with sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]):
    F.scaled_dot_product_attention(*halves, attn_mask=mask)

# %% learned-mask needs="cuda" raises="RuntimeError"
bias = torch.zeros(64, 64, device="cuda", dtype=torch.float16).requires_grad_()
F.scaled_dot_product_attention(*halves, attn_mask=bias).sum().backward()

# %% learned-mask-math needs="cuda"
with sdpa_kernel(SDPBackend.MATH):
    F.scaled_dot_product_attention(*halves, attn_mask=bias).sum().backward()
print(bias.grad.shape)


# %% nan-gradient needs="cuda"
def nan_gradient(length, **options):
    shape = (3, 1, 1, length, 64)
    query, key, value = torch.randn(shape, device="cuda", dtype=torch.bfloat16)
    query, key = query * 0.1, key * 0.1
    query[..., 0], key[..., 0] = 1.0, -960.0  # scores of about -120
    inputs = [x.requires_grad_() for x in (query, key, value)]
    out = F.scaled_dot_product_attention(*inputs, **options)
    out.backward(torch.randn_like(out))
    return query.grad.isnan().any().item()


for length in (640, 704):  # 704 is 11 * 64
    keep = torch.ones(length, length, dtype=torch.bool, device="cuda").tril()
    masked = nan_gradient(length, attn_mask=keep)
    causal = nan_gradient(length, is_causal=True)
    print(f"{length}  mask: {masked}  is_causal: {causal}")
with sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]):
    print("without cuDNN:", nan_gradient(704, attn_mask=keep))

"""FlexAttention: a mask, or a change of the scores, as a function of positions."""

# %% score-mod warns="UserWarning"
import torch
import torch.nn.functional as F
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

torch.manual_seed(0)
query, key, value = torch.randn(3, 2, 4, 256, 16)  # (batch, head, time, features)
slopes = 2.0 ** -torch.arange(1, 5)  # ALiBi: one for each head


def alibi(score, batch, head, query_at, key_at):
    return score - slopes[head] * (query_at - key_at).abs()


out = flex_attention(query, key, value, score_mod=alibi)

# %% score-by-hand
places = torch.arange(256)
distance = (places[:, None] - places).abs()  # (query, key)
bias = -slopes[:, None, None] * distance  # (head, query, key)
by_hand = F.scaled_dot_product_attention(query, key, value, attn_mask=bias)
print("equal:", torch.allclose(out, by_hand, atol=1e-5))


# %% mask-mod
def window(batch, head, query_at, key_at):
    return (query_at >= key_at) & (query_at - key_at < 64)


mask = create_block_mask(window, None, None, 256, 256, device="cpu")
print(mask.shape, f"{mask.sparsity():.0f} % of the blocks are skipped")
out = flex_attention(query, key, value, block_mask=mask)
keep = (distance < 64) & (places[:, None] >= places)
by_hand = F.scaled_dot_product_attention(query, key, value, attn_mask=keep)
print("equal:", torch.allclose(out, by_hand, atol=1e-5))

# %% documents
from torch.nn.attention.flex_attention import and_masks

lengths = torch.tensor([100, 30, 126])
document = torch.repeat_interleave(torch.arange(3), lengths)  # (time,)


def same_document(batch, head, query_at, key_at):
    return document[query_at] == document[key_at]


def causal(batch, head, query_at, key_at):
    return query_at >= key_at


both = and_masks(same_document, causal)
packed = create_block_mask(both, None, None, 256, 256, device="cpu", BLOCK_SIZE=32)
print(packed)
together = flex_attention(query, key, value, block_mask=packed)
parts = (x.split(lengths.tolist(), dim=2) for x in (query, key, value))
for number, part in enumerate(zip(*parts)):
    alone = F.scaled_dot_product_attention(*part, is_causal=True)
    same = torch.allclose(together[:, :, document == number], alone, atol=1e-5)
    print(f"document {number}: {same}")

# %% on-a-gpu needs="cuda"
compiled = torch.compile(flex_attention)
inputs = [x.detach().cuda().requires_grad_() for x in (query, key, value)]
on_gpu = create_block_mask(window, None, None, 256, 256, device="cuda")
fast = compiled(*inputs, block_mask=on_gpu)
fast.sum().backward()
print("close:", torch.allclose(fast.cpu(), by_hand, atol=1e-2))
print(inputs[0].grad.shape)

# %% backward raises="NotImplementedError"
trained = query.clone().requires_grad_()
flex_attention(trained, key, value, block_mask=packed)

# %% backward-by-hand
keep = (document[:, None] == document) & (places[:, None] >= places)
F.scaled_dot_product_attention(trained, key, value, attn_mask=keep).sum().backward()
print(trained.grad.shape)


# %% branch raises="RuntimeError"
def with_branch(batch, head, query_at, key_at):
    return True if query_at >= key_at else False


create_block_mask(with_branch, None, None, 256, 256, device="cpu")

# %% no-branch
print(create_block_mask(causal, None, None, 256, 256, device="cpu").shape)

# %% other-length raises="ValueError"
flex_attention(query[:, :, :100], key, value, block_mask=mask)

# %% right-length
short = create_block_mask(window, None, None, 100, 256, device="cpu")
print(flex_attention(query[:, :, :100], key, value, block_mask=short).shape)

# %% compiled hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    compiled = torch.compile(flex_attention, backend="aot_eager")(query, key, value, score_mod=alibi)
assert torch.allclose(compiled, F.scaled_dot_product_attention(query, key, value, attn_mask=bias), atol=1e-5)
with torch.no_grad():  # refused as well
    try:
        flex_attention(trained, key, value, block_mask=packed)
    except NotImplementedError:
        pass
    else:
        raise AssertionError("it runs under no_grad")

# %% caps-and-unions hidden=true
from torch.nn.attention.flex_attention import or_masks


def capped(score, batch, head, query_at, key_at):
    return 20 * torch.tanh(score / 20)


def first_four(batch, head, query_at, key_at):
    return key_at < 4


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # shown above
    soft = flex_attention(query, key, value, score_mod=capped)
weights = (20 * torch.tanh(query @ key.mT / 16**0.5 / 20)).softmax(dim=-1)
torch.testing.assert_close(soft, weights @ value, atol=1e-5, rtol=1e-4)
union = create_block_mask(or_masks(window, first_four), None, None, 256, 256, device="cpu")
keep = ((distance < 64) & (places[:, None] >= places)) | (places < 4)
expected = F.scaled_dot_product_attention(query, key, value, attn_mask=keep)
torch.testing.assert_close(flex_attention(query, key, value, block_mask=union), expected, atol=1e-5, rtol=1e-4)

# %% small-blocks needs="cuda"
sizes = None, None, 256, 256
small = create_block_mask(window, *sizes, device="cuda", BLOCK_SIZE=32)
try:
    torch.compile(flex_attention)(*inputs, block_mask=small)
except RuntimeError as error:
    print(str(error).split(". We got")[0])

# %% last-query hidden=true
from torch.nn.attention.flex_attention import create_mask


def shifted(batch, head, query_at, key_at):
    return query_at + 255 >= key_at


last = query[:, :, -1:]  # as in a step with a cache of 255 keys
by_hand = F.scaled_dot_product_attention(last, key, value)
for function, expected in {shifted: by_hand, causal: value[:, :, :1]}.items():
    one = create_block_mask(function, None, None, 1, 256, device="cpu")
    assert torch.allclose(flex_attention(last, key, value, block_mask=one), expected, atol=1e-5)
bare = create_mask(lambda b, h, q, k: q - k < 128 & (k > 9), None, None, 256, 256, device="cpu")
right = create_mask(lambda b, h, q, k: (q - k < 128) & (k > 9), None, None, 256, 256, device="cpu")
assert not torch.equal(bare, right)  # & binds before <

# %% padded hidden=true
whole = create_block_mask(causal, None, None, 256, 256, device="cpu")
cut = [x[:, :, :100] for x in (query, key, value)]
padded = flex_attention(*(F.pad(x, (0, 0, 0, 156)) for x in cut), block_mask=whole)
assert torch.allclose(padded[:, :, :100], F.scaled_dot_product_attention(*cut, is_causal=True), atol=1e-5)

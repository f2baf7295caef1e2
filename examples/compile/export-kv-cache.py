"""Export a model with a KV cache: one that grows, and one of fixed length."""

# %% model
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

torch.set_grad_enabled(False)  # inference: the cache is no part of a graph
LONGEST, WORDS, WIDTH, HEADS = 16, 20, 8, 2


class Decoder(nn.Module):
    """One layer. Takes one token, and the keys and values of those before it."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, WIDTH)
        self.place = nn.Embedding(LONGEST, WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.head = nn.Linear(WIDTH, WORDS)

    def project(self, x):
        parts = self.qkv(x).chunk(3, dim=-1)
        return [part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts]

    def forward(self, token, keys, values):
        past = keys.shape[2]  # (batch, heads, past, size)
        x = self.embed(token) + self.place.weight[past]  # (batch, 1, WIDTH)
        query, key, value = self.project(x)
        keys = torch.cat([keys, key], dim=2)
        values = torch.cat([values, value], dim=2)
        out = scaled_dot_product_attention(query, keys, values)
        return self.head(x + out.transpose(1, 2).flatten(2)), keys, values


torch.manual_seed(0)
decoder = Decoder().eval()

# %% growing
token = torch.tensor([[3]])
keys, values = torch.randn(2, 1, HEADS, 5, WIDTH // HEADS)  # of five tokens
past = torch.export.Dim("past", min=1, max=LONGEST - 1)
sizes = (None, {2: past}, {2: past})  # for token, keys, values
exported = torch.export.export(decoder, (token, keys, values), dynamic_shapes=sizes)
program = exported.module()

for length in (2, 9):
    inputs = token, *torch.randn(2, 1, HEADS, length, WIDTH // HEADS)
    pairs = zip(program(*inputs), decoder(*inputs))
    equal = all(torch.allclose(*pair, atol=1e-5) for pair in pairs)
    print("tokens before:", length, " equal to eager:", equal)

# %% frozen raises="AssertionError"
frozen = torch.export.export(decoder, (token, keys, values)).module()
frozen(token, keys[:, :, :4], values[:, :, :4])

# %% too-long raises="AssertionError"
full = torch.zeros(1, HEADS, LONGEST, WIDTH // HEADS)
program(token, full, full)


# %% static
class StaticDecoder(Decoder):
    """The same layer. The cache is a buffer of full length, and stays inside."""

    def __init__(self):
        super().__init__()
        empty = torch.zeros(1, HEADS, LONGEST, WIDTH // HEADS)
        self.register_buffer("keys", empty)
        self.register_buffer("values", empty.clone())

    def forward(self, token, position):
        x = self.embed(token) + self.place(position)
        query, key, value = self.project(x)
        self.keys.index_copy_(2, position, key)
        self.values.index_copy_(2, position, value)
        every = torch.arange(LONGEST, device=position.device)
        seen = (every <= position)[None]  # the rest is old or empty
        cache = self.keys, self.values
        out = scaled_dot_product_attention(query, *cache, attn_mask=seen)
        return self.head(x + out.transpose(1, 2).flatten(2))


static = StaticDecoder().eval()
static.load_state_dict(decoder.state_dict(), strict=False)  # it has no cache
exported = torch.export.export(static, (token, torch.tensor([0])))
program = exported.module()

# %% both
tokens = torch.randint(WORDS, (1, 12))
for text in (tokens, tokens.flip(1)):  # the second begins again at position 0
    keys = values = torch.zeros(1, HEADS, 0, WIDTH // HEADS)
    equal = []
    for position in range(tokens.shape[1]):
        token = text[:, position : position + 1]
        expected, keys, values = decoder(token, keys, values)
        logits = program(token, torch.tensor([position]))
        equal.append(torch.allclose(logits, expected, atol=1e-5))
    print("steps:", len(equal), " equal to the growing cache:", all(equal))

# %% counter-cases hidden=true
import io

inputs = token, *torch.randn(2, 1, HEADS, 0, WIDTH // HEADS)
growing = torch.export.export(
    decoder, (token, *torch.randn(2, 1, HEADS, 5, 4)), dynamic_shapes=(None, {2: past}, {2: past})
)
for length in (0, 1, LONGEST - 1):  # an empty cache works, too, though min=1
    inputs = token, *torch.randn(2, 1, HEADS, length, WIDTH // HEADS)
    torch.testing.assert_close(growing.module()(*inputs), decoder(*inputs))
saved = io.BytesIO()
torch.export.save(exported, saved)
saved.seek(0)
loaded = torch.export.load(saved)
assert loaded.state_dict["keys"].abs().sum() > 0  # the file has the cache as it was left
again = loaded.module()
for position in range(3):
    token, here = tokens[:, position : position + 1], torch.tensor([position])
    torch.testing.assert_close(again(token, here), program(token, here))
assert static.keys.abs().sum() > 0  # the program writes into the buffers of the model it was made of
try:
    torch.export.export(static, (token, 0)).module()(token, 1)
except (AssertionError, RuntimeError, TypeError, AttributeError):
    pass
else:
    raise AssertionError("a Python number was not frozen")


# %% begin-again hidden=true
step = growing.module()


def run(words):
    keys = values = torch.zeros(1, HEADS, 0, WIDTH // HEADS)
    for here in range(words.shape[1]):
        logits, keys, values = step(words[:, here : here + 1], keys, values)
    return logits, keys, values


words = torch.randint(WORDS, (1, LONGEST + 4))
_, keys, values = run(words[:, :LONGEST])  # full
_, keys_again, values_again = run(words[:, LONGEST - 7 : LONGEST])  # anew, from the latest
after = words[:, LONGEST : LONGEST + 1]
again = step(after, keys_again, values_again)[0]
torch.testing.assert_close(again, run(words[:, LONGEST - 7 : LONGEST + 1])[0])
dropped = step(after, keys[:, :, -7:], values[:, :, -7:])[0]
assert not torch.allclose(dropped, again, atol=1e-3)

# %% other-sizes hidden=true
cache = torch.randn(2, 1, HEADS, 1, WIDTH // HEADS)
try:
    torch.export.export(decoder, (token, *cache), dynamic_shapes=(None, {2: past}, {2: past}))
except Exception as error:
    assert "specialized it to be a constant" in str(error), error
else:
    raise AssertionError("one token is no special case")
batch = torch.export.Dim("batch", max=64)
sizes = {0: batch}, {0: batch, 2: past}, {0: batch, 2: past}
example = torch.zeros(2, 1, dtype=torch.long), *torch.randn(2, 2, HEADS, 5, WIDTH // HEADS)
batched = torch.export.export(decoder, example, dynamic_shapes=sizes).module()
for texts, length in ((1, 3), (3, 9), (7, 0)):
    inputs = torch.randint(WORDS, (texts, 1)), *torch.randn(2, texts, HEADS, length, WIDTH // HEADS)
    torch.testing.assert_close(batched(*inputs), decoder(*inputs))
assert exported.module().keys.data_ptr() == static.keys.data_ptr() == exported.module().keys.data_ptr()


class Numbered(StaticDecoder):
    def forward(self, token, position):
        return super().forward(token, torch.arange(LONGEST)[position : position + 1])


numbered = torch.export.export(Numbered().eval(), (token, 2), dynamic_shapes=(None, torch.export.Dim.DYNAMIC))
numbered = numbered.module()
assert all(numbered(token, place).shape == (1, 1, WORDS) for place in (2, 5, 9))

# %% other-device hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    elsewhere = StaticDecoder().to("meta", dtype)
    with torch.no_grad():
        logits = elsewhere(token.to("meta"), torch.tensor([3], device="meta"))
    assert logits.is_meta and logits.shape == (1, 1, WORDS) and logits.dtype == dtype

# %% stale-nan hidden=true
begin = tokens[:, :1], torch.tensor([0])
static.values.fill_(torch.nan)  # as a text that overflowed leaves it
assert exported.module()(*begin).isnan().any()  # the mask hides no NaN
static.values.zero_()
assert exported.module()(*begin).isfinite().all()

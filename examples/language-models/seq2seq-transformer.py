"""nn.Transformer for sequence to sequence: shifted targets, masks, decoding."""

# %% data
import torch
import torch.nn.functional as F
from torch import nn

PAD, START, STOP, VOCABULARY = 0, 1, 2, 13


def draw_batch(samples, longest=3):
    """The target is the source written backwards."""
    lengths = torch.randint(2, longest + 1, (samples,))
    source = torch.randint(3, VOCABULARY, (samples, longest))
    source = source.masked_fill(torch.arange(longest) >= lengths[:, None], PAD)
    target = torch.full((samples, longest + 2), PAD)
    target[:, 0] = START
    for row, length in enumerate(lengths.tolist()):
        target[row, 1 : length + 1] = source[row, :length].flip(0)
        target[row, length + 1] = STOP
    return source, target


torch.manual_seed(0)
source, target = draw_batch(2)
print("source", source[0].tolist())
print("target", target[0].tolist())
print("the decoder reads", target[0, :-1].tolist())
print("and should answer", target[0, 1:].tolist())


# %% model
class Seq2Seq(nn.Module):
    def __init__(self, width=32, heads=2, length=16):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, width)
        self.places = nn.Embedding(length, width)
        options = dict(dim_feedforward=64, dropout=0.0, batch_first=True)
        layers = dict(num_encoder_layers=1, num_decoder_layers=1)
        self.core = nn.Transformer(width, heads, **layers, **options)
        self.head = nn.Linear(width, VOCABULARY)

    def embed(self, ids):
        return self.tokens(ids) + self.places.weight[: ids.shape[1]]

    def encode(self, source):
        padding = source == PAD  # True: ignore
        return self.core.encoder(self.embed(source), src_key_padding_mask=padding)

    def decode(self, memory, source, target):
        time = target.shape[1]
        future = target.new_ones(time, time, dtype=torch.bool).triu(1)  # ignored
        masks = dict(tgt_mask=future, memory_key_padding_mask=source == PAD)
        hidden = self.core.decoder(self.embed(target), memory, **masks)
        return self.head(hidden)  # (batch, time, vocabulary)

    def forward(self, source, target):
        return self.decode(self.encode(source), source, target)


# %% train
torch.manual_seed(0)
net = Seq2Seq()
optimizer = torch.optim.AdamW(net.parameters(), lr=5e-3)
for step in range(101):
    source, target = draw_batch(32)
    logits = net(source, target[:, :-1])  # teacher forcing: the right tokens
    wanted = target[:, 1:]
    loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=PAD)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step in (0, 20, 100):
        print(f"step {step:3}  loss {loss.item():.1f}")


# %% decode
@torch.inference_mode()
def translate(net, source, steps=10):
    memory = net.encode(source)  # once
    target = source.new_full((len(source), 1), START)
    done = torch.zeros_like(target, dtype=torch.bool)
    for _ in range(steps):
        new = net.decode(memory, source, target)[:, -1:].argmax(dim=-1)
        target = torch.cat([target, new.masked_fill(done, PAD)], dim=1)
        done |= new == STOP
        if done.all():
            break
    return target


def share_right(net, source, target):
    time = target.shape[1]
    written = F.pad(translate(net, source), (0, time))[:, :time]
    return (written == target).all(dim=1).float().mean().item()


torch.backends.mha.set_fastpath_enabled(False)  # see below
net.eval()
source, target = draw_batch(200)
print("source ", source[0].tolist())
print("written", translate(net, source[:1])[0].tolist())
print("whole sequences right, above 0.9:", share_right(net, source, target) > 0.9)

# %% not-shifted
torch.manual_seed(0)
cheat = Seq2Seq()
optimizer = torch.optim.AdamW(cheat.parameters(), lr=5e-3)
for _ in range(41):
    source, target = draw_batch(32)
    logits = cheat(source, target)  # wrong: it reads what it should answer
    loss = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.1f}")
cheat.eval()
source, target = draw_batch(200)
print("whole sequences right, below 0.1:", share_right(cheat, source, target) < 0.1)

# %% memory-mask
source, target = draw_batch(4)
with torch.no_grad():
    plain = net(source, target[:, :-1])
    longer = F.pad(source, (0, 5), value=PAD)  # five more columns of padding
    with_mask = net(longer, target[:, :-1])
    no_padding = torch.ones_like(longer)  # decode() then masks nothing
    forgotten = net.decode(net.encode(longer), no_padding, target[:, :-1])
for name, logits in (("with the mask", with_mask), ("without", forgotten)):
    change = (logits - plain).abs().max().item()
    print(f"{name:13} changed by more than 0.01: {change > 0.01}")

# %% fast-path warns="UserWarning"
torch.backends.mha.set_fastpath_enabled(True)  # the default
with torch.no_grad():
    fast = net.encode(source)

# %% no-fast-path
torch.backends.mha.set_fastpath_enabled(False)
with torch.no_grad():
    slow = net.encode(source)
print("equal:", torch.allclose(fast[source != PAD], slow[source != PAD], atol=1e-5))

# %% batch-first raises="RuntimeError" warns="UserWarning"
core = nn.Transformer(32, 2, 1, 1, 64)  # batch_first=False: (time, batch, width)
core(torch.zeros(4, 6, 32), torch.zeros(3, 7, 32))

# %% batch-first-right
core = nn.Transformer(32, 2, 1, 1, 64, batch_first=True)
print(core(torch.zeros(4, 6, 32), torch.zeros(4, 7, 32)).shape)

# %% other-device hidden=true
with torch.device("meta"):  # as if the model were on another device than the default one
    assert translate(net, source).device.type == "cpu"

# %% fast-path-and-autocast hidden=true
source, _ = draw_batch(4)
assert (source == PAD).any()
with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
    net.encode(source)  # the fast path is off
    torch.backends.mha.set_fastpath_enabled(True)
    try:
        net.encode(source)
    except RuntimeError as error:
        assert "expected scalar type Float but found BFloat16" in str(error)
    else:
        raise AssertionError("the fast path works under autocast")
    finally:
        torch.backends.mha.set_fastpath_enabled(False)

# %% time-first hidden=true
torch.manual_seed(0)
tokens_first = torch.randn(7, 3, 8)  # (time, batch, features)
changed = tokens_first.clone()
changed[:, 0] += torch.randn(8)
encoder_layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
for transposed in (True, False):
    before, after = (
        encoder_layer(x.transpose(0, 1)).transpose(0, 1) if transposed else encoder_layer(x)
        for x in (tokens_first, changed)
    )
    assert torch.allclose(before[:, 2], after[:, 2], atol=1e-6) == transposed

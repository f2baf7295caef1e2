"""nn.RNN and nn.GRU beside nn.LSTM: states, gates, parameters."""

# %% compared
import torch
from torch import nn

torch.manual_seed(0)
batch, time, features, hidden = 2, 5, 4, 3
steps = torch.randn(batch, time, features)
for kind in (nn.RNN, nn.GRU, nn.LSTM):
    rnn = kind(features, hidden, batch_first=True)
    out, state = rnn(steps)
    count = sum(p.numel() for p in rnn.parameters())
    print(f"{kind.__name__:4} {count:3} parameters, state: {type(state).__name__}")

# %% rnn-by-hand
rnn = nn.RNN(features, hidden, batch_first=True)
h = torch.zeros(batch, hidden)
for x in steps.unbind(dim=1):  # (batch, features)
    inputs = x @ rnn.weight_ih_l0.T + rnn.bias_ih_l0
    h = (inputs + h @ rnn.weight_hh_l0.T + rnn.bias_hh_l0).tanh()
print("RNN by hand:", torch.allclose(h, rnn(steps)[1][0], atol=1e-6))

# %% gru-by-hand
gru = nn.GRU(features, hidden, batch_first=True)
h = torch.zeros(batch, hidden)
for x in steps.unbind(dim=1):
    from_x = x @ gru.weight_ih_l0.T + gru.bias_ih_l0
    from_h = h @ gru.weight_hh_l0.T + gru.bias_hh_l0
    r_x, z_x, n_x = from_x.chunk(3, dim=1)
    r_h, z_h, n_h = from_h.chunk(3, dim=1)
    reset, update = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    candidate = (n_x + reset * n_h).tanh()
    h = (1 - update) * candidate + update * h
print("GRU by hand:", torch.allclose(h, gru(steps)[1][0], atol=1e-6))

# %% update-gate
with torch.no_grad():
    gru.bias_hh_l0[hidden : 2 * hidden] = 20.0  # update gate: 1
start = torch.full((1, batch, hidden), 0.5)
print("h after 5 steps:", gru(steps, start)[1][0].detach())

# %% reach
torch.manual_seed(0)
inputs = torch.randn(16, 60, 8, requires_grad=True)


def reach(rnn):
    """Gradient at the first step, as a share of that at the last."""
    last_output = rnn(inputs)[0][:, -1]
    (gradient,) = torch.autograd.grad(last_output.square().sum(), inputs)
    sizes = gradient.norm(dim=2).mean(dim=0)  # (time,)
    return sizes[0] / sizes[-1]


for kind in (nn.RNN, nn.GRU, nn.LSTM):
    print(f"{kind.__name__:4} {reach(kind(8, 32, batch_first=True)):.1e}")

# %% forget-bias
open_lstm = nn.LSTM(8, 32, batch_first=True)
open_gru = nn.GRU(8, 32, batch_first=True)
with torch.no_grad():
    open_lstm.bias_hh_l0[32:64] = 5.0  # input, forget, candidate, output
    open_gru.bias_hh_l0[32:64] = 5.0  # reset, update, candidate
print(f"LSTM, forget gate open: {reach(open_lstm):.1e}")
print(f"GRU, update gate open:  {reach(open_gru):.1e}")

# %% unpack raises="ValueError"
out, (h, c) = gru(steps)

# %% unpack-right
out, h = gru(steps)
print(tuple(out.shape), tuple(h.shape))

# %% unpack-silent
pair = torch.randn(1, 5, features)
two_layers = nn.GRU(features, hidden, num_layers=2, batch_first=True)
out, (h, c) = two_layers(pair)
print("not h and c, but two layers:", tuple(h.shape), tuple(c.shape))

# %% tuple-state raises="AttributeError"
gru(steps, (h, h))

# %% tensor-state
out, h = gru(steps)
out, h = gru(steps, h)
lstm = nn.LSTM(features, hidden, batch_first=True)
out, (h, c) = lstm(steps, (h, torch.zeros_like(h)))
print(tuple(h.shape), tuple(c.shape))

# %% input-size raises="RuntimeError"
gru(torch.randn(batch, time, 6))

# %% input-size-right
wider = nn.GRU(6, hidden, batch_first=True)
print(tuple(wider(torch.randn(batch, time, 6))[0].shape))

# %% eval-on-gpu needs="cuda" raises="RuntimeError"
lstm = nn.LSTM(features, hidden, batch_first=True).cuda().eval()
lstm.requires_grad_(False)  # frozen
on_gpu = steps.cuda().requires_grad_()
lstm(on_gpu)[0].sum().backward()

# %% train-on-gpu needs="cuda"
lstm.train()(on_gpu)[0].sum().backward()
print(on_gpu.grad.shape)


# %% second-derivative needs="cuda" raises="NotImplementedError"
def penalty():
    energy = lstm(on_gpu)[0].square().sum()
    (slope,) = torch.autograd.grad(energy, on_gpu, create_graph=True)
    return slope.square().sum()


penalty().backward()

# %% without-cudnn needs="cuda"
with torch.backends.cudnn.flags(enabled=False):
    value = penalty()
value.backward()
print(on_gpu.grad.isfinite().all())

# %% bfloat16-on-gpu needs="cuda"
with torch.autocast("cuda", dtype=torch.bfloat16):
    print("Linear:", nn.Linear(features, 2, device="cuda")(on_gpu).dtype)
    for kind in (nn.RNN, nn.GRU, nn.LSTM):
        rnn = kind(features, hidden, batch_first=True, device="cuda")
        print(f"{kind.__name__:4}  ", rnn(on_gpu)[0].dtype)

# %% length-as-features hidden=true
channels_first = torch.randn(3, 4, 20)  # (batch, features, time)
by_length = nn.GRU(20, hidden, batch_first=True)  # here not the batch, but the features are taken for the time
single = torch.stack([by_length(sample)[0] for sample in channels_first])
torch.testing.assert_close(by_length(channels_first)[0], single)

# %% one-feature hidden=true
series = torch.randn(6, 20)  # (batch, time), one feature a step
as_features = nn.GRU(20, hidden, batch_first=True)  # takes the batch for the time
changed = series.clone()
changed[0] += 1
assert not torch.allclose(as_features(series)[0][5], as_features(changed)[0][5], rtol=0, atol=1e-7)
one = nn.GRU(1, hidden, batch_first=True)
before, after = one(series.unsqueeze(-1))[0], one(changed.unsqueeze(-1))[0]
assert before.shape == (6, 20, hidden) and torch.equal(before[5], after[5])

# %% one-layer-in-train hidden=true
model = nn.ModuleDict({"rnn": nn.LSTM(features, hidden, 2, batch_first=True, dropout=0.5), "drop": nn.Dropout()}).eval()
expected = model["rnn"](steps)[0]
model["rnn"].train().dropout = 0.0
torch.testing.assert_close(model["rnn"](steps)[0], expected)  # as in eval mode
assert not model["drop"].training  # for training, that is not enough

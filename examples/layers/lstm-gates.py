"""One step of an LSTM by hand: the four gates, and dropout between layers."""

# %% by-hand
import torch
from torch import nn

torch.manual_seed(0)
batch, time, features, hidden = 2, 5, 4, 3
tokens = torch.randn(batch, time, features)

single = nn.LSTM(features, hidden, batch_first=True)
for name, parameter in single.named_parameters():
    print(f"{name:12} {tuple(parameter.shape)}")

state = cell = torch.zeros(batch, hidden)
for step in tokens.unbind(dim=1):  # (batch, features)
    gates = step @ single.weight_ih_l0.T + single.bias_ih_l0
    gates = gates + state @ single.weight_hh_l0.T + single.bias_hh_l0
    i, f, g, o = gates.chunk(4, dim=1)
    cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
    state = o.sigmoid() * cell.tanh()
_, (h_single, c_single) = single(tokens)
print("h by hand:", torch.allclose(state, h_single[0], atol=1e-5))
print("c by hand:", torch.allclose(cell, c_single[0], atol=1e-5))

# %% gru
for name, parameter in nn.GRU(features, hidden).named_parameters():
    print(f"{name:12} {tuple(parameter.shape)}")

# %% remembers
with torch.no_grad():
    single.bias_hh_l0.zero_()
    single.bias_hh_l0[:hidden] = -20  # input gate: closed
    single.bias_hh_l0[hidden : 2 * hidden] = 20  # forget gate: open
start = torch.zeros(1, batch, hidden), torch.full((1, batch, hidden), 0.5)
_, (_, cell) = single(tokens, start)
print("c after 5 steps:", cell[0].detach())

# %% lstm-cell
one_step = nn.LSTMCell(features, hidden)
weights = {name.removesuffix("_l0"): w for name, w in single.state_dict().items()}
one_step.load_state_dict(weights)

state, outputs = None, []  # None: zeros
for step in tokens.unbind(dim=1):  # (batch, features)
    state = one_step(step, state)  # (h, c)
    outputs.append(state[0])
same = torch.allclose(torch.stack(outputs, dim=1), single(tokens)[0], atol=1e-6)
print("as nn.LSTM:", same)

# %% gru-cell
h = nn.GRUCell(features, hidden)(tokens[:, 0])
print("one tensor:", tuple(h.shape))

# %% cell-state raises="TypeError"
one_step(tokens[:, 0], h)

# %% cell-sequence raises="ValueError"
one_step(tokens)

# %% cell-keys raises="RuntimeError"
one_step.load_state_dict(single.state_dict())

# %% dropout warns="UserWarning"
nn.LSTM(features, hidden, dropout=0.5)

# %% between
stacked = nn.LSTM(features, hidden, num_layers=2, dropout=0.5, batch_first=True)
first, second = stacked(tokens)[0], stacked(tokens)[0]
print("training, two calls equal:", torch.equal(first, second))

# %% both-states hidden=true
one_step(tokens[:, 0], (h, torch.zeros_like(h)))

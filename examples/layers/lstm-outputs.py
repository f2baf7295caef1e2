"""What LSTM and GRU return, and where the last state stands in it."""

# %% shapes
import torch
from torch import nn

torch.manual_seed(0)
batch, time, features, hidden = 2, 5, 4, 3
tokens = torch.randn(batch, time, features)

lstm = nn.LSTM(features, hidden, num_layers=2, bidirectional=True, batch_first=True)
out, (h, c) = lstm(tokens)
print("out", tuple(out.shape))  # (batch, time, directions * hidden)
print("h  ", tuple(h.shape))  # (layers * directions, batch, hidden)
print("c  ", tuple(c.shape))

gru = nn.GRU(features, hidden, batch_first=True)
out_gru, h_gru = gru(tokens)
print("GRU", tuple(out_gru.shape), tuple(h_gru.shape))

# %% same-values
forward, backward = out[..., :hidden], out[..., hidden:]
print("h[-2] is forward, last step:  ", torch.allclose(h[-2], forward[:, -1]))
print("h[-1] is backward, first step:", torch.allclose(h[-1], backward[:, 0]))
print("h[-1] is backward, last step: ", torch.allclose(h[-1], backward[:, -1]))

# %% drawing fold=true
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

fig, (left, right) = plt.subplots(1, 2, figsize=(5.6, 3.2), width_ratios=(6, 3))
limit = out.detach().abs().max().item()
for ax, values in ((left, out[0]), (right, h[:, 0])):
    ax.imshow(values.detach(), cmap="RdBu", vmin=-limit, vmax=limit, alpha=0.7)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
left.set_title("out[0]", fontsize=11)
left.set_yticks(range(time), [f"step {t}" for t in range(time)])
left.set_xticks((1, 4), ("forward", "backward"))
right.set_title("h[:, 0]", fontsize=11)
right.set_yticks(range(4), [f"layer {k // 2} {'<-' if k % 2 else '->'}" for k in range(4)])
right.set_xticks([])
for ax, x, y, color in (
    (left, 0, time - 1, "C2"),
    (right, 0, 2, "C2"),
    (left, hidden, 0, "C1"),
    (right, 0, 3, "C1"),
):
    ax.add_patch(Rectangle((x - 0.5, y - 0.5), hidden, 1, fill=False, edgecolor=color, linewidth=3, clip_on=False))

# %% summary
summary = torch.cat([h[-2], h[-1]], dim=1)  # (batch, 2 * hidden)
print(tuple(summary.shape))

# %% padding
padded = tokens.clone()
padded[0, 3:] = 0  # the first sequence has 3 real steps
out_padded, h_padded = gru(padded)
last, real, row = h_padded[0, 0], out_padded[0, 2], out_padded[0, -1]
print("h is the last real step:", torch.allclose(last, real, atol=1e-6))
print("h is output[:, -1]:     ", torch.allclose(last, row, atol=1e-6))

# %% layers-and-directions
by_layer = h.view(2, 2, batch, hidden)  # (layers, directions, batch, hidden)
print("last layer, forward: ", torch.allclose(by_layer[-1, 0], h[-2]))
print("last layer, backward:", torch.allclose(by_layer[-1, 1], h[-1]))

# %% tuple raises="AttributeError"
out, state = lstm(tokens)
print(state.shape)

# %% in-sequential raises="TypeError"
nn.Sequential(lstm, nn.Linear(2 * hidden, 1))(tokens)

# %% time-first asks=true
wrong = nn.LSTM(features, hidden)  # batch_first=False
out_wrong, (h_wrong, _) = wrong(tokens)
print("out", tuple(out_wrong.shape), " h", tuple(h_wrong.shape))

# %% carry-on
first, state = gru(tokens[:, :3])
second, state = gru(tokens[:, 3:], state)
in_two = torch.cat([first, second], dim=1)
print("as in one go:", torch.allclose(in_two, out_gru, atol=1e-6))


# %% own-forward hidden=true
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.head = lstm, nn.Linear(2 * hidden, 1)

    def forward(self, tokens):
        out, _ = self.lstm(tokens)
        return self.head(out)


assert Tagger()(tokens).shape == (batch, time, 1)

# %% remedies hidden=true
steps = torch.zeros(2, 5, 3)  # (batch, time, features)
out, (h, c) = nn.LSTM(3, 4, batch_first=True)(steps)
out, h = nn.GRU(3, 4, batch_first=True)(steps)

# %% carry-on-both-directions hidden=true
both = nn.GRU(features, hidden, bidirectional=True, batch_first=True)
first, state = both(tokens[:, :3])
second, _ = both(tokens[:, 3:], state)
parts, whole = torch.cat([first, second], dim=1), both(tokens)[0]
torch.testing.assert_close(parts[..., :hidden], whole[..., :hidden])
assert not torch.allclose(parts[..., hidden:], whole[..., hidden:], atol=1e-3)

# %% the-pair-has-a-last-item hidden=true
one_way = nn.LSTM(3, 4, batch_first=True)
out, pair = one_way(steps)
assert torch.equal(pair[-1], pair[1]) and pair[-1].shape == (1, 2, 4)  # c, and not h[-1]

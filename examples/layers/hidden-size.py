"""A recurrent layer wants a state whose batch dimension is that of the input."""

# %% last-batch raises="RuntimeError"
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
data = torch.randn(8, 5, 3)  # (samples, time, features)
lstm = nn.LSTM(3, 4, batch_first=True)
state = torch.zeros(1, 3, 4), torch.zeros(1, 3, 4)  # (layers, batch, hidden)
for batch in DataLoader(data, batch_size=3):
    print("batch:", tuple(batch.shape))
    output, (h, c) = lstm(batch, state)

# %% no-state
for batch in DataLoader(data, batch_size=3):
    output, (h, c) = lstm(batch)  # from zeros, of the right size
    print("batch:", tuple(batch.shape), " h:", tuple(h.shape))

# %% same-as-zeros
output_of_zeros, _ = lstm(data[:3], state)
print("the same as zeros:", torch.equal(lstm(data[:3])[0], output_of_zeros))

# %% drop-last
for batch in DataLoader(data, batch_size=3, drop_last=True):
    output, state = lstm(batch, state)
    print("batch:", tuple(batch.shape))

# %% layers raises="RuntimeError"
gru = nn.GRU(3, 4, num_layers=2, batch_first=True)
gru(data[:2], torch.zeros(1, 2, 4))

# %% batch-first raises="RuntimeError"
gru(data[:3], torch.zeros(3, 2, 4))


# %% initial-state
def initial_state(rnn, batch_size):
    directions = 2 if rnn.bidirectional else 1
    shape = rnn.num_layers * directions, batch_size, rnn.hidden_size
    return next(rnn.parameters()).new_zeros(shape)  # its dtype and device


for options in ({}, {"num_layers": 2}, {"num_layers": 2, "bidirectional": True}):
    rnn = nn.GRU(3, 4, batch_first=True, **options)
    h = initial_state(rnn, batch_size=2)
    rnn(data[:2], h)
    print(tuple(h.shape), options)

# %% two-dims raises="RuntimeError"
h = torch.zeros(2, 4)  # (batch, hidden)
lstm(data[:2], (h, h))

# %% three-dims
output, (h, c) = lstm(data[:2], (h.unsqueeze(0), h.unsqueeze(0)))
print(tuple(h.shape))

# %% one-tensor raises="IndexError"
lstm(data[:2], torch.zeros(1, 2, 4))

# %% pair
h = torch.zeros(1, 2, 4)  # (layers, batch, hidden)
output, (h, c) = lstm(data[:2], (h, torch.zeros_like(h)))
print(tuple(output.shape), tuple(h.shape), tuple(c.shape))

# %% two-by-two hidden=true
wrong = torch.zeros(2, 2, 4)  # one tensor whose first dimension is 2 is taken for the pair
try:
    lstm(data[:2], wrong)
except RuntimeError as error:
    assert "hx and cx should also be 3-D but got (2-D, 2-D)" in str(error)
else:
    raise AssertionError("accepted")

# %% other-dtypes hidden=true
for dtype in (torch.bfloat16, torch.float64):
    rnn = nn.GRU(3, 4, num_layers=2, bidirectional=True, batch_first=True).to(dtype)
    for size in (0, 1, 3):
        rnn(torch.zeros(size, 5, 3, dtype=dtype), initial_state(rnn, size))

# %% batch-first-missing hidden=true
time_first = nn.LSTM(3, 4)  # takes dimension 0, the samples, for the time
try:
    time_first(data, (torch.zeros(1, 8, 4), torch.zeros(1, 8, 4)))
except RuntimeError as error:
    assert "Expected hidden[0] size (1, 5, 4), got [1, 8, 4]" in str(error)
else:
    raise AssertionError("accepted")
changed = data.clone()
changed[0] += 1
assert not torch.equal(time_first(data)[0][7], time_first(changed)[0][7])  # without a state: mixed, no error
batch_first = nn.LSTM(3, 4, batch_first=True)
assert torch.equal(batch_first(data)[0][7], batch_first(changed)[0][7])

# %% viewed-state hidden=true
both = nn.GRU(3, 4, batch_first=True, bidirectional=True)(data[:3])[1]  # (2, 3, 4)
assert not torch.equal(both.view(1, 3, 8)[0, 0], torch.cat([both[0, 0], both[1, 0]]))

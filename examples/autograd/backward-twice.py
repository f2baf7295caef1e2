"""Backward drops what the forward pass saved, so that most graphs can be walked once."""

# %% twice raises="RuntimeError"
import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()
print(x.grad)

y.backward()

# %% retain
x.grad = None
y = x * x
y.backward(retain_graph=True)
y.backward()
print(x.grad)

# %% forward-frees-nothing raises="RuntimeError"
y = x * x
for _ in range(3):
    (y + 1).item()  # computing with y frees nothing
torch.autograd.grad(y, x)  # walking its graph does
y.backward()

# %% peek
y = x.exp()
print(y.grad_fn._saved_result)
y.backward()
print(y.grad_fn.name(), len(y.grad_fn.next_functions))  # still there

# %% peek-after raises="RuntimeError"
y.grad_fn._saved_result

# %% saves-nothing asks=true
x.grad = None
y = x + 4
y.backward()
y.backward()
print(x.grad)

# %% state
weight = torch.tensor(0.5, requires_grad=True)
state = torch.tensor(1.0)
for step in range(3):
    state = torch.tanh(weight * state)
    state.square().backward()
    state = state.detach()  # the next step begins a graph of its own
print(weight.grad)

# %% state-fails hidden=true
state = torch.tensor(1.0)
try:
    for step in range(3):
        state = torch.tanh(weight * state)
        state.square().backward()
except RuntimeError as error:
    assert "second time" in str(error) and step == 1
else:
    raise AssertionError("the second step should fail")

# %% lstm-state hidden=true
lstm = torch.nn.LSTM(2, 3)
state = None
for step in range(3):
    out, state = lstm(torch.ones(4, 1, 2), state)
    out.sum().backward()
    state = tuple(part.detach() for part in state)

# %% factor-is-saved hidden=true
for function, twice in ((lambda x: x + 4, True), (torch.neg, True), (lambda x: x * 2, False), (lambda x: x / 2, False)):
    y = function(torch.tensor(3.0, requires_grad=True))
    y.backward()
    try:
        y.backward()
        assert twice
    except RuntimeError:
        assert not twice
y = x * x
torch.autograd.grad(y, x, create_graph=True)
y.backward()  # create_graph=True keeps the saved tensors, too

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

# %% retained-in-a-loop hidden=true
torch.manual_seed(0)
body = torch.nn.Linear(4, 4)
features = body(torch.randn(8, 4)).tanh()  # once, before the loop
optimizer = torch.optim.SGD(body.parameters(), lr=0.1)
losses = []
for _ in range(3):
    loss = features.square().mean()
    loss.backward(retain_graph=True)
    optimizer.step()
    losses.append(loss.item())
assert losses[0] == losses[1] == losses[2]  # the weights move, the loss does not
cell, state = torch.nn.RNNCell(2, 3), torch.zeros(1, 3)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
try:
    for step in range(3):
        state = cell(torch.ones(1, 2), state)
        state.sum().backward(retain_graph=True)
        optimizer.step()
except RuntimeError as error:
    assert "modified by an inplace operation" in str(error) and step == 2
else:
    raise AssertionError

# %% written-through-a-slice hidden=true
leaf = torch.ones(2, requires_grad=True)
y = leaf + 4
y[0] = 0.0  # saves no tensor
y.sum().backward()
try:
    y.sum().backward()
except RuntimeError as error:
    assert "a second time" in str(error), error
else:
    raise AssertionError("the node of an assignment is kept whole now")

# %% other-causes hidden=true
weight = torch.tensor(2.0, requires_grad=True)
try:
    for step in range(6):
        hidden = weight.exp()
        hidden.square().backward()
        if step == 3:  # a second loss, in this step alone
            (2 * hidden).backward()
except RuntimeError as error:
    assert "second time" in str(error) and step == 3, error
else:
    raise AssertionError

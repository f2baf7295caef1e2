"""LBFGS calls a closure several times in one step."""

# %% closure
import torch
from torch import nn

torch.manual_seed(0)
inputs = torch.linspace(-3, 3, 100).unsqueeze(1)
targets = inputs.sin()
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.LBFGS(net.parameters(), line_search_fn="strong_wolfe")
loss_fn = nn.MSELoss()
calls = 0


def closure():
    global calls
    calls += 1
    optimizer.zero_grad()
    loss = loss_fn(net(inputs), targets)
    loss.backward()
    return loss


first = closure().item()
for step in range(10):  # each step is up to 20 iterations
    optimizer.step(closure)
last = closure().item()
print(f"first loss {first:.1f}, last below a hundredth: {last < first / 100}")

# %% calls varies=true
print("steps: 10, calls of the closure:", calls)

# %% with-adam
adam = torch.optim.Adam(net.parameters(), lr=1e-3)
print("Adam returned a loss, too:", adam.step(closure).shape)

# %% no-closure raises="TypeError"
optimizer.step()

# %% no-return raises="TypeError"
optimizer.step(lambda: loss_fn(net(inputs), targets).backward())

# %% groups raises="ValueError"
groups = [{"params": net[0].parameters()}, {"params": net[2].parameters()}]
torch.optim.LBFGS(groups)

# %% one-group
parameters = [*net[0].parameters(), *net[2].parameters()]
optimizer = torch.optim.LBFGS(parameters, line_search_fn="strong_wolfe")
print(len(optimizer.param_groups), "group,", len(parameters), "parameters")


# %% line-search
def minimise(line_search_fn):
    x = nn.Parameter(torch.tensor(3.0, dtype=torch.float64))
    optimizer = torch.optim.LBFGS([x], line_search_fn=line_search_fn)
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = (1 + x**2).sqrt()  # smallest at x = 0, where it is 1
        loss.backward()
        losses.append(loss.item())
        return loss

    return optimizer.step(closure).item(), losses


for line_search_fn in (None, "strong_wolfe"):
    returned, losses = minimise(line_search_fn)
    print(f"{line_search_fn!s:12} a loss above a million: {max(losses) > 1e6}")

# %% returned asks=true
print(f"first loss {losses[0]:.2f}, last {losses[-1]:.2f}, returned {returned:.2f}")

# %% batches
torch.manual_seed(0)
features = torch.randn(200, 10, dtype=torch.float64)
answers = features.sum(dim=1) + torch.randn(200, dtype=torch.float64)


def fit(batch_size, steps=20):
    torch.manual_seed(0)
    weight = nn.Parameter(torch.zeros(10, dtype=torch.float64))
    optimizer = torch.optim.LBFGS([weight], line_search_fn="strong_wolfe")
    for _ in range(steps):
        rows = torch.randperm(200)[:batch_size]  # outside of the closure

        def closure():
            optimizer.zero_grad()
            loss = (features[rows] @ weight - answers[rows]).square().mean()
            loss.backward()
            return loss

        optimizer.step(closure)
    return (features @ weight - answers).square().mean().item()


for batch_size in (200, 20):
    print(f"batches of {batch_size:3}: loss over all 200 is {fit(batch_size):.2f}")

# %% state hidden=true
weight = nn.Parameter(torch.randn(1000))
optimizer = torch.optim.LBFGS([weight], history_size=5)
scale = torch.linspace(1, 3, 1000)


def closure():
    optimizer.zero_grad()
    loss = (scale * weight**4).sum()
    loss.backward()
    return loss


optimizer.step(closure)
state = optimizer.state[weight]
assert len(state["old_dirs"]) == 5 and state["old_dirs"][0].numel() == 1000
assert optimizer.param_groups[0]["max_iter"] == 20 and optimizer.param_groups[0]["max_eval"] == 25
weight = nn.Parameter(torch.zeros(10, dtype=torch.float64))
optimizer = torch.optim.LBFGS([weight], line_search_fn="strong_wolfe")
for _ in range(5):  # each step ends in the minimum for its own samples
    rows = torch.randperm(200)[:20]

    def closure():
        optimizer.zero_grad()
        loss = (features[rows] @ weight - answers[rows]).square().mean()
        loss.backward()
        return loss

    optimizer.step(closure)
    best = torch.linalg.lstsq(features[rows], answers[rows].unsqueeze(1)).solution.squeeze(1)
    torch.testing.assert_close(closure(), (features[rows] @ best - answers[rows]).square().mean(), rtol=1e-3, atol=0)
assert torch.optim.Adam([weight]).step(lambda: weight.sum().backward()) is None


# %% barrier hidden=true
def lowest(of_logarithm):  # of x - 0.01 log x: x = 0.01
    start = torch.tensor(0.5, dtype=torch.float64)
    u = nn.Parameter(start.log() if of_logarithm else start)
    optimizer = torch.optim.LBFGS([u], line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        x = u.exp() if of_logarithm else u
        loss = x - 0.01 * x.log()
        loss.backward()
        return loss

    for _ in range(5):
        optimizer.step(closure)
    return u.exp().item() if of_logarithm else u.item()


assert abs(lowest(True) - 0.01) < 1e-4 and not lowest(False) > -1000

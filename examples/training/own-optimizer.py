"""An optimizer of your own: a subclass of Optimizer, equal to SGD with momentum."""

# %% class
import torch
from torch import nn


class MySGD(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))  # (1)!

    @torch.no_grad()  # (2)!
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:  # (3)!
            params = [param for param in group["params"] if param.grad is not None]
            for param in params:
                if not self.state[param]:  # (4)!
                    self.state[param]["velocity"] = torch.zeros_like(param)
            velocities = [self.state[param]["velocity"] for param in params]
            self.update(params, velocities, group["lr"], group["momentum"])
        return loss

    def update(self, params, velocities, lr, momentum):
        for param, velocity in zip(params, velocities):
            velocity.mul_(momentum).add_(param.grad)
            param.add_(velocity, alpha=-lr)


# %% equal
inputs = torch.linspace(-1, 1, 128, dtype=torch.float64).view(32, 4)
targets = inputs.square().sum(dim=1, keepdim=True)


def train(make_optimizer, steps=100):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1)).double()
    first, last = {"params": net[0].parameters()}, {"params": net[2].parameters()}
    optimizer = make_optimizer([first, last | {"lr": 0.02}], lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30, gamma=0.5)
    losses = []
    for _ in range(steps):
        loss = (net(inputs) - targets).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return torch.tensor(losses, dtype=torch.float64), optimizer


mine, optimizer = train(MySGD)
theirs, _ = train(torch.optim.SGD)
print(f"first loss {mine[0]:.2f}, last below a tenth: {mine[-1] < mine[0] / 10}")
print("largest difference below 1e-12:", (mine - theirs).abs().max().item() < 1e-12)
print("rates:", [group["lr"] for group in optimizer.param_groups])

# %% saved
saved = optimizer.state_dict()
print({index: list(state) for index, state in saved["state"].items()})
print(saved["param_groups"][1]["params"], saved["param_groups"][1]["momentum"])


# %% foreach
class ForeachSGD(MySGD):
    def update(self, params, velocities, lr, momentum):
        if not params:  # no gradient at all: foreach takes no empty list
            return
        torch._foreach_mul_(velocities, momentum)
        torch._foreach_add_(velocities, [param.grad for param in params])
        torch._foreach_add_(params, velocities, alpha=-lr)


lists, _ = train(ForeachSGD)
gap = (lists - theirs).abs().max().item()
print("largest difference below 1e-12:", gap < 1e-12)

# %% calls fold=true
from torch.utils._python_dispatch import TorchDispatchMode


class Count(TorchDispatchMode):
    calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.calls += 1
        return func(*args, **(kwargs or {}))


params = [nn.Parameter(torch.ones(8)) for _ in range(50)]
for param in params:
    param.grad = torch.ones(8)
for make_optimizer in (MySGD, ForeachSGD):
    optimizer = make_optimizer(params)
    velocities = [torch.zeros(8) for _ in params]
    with Count() as count, torch.no_grad():
        optimizer.update(params, velocities, 0.1, 0.9)
    print(f"{make_optimizer.__name__:10} 50 parameters, calls: {count.calls}")

# %% without-no-grad raises="RuntimeError"
weight = nn.Parameter(torch.ones(3))
weight.sum().backward()
optimizer = MySGD([weight], lr=0.1)
velocity = torch.zeros(3)
optimizer.update([weight], [velocity], lr=0.1, momentum=0.9)  # not in step()

# %% with-no-grad
optimizer.step()
print(weight.detach())


# %% own-attributes
class Forgetful(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {})
        self.lr = lr  # not in a group
        self.velocity = {}  # not in self.state


optimizer = Forgetful([weight], lr=0.1)
print(optimizer.state_dict())

# %% scheduler-needs-lr raises="KeyError"
torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)

# %% adadelta
weight = torch.tensor([3.0], requires_grad=True)
optimizer = torch.optim.Adadelta([weight])  # lr=1.0: the step comes from past steps
for step in range(3):
    optimizer.zero_grad()
    weight.square().sum().backward()
    optimizer.step()
print("after 3 steps moved less than 0.1:", 0 < 3 - weight.item() < 0.1)
print(sorted(optimizer.state[weight]))

# %% claims hidden=true
_, half = train(MySGD, 30)
params = [nn.Parameter(torch.zeros_like(param)) for group in half.param_groups for param in group["params"]]
again = MySGD([{"params": params[:2]}, {"params": params[2:]}])
again.load_state_dict(half.state_dict())  # the velocity and the rates come back
assert [group["lr"] for group in again.param_groups] == [group["lr"] for group in half.param_groups]
for old, new in zip(half.state.values(), again.state.values()):
    assert torch.equal(old["velocity"], new["velocity"])
loss = MySGD([weight]).step(lambda: (weight * 2).sum())
assert loss.requires_grad  # the closure was recorded

# %% other-inputs hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    for make_optimizer in (MySGD, ForeachSGD):
        torch.manual_seed(0)
        start = [torch.randn(4, 3).T.to(dtype), torch.randn(0, 2).to(dtype), torch.randn(2).to(dtype)]
        ours, theirs = ([nn.Parameter(one.clone()) for one in start] for _ in range(2))  # the last one is frozen
        optimizers = make_optimizer(ours, lr=0.1), torch.optim.SGD(theirs, lr=0.1, momentum=0.9)
        for _ in range(3):
            for params, optimizer in zip((ours, theirs), optimizers):
                optimizer.zero_grad()
                sum(param.square().sum() for param in params[:2]).backward()
                optimizer.step()
        for one, other in zip(ours, theirs):
            torch.testing.assert_close(one, other, rtol=0.02, atol=0.01)  # foreach rounds otherwise

# %% no-strings hidden=true
weight = nn.Parameter(torch.ones(3))
optimizer, again = MySGD([weight]), MySGD([weight])
optimizer.state[weight] = {"velocity": torch.zeros(3), "mode": "warm"}
again.load_state_dict(optimizer.state_dict())
assert "generator object" in again.state[weight]["mode"]  # and no error

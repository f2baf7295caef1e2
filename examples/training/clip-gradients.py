"""clip_grad_norm_ goes between backward() and step()."""

# %% clip
import torch
from torch import nn

net = nn.Linear(2, 1, bias=False)
net.weight.grad = torch.tensor([[30.0, 40.0]])

norm = nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
print("norm before", norm)
print("clipped", net.weight.grad, "norm", torch.linalg.vector_norm(net.weight.grad))

# %% small
net.weight.grad = torch.tensor([[0.3, 0.4]])
print(nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0), net.weight.grad)

# %% all-together
net.weight.grad = torch.tensor([[3.0, 0.0]])
other = nn.Parameter(torch.zeros(1))
other.grad = torch.tensor([4.0])
print("norm before", nn.utils.clip_grad_norm_([net.weight, other], max_norm=1.0))
print("clipped", net.weight.grad, other.grad)

# %% value
net.weight.grad = torch.tensor([[30.0, 0.4]])
nn.utils.clip_grad_value_(net.parameters(), clip_value=1.0)
print(net.weight.grad)


# %% order
def weight_after(order):
    weight = nn.Parameter(torch.tensor(0.0))
    optimizer = torch.optim.SGD([weight], lr=0.1)

    def clip():
        nn.utils.clip_grad_norm_([weight], max_norm=1.0)

    if order == "clip, backward, step":
        clip()
    (100 * weight).backward()
    if order == "backward, clip, step":
        clip()
    optimizer.step()
    if order == "backward, step, clip":
        clip()
    return weight.item()


orders = ("backward, clip, step", "clip, backward, step", "backward, step, clip")
for order in orders:
    print(f"{order} {weight_after(order):6.1f}")


# %% grad-scaler
def scaled_step(unscale):
    weight = nn.Parameter(torch.tensor([3.0, 4.0]))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    loss = weight.square().sum() / 2  # gradient (3, 4)
    scaler.scale(loss).backward()
    if unscale:
        scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_([weight], max_norm=10.0)
    scaler.step(optimizer)
    scaler.update()
    return norm.item(), weight.tolist()


for unscale in (False, True):
    norm, weight = scaled_step(unscale)
    print(f"unscale_ {unscale!s:5}  norm {norm:6.0f}", end="  ")
    print(f"weight {weight[0]:.2f} {weight[1]:.2f}")

# %% nan asks=true
net.weight.grad = torch.tensor([[float("inf"), 1.0]])
print(nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0), net.weight.grad)

# %% nan-raises raises="RuntimeError"
net.weight.grad = torch.tensor([[float("inf"), 1.0]])
nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0, error_if_nonfinite=True)

# %% half hidden=true
long = nn.Parameter(torch.zeros(1000, dtype=torch.float16))
long.grad = torch.full_like(long, 3000.0)
assert nn.utils.clip_grad_norm_([long], max_norm=1.0).isinf() and not long.grad.any()

# %% remedies hidden=true
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
before = net.weight.clone()
for gradient in (float("inf"), 3.0):
    net.weight.grad = torch.tensor([[gradient, 1.0]])
    norm = nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
    if norm.isfinite():  # else skip this step
        optimizer.step()
    assert net.weight.isfinite().all() and torch.equal(net.weight, before) == (gradient == float("inf"))
net.weight.grad = torch.tensor([[3.0, 1.0]])
nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0, error_if_nonfinite=True)

# %% not-a-number hidden=true
other.grad = torch.tensor([float("nan")])
net.weight.grad = torch.tensor([[3.0, 1.0]])
nn.utils.clip_grad_norm_([net.weight, other], max_norm=1.0)
assert net.weight.grad.isnan().all()


# %% skipped-with-scaler hidden=true
def scaled_steps(skip):
    weight = nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for factor in (float("inf"), 1.0):
        optimizer.zero_grad()
        scaler.scale((weight * factor).sum()).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_([weight], max_norm=10.0)
        if skip and not norm.isfinite():
            continue  # neither step nor update
        scaler.step(optimizer)
        scaler.update()
    return weight.item()


assert abs(scaled_steps(skip=False) - 0.9) < 1e-6
try:
    scaled_steps(skip=True)
except RuntimeError as error:
    assert "already been called" in str(error)
else:
    raise AssertionError("unscale_ twice")


# %% skipped-and-cleared hidden=true
def steps_done(first_of_all):
    weight = nn.Parameter(torch.ones(1))
    optimizer, done = torch.optim.SGD([weight], lr=0.1), 0
    for factor in (1.0, float("inf"), 1.0, 1.0, 1.0):
        if first_of_all:
            optimizer.zero_grad()
        (factor * weight).sum().backward()
        try:
            nn.utils.clip_grad_norm_([weight], max_norm=1.0, error_if_nonfinite=True)
        except RuntimeError:
            continue  # and with it zero_grad() at the end
        optimizer.step()
        done += 1
        optimizer.zero_grad()
    return done, round(weight.item(), 4)


assert steps_done(first_of_all=True) == (4, 0.6) and steps_done(first_of_all=False) == (1, 0.9)

"""Two networks, two optimizers: detach() where one of them must not learn."""

# %% setup
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
generator, critic = nn.Linear(4, 2), nn.Linear(2, 1)
nets = generator, critic
optimizers = {net: torch.optim.SGD(net.parameters(), lr=0.1) for net in nets}
real, noise = torch.randn(8, 2), torch.randn(8, 4)
ones, zeros = torch.ones(8, 1), torch.zeros(8, 1)
loss_fn = F.binary_cross_entropy_with_logits


def report(when):
    has = [net.weight.grad is not None for net in nets]
    print(f"{when:32} generator {has[0]!s:5}  critic {has[1]}")


# %% step
fake = generator(noise)  # one forward pass for both losses

# 1. the critic learns to tell real from fake; the generator is a constant
loss = loss_fn(critic(real), ones) + loss_fn(critic(fake.detach()), zeros)
loss.backward()
report("after the critic's backward:")
optimizers[critic].step()

# 2. the generator learns to fool it; no detach()
loss_fn(critic(fake), ones).backward()
report("after the generator's backward:")
optimizers[generator].step()

# 3. the critic's gradients of step 2 must go
for optimizer in optimizers.values():
    optimizer.zero_grad()
report("after zero_grad():")

# %% without-detach raises="RuntimeError"
fake = generator(noise)
(loss_fn(critic(real), ones) + loss_fn(critic(fake), zeros)).backward()
optimizers[critic].step()
loss_fn(critic(fake), ones).backward()


# %% leak
def critic_gradient(clear):
    for net in optimizers:
        net.zero_grad()
    fake = generator(noise)
    loss_fn(critic(fake), ones).backward()  # the critic gets a gradient as well
    if clear:
        critic.zero_grad()
    loss_fn(critic(fake.detach()), zeros).backward()
    return critic.weight.grad


print("cleared:    ", critic_gradient(clear=True))
print("not cleared:", critic_gradient(clear=False))

# %% frozen
for net in optimizers:
    net.zero_grad()
critic.requires_grad_(False)
loss_fn(critic(generator(noise)), ones).backward()
report("with the critic frozen:")
critic.requires_grad_(True)

# %% no-grad-instead
for net in optimizers:
    net.zero_grad()
with torch.no_grad():
    fake = generator(noise)
loss_fn(critic(fake), ones).backward()  # no error
print("generator.weight.grad:", generator.weight.grad)


# %% no-grad-critic
def gradient_from(fake):
    critic.zero_grad()
    loss_fn(critic(fake), zeros).backward()
    return critic.weight.grad


with torch.no_grad():
    fake = generator(noise)
print("no_grad():", gradient_from(fake))
print("detach(): ", gradient_from(generator(noise).detach()))

# %% retained hidden=true
for net in optimizers:
    net.zero_grad()
fake = generator(noise)
loss_fn(critic(fake), zeros).backward(retain_graph=True)
assert generator.weight.grad is not None  # the critic's loss went into the generator
optimizers[critic].step()
loss_fn(critic(fake), ones).backward()  # and nothing complains

# %% recorded-again hidden=true
generator.zero_grad()
loss_fn(critic(generator(noise)), ones).backward()
assert generator.weight.grad is not None

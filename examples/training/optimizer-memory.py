"""How much state optimizers keep: AdamW, SGD, Muon, Adafactor."""

# %% state-size
import torch
from torch import nn

torch.manual_seed(0)
matrix = nn.Parameter(torch.randn(256, 256))
matrix.grad = torch.randn(256, 256)
optimizers = {
    "AdamW": torch.optim.AdamW([matrix]),
    "SGD, momentum": torch.optim.SGD([matrix], lr=0.01, momentum=0.9),
    "Muon": torch.optim.Muon([matrix]),
    "Adafactor": torch.optim.Adafactor([matrix]),
}
for name, optimizer in optimizers.items():
    optimizer.step()
    size = sum(state.nbytes for state in optimizer.state[matrix].values())
    print(f"{name:13} {size / matrix.numel():.2f}")

# %% muon-vector raises="ValueError"
layers = nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.Linear(16, 2)
net = nn.Sequential(*layers)
torch.optim.Muon(net.parameters())

# %% two-optimizers
hidden = [net[2].weight]  # matrices between the first and the last layer
held = {id(weight) for weight in hidden}
others = [weight for weight in net.parameters() if id(weight) not in held]
optimizers = [torch.optim.Muon(hidden, lr=0.02), torch.optim.AdamW(others, lr=0.01)]

inputs = torch.randn(64, 8)
labels = (inputs.sum(dim=1) > 0).long()
for step in range(61):
    loss = nn.functional.cross_entropy(net(inputs), labels)
    if step % 60 == 0:
        print(f"step {step:2}  loss {loss.item():.1f}")
    for optimizer in optimizers:
        optimizer.zero_grad()
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()


# %% eight-bit
class SGD8bit(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for param in group["params"]:
                state, velocity = self.state[param], 0.0
                if state:  # back to float32, for this parameter only
                    velocity = (state["whole"] * state["scale"]).view_as(param)
                velocity = group["momentum"] * velocity + param.grad
                param -= group["lr"] * velocity
                blocks = velocity.reshape(-1, 256)  # a scale for each 256 numbers
                largest = blocks.abs().amax(dim=1, keepdim=True)
                state["scale"] = largest.clamp(min=1e-20) / 127
                state["whole"] = (blocks / state["scale"]).round().to(torch.int8)


optimizer = SGD8bit([matrix], lr=0.01)
optimizer.step()
size = sum(state.nbytes for state in optimizer.state[matrix].values())
print(f"SGD, momentum in 8 bits {size / matrix.numel():.2f}")

# %% eight-bit-learns
samples = torch.randn(512, 256)
answers = samples @ torch.randn(256, 256)
for make_optimizer in (torch.optim.SGD, SGD8bit):
    weight = nn.Parameter(torch.zeros(256, 256))
    optimizer = make_optimizer([weight], lr=10.0, momentum=0.9)
    for step in range(100):
        loss = (samples @ weight - answers).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    share = loss.item() / answers.square().mean().item()  # the first loss
    print(f"{make_optimizer.__name__:7} loss below a hundredth: {share < 0.01}")

# %% one-scale hidden=true
numbers = torch.full((512,), 0.01)
numbers[0] = 10.0
blocks = numbers.view(-1, 256)
for parts in (numbers.view(1, -1), blocks):
    scale = parts.abs().amax(dim=1, keepdim=True) / 127
    back = ((parts / scale).round() * scale).flatten()
    assert (back[1:256] == 0).all()  # beside the large number
    assert (back[256:] == 0).all() == (len(parts) == 1)  # in another block they survive
turned = nn.Parameter(torch.randn(256, 512).T)  # not contiguous
plain, eight = nn.Parameter(turned.detach().clone()), turned
for weight, make_optimizer in ((plain, torch.optim.SGD), (eight, SGD8bit)):
    optimizer = make_optimizer([weight], lr=0.1, momentum=0.9)
    for _ in range(3):
        weight.grad = torch.linspace(-1, 1, weight.numel()).view(512, 256)
        optimizer.step()
torch.testing.assert_close(plain, eight, rtol=0, atol=0.01)

# %% adafactor-shapes hidden=true
for shape, per_element in (((256,), 4.0), ((64, 64, 3, 3), 4 * 2 / 3)):
    other = nn.Parameter(torch.randn(shape))
    other.grad = torch.randn(shape)
    adafactor = torch.optim.Adafactor([other])
    adafactor.step()
    size = sum(state.nbytes for state in adafactor.state[other].values())
    assert abs(size / other.numel() - per_element) < 0.05

# %% default-decay hidden=true
assert torch.optim.Muon([matrix]).defaults["weight_decay"] == 0.1
assert torch.optim.AdamW([matrix]).defaults["weight_decay"] == 0.01

# %% scale-in-bfloat16 hidden=true
for dtype, fits in ((torch.float32, True), (torch.bfloat16, False)):
    largest = torch.arange(1, 2, 1 / 128).to(dtype)
    assert ((largest / (largest / 127)).round() <= 127).all() == fits

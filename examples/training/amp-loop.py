"""The mixed-precision training loop, line by line."""

# %% setup
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
inputs = torch.randn(512, 16).to(device)  # drawn on the CPU: the same everywhere
labels = (inputs[:, :8].sum(dim=1) > inputs[:, 8:].sum(dim=1)).long()


def new_training():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    return net, torch.optim.AdamW(net.parameters(), lr=0.005)


# %% loop
net, optimizer = new_training()
amp_dtype = torch.float16
scaler = torch.amp.GradScaler(device.type, enabled=amp_dtype == torch.float16)

for step in range(60):
    rows = torch.randint(512, (64,)).to(device)
    with torch.autocast(device.type, dtype=amp_dtype):
        logits = net(inputs[rows])
        loss = nn.functional.cross_entropy(logits, labels[rows])
    optimizer.zero_grad()
    scaler.scale(loss).backward()  # (1)!
    scaler.unscale_(optimizer)  # (2)!
    nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
    scaler.step(optimizer)  # (3)!
    scaler.update()
    if step % 20 == 0:
        print(f"step {step:2}  loss {loss.item():.1f}")
net.eval()
with torch.no_grad(), torch.autocast(device.type, dtype=amp_dtype):
    right = net(inputs).argmax(dim=1) == labels
print("accuracy above 0.9:", right.float().mean().item() > 0.9)


# %% clip-scaled
def train(unscale_first):
    net, _ = new_training()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler(device.type)
    for _ in range(60):
        with torch.autocast(device.type, dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(inputs), labels)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        if unscale_first:
            scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


print(f"unscale_, clip: loss {train(True):.1f}")
print(f"clip alone:     loss {train(False):.1f}")

# %% accumulate
net, optimizer = new_training()
scaler = torch.amp.GradScaler(device.type)
for step in range(2):
    optimizer.zero_grad()
    for rows in torch.arange(512, device=device).chunk(4):
        with torch.autocast(device.type, dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(inputs[rows]), labels[rows]) / 4
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # once, when all parts are there
    nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()
print("updates:", int(optimizer.state[net[0].weight]["step"]))

# %% claims hidden=true
off = torch.amp.GradScaler("cpu", enabled=False)
assert off.scale(loss) is loss and off.get_scale() == 1.0
assert torch.amp.GradScaler("cpu").get_scale() == 65536

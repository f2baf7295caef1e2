"""A small Transformer, the whole way: trained, resumed, compiled, exported."""

# %% settings
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()
amp_dtype = torch.bfloat16  # torch.float16 on a GPU without bfloat16
steps, warmup, parts, batch_size = 150, 12, 2, 32
digits, separator, vocabulary = 6, 10, 11


# %% data
def draw_batch(samples, generator):
    numbers = torch.randint(10, (samples, digits), generator=generator)
    middle = torch.full((samples, 1), separator)
    ids = torch.cat([numbers, middle, numbers.sort(dim=1).values], dim=1)
    return ids.to(device)  # (batch, time)


print(draw_batch(1, torch.Generator().manual_seed(0))[0].tolist())


# %% model
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        wide = nn.Linear(width, 4 * width), nn.GELU()
        self.mlp = nn.Sequential(*wide, nn.Linear(4 * width, width))

    def forward(self, hidden):
        qkv = self.qkv(self.norm1(hidden)).unflatten(-1, (3, self.heads, -1))
        query, key, value = qkv.permute(2, 0, 3, 1, 4)  # (batch, head, time, …)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        hidden = hidden + self.out(mixed.transpose(1, 2).flatten(2))
        return hidden + self.mlp(self.norm2(hidden))


class SmallTransformer(nn.Module):
    def __init__(self, width=48, heads=4, depth=2, length=2 * digits):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, vocabulary))

    def forward(self, ids):
        hidden = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        return self.head(self.blocks(hidden))  # (batch, time, vocabulary)


# %% training-state
def new_training():
    torch.manual_seed(0)
    net = SmallTransformer().to(device)
    matrices = [parameter for parameter in net.parameters() if parameter.ndim >= 2]
    vectors = [parameter for parameter in net.parameters() if parameter.ndim < 2]
    decayed = {"params": matrices, "weight_decay": 0.1}
    others = {"params": vectors, "weight_decay": 0.0}
    optimizer = torch.optim.AdamW([decayed, others], lr=5e-3, betas=(0.9, 0.95))
    rise = LinearLR(optimizer, start_factor=0.1, total_iters=warmup)
    fall = CosineAnnealingLR(optimizer, T_max=steps - warmup)
    half = amp_dtype == torch.float16  # bfloat16 needs no scaling
    return SimpleNamespace(
        net=net,
        optimizer=optimizer,
        scheduler=SequentialLR(optimizer, [rise, fall], milestones=[warmup]),
        scaler=torch.amp.GradScaler(device.type, enabled=half),
        generator=torch.Generator().manual_seed(1),  # draws the batches
    )


training = new_training()
count = sum(parameter.numel() for parameter in training.net.parameters())
print(count, "parameters on", device.type)


# %% functions
def loss_of(net, ids):
    with torch.autocast(device.type, dtype=amp_dtype):
        logits = net(ids[:, :-1])[:, digits:]  # what follows the separator
        return F.cross_entropy(logits.flatten(0, 1), ids[:, digits + 1 :].flatten())


def train(training, until, history):
    net, optimizer, scaler = training.net, training.optimizer, training.scaler
    net.train()
    for step in range(training.scheduler.last_epoch, until):
        optimizer.zero_grad()
        total = torch.zeros((), device=device)
        for _ in range(parts):
            loss = loss_of(net, draw_batch(batch_size, training.generator)) / parts
            scaler.scale(loss).backward()
            total += loss.detach()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
        scaler.step(optimizer)
        scaler.update()
        history.append((total, training.scheduler.get_last_lr()[0]))
        training.scheduler.step()


@torch.no_grad()
def evaluate(net):
    net.eval()
    ids = draw_batch(256, torch.Generator().manual_seed(2))  # the same each time
    predicted = net(ids[:, :-1])[:, digits:].argmax(dim=-1)
    return (predicted == ids[:, digits + 1 :]).float().mean().item()


# %% checkpoints
def save(training, path):
    names = "net", "optimizer", "scheduler", "scaler"
    state = {name: getattr(training, name).state_dict() for name in names}
    torch.save(state | {"generator": training.generator.get_state()}, path)


def load(path):
    training, state = new_training(), torch.load(path, map_location="cpu")
    training.generator.set_state(state.pop("generator"))
    for name, part in state.items():
        getattr(training, name).load_state_dict(part)
    return training


# %% train
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "checkpoint.pt"
history = []
for until in (20, 60, steps):
    train(training, until, history)
    loss, rate = history[-1]
    right = f"digits right {evaluate(training.net):.1f}"
    print(f"step {until:3}  loss {loss.item():.1f}  lr {rate:.4f}  {right}")
    if until == 60:
        save(training, path)

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 1, figsize=(5.4, 3.6), sharex=True)
losses, rates = zip(*history)
axes[0].plot([loss.item() for loss in losses])
axes[0].set(ylabel="loss", ylim=(0, None))
axes[1].plot(rates, color="C1")
axes[1].set(ylabel="lr", xlabel="step", ylim=(0, None))
axes[1].axvline(warmup, linestyle=":", color="C2")

# %% resume
resumed = load(path)
train(resumed, steps, [])
pairs = list(zip(training.net.parameters(), resumed.net.parameters()))
difference = max((left - right).abs().max().item() for left, right in pairs)
print("largest difference from the run without a break:", difference)
assert difference == 0 or device.type != "cpu"


# %% sort
@torch.no_grad()
def write_sorted(net, numbers):
    ids = torch.tensor([[*numbers, separator]], device=device)
    for _ in range(digits):
        ids = torch.cat([ids, net(ids)[:, -1:].argmax(dim=-1)], dim=1)
    return ids[0, digits + 1 :].tolist()


net = training.net.eval()
print(write_sorted(net, [4, 1, 8, 1, 9, 0]))

# %% compile needs="compiler"
ids = draw_batch(64, torch.Generator().manual_seed(3))[:, :-1]
compiled = torch.compile(net)
with torch.no_grad():
    print("compiled:", torch.allclose(compiled(ids), net(ids), atol=1e-3))

# %% export
free = torch.export.Dim.AUTO  # batch and time may change
example = torch.zeros(2, 2 * digits, dtype=torch.long, device=device)
program = torch.export.export(net, (example,), dynamic_shapes=({0: free, 1: free},))
torch.export.save(program, path.with_suffix(".pt2"))

# The classes above are not needed.
sorter = torch.export.load(path.with_suffix(".pt2")).module()
print(write_sorted(sorter, [7, 7, 3, 2, 9, 5]))

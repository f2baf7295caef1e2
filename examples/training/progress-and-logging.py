"""A progress bar and a log in a training loop, and what printing a loss costs."""

# %% loop
import logging
import sys

import torch
from torch import nn

logging.basicConfig(
    stream=sys.stdout,
    level=logging.INFO,
    format="%(levelname)s %(message)s",
    force=True,
)
log = logging.getLogger("train")

torch.manual_seed(0)
inputs = torch.randn(256, 8)
targets = inputs.sum(dim=1, keepdim=True)
net = nn.Linear(8, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)


def train_step(batch):
    loss = nn.functional.mse_loss(net(inputs[batch]), targets[batch])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


LOG_EVERY = 20
first = last = None
running = torch.zeros(())  # on a GPU: device=device
for step in range(1, 61):
    running += train_step(torch.randint(256, (32,)))
    if step % LOG_EVERY == 0:
        mean = running.item() / LOG_EVERY  # waits for the device
        log.info("step %d/60  loss %.1e", step, mean)
        running.zero_()
        first, last = first or mean, mean

# %% learned hidden=true
assert last < first / 10

# %% counted
from torch.utils._python_dispatch import TorchDispatchMode


class Waits(TorchDispatchMode):
    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += func is torch.ops.aten._local_scalar_dense.default
        return func(*args, **(kwargs or {}))


loss = torch.tensor(0.5)
for name, use in {
    "f'{loss:.2f}'": lambda: f"{loss:.2f}",
    "loss.item()": lambda: loss.item(),
    "if loss < 1": lambda: bool(loss < 1),
    "total += loss": lambda: torch.zeros(()).add_(loss),
}.items():
    with Waits() as waits:
        use()
    print(f"{name:14} reads from the device: {waits.count > 0}")

# %% lazy
with Waits() as waits:
    log.debug("loss %.2f", loss)  # below the level: not formatted
    lazy = waits.count
    log.debug(f"loss {loss:.2f}")  # formatted, then thrown away
print("log.debug with %.2f reads:", lazy, " with an f-string:", waits.count)

# %% lazy-claims hidden=true
record = logging.LogRecord("train", logging.DEBUG, "", 0, "loss %.2f", (loss,), None)
with Waits() as waits:
    assert record.getMessage() == "loss 0.50"
assert waits.count == 1  # formatted, it would read

# %% no-level
import subprocess

code = "import logging; logging.info('step 1'); logging.warning('careful')"
process = [sys.executable, "-c", code]
print(subprocess.run(process, capture_output=True, text=True).stderr.strip())

# %% tqdm needs="tqdm" varies=true
import io

from tqdm import tqdm

screen = io.StringIO()  # leave file= out: the bar then goes to the terminal
bar = tqdm(range(200), desc="epoch 1", file=screen, ncols=80)
for step in bar:
    loss = train_step(torch.randint(256, (32,)))
    if step == 100:
        tqdm.write("halfway", file=screen)  # print() would break the bar
    if step % 50 == 49:
        bar.set_postfix(loss=f"{loss.item():.0e}", refresh=False)
for line in screen.getvalue().strip().split("\n"):
    print(line.split("\r")[-1])  # what is left of each line at the end

# %% numpy-of-a-device hidden=true
try:
    torch.ones(1, device="meta").numpy()  # any device but the CPU
except TypeError as error:
    assert "Tensor.cpu()" in str(error), error
else:
    raise AssertionError("a tensor of another device became an array")

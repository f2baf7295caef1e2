"""no_grad() is a block, set_grad_enabled(flag) is also a switch."""

# %% blocks
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)

with torch.no_grad():
    print("no_grad():              ", weight * 2)

with torch.set_grad_enabled(False):
    print("set_grad_enabled(False):", weight * 2)

# %% flag
for training in (True, False):
    with torch.set_grad_enabled(training):
        print(f"training={training}:", weight * 2)

# %% bare-no-grad
torch.no_grad()
print(weight * 2)

# %% bare-set-grad-enabled
torch.set_grad_enabled(False)
print("off:", weight * 2)

torch.set_grad_enabled(True)
print("on: ", weight * 2)


# %% decorators
@torch.no_grad()
def predict(image):
    return weight * image


@torch.set_grad_enabled(False)
def evaluate(image):
    return weight * image


image = torch.ones(2)
print("predict: ", predict(image))
print("evaluate:", evaluate(image))
print("after:   ", weight * image)

# %% nested
with torch.no_grad():
    with torch.enable_grad():
        print("inner:", weight * 2)
    print("outer:", weight * 2)

# %% threads
from threading import Thread

with torch.no_grad():
    worker = Thread(target=lambda: print("thread:", torch.is_grad_enabled()))
    worker.start()
    worker.join()
    print("here:  ", torch.is_grad_enabled())

# %% counter-cases hidden=true
weight = torch.ones(2, requires_grad=True)
for outer in (True, False):
    for inner in (True, False):
        with torch.set_grad_enabled(outer):
            with torch.set_grad_enabled(inner):
                assert (weight * 2).requires_grad == torch.is_grad_enabled() == inner
            with torch.enable_grad() if inner else torch.no_grad():
                assert (weight * 2).requires_grad == torch.is_grad_enabled() == inner
            assert torch.is_grad_enabled() == outer  # the block ends, the mode is back
try:
    with torch.set_grad_enabled(False):
        raise ValueError
except ValueError:
    assert torch.is_grad_enabled()

# %% inference-wins hidden=true
with torch.inference_mode(), torch.enable_grad():
    assert not (weight * 2).requires_grad

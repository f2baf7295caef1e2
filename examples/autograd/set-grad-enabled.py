"""no_grad() is a block, set_grad_enabled(flag) is also a switch."""

# %% blocks
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)

with torch.no_grad():
    print((weight * 2).requires_grad)

with torch.set_grad_enabled(False):
    print((weight * 2).requires_grad)

# %% flag
for training in (True, False):
    with torch.set_grad_enabled(training):
        print(training, (weight * 2).requires_grad)

# %% bare-no-grad
torch.no_grad()
print(torch.is_grad_enabled())

# %% bare-set-grad-enabled
torch.set_grad_enabled(False)
print(torch.is_grad_enabled(), (weight * 2).requires_grad)

torch.set_grad_enabled(True)
print(torch.is_grad_enabled(), (weight * 2).requires_grad)


# %% decorators
@torch.no_grad()
def predict(image):
    return weight * image


@torch.set_grad_enabled(False)
def evaluate(image):
    return weight * image


image = torch.ones(2)
print(predict(image).requires_grad, evaluate(image).requires_grad)
print(torch.is_grad_enabled())

# %% nested
with torch.no_grad():
    with torch.enable_grad():
        print(torch.is_grad_enabled(), (weight * 2).requires_grad)
    print(torch.is_grad_enabled(), (weight * 2).requires_grad)

# %% threads
from threading import Thread

with torch.no_grad():
    worker = Thread(target=lambda: print("thread:", torch.is_grad_enabled()))
    worker.start()
    worker.join()
    print("here:  ", torch.is_grad_enabled())

"""How tensors are printed."""

# %% wide
import torch

torch.set_printoptions(linewidth=400)
print(torch.arange(120.0).reshape(2, 60))  # (2, 60)

# %% markup asks=true
print("<script>document.title = 'owned'</script><b>&amp;</b>")

# %% address varies=true
import os

print(os.getpid())

# %% drawn fold=true
import matplotlib.pyplot as plt

x = torch.linspace(-3, 3, 61)
fig, ax = plt.subplots()
ax.plot(x, x.sigmoid(), label="sigmoid")
ax.legend()

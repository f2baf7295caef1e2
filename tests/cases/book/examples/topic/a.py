"""What pages of cases show."""

# %% setup
import torch

# %% shares
print(torch.ones(1))  # (1)!

# %% plain
print(1)

# %% fence
text = """
```
"""
print(text)

# %% fails raises="ValueError" varies=true
raise ValueError("no")

# %% fails-at-length raises="ValueError"
raise ValueError("\n".join("abcdef"))

# %% folded fold=true
print(2)  # (1)!

# %% draws fold=true
import matplotlib.pyplot as plt

_ = plt.plot([1])

# %% on-gpu needs="cuda:99"
print(3)

# %% known needs="cuda:99" raises="RuntimeError" says="device-side assert triggered" origin="c10/cuda/x.cpp"
print(4)

# %% quiet
x = 1

# %% proof hidden=true
assert x == 1

# %% asked asks=true
print(5)

# %% asked-fails raises="ValueError" asks=true
raise ValueError("is it six?")

# %% asked-on-gpu needs="cuda:99" asks=true
print(7)

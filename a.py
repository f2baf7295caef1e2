"""Try."""

# %% one
import time
import torch

def f(x):
    return torch.relu(x * 2 + 1).sum(dim=1)

x = torch.randn(64, 64)
t=time.time()
c = torch.compile(f)
print(c(x).allclose(f(x)))
print(time.time()-t)
t=time.time()
c(x)
print(time.time()-t)

# %% two
t=time.time()
m = torch.nn.Sequential(torch.nn.Linear(8,8),torch.nn.GELU(),torch.nn.Linear(8,8))
c = torch.compile(m)
c(x[:,:8]).sum().backward()
print(time.time()-t)

"""fused=True and a checkpoint from a run without it."""

# %% resumed
import torch
from torch import nn

weight = nn.Parameter(torch.ones(2))
saved = torch.optim.AdamW([weight]).state_dict()
optimizer = torch.optim.AdamW([weight], fused=True)
print("before:", optimizer.param_groups[0]["fused"])
optimizer.load_state_dict(saved)
print("after: ", optimizer.param_groups[0]["fused"])

# %% set-before
weight.grad = torch.ones(2)
optimizer.step()
saved = optimizer.state_dict()  # one step, without fused

for group in saved["param_groups"]:
    group["fused"] = True
optimizer = torch.optim.AdamW([weight], fused=True)
optimizer.load_state_dict(saved)
print("fused:", optimizer.param_groups[0]["fused"])
optimizer.step()
print("steps:", int(optimizer.state[weight]["step"]))

# %% where-step-lands
weight = nn.Parameter(torch.ones(2, device="meta"))  # in place of a GPU
for fused in (None, True):
    for group in saved["param_groups"]:
        group["fused"] = fused
    optimizer = torch.optim.AdamW([weight])
    optimizer.load_state_dict(saved)
    state = optimizer.state[weight]
    devices = {name: state[name].device.type for name in ("step", "exp_avg")}
    print(f"saved with fused={fused!s:5} {devices}")

# %% step-on-cpu needs="cuda" raises="RuntimeError" says="Expected all tensors to be on the same device, but got state_steps is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA___fused_adamw_)" origin="aten/src/ATen/core/adaption.cpp"
weight = nn.Parameter(torch.ones(2, device="cuda"))
for group in saved["param_groups"]:
    group["fused"] = None
optimizer = torch.optim.AdamW([weight], fused=True)
optimizer.load_state_dict(saved)
for group in optimizer.param_groups:
    group["fused"] = True  # too late: step is on the CPU
weight.grad = torch.ones(2, device="cuda")
optimizer.step()

# %% scaler-after-load hidden=true
for change_first in (False, True):
    weight = nn.Parameter(torch.ones(2))
    saved = torch.optim.AdamW([weight]).state_dict()
    if change_first:
        for group in saved["param_groups"]:
            group["fused"] = True
    optimizer = torch.optim.AdamW([weight], fused=True)
    optimizer.load_state_dict(saved)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    scaler.scale(weight.sum()).backward()
    try:
        scaler.step(optimizer)
    except AssertionError as error:
        assert not change_first and "Expected grad_scale and found_inf to be None" in str(error)
    else:
        assert change_first and (weight < 1).all()

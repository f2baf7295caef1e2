"""checkpoint_wrapper: activation checkpointing for every block of a class."""

# %% model
import copy

import torch
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    apply_activation_checkpointing,
    checkpoint_wrapper,
)


class Block(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)
        self.calls = 0

    def forward(self, hidden):
        self.calls += 1
        return hidden + self.dropout(self.linear(hidden).relu())


torch.manual_seed(0)
plain = nn.Sequential(nn.Linear(4, 8), Block(), Block(), Block())


# %% apply
def is_block(part):
    return isinstance(part, Block)


wrapped = copy.deepcopy(plain)
apply_activation_checkpointing(wrapped, check_fn=is_block)
print(wrapped[:2])


# %% compare
def train(model):
    blocks = list(filter(is_block, model.modules()))
    for block in blocks:
        block.calls = 0
    torch.manual_seed(1)  # the same dropout
    out = model(torch.ones(16, 4))
    out.square().mean().backward()
    print("each block ran:", [block.calls for block in blocks])
    return out, *[parameter.grad for parameter in model.parameters()]


pairs = list(zip(train(plain), train(wrapped), strict=True))
print("same output and gradients:", all(torch.allclose(*pair) for pair in pairs))

# %% names
print("state_dict:      ", list(wrapped.state_dict())[2])
print("named_parameters:", [name for name, _ in wrapped.named_parameters()][2])
print("a Block:", isinstance(wrapped[1], Block))

# %% load
print(plain.load_state_dict(wrapped.state_dict()))
print(wrapped.load_state_dict(plain.state_dict()))

# %% decay
names = [name for name, _ in wrapped.named_parameters()]
cleaned = [name.replace("_checkpoint_wrapped_module.", "") for name in names]
print("as before:", cleaned == [name for name, _ in plain.named_parameters()])

# %% some
half = copy.deepcopy(plain)
for index in (1, 3):
    half[index] = checkpoint_wrapper(half[index])
_ = train(half)

# %% checks hidden=true
import contextlib
import io

plain.zero_grad(), half.zero_grad()
with contextlib.redirect_stdout(io.StringIO()):
    pairs = list(zip(train(plain), train(half), strict=True))
assert all(torch.allclose(*pair) for pair in pairs)
assert "1._checkpoint_wrapped_module" in dict(wrapped.named_modules())
assert list(wrapped.state_dict()) == list(plain.state_dict())
assert wrapped[1].linear is wrapped[1]._checkpoint_wrapped_module.linear
before = [part.calls for part in wrapped.modules() if isinstance(part, Block)]
with torch.no_grad():
    wrapped(torch.ones(16, 4))
after = [part.calls for part in wrapped.modules() if isinstance(part, Block)]
assert [late - early for early, late in zip(before, after)] == [1, 1, 1]
wrapped[1].calls = 99  # lands on the wrapper
assert wrapped[1]._checkpoint_wrapped_module.calls != 99
twice = copy.deepcopy(wrapped)
apply_activation_checkpointing(twice, check_fn=is_block)
inner = twice[1]._checkpoint_wrapped_module
assert type(inner) is type(twice[1]) and list(twice.state_dict()) == list(plain.state_dict())
shared = Block()
twins = nn.Sequential(shared, shared)
assert apply_activation_checkpointing(twins, check_fn=is_block) is None
assert type(twins[0]) is type(wrapped[1]) and twins[1] is shared  # one place of two
whole = Block()
apply_activation_checkpointing(whole, check_fn=lambda part: True)
assert type(whole) is Block and type(whole.linear) is type(wrapped[1])


# %% batch-norm-counts-twice hidden=true
class Normalized(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.norm = nn.BatchNorm1d(8)

    def forward(self, hidden):
        return self.norm(self.linear(hidden))


once = nn.Sequential(Normalized())
counted = copy.deepcopy(once)
apply_activation_checkpointing(counted, check_fn=lambda part: isinstance(part, Normalized))
batch = torch.randn(16, 8)
for model in (once, counted):
    model(batch).square().mean().backward()
assert [once[0].norm.num_batches_tracked.item(), counted[0].norm.num_batches_tracked.item()] == [1, 2]
assert not torch.allclose(once[0].norm.running_var, counted[0].norm.running_var)

# %% two-parents hidden=true
shared = Block()
both = nn.ModuleDict({"one": shared, "two": nn.Sequential(shared)})
apply_activation_checkpointing(both, check_fn=is_block)
assert type(both["one"]) is type(both["two"][0]) is type(wrapped[1])

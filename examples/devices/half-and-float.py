"""Half here, Float there: which call says what, and one dtype for all."""

# %% bmm raises="RuntimeError"
import torch
from torch import nn

scores = torch.rand(1, 2, 3).half()  # (batch, query, key)
values = torch.rand(1, 3, 4)  # (batch, key, features), float32
torch.bmm(scores, values)

# %% one-dtype
print(torch.bmm(scores.float(), values).dtype)
print(torch.bmm(scores, values.half()).dtype)

# %% double raises="RuntimeError"
torch.bmm(torch.rand(1, 2, 3, dtype=torch.float64), values)

# %% promoted
print("a sum is promoted:", (scores.new_ones(2) + torch.ones(2)).dtype)

# %% attention raises="RuntimeError"
query = values[:, None]  # (batch, heads, time, features)
nn.functional.scaled_dot_product_attention(query.half(), query, query)

# %% attention-cure
parts = [part.to(query.dtype) for part in (query.half(), query, query)]
print(nn.functional.scaled_dot_product_attention(*parts).dtype)

# %% layer-norm raises="RuntimeError"
norm = nn.LayerNorm(4).half()  # as in model.half()
norm(values)


# %% convert-input
def dtype_of(model):
    return next(model.parameters()).dtype


print(norm(values.to(dtype_of(norm))).dtype)

# %% who-says-what
image, tokens = torch.rand(1, 3, 8, 8), torch.rand(1, 2, 3)
calls = {
    "Linear": (nn.Linear(3, 2), tokens),
    "Conv2d": (nn.Conv2d(3, 2, 3), image),
    "BatchNorm2d": (nn.BatchNorm2d(3), image),
    "GroupNorm": (nn.GroupNorm(1, 3), image),
    "LSTM": (nn.LSTM(3, 2), tokens),
}
for name, (layer, x) in calls.items():
    try:
        layer.half()(x)
    except (RuntimeError, ValueError) as error:
        print(f"{name}: {error}")

# %% where-from
model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 2)).half()
model[2].float()  # a new head, made after model.half()
for name, parameter in model.named_parameters():
    print(name, parameter.dtype)

# %% first-module
seen = []


def note(module, inputs, output):
    seen.append(f"{type(module).__name__} {inputs[0].dtype} -> {output.dtype}")


handles = [layer.register_forward_hook(note) for layer in model]
try:
    model(tokens.half())
except RuntimeError as error:
    print(*seen, error, sep="\n")
for handle in handles:
    handle.remove()

# %% autocast
model.float()
with torch.autocast("cpu", dtype=torch.bfloat16):
    print(torch.bmm(scores, values).dtype, model(tokens).dtype)

# %% remedies hidden=true
model.half()
assert model(tokens.half()).dtype == torch.float16

# %% either-order hidden=true
names = {torch.float16: "Half", torch.float32: "Float", torch.float64: "Double"}
for one in names:
    for other in names:
        if one == other:
            continue
        try:
            torch.bmm(scores.to(one), values.to(other))
        except RuntimeError as error:
            assert f"type {names[one]} but found {names[other]}" in str(error), error
        else:
            raise AssertionError(f"bmm of {one} and {other}")

# %% elementwise hidden=true
half, single = torch.ones(2).half(), torch.ones(2)
for operation in (torch.add, torch.mul, torch.maximum, torch.gt, torch.pow, torch.atan2):
    operation(half, single)
assert (half * half.bfloat16()).dtype == torch.float32
assert (half * torch.tensor(2.0, dtype=torch.float64)).dtype == torch.float16  # a 0-d tensor
assert half.clone().add_(single).dtype == torch.float16  # in place
try:
    torch.lerp(half, single, 0.5)
except RuntimeError:
    pass
else:
    raise AssertionError("lerp takes two dtypes")
try:
    torch.isclose(half, single)
except RuntimeError as error:
    assert "did not match" in str(error), error
else:
    raise AssertionError("isclose takes two dtypes")

# %% at-the-source hidden=true
array = torch.rand(1, 2, 3, dtype=torch.float64).numpy()
assert torch.bmm(torch.from_numpy(array).float(), values).dtype == torch.float32

# %% not-converted hidden=true
for call in (
    lambda: torch.bmm(torch.rand(1, 2, 3, dtype=torch.float64), values),
    lambda: nn.LayerNorm(4).half()(values),
    lambda: torch.zeros(3).index_put_((torch.tensor([0]),), torch.ones(1).half()),
    lambda: torch.zeros(3).index_add(0, torch.tensor([0]), torch.ones(1).half()),
):
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            call()
    except RuntimeError:
        continue
    raise AssertionError("autocast converts it")

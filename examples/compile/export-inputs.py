"""torch.export with several inputs: which sizes vary, keyword arguments, dicts."""

# %% auto
import torch
from torch import nn
from torch.export import Dim, export


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(100, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, tokens, mask):
        return self.head(self.words(tokens) * mask[..., None])


torch.manual_seed(0)
net = Tagger().eval()
tokens = torch.randint(100, (2, 5))  # (batch, words)
mask = torch.ones(2, 5)

varies = {0: Dim.AUTO, 1: Dim.AUTO}
shapes = {"tokens": varies, "mask": varies}
program = export(net, (tokens, mask), dynamic_shapes=shapes)
for size in ((3, 7), (1, 2)):
    out = program.module()(torch.zeros(size, dtype=torch.long), torch.ones(size))
    print(size, "->", tuple(out.shape))

# %% related raises="AssertionError"
program.module()(torch.zeros(3, 7, dtype=torch.long), torch.ones(3, 6))


# %% fixed-by-code
class Grid(nn.Module):
    def forward(self, x):
        return x.reshape(4, 3) * 2  # works for 12 numbers only


twelve = torch.ones(4, 3)
automatic = export(Grid(), (twelve,), dynamic_shapes={"x": {0: Dim.AUTO}})
print("may vary:", dict(automatic.range_constraints))

# %% dynamic raises="torch._dynamo.exc.UserError"
export(Grid(), (twelve,), dynamic_shapes={"x": {0: Dim.DYNAMIC}})


# %% free
class Free(nn.Module):
    def forward(self, x):
        return x.reshape(-1, 3) * 2


program = export(Free(), (twelve,), dynamic_shapes={"x": {0: Dim.DYNAMIC}})
print(tuple(program.module()(torch.ones(7, 3)).shape))

# %% one raises="ValueError"
export(Free(), (torch.ones(1, 3),), dynamic_shapes={"x": {0: Dim.DYNAMIC}})


# %% same-tensor
class Sum(nn.Module):
    def forward(self, x, y):
        return x + 10 * y


ones = torch.ones(2)
merged = export(Sum(), (ones, ones)).module()
apart = export(Sum(), (ones, ones.clone())).module()
print("eager: ", Sum()(ones, 3 * ones).tolist())
print("merged:", merged(ones, 3 * ones).tolist())
print("apart: ", apart(ones, 3 * ones).tolist())


# %% dict
class Scores(nn.Module):
    def forward(self, batch, *, scale):
        return batch["values"] * batch["weights"] * scale


batch = {"values": torch.ones(4, 3), "weights": torch.ones(4, 1)}
shapes = {
    "batch": {"values": {0: Dim.AUTO}, "weights": {0: Dim.AUTO}},
    "scale": None,  # nothing varies
}
inputs = (batch,), {"scale": torch.tensor(2.0)}
scores = export(Scores(), *inputs, dynamic_shapes=shapes).module()
larger = {"values": torch.ones(9, 3), "weights": torch.ones(9, 1)}
print(tuple(scores(larger, scale=torch.tensor(5.0)).shape))

# %% missing raises="ValueError"
scores(larger)

# %% incomplete raises="torch._dynamo.exc.UserError"
export(net, (tokens, mask), dynamic_shapes={"tokens": varies})

# %% against-the-model hidden=true
tagger = export(net, (tokens, mask), dynamic_shapes={"tokens": varies, "mask": varies}).module()
for size in ((1, 1), (1, 9), (3, 1), (64, 33), (2, 5)):
    tokens, mask = torch.randint(100, size), torch.rand(size)
    assert torch.allclose(tagger(tokens, mask), net(tokens, mask), atol=1e-6), size
two = export(Free(), (torch.ones(2, 3),), dynamic_shapes={"x": {0: Dim.DYNAMIC}}).module()
assert two(torch.ones(1, 3)).shape == (1, 3)

# %% every-key hidden=true
tokens, mask = torch.randint(100, (2, 5)), torch.ones(2, 5)
one_fixed = export(net, (tokens, mask), dynamic_shapes={"tokens": varies, "mask": None}).module()
assert one_fixed(tokens, mask).shape == (2, 5, 3)


# %% ignored hidden=true
class Shift(nn.Module):
    def forward(self, x, n):
        return x if n is None else x + n


for strict in (False, True):
    merged = export(Sum(), (ones, ones), strict=strict).module()
    assert merged(ones, 3 * ones).tolist() == [33, 33]
    shift = export(Shift(), (ones, None), strict=strict).module()
    assert torch.equal(shift(ones, 10 * ones), ones)  # 10 is ignored
attention = nn.MultiheadAttention(4, 2, batch_first=True).eval()
query, memory = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
for example, right in (((query,) * 3, False), (tuple(query.clone() for _ in range(3)), True)):
    exported = export(attention, example).module()
    expected = attention(query, memory, memory)[0]
    assert torch.allclose(exported(query, memory, memory)[0], expected, atol=1e-5) is right


# %% numbers hidden=true
class Times(nn.Module):
    def forward(self, x, n):
        return x * n


try:
    export(Times(), (ones, 3)).module()(ones, 4)
except AssertionError as error:
    assert "Guard failed: n == 3" in str(error), error
else:
    raise AssertionError
times = export(Times(), (ones, 3), dynamic_shapes={"x": None, "n": Dim.AUTO}).module()
assert [times(ones, n)[0].item() for n in (0, 1, 3, 7)] == [0, 1, 3, 7]

# %% empty hidden=true
tagged = export(net, (tokens, mask), dynamic_shapes={"tokens": varies, "mask": varies}).module()
for size in ((0, 5), (3, 0), (1, 1)):
    assert tagged(torch.zeros(size, dtype=torch.long), torch.ones(size)).shape == (*size, 3)


# %% decided-for-several hidden=true
class Alone(nn.Module):
    def forward(self, x):
        return x if x.shape[0] == 1 else 2 * x


for size in (2, 4):
    example = torch.ones(size, 3)
    decided = export(Alone(), (example,), dynamic_shapes={"x": {0: Dim.DYNAMIC}}).module()
    assert torch.equal(decided(torch.ones(1, 3)), torch.full((1, 3), 2.0))  # no error, and not 1


# %% one-on-the-way hidden=true
class Half(nn.Module):
    def forward(self, x):
        return x[: x.shape[0] // 2]


for size, fits in ((2, False), (4, True)):
    half = export(Half(), (torch.ones(size, 3),), dynamic_shapes={"x": {0: Dim.DYNAMIC}}).module()
    try:
        assert half(torch.ones(6, 3)).shape == (3, 3) and fits
    except AssertionError as error:
        assert not fits and "Guard failed" in str(error), error

# %% named-with-one-sample hidden=true
from torch._dynamo.exc import UserError

named = {"x": {0: Dim("batch")}}
try:
    export(Free(), (torch.ones(1, 3),), dynamic_shapes=named)
except UserError as error:
    assert "specialized it to be a constant (1)" in str(error)
else:
    raise AssertionError("a named Dim takes an example of one sample")
assert export(Free(), (torch.ones(2, 3),), dynamic_shapes=named).module()(torch.ones(1, 3)).shape == (1, 3)

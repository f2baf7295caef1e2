"""Sampling fails on negative numbers, inf and NaN."""

# %% scores raises="RuntimeError"
import torch

torch.manual_seed(0)
logits = torch.tensor([2.0, 1.0, -1.0])  # scores of three tokens
torch.multinomial(logits, num_samples=1)

# %% softmax
probabilities = logits.softmax(dim=-1)
print(probabilities)
print(torch.multinomial(probabilities, num_samples=1).shape)

# %% nan raises="RuntimeError"
temperature = 0.0
scaled = logits / temperature
print("scores:       ", scaled)
print("probabilities:", scaled.softmax(dim=-1))
torch.multinomial(scaled.softmax(dim=-1), num_samples=1)


# %% sample
def sample(logits, temperature=1.0):
    if temperature == 0:
        return logits.argmax(dim=-1, keepdim=True)
    return torch.multinomial((logits / temperature).softmax(dim=-1), num_samples=1)


print("temperature 0:", sample(logits, temperature=0))

# %% half
large = torch.tensor([60000.0, 1.0], dtype=torch.float16)
print("float16:", (large / 0.7).softmax(dim=-1))
print("float32:", (large.float() / 0.7).softmax(dim=-1))

# %% masked
nothing_allowed = torch.full((3,), -torch.inf)
print("all tokens masked:", nothing_allowed.softmax(dim=-1))

# %% which
batch = torch.stack([logits, scaled, nothing_allowed])  # (batch, tokens)
bad = batch.softmax(dim=-1).isnan().any(dim=-1)
print("rows with NaN:", bad.nonzero().flatten().tolist())

# %% zeros raises="RuntimeError"
torch.multinomial(torch.zeros(3), num_samples=1)

# %% categorical raises="ValueError"
from torch.distributions import Categorical

Categorical(logits)  # the first parameter is probs

# %% categorical-logits
print(Categorical(logits=logits).probs)

# %% categorical-silent
positive = logits.abs()
print("as probabilities:", Categorical(positive).probs)
print("as logits:       ", Categorical(logits=positive).probs)

# %% categorical-nan raises="ValueError"
Categorical(logits=scaled.softmax(dim=-1))

# %% one-left hidden=true
assert torch.multinomial(torch.tensor([0.0, 1.0, 0.0]), num_samples=1) == 1

# %% checks hidden=true
for wrong in (torch.tensor([1.0, torch.inf]), torch.tensor([1.0, torch.nan]), torch.tensor([1.0, -0.1])):
    try:
        torch.multinomial(wrong, 1)
    except RuntimeError as error:
        assert "inf" in str(error)
    else:
        raise AssertionError(wrong)
draws = torch.multinomial(probabilities, 1000, replacement=True)
assert draws.min() >= 0 and draws.max() <= 2

# %% near-zero hidden=true
high = torch.tensor([100.0, 1.0, -torch.inf])
for dtype, small in ((torch.float32, 1e-40), (torch.float16, 1e-3)):
    given = high.to(dtype)
    assert (given / small).softmax(dim=-1).isnan().any()
    shifted = given - given.amax(dim=-1, keepdim=True)
    assert sample(shifted, small).item() == 0
assert torch.allclose((logits - logits.amax()).softmax(dim=-1), logits.softmax(dim=-1))
for wrong in (torch.tensor([1.0, torch.nan]), torch.tensor([1.0, -1.0])):
    try:
        torch.multinomial(wrong, 3, replacement=True)
    except RuntimeError as error:
        assert "encountering probability entry < 0" in str(error)
    else:
        raise AssertionError

# %% too-few-left hidden=true
one = torch.tensor([0.0, 1.0, 0.0])
try:
    drawn = torch.multinomial(one, 2)  # without replacement
except RuntimeError:
    pass  # some releases refuse
else:
    assert one[drawn].min() == 0  # one of probability 0 was drawn
assert torch.multinomial(one, 2, replacement=True).tolist() == [1, 1]

# %% masked-in-part hidden=true
top_two = logits.masked_fill(logits < logits.topk(2).values.min(), -torch.inf)
assert top_two.softmax(dim=-1).isfinite().all() and not top_two.isfinite().all()

# %% half-precision-simplex hidden=true
refused = []
for right in torch.rand(200, 3):
    for dtype in (torch.float16, torch.bfloat16):
        Categorical(right.to(dtype).float())
        try:
            Categorical(right.to(dtype))
        except ValueError as error:
            assert "Simplex()" in str(error)
            refused.append(dtype)
assert set(refused) == {torch.float16, torch.bfloat16}

# %% all-negative hidden=true
log_probabilities = logits.log_softmax(dim=-1)
upside_down = Categorical(log_probabilities).probs  # divided by their sum: positive
assert upside_down.argmin() == log_probabilities.argmax()
assert (large / 0.7).float().softmax(dim=-1).isnan().any()  # float() comes too late

# %% below-zero hidden=true
almost = torch.tensor([0.9, 0.1, -1e-9])
try:
    torch.multinomial(almost, 1)
except RuntimeError as error:
    assert "element < 0" in str(error), error
else:
    raise AssertionError
assert almost.softmax(dim=-1)[2] > 0.2 and (torch.multinomial(almost.clamp(min=0), 100, replacement=True) != 2).all()
try:
    Categorical(almost)
except ValueError:
    pass
else:
    raise AssertionError
assert Categorical(logits=almost).probs[2] > 0.2 and Categorical(almost.clamp(min=0)).probs[2] == 0

# %% masked-probabilities hidden=true
masked = torch.tensor([0.7, 0.3, -torch.inf])
assert Categorical(logits=masked).probs[0] < 0.65  # no error
torch.testing.assert_close(Categorical(masked.clamp(min=0)).probs, torch.tensor([0.7, 0.3, 0.0]))
logits = torch.tensor([2.0, 1.0, -torch.inf])
assert not torch.allclose(Categorical(logits.clamp(min=0)).probs, logits.softmax(dim=-1))  # no error

# %% nan-made-inside hidden=true
inside = [dict(probs=torch.tensor(row)) for row in ([0.0, 0.0], [1.0, torch.inf])]
inside += [dict(logits=torch.tensor(row)) for row in ([-torch.inf, -torch.inf], [1.0, torch.inf])]
for given in inside:
    try:
        Categorical(**given)
    except ValueError as error:
        assert ("Simplex()" if "probs" in given else "Real()") in str(error) and "nan" in str(error), error
    else:
        raise AssertionError(given)

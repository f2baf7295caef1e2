"""weight_norm and spectral_norm as parametrizations."""

# %% weight-norm
import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize

torch.manual_seed(0)
layer = parametrizations.weight_norm(nn.Linear(3, 2))
print(list(layer.state_dict()))

# %% length-and-direction
length = layer.parametrizations.weight.original0  # (2, 1)
direction = layer.parametrizations.weight.original1  # (2, 3)
norm = torch.linalg.vector_norm(direction, dim=1, keepdim=True)
by_hand = length * direction / norm
print("as by hand:", torch.allclose(layer.weight, by_hand))
print("a parameter:", isinstance(layer.weight, nn.Parameter))

# %% spectral-norm
before = nn.Linear(20, 20)
nn.init.normal_(before.weight)
largest = torch.linalg.matrix_norm(before.weight, ord=2)
print(f"largest singular value {largest:.1f}")

bounded = parametrizations.spectral_norm(before)
for _ in range(200):
    bounded(torch.zeros(1, 20))  # in training mode, each call improves the estimate
largest = torch.linalg.matrix_norm(bounded.weight, ord=2)
print(f"largest singular value {largest:.1f}")
print(list(bounded.state_dict()))

# %% remove
parametrize.remove_parametrizations(layer, "weight")
parametrized = parametrize.is_parametrized(layer)
print(list(layer.state_dict()), " parametrized:", parametrized)

# %% old warns="FutureWarning"
old = nn.utils.weight_norm(nn.Linear(3, 2))
print(list(old.state_dict()))

# %% load-old
new = parametrizations.weight_norm(nn.Linear(3, 2))
print(new.load_state_dict(old.state_dict()))
print("same weight:", torch.allclose(new.weight, old.weight))

# %% load-plain raises="RuntimeError"
new.load_state_dict(nn.Linear(3, 2).state_dict())


# %% own
class Symmetric(nn.Module):
    def forward(self, raw):
        return raw.triu() + raw.triu(1).mT


square = nn.Linear(3, 3)
parametrize.register_parametrization(square, "weight", Symmetric())
torch.optim.SGD(square.parameters(), lr=0.1).step()
print("symmetric:", torch.equal(square.weight, square.weight.mT))

# %% cached
with parametrize.cached():  # computed once inside, however often it is used
    print("inside, same tensor: ", square.weight is square.weight)
print("outside, same tensor:", square.weight is square.weight)

# %% same-parameter hidden=true
for add, kept in ((parametrizations.weight_norm, False), (parametrizations.spectral_norm, True)):
    norm = nn.Linear(3, 3)
    weight = norm.weight
    add(norm)
    assert any(parameter is weight for parameter in norm.parameters()) is kept
    before = list(norm.parameters())
    parametrize.remove_parametrizations(norm, "weight")
    assert any(norm.weight is parameter for parameter in before) is kept

# %% remedies hidden=true
plain = nn.Linear(3, 2)
fresh = nn.Linear(3, 2)
fresh.load_state_dict(plain.state_dict())
fresh = parametrizations.weight_norm(fresh)  # afterwards
assert torch.allclose(fresh.weight, plain.weight)
parametrize.remove_parametrizations(fresh, "weight")
nn.Linear(3, 2).load_state_dict(fresh.state_dict())
try:  # a file without the parametrization does not load after it was removed from the model that was saved, either
    parametrizations.weight_norm(nn.Linear(3, 2)).load_state_dict(fresh.state_dict())
except RuntimeError as error:
    assert 'Unexpected key(s) in state_dict: "weight"' in str(error)
else:
    raise AssertionError
for add in (parametrizations.weight_norm, parametrizations.spectral_norm, parametrizations.orthogonal):
    saved, fresh = (add(nn.Linear(3, 2)).eval() for copy in range(2))
    try:
        nn.Linear(3, 2).load_state_dict(saved.state_dict())
    except RuntimeError as error:
        assert 'Unexpected key(s) in state_dict: "parametrizations' in str(error)
    else:
        raise AssertionError(add)
    fresh.load_state_dict(saved.state_dict())
    torch.testing.assert_close(fresh.weight, saved.weight)

# %% zeros hidden=true
blank = nn.Linear(3, 2)
nn.init.zeros_(blank.weight)
assert parametrizations.weight_norm(blank).weight.isnan().all()

# %% old-spectral-norm hidden=true
old = nn.utils.spectral_norm(nn.Linear(3, 3))
state = old.state_dict()
for before, after in (("weight_orig", "original"), ("weight_u", "0._u"), ("weight_v", "0._v")):
    state[f"parametrizations.weight.{after}"] = state.pop(before)
new = parametrizations.spectral_norm(nn.Linear(3, 3))
new.load_state_dict(state)
rows = torch.ones(1, 3)
torch.testing.assert_close(new.eval()(rows), old.eval()(rows))

# %% initialized-afterwards hidden=true
for add in (parametrizations.weight_norm, parametrizations.spectral_norm, parametrizations.orthogonal):
    late = add(nn.Linear(3, 3)).eval()
    before = late.weight.detach().clone()
    nn.init.normal_(late.weight)
    late.weight.data.fill_(1.0)
    assert torch.equal(late.weight, before)
    late.weight = torch.eye(3)
    assert not torch.equal(late.weight, before)

# %% removed-from-frozen hidden=true
for add, kept in ((parametrizations.weight_norm, False), (parametrizations.spectral_norm, True)):
    frozen, without = add(nn.Linear(3, 2)).requires_grad_(False), add(nn.Linear(3, 2))
    parametrize.remove_parametrizations(frozen, "weight")
    with torch.no_grad():
        parametrize.remove_parametrizations(without, "weight")
    for norm in (frozen, without):
        assert isinstance(norm.weight, nn.Parameter) is kept and "weight" in norm.state_dict()
        assert ("weight" in dict(norm.named_buffers())) is not kept

# %% removed-while-training hidden=true
norm = parametrizations.weight_norm(nn.Linear(3, 2))
optimizer = torch.optim.SGD(norm.parameters(), lr=0.1)
parametrize.remove_parametrizations(norm, "weight")
before = norm.weight.detach().clone()
norm(torch.ones(1, 3)).sum().backward()
optimizer.step()
assert torch.equal(norm.weight, before)

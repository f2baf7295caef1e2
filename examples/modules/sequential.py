"""nn.Sequential, ModuleDict, and the names that they give to layers."""

# %% positions
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
print(net[0])
print(net[-1])
print(net[:2])
print(list(net.state_dict()))

# %% names
from collections import OrderedDict

named = nn.Sequential(
    OrderedDict(
        encode=nn.Linear(4, 8),
        act=nn.ReLU(),
        head=nn.Linear(8, 2),
    )
)
print(named.head)
print("named[2] is named.head:", named[2] is named.head)
print(list(named.state_dict()))

# %% edit
net[1] = nn.GELU()
net.append(nn.Softmax(dim=-1))
net.insert(0, nn.Flatten())
print([type(layer).__name__ for layer in net])
print(list(net.state_dict()))

# %% walk
model = nn.ModuleDict({"body": named, "heads": nn.ModuleList([nn.Linear(2, 1)])})
print("children:", [name for name, _ in model.named_children()])
print("modules: ", [name for name, _ in model.named_modules()])

# %% by-name
print(model.get_submodule("body.head"))
modules = model.named_modules()
linears = [name for name, module in modules if isinstance(module, nn.Linear)]
print(linears)

# %% replace-by-name
for name in linears:
    parent, _, child = name.rpartition(".")
    old = model.get_submodule(name)
    new = nn.Linear(old.in_features, old.out_features, bias=False)
    setattr(model.get_submodule(parent), child, new)
print(list(model.state_dict()))

# %% module-dict
activations = nn.ModuleDict({"relu": nn.ReLU(), "gelu": nn.GELU()})
print(activations["relu"](torch.tensor([-1.0, 2.0])))
print("names:", list(activations.keys()))

# %% dot raises="KeyError"
nn.ModuleDict({"layer.1": nn.ReLU()})

# %% two-inputs raises="TypeError"
net(torch.ones(1, 4), torch.ones(1, 4))

# %% shared asks=true
relu = nn.ReLU()
twice = nn.Sequential(nn.Linear(2, 2), relu, nn.Linear(2, 2), relu)
print(len(twice), "layers, listed:", [name for name, _ in twice.named_children()])


# %% children
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(4, 2)

    def features(self, image):
        return self.pool(self.conv(image).relu()).flatten(1)

    def forward(self, image):
        return self.head(self.features(image))


torch.manual_seed(0)
classifier = Classifier().eval()
image = torch.randn(2, 3, 8, 8)

# %% children-error raises="RuntimeError"
nn.Sequential(*classifier.children())(image)

# %% children-silent
cut = nn.Sequential(*list(classifier.children())[:-1])
right = classifier.features(image)
print("as in the model:", torch.allclose(cut(image).flatten(1), right))
repaired = nn.Sequential(classifier.conv, nn.ReLU(), classifier.pool, nn.Flatten())
print("as in the model:", torch.allclose(repaired(image), right))

# %% children-list raises="NotImplementedError"
model = nn.ModuleDict({"blocks": nn.ModuleList([nn.Linear(2, 2)])})
nn.Sequential(*model.children())(torch.ones(1, 2))

# %% three-cuts
import copy

headless = copy.deepcopy(classifier)
headless.head = nn.Identity()

seen = []
head = classifier.head
hook = head.register_forward_pre_hook(lambda module, args: seen.append(args[0]))
classifier(image)
hook.remove()

for features in (headless(image), seen[0], classifier.features(image)):
    print(tuple(features.shape), torch.equal(features, right))

# %% taken-name hidden=true raises="KeyError"
nn.ModuleDict({"keys": nn.ReLU()})

# %% shared-name hidden=true
one = nn.Linear(2, 2)
both = nn.Sequential(one, one)
assert [name for name, _ in both.named_modules()] == ["", "0"]
assert [name for name, _ in both.named_modules(remove_duplicate=False)] == ["", "0", "1"]

# %% remedies hidden=true
layers = nn.ModuleDict({"layer_1": nn.Linear(2, 2)})
layers["group"] = nn.ModuleDict({"1": nn.Linear(2, 2)})
assert len(list(layers.parameters())) == 4


class Masked(nn.Module):
    def forward(self, image, mask):
        return image * mask


assert Masked()(torch.ones(1, 4), torch.ones(1, 4)).shape == (1, 4)

# %% counter-cases-children hidden=true
for seed in range(5):
    torch.manual_seed(seed)
    net, photo = Classifier().eval(), torch.randn(3, 3, 5, 7)
    whole = nn.Sequential(net.conv, nn.ReLU(), net.pool, nn.Flatten(), net.head)
    torch.testing.assert_close(whole(photo), net(photo))
    assert not torch.allclose(nn.Sequential(net.conv, net.pool, nn.Flatten(), net.head)(photo), net(photo))


class Backwards(nn.Module):
    def __init__(self):
        super().__init__()
        self.last, self.first = nn.Linear(3, 2), nn.Linear(4, 3)


assert [name for name, _ in Backwards().named_children()] == ["last", "first"]


class Block(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Linear(width, width), relu, nn.Linear(width, width), relu)


block = Block(4)
try:
    block[:-1]
except TypeError:
    pass
else:
    raise AssertionError("a slice no longer calls the class")
assert len(nn.Sequential(*list(block)[:-1])) == 3 and nn.Sequential(*list(block)[:-1])[1] is relu


class ByName(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)

    def forward(self, x, weight_only=False):
        return nn.functional.linear(x, self.head.weight) if weight_only else self.head(input=x)


for options, kept in ((dict(weight_only=True), 0), ({}, 1)):
    by_name, calls = ByName(), []
    by_name.head.register_forward_pre_hook(lambda module, args, named: calls.append(named["input"]), with_kwargs=True)
    by_name(torch.ones(1, 2), **options)
    assert len(calls) == kept


# %% counter-cases-names hidden=true
def with_names():
    return nn.Sequential(OrderedDict(encode=nn.Linear(4, 8), act=nn.ReLU(), head=nn.Linear(8, 2)))


net = with_names()
try:
    net.insert(1, nn.Dropout())
except KeyError:
    pass
else:
    raise AssertionError("insert() takes names now")
net = with_names().append(nn.Dropout())
assert list(net._modules) == ["encode", "act", "head", "3"]
for remove in (lambda net: net.__delitem__(1), lambda net: net.pop(1)):
    net = with_names()
    remove(net)
    assert list(net._modules) == ["0", "1"]
net = with_names()
del net.act
net.add_module("drop", nn.Dropout())
assert list(net._modules) == ["encode", "head", "drop"]
assert len(nn.Sequential(*twice.children())) == 3 and len(twice[:-1]) == 3 and len(twice[:]) == 4
assert twice[:-1][1] is relu

# %% append-replaces hidden=true
net = with_names().append(nn.Dropout())
del net.act
net.append(nn.GELU())
assert list(net._modules) == ["encode", "head", "3"] and isinstance(net[2], nn.GELU)  # the dropout is lost
net.eval()
net[0] = nn.Dropout()
assert net[0].training and not net.eval()[0].training


# %% forward-of-its-own hidden=true
class Residual(nn.Sequential):
    def forward(self, x):
        return x + super().forward(x)


residual, x = Residual(nn.Linear(4, 4), nn.ReLU()), torch.ones(1, 4)
assert not torch.allclose(nn.Sequential(*list(residual))(x), residual(x))  # the addition is lost
for name in ("0", "1"):  # the loop, for one layer in two places
    setattr(both, name, nn.Linear(2, 2))
assert both[0] is not both[1]


# %% log-softmax-after hidden=true
class Logarithms(Classifier):
    def forward(self, image):
        return super().forward(image).log_softmax(dim=1)


logarithms = Logarithms()
features = logarithms.features(image)
logarithms.head = nn.Identity()
assert not torch.allclose(logarithms(image), features)

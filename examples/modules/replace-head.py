"""A new last layer on a trained model."""

# %% model
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.fc = nn.Linear(16, classes)

    def forward(self, image):
        return self.fc(self.backbone(image))


torch.manual_seed(0)
checkpoint = Classifier(classes=10).state_dict()  # as from a file
image = torch.randn(4, 8)

# %% load-then-replace
net = Classifier(classes=10)
net.load_state_dict(checkpoint)
net.fc = nn.Linear(net.fc.in_features, 3)
print("output:", tuple(net(image).shape))

# %% what-is-new
for name, tensor in net.state_dict().items():
    loaded = torch.equal(tensor, checkpoint[name])
    print(f"{name:18} {'from the checkpoint' if loaded else 'new'}")

# %% last-in-sequential
vgg_like = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 10))
vgg_like[-1] = nn.Linear(vgg_like[-1].in_features, 3)
print(vgg_like)

# %% out-features
net = Classifier(classes=10)
net.fc.out_features = 3
print(net.fc)
print("output:", tuple(net(image).shape))

# %% not-strict raises="RuntimeError"
Classifier(classes=3).load_state_dict(checkpoint, strict=False)

# %% without-head
net = Classifier(classes=3)
names = [name for name in checkpoint if not name.startswith("fc.")]
body = {name: checkpoint[name] for name in names}
print(net.load_state_dict(body, strict=False))

# %% optimizer-too-early
net = Classifier(classes=10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.fc = nn.Linear(16, 3)
groups = optimizer.param_groups
held = {id(parameter) for group in groups for parameter in group["params"]}
for name, parameter in net.named_parameters():
    print(f"{name:18} in the optimizer: {id(parameter) in held}")

# %% two-rates
optimizer = torch.optim.AdamW(
    [
        {"params": net.backbone.parameters(), "lr": 1e-5},
        {"params": net.fc.parameters(), "lr": 1e-3},
    ]
)
print([group["lr"] for group in optimizer.param_groups])

# %% identity
net.fc = nn.Identity()
print("features:", tuple(net(image).shape))

# %% gray
first = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)  # trained
gray = nn.Conv2d(1, 64, kernel_size=7, stride=2, padding=3, bias=False)
with torch.no_grad():
    gray.weight.copy_(first.weight.sum(dim=1, keepdim=True))  # (64, 1, 7, 7)

photos = torch.rand(2, 1, 32, 32)
repeated = photos.expand(-1, 3, -1, -1)  # the same picture in all three channels
with torch.no_grad():
    print("as repeated:", torch.allclose(gray(photos), first(repeated), atol=1e-5))

# %% more-channels
four = nn.Conv2d(4, 64, kernel_size=7, stride=2, padding=3, bias=False)
with torch.no_grad():
    four.weight.zero_()  # the fourth channel: nothing at first
    four.weight[:, :3].copy_(first.weight)
    images = torch.rand(2, 4, 32, 32)
    same = torch.allclose(four(images), first(images[:, :3]), atol=1e-5)
    print("starts equal:", same)

# %% gray-mean hidden=true
with torch.no_grad():
    third = nn.functional.conv2d(photos, first.weight.mean(dim=1, keepdim=True), stride=2, padding=3)
    assert torch.allclose(3 * third, gray(photos), atol=1e-5)
    biased, single = nn.Conv2d(3, 8, 3), nn.Conv2d(1, 8, 3)
    single.weight.copy_(biased.weight.sum(dim=1, keepdim=True))
    single.bias.copy_(biased.bias)
    assert torch.allclose(single(photos), biased(repeated), atol=1e-5)

# %% dtype hidden=true
net = Classifier(classes=10).bfloat16()
for options, works in (({}, False), ({"dtype": torch.bfloat16}, True)):
    net.fc = nn.Linear(16, 3, **options)
    try:
        net(image.bfloat16())
    except RuntimeError as error:
        assert not works and "dtype" in str(error)
    else:
        assert works

# %% more-channels-bias hidden=true
biased, wider = nn.Conv2d(3, 8, 3), nn.Conv2d(4, 8, 3)
images = torch.rand(2, 4, 8, 8)
with torch.no_grad():
    wider.weight.zero_()
    wider.weight[:, :3].copy_(biased.weight)
    assert not torch.allclose(wider(images), biased(images[:, :3]), atol=1e-5)
    wider.bias.copy_(biased.bias)
    assert torch.allclose(wider(images), biased(images[:, :3]), atol=1e-5)

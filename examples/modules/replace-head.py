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

# %% not-strict raises="RuntimeError"
Classifier(classes=3).load_state_dict(checkpoint, strict=False)

# %% without-head
net = Classifier(classes=3)
names = [name for name in checkpoint if not name.startswith("fc.")]
body = {name: checkpoint[name] for name in names}
print(net.load_state_dict(body, strict=False))

# %% out-features
net = Classifier(classes=10)
net.fc.out_features = 3
print(net.fc)
print("output:", tuple(net(image).shape))

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

# %% last-in-sequential
vgg_like = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 10))
vgg_like[-1] = nn.Linear(vgg_like[-1].in_features, 3)
print(vgg_like)

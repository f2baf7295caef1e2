"""eval() sets how layers behave; no_grad() sets whether operations are recorded. Evaluation needs both."""

# %% setup
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
images = torch.randn(3, 4)  # (batch, features)

# %% two-by-two
for mode in (True, False):
    net.train(mode)
    for grad in (True, False):
        with torch.set_grad_enabled(grad):
            first, second = net(images), net(images)
        name = ("train" if mode else "eval") + (", grad" if grad else ", no_grad")
        same = torch.equal(first, second)
        print(f"{name:14} graph={first.requires_grad!s:5} same={same}")

# %% three-ways
net.eval()
plain = net(images)
with torch.no_grad():
    unrecorded = net(images)
with torch.inference_mode():
    inferred = net(images)
outputs = {"eval()": plain, "+ no_grad()": unrecorded}
outputs["+ inference_mode()"] = inferred
for name, out in outputs.items():
    same = torch.equal(out, plain)
    print(f"{name:18} {same=} requires_grad={out.requires_grad}")

# %% backward-in-eval
layer = nn.Linear(2, 1)
layer.eval()
layer(torch.ones(1, 2)).sum().backward()
print(layer.weight.grad)

# %% same-gradients asks=true
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
gradients = []
for mode in (True, False):
    net.train(mode)
    loss = net(images).square().sum()
    gradients.append(torch.autograd.grad(loss, net.parameters()))
differences = [(a - b).abs().max().item() for a, b in zip(*gradients)]
print("largest difference:", max(differences))

# %% input-gradient
image = torch.randn(1, 4, requires_grad=True)
net.eval()
net(image)[0, 1].backward()
print(image.grad)


# %% evaluate
@torch.no_grad()
def evaluate(net, images, labels):
    was_training = net.training
    net.eval()
    right = (net(images).argmax(dim=1) == labels).sum().item()
    net.train(was_training)
    return right


for mode in (True, False):
    net.train(mode)
    right = evaluate(net, images, torch.tensor([0, 1, 1]))
    print(right, "of 3, training:", net.training)
print("recording:", torch.is_grad_enabled())

# %% fused-encoder hidden=true
recurrent, series = nn.LSTM(4, 4).eval(), torch.randn(3, 2, 4)
with torch.no_grad():
    without_graph = recurrent(series)[0]
torch.testing.assert_close(without_graph, recurrent(series)[0].detach())
import warnings

torch.manual_seed(0)
encoder_layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # nested tensors say that they are a prototype
    encoder = nn.TransformerEncoder(encoder_layer, 2).eval()
    padding = torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 0, 1]]).bool()
    sequence = torch.randn(2, 5, 8)
    recorded = encoder(sequence, src_key_padding_mask=padding)
    with torch.no_grad():
        fused = encoder(sequence, src_key_padding_mask=padding)
torch.testing.assert_close(fused[~padding], recorded[~padding])
assert not fused[padding].any() and recorded[padding].any()

# %% left-padding-and-causal hidden=true
causal, left = torch.ones(5, 5).triu(1).bool(), padding.flip(1)
encoder = nn.TransformerEncoder(encoder_layer, 2, enable_nested_tensor=False).eval()
if torch.__version__ >= "2.13":  # others may have no fused kernel, or NaN both times
    for grad in (True, False):
        with torch.set_grad_enabled(grad):
            out = encoder(sequence, mask=causal, src_key_padding_mask=left)
        assert out.isfinite().all() if grad else out.isnan().all()

# %% bias-in-the-mask hidden=true
bias = -0.1 * (torch.arange(5.0)[:, None] - torch.arange(5.0)).abs()  # 0 on the diagonal alone
if torch.__version__ >= "2.13":
    weighed = encoder(sequence, mask=bias)
    with torch.no_grad():
        hidden, diagonal = encoder(sequence, mask=bias), encoder(sequence, mask=~torch.eye(5).bool())
    torch.testing.assert_close(hidden, diagonal)
    assert not torch.allclose(hidden, weighed, atol=0.1)

"""An autoencoder and a variational autoencoder (VAE): two numbers an image."""

# %% images
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
axis = torch.linspace(0, 1, 12)
centers = 0.15 + 0.7 * torch.rand(1024, 2)  # where the spot is: (x, y)
x = (axis - centers[:, :1]).square()  # (image, column)
y = (axis - centers[:, 1:]).square()  # (image, row)
images = torch.exp(-(y[:, :, None] + x[:, None, :]) / 0.05)  # (image, row, column)
train, val = images[:896], images[896:]
print(tuple(train.shape), tuple(val.shape))


# %% autoencoder
def layers(*sizes):
    pairs = zip(sizes, sizes[1:])
    parts = [part for pair in pairs for part in (nn.Linear(*pair), nn.ReLU())]
    return nn.Sequential(*parts[:-1])  # no ReLU at the end


class Autoencoder(nn.Module):
    def __init__(self, latent=2):
        super().__init__()
        self.encoder = layers(144, 128, 64, latent)
        self.decoder = layers(latent, 64, 128, 144)

    def forward(self, images):
        code = self.encoder(images.flatten(1))  # (image, latent)
        return self.decoder(code).unflatten(1, (12, 12))


def fit(model, loss_of, steps=300):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        batch = train[torch.randint(len(train), (64,))]
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


torch.manual_seed(0)
autoencoder = fit(Autoencoder(), lambda net, batch: F.mse_loss(net(batch), batch))
with torch.no_grad():
    error = F.mse_loss(autoencoder(val), val)
    mean_image = F.mse_loss(train.mean(dim=0).expand_as(val), val)
print("error below 0.05 of the mean image's:", (error < 0.05 * mean_image).item())


# %% vae
class VAE(nn.Module):
    def __init__(self, latent=2):
        super().__init__()
        self.encoder = layers(144, 128, 64, 2 * latent)
        self.decoder = layers(latent, 64, 128, 144)

    def forward(self, images):
        mean, log_var = self.encoder(images.flatten(1)).chunk(2, dim=1)
        std = (0.5 * log_var).exp()
        code = mean + std * torch.randn_like(std)  # the reparameterization
        logits = self.decoder(code).unflatten(1, (12, 12))
        return logits, mean, log_var


def kl_of(mean, log_var):
    """KL(N(mean, var) || N(0, 1)), one number per image."""
    return 0.5 * (mean.square() + log_var.exp() - 1 - log_var).sum(dim=1)


def vae_loss(model, batch):
    logits, mean, log_var = model(batch)
    each = F.binary_cross_entropy_with_logits(logits, batch, reduction="none")
    reconstruction = each.sum(dim=(1, 2))  # summed over the pixels
    return (reconstruction + kl_of(mean, log_var)).mean()  # mean over the images


torch.manual_seed(0)
vae = fit(VAE(), vae_loss)
with torch.no_grad():
    logits, mean, log_var = vae(val)
print("KL per image above 1:", (kl_of(mean, log_var).mean() > 1).item())

# %% kl-check
from torch.distributions import Normal, kl_divergence

mean = torch.tensor([[0.0, 0.0], [1.0, -2.0], [0.5, 0.0]])  # (image, latent)
log_var = torch.tensor([[0.0, 0.0], [-1.0, -3.0], [0.0, 1.0]])
posterior = Normal(mean, (0.5 * log_var).exp())
by_torch = kl_divergence(posterior, Normal(0.0, 1.0)).sum(dim=1)
print("by hand:        ", kl_of(mean, log_var))
print("kl_divergence():", by_torch)

# %% reparameterization
torch.manual_seed(0)
center, spread = (torch.tensor(value, requires_grad=True) for value in (1.0, 0.5))
distribution = Normal(center, spread)
print("sample: ", distribution.sample().requires_grad)
code = distribution.rsample()  # center + spread * noise
code.backward()
noise = (code - center) / spread
print("rsample:", code.requires_grad, center.grad)
print("gradient of spread, noise:", spread.grad, noise.detach())


# %% collapse
def averaged_loss(model, batch):
    logits, mean, log_var = model(batch)
    reconstruction = F.binary_cross_entropy_with_logits(logits, batch)  # mean
    return reconstruction + kl_of(mean, log_var).mean()


torch.manual_seed(0)
collapsed = fit(VAE(), averaged_loss)
with torch.no_grad():
    logits, mean, log_var = collapsed(val)
print("KL per image below 0.1:", (kl_of(mean, log_var).mean() < 0.1).item())
print("all images alike:", (logits.sigmoid().std(dim=0).max() < 0.1).item())

# %% generate
steps = torch.linspace(-1.5, 1.5, 7)
codes = torch.cartesian_prod(steps, steps)  # (49, latent)
with torch.inference_mode():
    drawn = vae.decoder(codes).sigmoid().reshape(7, 7, 12, 12)
    random = vae.decoder(torch.randn(4, 2)).sigmoid()
print(tuple(drawn.shape), "new images:", tuple(random.shape))

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

with torch.no_grad():
    rows = {
        "val": val[:6],
        "autoencoder": autoencoder(val[:6]),
        "VAE": vae(val[:6])[0].sigmoid(),
        "averaged_loss": collapsed(val[:6])[0].sigmoid(),
    }
figure, (left, right) = plt.subplots(1, 2, figsize=(6.4, 3.0), width_ratios=(1.4, 1), layout="constrained")
left.imshow(
    torch.cat([torch.cat([*F.pad(row, (1, 1, 1, 1), value=torch.nan)], dim=1) for row in rows.values()]), vmin=0
)
left.set(xticks=[], yticks=[7 + 14 * i for i in range(4)])
left.set_yticklabels(rows, fontsize=9)
right.imshow(drawn.permute(0, 2, 1, 3).reshape(84, 84), vmin=0, vmax=1, extent=(-1.75, 1.75, 1.75, -1.75))
right.set(xticks=[-1.5, 0, 1.5], yticks=[-1.5, 0, 1.5])
right.set_title("vae.decoder(codes)", fontsize=9)


# %% raised-slowly hidden=true
def averaged(factor_at, steps=100):
    """What is left of the KL term, weighed by factor_at(share of the training done)."""
    done = 0

    def loss_of(model, batch):
        nonlocal done
        done += 1
        logits, mean, log_var = model(batch)
        reconstruction = F.binary_cross_entropy_with_logits(logits, batch)
        return reconstruction + factor_at(done / steps) * kl_of(mean, log_var).mean()

    torch.manual_seed(0)
    net = fit(VAE(), loss_of, steps)
    with torch.no_grad():
        return kl_of(*net(val)[1:]).mean().item()


assert averaged(lambda share: share) < 0.1  # collapses all the same
assert averaged(lambda share: 1 / 144) > 1  # as if summed over the pixels

# %% color hidden=true
each = torch.rand(8, 3, 8, 8)  # with channels, sum(dim=(1, 2)) leaves the columns
assert (each.sum(dim=(1, 2)) + torch.rand(8)).shape == (8, 8) and each.flatten(1).sum(dim=1).shape == (8,)

"""Lightning's checkpoints: what is in them, why a loaded model differs, and monitors that are not found."""

# %% quiet needs="lightning" fold=true
import logging
import warnings

warnings.simplefilter("ignore")  # of workers, and folders that are not empty
import lightning

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

# %% module needs="lightning"
import tempfile

import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch import nn
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader, TensorDataset


class Net(lightning.LightningModule):
    def __init__(self, width=8, slope=0.01):
        super().__init__()
        self.save_hyperparameters()
        act = nn.LeakyReLU(slope), nn.Dropout(0.5)
        self.net = nn.Sequential(nn.Linear(4, width), *act, nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, i):
        x, y = batch
        return mse_loss(self(x), y)

    def validation_step(self, batch, i):
        x, y = batch
        self.log("val_loss", mse_loss(self(x), y))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.1)


torch.manual_seed(0)
x, noise = torch.randn(64, 4), torch.randn(64, 1)
loader = DataLoader(TensorDataset(x, noise), batch_size=16)


def fit(module, *callbacks):
    trainer = lightning.Trainer(
        accelerator="cpu",
        max_epochs=4,
        logger=False,
        callbacks=list(callbacks),
        default_root_dir=tempfile.mkdtemp(),
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(module, loader, loader)
    return trainer


# %% contents needs="lightning"
module = Net(width=16, slope=0.5)
path = fit(module).checkpoint_callback.best_model_path
checkpoint = torch.load(path)
print(*sorted(checkpoint), sep="\n")
print(checkpoint["hyper_parameters"])

# %% mode needs="lightning"
loaded = Net.load_from_checkpoint(path)
print("training mode:", module.training, loaded.training)
with torch.no_grad():
    print("same:", torch.equal(loaded(x), module(x)))
    print("same in eval mode:", torch.equal(loaded.eval()(x), module.eval()(x)))


# %% hyperparameters needs="lightning"
class Forgets(Net):
    def save_hyperparameters(self):
        pass  # as if the line were missing


module = Forgets(slope=0.5)
path = fit(module).checkpoint_callback.best_model_path
for arguments in ({}, {"slope": 0.5}):
    loaded = Forgets.load_from_checkpoint(path, **arguments)
    with torch.no_grad():
        same = torch.equal(loaded.eval()(x), module.eval()(x))
    print(arguments, "same:", same)

# %% not-plain needs="lightning" raises="UnpicklingError"
from pathlib import Path


class WithFolder(Net):
    def __init__(self, folder=Path("data"), width=8):
        super().__init__(width)
        self.save_hyperparameters()


path = fit(WithFolder()).checkpoint_callback.best_model_path
WithFolder.load_from_checkpoint(path)

# %% not-plain-cure needs="lightning"
loaded = WithFolder.load_from_checkpoint(path, weights_only=False)
print(loaded.hparams["folder"])


class LeftOut(Net):
    def __init__(self, folder=Path("data"), width=8):
        super().__init__(width)
        self.save_hyperparameters(ignore=["folder"])


path = fit(LeftOut()).checkpoint_callback.best_model_path
print(LeftOut.load_from_checkpoint(path, folder=Path("new")).hparams)

# %% instance needs="lightning" raises="TypeError"
Net().load_from_checkpoint(path)

# %% best needs="lightning"
best = ModelCheckpoint(dirpath=tempfile.mkdtemp(), monitor="val_loss")
module = Net()
trainer = fit(module, best)
for name, one in {
    "best": Net.load_from_checkpoint(best.best_model_path),
    "after fit": module,
}.items():
    with torch.no_grad():
        print(f"{name:9} {mse_loss(one.eval()(x), noise).item():.3f}")
print(f"{best.best_model_score.item():.3f}")


# %% renamed needs="lightning"
class Renamed(Net):
    def __init__(self):
        super().__init__()
        self.body = self.net
        del self.net


try:
    Renamed.load_from_checkpoint(best.best_model_path)
except RuntimeError as error:
    print(str(error).splitlines()[0])
first = Renamed.load_from_checkpoint(best.best_model_path, strict=False)
print("loaded:", torch.equal(first.body[0].weight, module.net[0].weight))

# %% monitor needs="lightning" raises="MisconfigurationException"
fit(Net(), ModelCheckpoint(dirpath=tempfile.mkdtemp(), monitor="valid_loss"))

# %% early-stopping needs="lightning" raises="RuntimeError"
fit(Net(), EarlyStopping(monitor="valid_loss"))

# %% monitor-cure needs="lightning"
stop = EarlyStopping(monitor="val_loss", mode="min")
best = ModelCheckpoint(dirpath=tempfile.mkdtemp(), monitor="val_loss")
fit(Net(), stop, best)
print(stop.best_score.item() == best.best_model_score.item())

# %% nothing-saved needs="lightning"
unused = ModelCheckpoint(dirpath=tempfile.mkdtemp(), monitor="val_loss")
options = dict(accelerator="cpu", max_epochs=1, logger=False, callbacks=[unused])
options |= dict(enable_progress_bar=False, enable_model_summary=False)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    lightning.Trainer(**options).fit(Net(), loader)  # no loader for validation
print(*[w.message for w in caught if "monitored key" in str(w.message)])
print("saved:", repr(unused.best_model_path))

# %% plain needs="lightning"
state = torch.load(best.best_model_path)["state_dict"]
act = nn.LeakyReLU(), nn.Dropout()
plain = nn.Sequential(nn.Linear(4, 8), *act, nn.Linear(8, 1))
renamed = {key.removeprefix("net."): value for key, value in state.items()}
print(plain.load_state_dict(renamed))

# %% last-written hidden=true needs="lightning"
every = ModelCheckpoint(dirpath=tempfile.mkdtemp(), every_n_epochs=3)  # of four epochs
fit(Net(), every)
assert "epoch=2" in every.best_model_path, every.best_model_path

"""One training script for CPU, CUDA and MPS: only the first lines know the device."""

# %% device varies=true
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()
else:
    device = torch.device("cpu")
on_gpu = device.type != "cpu"
print(f"training on {device}")

# %% data
torch.manual_seed(0)
images = torch.randn(256, 8)
labels = (images.sum(1) > 0).long()
dataset = TensorDataset(images, labels)
pin = device.type == "cuda"
loader = DataLoader(dataset, batch_size=64, shuffle=True, pin_memory=pin)

# %% model
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)  # after to(device)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 1.0])).to(device)

# %% train
for epoch in range(20):
    total = torch.zeros((), device=device)  # stays there: nobody waits for it
    for batch, target in loader:
        batch = batch.to(device, non_blocking=pin)
        target = target.to(device, non_blocking=pin)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=on_gpu):
            loss = criterion(model(batch), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach() * len(batch)
    if epoch in (0, 19):
        print(f"epoch {epoch + 1:2}  loss {total.item() / len(images):.2f}")

# %% evaluate
model.eval()
with torch.no_grad():
    predicted = model(images.to(device)).argmax(1).cpu()  # for NumPy, plots, files
accuracy = (predicted == labels).float().mean().item()
print(f"accuracy above 0.9: {accuracy > 0.9}")

# %% checkpoint
import tempfile

with tempfile.TemporaryDirectory() as folder:
    torch.save(model.state_dict(), f"{folder}/model.pt")
    weights = torch.load(f"{folder}/model.pt", map_location="cpu")
print({name: str(tensor.device) for name, tensor in weights.items()})

# %% synchronize raises="RuntimeError" needs="no-cuda"
torch.accelerator.synchronize()

# %% wait-if-needed
if on_gpu:
    torch.accelerator.synchronize()  # before reading a clock

# %% training-mode hidden=true
assert not model.training  # so another epoch would run without dropout
assert model.train().training

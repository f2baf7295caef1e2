"""A dataset from a table: CSV, pandas, Arrow; dtypes and missing values."""

# %% file
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "houses.csv"
path.write_text("""area,rooms,heating,price
50.5,2,gas,210
80.0,,oil,300
65.0,3,gas,260
120.0,5,,480
""")

# %% pandas needs="pandas"
import pandas as pd

table = pd.read_csv(path)
print(table.dtypes.to_dict())
print("missing:", table.isna().sum().to_dict())

# %% to-tensors needs="pandas"
import torch
from torch.utils.data import DataLoader, TensorDataset

train = table.iloc[:3]  # statistics of the training rows alone
rooms = table["rooms"].fillna(train["rooms"].mean())
numbers = pd.DataFrame({"area": table["area"], "rooms": rooms})
numbers["rooms missing"] = table["rooms"].isna()
heating = pd.Index(["gas", "oil"]).get_indexer(table["heating"]) + 1

features = torch.tensor(numbers.to_numpy(dtype="float32"))
kinds = torch.tensor(heating, dtype=torch.long)  # 0: missing or unknown
prices = torch.tensor(table["price"].to_numpy(dtype="float32"))
dataset = TensorDataset(features, kinds, prices)
for batch in DataLoader(dataset, batch_size=4):
    print(*batch, sep="\n")

# %% unknown hidden=true needs="pandas"
assert pd.Index(["gas", "oil"]).get_indexer(["oil", "wood", None]).tolist() == [1, -1, -1]

# %% object-array needs="pandas" raises="TypeError"
torch.tensor(table.to_numpy())

# %% key-error needs="pandas" raises="KeyError"
large = table[table["area"] > 60]
print("rows:", large.index.tolist())
large["area"][0]

# %% series needs="pandas" raises="ValueError"
torch.tensor(large["area"])

# %% positions needs="pandas"
print("first row:", large["area"].iloc[0])
print(torch.tensor(large["area"].to_numpy()))

# %% per-row needs="pandas" varies=true
from time import process_time

long = pd.concat([numbers.astype("float32")] * 500)
rows = torch.tensor(long.to_numpy())
begin = process_time()
by_pandas = [torch.tensor(long.iloc[i].to_numpy()) for i in range(len(long))]
middle = process_time()
by_tensor = [rows[i] for i in range(len(rows))]
end = process_time()
ratio = (middle - begin) / max(end - middle, 1e-9)
print("iloc row by row takes over 5 times as long:", ratio > 5)

# %% nan
import torch

layer = torch.nn.Linear(2, 1)
complete, incomplete = torch.tensor([50.5, 2.0]), torch.tensor([80.0, torch.nan])
print("complete row is finite:", layer(complete).isfinite().item())
loss = layer(torch.stack([complete, incomplete])).square().mean()
loss.backward()
print("loss:", loss.item(), " gradient:", layer.weight.grad)

# %% csv-module
import csv

with open(path, newline="") as file:
    rows = list(csv.DictReader(file))
print(rows[1])
rooms = torch.tensor([float(row["rooms"] or "nan") for row in rows])
known = rooms[:3].nanmean()  # of the training rows
print(rooms, "->", torch.where(rooms.isnan(), known, rooms))

# %% string-column raises="TypeError"
torch.tensor(rows[0]["rooms"])

# %% converted hidden=true
assert torch.tensor(float(rows[0]["rooms"])).item() == 2

# %% arrow needs="pyarrow"
import pyarrow.csv

columns = pyarrow.csv.read_csv(path)
print({field.name: str(field.type) for field in columns.schema})
print(columns["rooms"].null_count, "missing:", columns["rooms"].to_numpy())

# %% not-writable needs="pyarrow" warns="UserWarning"
torch.from_numpy(columns["area"].to_numpy())

# %% copied needs="pyarrow"
area = torch.tensor(columns["area"].to_numpy(), dtype=torch.float32)
print(area)

# %% stream needs="pandas"
from torch.utils.data import IterableDataset


class Chunks(IterableDataset):
    def __iter__(self):  # one worker: several would each read the whole file
        for chunk in pd.read_csv(path, chunksize=2):
            yield torch.tensor(chunk[["area", "price"]].to_numpy(dtype="float32"))


for chunk in DataLoader(Chunks(), batch_size=None):
    print(chunk)

# %% long-id hidden=true
assert torch.tensor([float("16777217")]).item() == 16777216
assert torch.tensor([int("16777217")]).item() == 16777217
assert torch.tensor([2.5, int("16777217")])[1].item() == 16777216  # one tensor has one dtype

"""Nearest neighbours: all distances at once, or in pieces with a running top k."""

# %% all-at-once
import torch
import torch.nn.functional as F

torch.manual_seed(0)
database = torch.randn(2000, 64)  # (items, features)
queries = torch.randn(5, 64)

distances = torch.cdist(queries, database)  # (queries, items)
found = distances.topk(3, largest=False)
print("indices", found.indices[0].tolist())
print("distances", [f"{value:.3f}" for value in found.values[0].tolist()])

# %% sklearn needs="sklearn"
from sklearn.neighbors import NearestNeighbors

theirs = NearestNeighbors(n_neighbors=3).fit(database)
_, indices = theirs.kneighbors(queries)
print("sklearn", indices[0].tolist())
print("equal for all queries:", (indices == found.indices.numpy()).all())

# %% cosine
unit = F.normalize(database, dim=1)  # once, when the database is built
similar = F.normalize(queries, dim=1) @ unit.T
best = similar.topk(3)
print("indices", best.indices[0].tolist())
print("cosine ", [f"{value:.3f}" for value in best.values[0].tolist()])


# %% pieces
def search(queries, database, k, piece=500):
    """The k nearest rows: distances and indices, (queries, k) each."""
    values = queries.new_empty(len(queries), 0)  # on the device of the queries
    indices = values.long()
    for start in range(0, len(database), piece):
        near = torch.cdist(queries, database[start : start + piece])
        number = torch.arange(start, start + near.shape[1], device=near.device)
        values = torch.cat([values, near], dim=1)
        indices = torch.cat([indices, number.expand_as(near)], dim=1)
        values, kept = values.topk(min(k, values.shape[1]), largest=False)
        indices = indices.gather(1, kept)
    return values, indices


values, indices = search(queries, database, k=3)
print("same neighbors:", torch.equal(indices, found.indices))

# %% memory
for items in (10**5, 10**7):
    whole = 1000 * items * 4  # 1000 queries, float32
    part = 1000 * (3 + 500) * (4 + 8)  # and int64 indices
    print(f"{items:8} items: {whole / 1e9:4g} GB, in pieces {part / 1e6:.0f} MB")

# %% itself
rows = torch.tensor([0, 1, 2])  # the queries' indices in the database
near = torch.cdist(database[rows], database)
print("nearest:       ", near.argmin(dim=1).tolist())
near[torch.arange(3), rows] = torch.inf
print("without itself:", near.argmin(dim=1).tolist())

# %% classify
centers = 4 * torch.randn(3, 64)
labels = torch.arange(300) % 3
points = centers[labels] + 3 * torch.randn(300, 64)
train, test = torch.arange(300).split([200, 100])
neighbors = torch.cdist(points[test], points[train]).topk(5, largest=False).indices
vote = labels[train][neighbors].mode(dim=1).values
print(f"accuracy {(vote == labels[test]).float().mean():.2f}")

# %% metrics
long = torch.tensor([[10.0, 10.0]])  # the same direction as the query, but far
short = torch.tensor([[1.0, 0.0]])  # near, another direction
items, query = torch.cat([long, short]), torch.tensor([[1.0, 1.0]])
print("Euclidean:", torch.cdist(query, items).argmin().item())
print("cosine:   ", F.cosine_similarity(query, items).argmax().item())
print("product:  ", (query @ items.T).argmax().item())

# %% too-few raises="RuntimeError"
torch.cdist(queries, database[:2]).topk(3, largest=False)

# %% enough
few = torch.cdist(queries, database[:2])
found = few.topk(min(3, few.shape[1]), largest=False)
print("indices:", tuple(found.indices.shape))

# %% another-dimension hidden=true
tall = torch.rand(10, 2)  # five of the ten rows are wanted: limiting k would give two of the columns
assert tall.topk(5, dim=0).indices.shape == (5, 2) and tall.topk(min(5, tall.shape[-1])).indices.shape == (10, 2)

# %% duplicates hidden=true
twice = torch.cat([database[:50], database[:50]]).double()
rows = torch.tensor([60, 7, 99])
near = torch.cdist(twice[rows], twice)
near[torch.arange(3), rows] = torch.inf
assert near.argmin(dim=1).tolist() == [10, 57, 49]  # the duplicate, not the query

# %% counter-cases hidden=true
assert search(queries.to("meta"), database.to("meta"), 3)[1].device.type == "meta"
ties = torch.tensor([[2, 1, 2, 1, 0], [3, 3, 0, 0, 5], [4, 2, 2, 4, 1]])
assert ties.mode(dim=1).values.tolist() == [1, 0, 2]
for items, piece, k in ((17, 5, 3), (17, 17, 17), (17, 1, 4), (3, 100, 3)):
    base, ask = torch.randn(items, 8).double(), torch.randn(6, 8).double()
    whole = torch.cdist(ask, base).topk(k, largest=False)
    assert torch.equal(search(ask, base, k, piece)[1], whole.indices)
rows = F.normalize(torch.randn(50, 8).double(), dim=1)
by_cosine = (rows[:5] @ rows.T).topk(4).indices
assert torch.equal(by_cosine, torch.cdist(rows[:5], rows).topk(4, largest=False).indices)

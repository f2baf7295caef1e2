"""A graph is two rows of numbers: grow it, pass messages along it."""

# %% empty
import torch
from torch import nn

edges = torch.empty(2, 0, dtype=torch.long)  # row 0: from, row 1: to
features = torch.empty(0, 1)  # (nodes, features)
print(edges.shape[1], "edges,", len(features), "nodes")

# %% grow
nodes = torch.tensor([[1.0], [10.0], [100.0]])
features = torch.cat([features, nodes])
edges = torch.cat([edges, torch.tensor([[0, 1], [1, 2]])], dim=1)  # 0 → 1, 1 → 2
edges = torch.cat([edges, torch.tensor([[2], [1]])], dim=1)  # 2 → 1
print(edges.shape[1], "edges,", len(features), "nodes")
print(edges)

# %% messages
source, target = edges
received = torch.zeros_like(features).index_add_(0, target, features[source])
print(received.flatten())

# %% matrix
adjacency = torch.sparse_coo_tensor(
    torch.stack([target, source]),  # row: to, column: from
    torch.ones(edges.shape[1]),
    size=(3, 3),
    check_invariants=True,
)
print("matrix", adjacency.to_dense(), sep="\n")
print("received", (adjacency @ features).flatten())

# %% mean
degree = torch.bincount(target, minlength=3)
print("messages", degree)
print("mean    ", (received / degree.clamp(min=1)[:, None]).flatten())


# %% layer
class GraphLayer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.own = nn.Linear(inputs, outputs)
        self.neighbors = nn.Linear(inputs, outputs, bias=False)

    def forward(self, features, edges):
        source, target = edges
        received = torch.zeros_like(features)
        received.index_add_(0, target, features[source])
        return self.own(features) + self.neighbors(received)


torch.manual_seed(0)
layer = GraphLayer(1, 4)
out = layer(features, edges)  # (nodes, outputs)
out.sum().backward()
print(out.shape, layer.neighbors.weight.grad.flatten())

# %% batch
two = torch.cat([edges, edges + len(features)], dim=1)  # two graphs side by side
print(two)

# %% unknown-node raises="IndexError"
features[torch.tensor([0, 3])]

# %% added-first hidden=true
grown = torch.cat([features, torch.tensor([[1000.0]])])
assert grown[torch.tensor([0, 3])].flatten().tolist() == [1, 1000]

# %% numbers-from-one hidden=true
from_one = torch.tensor([[1, 2], [2, 3]])  # 0 → 1, 1 → 2, but numbered from 1
table = torch.tensor([-1, 0, 1, 2])
for chosen, right in ((from_one, False), (table[from_one], True)):
    sums = torch.zeros_like(grown).index_add_(0, chosen[1], grown[chosen[0]])
    assert (sums[:3].flatten().tolist() == [0, 1, 10]) is right  # no error with the added node
skipped = torch.tensor([[1, 3], [3, 4]]).unique(return_inverse=True)[1]  # node 2 has no edge
assert skipped[0].tolist() == [0, 1]  # 3 is row 2 of the features, not row 1

# %% any-graph hidden=true
for nodes, count in ((1, 3), (5, 40), (6, 0)):  # edges that occur twice, loops, no edge
    edges = torch.randint(nodes, (2, count))
    features = torch.randn(nodes, 3)
    source, target = edges
    received = torch.zeros_like(features).index_add_(0, target, features[source])
    size = nodes, nodes
    adjacency = torch.sparse_coo_tensor(edges.flip(0), torch.ones(count), size, check_invariants=True)
    assert torch.allclose(adjacency @ features, received, atol=1e-5)
    degree = torch.bincount(target, minlength=nodes)
    mean = received / degree.clamp(min=1)[:, None]
    for node in range(nodes):
        arrived = features[source[target == node]]
        expected = arrived.mean(dim=0) if len(arrived) else torch.zeros(3)
        assert torch.allclose(mean[node], expected, atol=1e-5)

# %% both-directions hidden=true
pairs = [(0, 1), (1, 2)]  # as list(graph.edges) of networkx
edges = torch.tensor(pairs).T
edges = torch.cat([edges, edges.flip(0)], dim=1)
dense = torch.zeros(3, 3)
dense[edges[1], edges[0]] = 1
assert torch.equal(dense, dense.T) and edges.shape == (2, 4)

# %% gcn hidden=true
loops = torch.arange(3).expand(2, 3)
source, target = torch.cat([edges, loops], dim=1)
scale = torch.bincount(target, minlength=3).rsqrt()
features = torch.randn(3, 2)
message = features[source] * (scale[source] * scale[target])[:, None]
received = torch.zeros_like(features).index_add_(0, target, message)
dense += torch.eye(3)
root = dense.sum(dim=1).rsqrt()
assert torch.allclose(received, (root[:, None] * dense * root) @ features)

# %% minus-one hidden=true
assert torch.equal(features[torch.tensor([-1])], features[2:])  # as a source, without an error
try:
    torch.zeros(3, 2).index_add_(0, torch.tensor([-1]), features[:1])
except (IndexError, RuntimeError):
    pass
else:
    raise AssertionError

# %% other-dtypes hidden=true
features, count = torch.ones(3, 2, dtype=torch.bfloat16), 3000
edges = torch.arange(count).remainder(3).expand(2, count)  # a thousand loops at each node
ones = torch.ones(count, dtype=features.dtype)
adjacency = torch.sparse_coo_tensor(edges, ones, (3, 3), check_invariants=True)
received = torch.zeros_like(features).index_add_(0, edges[1], features[edges[0]])
assert received[0, 0] > 900 > 300 > (adjacency @ features)[0, 0]
scale = torch.bincount(edges[1], minlength=3).rsqrt().to(features.dtype)
message = features[edges[0]] * (scale[edges[0]] * scale[edges[1]])[:, None]
torch.zeros_like(features).index_add_(0, edges[1], message)  # float32 would raise

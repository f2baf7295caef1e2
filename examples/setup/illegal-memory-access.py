"""An illegal memory access: find the kernel, and the index that nobody checked."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import os; print(os.environ.get('CUDA_LAUNCH_BLOCKING'))")

# %% unchecked
import torch

indices = torch.tensor([[0, 7], [0, 1]])  # row 7 of a matrix with two rows
values = torch.tensor([1.0, 2.0])
wrong = torch.sparse_coo_tensor(indices, values, (2, 2), check_invariants=False)
print("accepted, shape", tuple(wrong.shape), "largest row", indices[0].max().item())

# %% checked raises="RuntimeError"
torch.sparse_coo_tensor(indices, values, (2, 2), check_invariants=True)

# %% everywhere raises="RuntimeError"
columns = torch.tensor([0, 7])
with torch.sparse.check_sparse_tensor_invariants():
    torch.sparse_csr_tensor([0, 1, 2], columns, values, (2, 2))

# %% in-range
inside = torch.tensor([[0, 1], [0, 1]])  # row 1 was meant
right = torch.sparse_coo_tensor(inside, values, (2, 2), check_invariants=True)
print(right @ torch.ones(2))

# %% checked-by-kernel raises="IndexError"
torch.zeros(2)[columns]

# %% offsets
rows, features = 100_000, 40_000
print("elements:", rows * features, "fits into 32 bits:", rows * features < 2**31)

# %% launch needs="cuda" raises="AcceleratorError" varies=true says="CUDA error: an illegal memory access was encountered" origin="CUDA 13.0: cudaGetErrorString(cudaErrorIllegalAddress)"
far = torch.tensor([[0, 1], [0, 2**30]], device="cuda")  # no such column
unchecked = {"check_invariants": False, "is_coalesced": True}
matrix = torch.sparse_coo_tensor(far, values.cuda(), (2, 2), **unchecked)
print((matrix @ torch.ones(2, 2, device="cuda")).sum().item())

# %% remedies hidden=true
import warnings

assert torch.zeros(2)[columns.clamp(max=1)].tolist() == [0, 0]
warnings.simplefilter("ignore")  # CSR is in beta state
with torch.sparse.check_sparse_tensor_invariants():
    torch.sparse_csr_tensor([0, 1, 2], columns.clamp(max=1), values, (2, 2))

# %% checked-on-the-cpu hidden=true
import torch.nn.functional as F

scores, labels = torch.zeros(5, 1, 4).log_softmax(-1), torch.ones(1, 3, dtype=torch.long)
two, far_away = torch.zeros(2), torch.tensor([7])
for call in (
    lambda: F.embedding_bag(torch.tensor([0, 1]), torch.ones(3, 2), torch.tensor([0, 5])),
    lambda: F.ctc_loss(scores, labels, torch.tensor([9]), torch.tensor([3])),
    lambda: F.ctc_loss(scores, labels, torch.tensor([5]), torch.tensor([7])),
    lambda: two.take(far_away),
    lambda: two.gather(0, far_away),
    lambda: two.index_select(0, far_away),
    lambda: two.scatter(0, far_away, 1.0),
    lambda: two.index_add(0, far_away, torch.ones(1)),
    lambda: F.embedding(far_away, torch.zeros(2, 2)),
    lambda: F.cross_entropy(torch.zeros(1, 3), far_away),
    lambda: two.as_strided((5,), (1,)),
):
    try:
        call()
    except (RuntimeError, IndexError):
        continue
    raise AssertionError("not checked")
F.ctc_loss(scores, torch.full((1, 3), 9), torch.tensor([5]), torch.tensor([3]))  # no such label, and no error
